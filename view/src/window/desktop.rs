//! A window on a desktop.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use minifb::{InputCallback, MouseButton, MouseMode, WindowOptions};

use super::input::{Input, Key};
use super::screen::Screen;
use super::{Packed, ViewError};

pub struct Desktop {
    window: minifb::Window,
    keys: Rc<RefCell<Keys>>,
    /// Whether the window has read its events since they were asked for: showing a picture does so, too.
    fresh: bool,
}

/// What happened to the keys: one that is let go before anybody looks was pressed all the same.
#[derive(Default)]
struct Keys {
    pressed: Vec<minifb::Key>,
    held: BTreeSet<minifb::Key>,
}

/// Tells of each event.
struct Listener(Rc<RefCell<Keys>>);

impl InputCallback for Listener {
    fn add_char(&mut self, _: u32) {}

    fn set_key_state(&mut self, key: minifb::Key, down: bool) {
        let mut keys = self.0.borrow_mut();
        if !down {
            keys.held.remove(&key);
        } else if keys.held.insert(key) {
            keys.pressed.push(key);
        }
    }
}

impl Desktop {
    pub fn open(title: &str, [width, height]: [usize; 2]) -> Result<Desktop, ViewError> {
        let window = minifb::Window::new(title, width, height, WindowOptions::default());
        let mut window = window.map_err(|error| ViewError::Display(error.to_string()))?;
        let keys = Rc::default();
        window.set_input_callback(Box::new(Listener(Rc::clone(&keys))));
        Ok(Desktop {
            window,
            keys,
            fresh: false,
        })
    }
}

impl Screen for Desktop {
    fn poll(&mut self, input: &mut Input) -> Result<bool, ViewError> {
        if !std::mem::take(&mut self.fresh) {
            self.window.update();
        }
        if let Some((x, y)) = self.window.get_mouse_pos(MouseMode::Clamp) {
            input.mouse.pixel = [x, y];
        }
        input.mouse.left = self.window.get_mouse_down(MouseButton::Left);
        input.mouse.right = self.window.get_mouse_down(MouseButton::Right);
        input.mouse.wheel += self.window.get_scroll_wheel().map_or(0.0, |(_, y)| y);
        let mut keys = self.keys.borrow_mut();
        input.pressed.extend(keys.pressed.drain(..).filter_map(key));
        input.held.extend(keys.held.iter().copied().filter_map(key));
        Ok(self.window.is_open())
    }

    fn present(&mut self, picture: &Packed) -> Result<(), ViewError> {
        let [width, height] = picture.size;
        self.fresh = true;
        let shown = self.window.update_with_buffer(&picture.pixels, width, height);
        shown.map_err(|error| ViewError::Display(error.to_string()))
    }
}

fn key(key: minifb::Key) -> Option<Key> {
    use minifb::Key as K;
    let letter = key as u8;
    Some(match key {
        K::Space => Key::Space,
        K::Up => Key::Up,
        K::Down => Key::Down,
        K::Left => Key::Left,
        K::Right => Key::Right,
        K::Enter => Key::Enter,
        K::Tab => Key::Tab,
        K::Escape => Key::Escape,
        K::Period => Key::Char('.'),
        K::Comma => Key::Char(','),
        K::Minus => Key::Char('-'),
        K::Equal => Key::Char('='),
        _ if letter <= K::Key9 as u8 => Key::Char(char::from(b'0' + letter)),
        _ if letter <= K::Z as u8 => Key::Char(char::from(b'a' + letter - K::A as u8)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_press_is_a_press() {
        let keys = Rc::default();
        let mut listener = Listener(Rc::clone(&keys));
        // Twice, of which the second is a repetition, then let go.
        for down in [true, true, false] {
            listener.set_key_state(minifb::Key::A, down);
        }
        assert_eq!(keys.borrow().pressed, [minifb::Key::A]);
        assert!(keys.borrow().held.is_empty());
    }

    #[test]
    fn letters_and_digits_are_characters() {
        for (from, to) in [
            (minifb::Key::Key0, '0'),
            (minifb::Key::Key7, '7'),
            (minifb::Key::A, 'a'),
            (minifb::Key::Q, 'q'),
            (minifb::Key::Z, 'z'),
        ] {
            assert_eq!(key(from), Some(Key::Char(to)));
        }
        assert_eq!(key(minifb::Key::F1), None);
        assert_eq!(key(minifb::Key::Space), Some(Key::Space));
    }
}
