//! A terminal: two pixels for each character, one above the other.

use std::fmt::Write as _;
use std::io::{Stdout, Write, stdout};
use std::time::Duration;

use crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton,
    MouseEventKind,
};
use crossterm::{cursor, execute, terminal};

use super::input::{Input, Key};
use super::screen::Screen;
use super::{Packed, ViewError};

pub struct Terminal {
    out: Stdout,
    /// Width and height of the picture that is shown, in pixels of the picture and in characters' halves.
    shown: Option<([usize; 2], [usize; 2])>,
    interrupted: bool,
}

impl Terminal {
    pub fn open() -> Result<Terminal, ViewError> {
        terminal::enable_raw_mode().map_err(ViewError::Terminal)?;
        let mut screen = Terminal {
            out: stdout(),
            shown: None,
            interrupted: false,
        };
        execute!(
            screen.out,
            terminal::EnterAlternateScreen,
            cursor::Hide,
            EnableMouseCapture
        )
        .map_err(ViewError::Terminal)?;
        Ok(screen)
    }

    fn event(&mut self, event: Event, input: &mut Input) {
        match event {
            Event::Key(pressed) if pressed.kind != KeyEventKind::Release => {
                if pressed.modifiers.contains(KeyModifiers::CONTROL) && pressed.code == KeyCode::Char('c') {
                    self.interrupted = true;
                } else if let Some(key) = key(pressed.code) {
                    input.press(key);
                }
            }
            Event::Mouse(mouse) => {
                if let Some((from, to)) = self.shown {
                    let [column, row] = [usize::from(mouse.column), 2 * usize::from(mouse.row) + 1];
                    input.mouse.pixel = [
                        ((column as f32 + 0.5) * from[0] as f32 / to[0] as f32).min(from[0] as f32),
                        (row as f32 * from[1] as f32 / to[1] as f32).min(from[1] as f32),
                    ];
                }
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => input.mouse.left = true,
                    MouseEventKind::Up(MouseButton::Left) => input.mouse.left = false,
                    MouseEventKind::Down(MouseButton::Right) => input.mouse.right = true,
                    MouseEventKind::Up(MouseButton::Right) => input.mouse.right = false,
                    MouseEventKind::ScrollUp => input.mouse.wheel += 1.0,
                    MouseEventKind::ScrollDown => input.mouse.wheel -= 1.0,
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

impl Screen for Terminal {
    fn poll(&mut self, input: &mut Input) -> Result<bool, ViewError> {
        while event::poll(Duration::ZERO).map_err(ViewError::Terminal)? {
            let event = event::read().map_err(ViewError::Terminal)?;
            self.event(event, input);
        }
        Ok(!self.interrupted)
    }

    fn present(&mut self, picture: &Packed) -> Result<(), ViewError> {
        let (columns, rows) = terminal::size().map_err(ViewError::Terminal)?;
        let size = fit(picture.size, [usize::from(columns), 2 * usize::from(rows)]);
        let mut text = String::from("\x1b[H");
        if self.shown != Some((picture.size, size)) {
            // What an earlier size has left beside the picture.
            text.push_str("\x1b[2J");
        }
        self.shown = Some((picture.size, size));
        blocks(picture, size, &mut text);
        self.out.write_all(text.as_bytes()).map_err(ViewError::Terminal)?;
        self.out.flush().map_err(ViewError::Terminal)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Nothing is left to do where the terminal is gone.
        let _ = execute!(
            self.out,
            DisableMouseCapture,
            cursor::Show,
            terminal::LeaveAlternateScreen
        );
        let _ = terminal::disable_raw_mode();
    }
}

/// The largest size of even height that fits and has the proportions of the picture; at least one character.
fn fit([width, height]: [usize; 2], [columns, halves]: [usize; 2]) -> [usize; 2] {
    let scale = (columns as f64 / width as f64)
        .min(halves as f64 / height as f64)
        .min(1.0);
    let size = [width, height].map(|n| (n as f64 * scale).round() as usize);
    [size[0].max(1), (size[1] & !1).max(2)]
}

/// The picture in `size` pixels, each the mean of what it covers, as rows of half blocks.
fn blocks(picture: &Packed, size: [usize; 2], text: &mut String) {
    let mut ink = None;
    for y in (0..size[1]).step_by(2) {
        if y > 0 {
            text.push_str("\x1b[0m\r\n");
            ink = None;
        }
        for x in 0..size[0] {
            let pair = [y, y + 1].map(|y| mean(picture, size, x, y));
            if ink != Some(pair) {
                let [[r, g, b], [red, green, blue]] = pair;
                // A `String` takes all that is written.
                let _ = write!(text, "\x1b[38;2;{r};{g};{b};48;2;{red};{green};{blue}m");
                ink = Some(pair);
            }
            text.push('▀');
        }
    }
    text.push_str("\x1b[0m");
}

fn mean(picture: &Packed, size: [usize; 2], x: usize, y: usize) -> [u8; 3] {
    let covered = |k: usize, axis: usize| {
        let (from, to) = (picture.size[axis], size[axis]);
        let start = (k * from / to).min(from - 1);
        start..((k + 1) * from / to).clamp(start + 1, from)
    };
    let (columns, rows) = (covered(x, 0), covered(y, 1));
    let count = (columns.len() * rows.len()) as u32;
    let mut sum = [0; 3];
    for row in rows {
        for pixel in &picture.pixels[row * picture.size[0]..][columns.clone()] {
            let [_, rgb @ ..] = pixel.to_be_bytes();
            sum = std::array::from_fn(|k| sum[k] + u32::from(rgb[k]));
        }
    }
    sum.map(|sum| (sum / count) as u8)
}

fn key(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Char(' ') => Key::Space,
        KeyCode::Char(letter) => Key::Char(letter.to_ascii_lowercase()),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Enter => Key::Enter,
        KeyCode::Tab => Key::Tab,
        KeyCode::Esc => Key::Escape,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_proportions() {
        assert_eq!(fit([960, 540], [80, 48]), [80, 44]);
        assert_eq!(fit([100, 400], [80, 48]), [12, 48]);
        // Never larger than it is, never nothing.
        assert_eq!(fit([20, 10], [80, 48]), [20, 10]);
        assert_eq!(fit([1000, 1], [10, 48]), [10, 2]);
    }

    #[test]
    fn each_character_holds_two_pixels() {
        let pixels = (0..12).map(|k| 0x010203 * (k + 1)).collect();
        let picture = Packed { size: [3, 4], pixels };
        let mut text = String::new();
        blocks(&picture, [3, 4], &mut text);
        assert_eq!(text.matches('▀').count(), 6);
        // Pixel (0, 0) above pixel (0, 1).
        assert!(text.starts_with("\x1b[38;2;1;2;3;48;2;4;8;12m▀"), "{text:?}");
        assert_eq!(text.matches("\r\n").count(), 1);
        // Half as wide and high: means of four.
        text.clear();
        blocks(&picture, [1, 2], &mut text);
        let means = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]].map(|six| six.iter().map(|k| k + 1).sum::<u32>() / 6);
        let [upper, lower] = means;
        assert!(
            text.starts_with(&format!("\x1b[38;2;{upper};")) && text.contains(&format!("48;2;{lower};")),
            "{text:?}"
        );
    }

    #[test]
    fn the_mouse_points_into_the_picture() {
        let mut screen = Terminal {
            out: stdout(),
            shown: Some(([800, 400], [80, 40])),
            interrupted: false,
        };
        let mut input = Input::default();
        let at = |column, row, kind| {
            Event::Mouse(event::MouseEvent {
                kind,
                column,
                row,
                modifiers: KeyModifiers::NONE,
            })
        };
        screen.event(at(40, 10, MouseEventKind::Down(MouseButton::Left)), &mut input);
        assert_eq!(input.mouse.pixel, [405.0, 210.0]);
        assert!(input.mouse.left);
        screen.event(at(200, 100, MouseEventKind::Up(MouseButton::Left)), &mut input);
        assert_eq!(input.mouse.pixel, [800.0, 400.0]);
        assert!(!input.mouse.left);
        // It was never opened.
        std::mem::forget(screen);
    }
}
