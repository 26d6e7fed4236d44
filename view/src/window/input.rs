//! Mouse and keys.

use std::collections::BTreeSet;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Key {
    /// A letter, in lower case, a digit, or another character.
    Char(char),
    /// The bar for spaces.
    Space,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The key for a new line.
    Enter,
    /// The key that goes on to the next slider.
    Tab,
    /// The key that ends the program.
    Escape,
}

/// The mouse, as it was when the frame began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mouse {
    /// Where it points, in the coordinates of [`Window::world`](crate::Window::world).
    pub at: [f32; 2],
    /// Where it points, in pixels from the left and the top.
    pub pixel: [f32; 2],
    /// Whether the left button is held.
    pub left: bool,
    /// Whether the right button is held.
    pub right: bool,
    /// How far the wheel was turned since the frame before, in notches, positive away from the hand.
    pub wheel: f32,
}

/// What a screen tells of its user.
#[derive(Clone, Debug, Default)]
pub struct Input {
    pub mouse: Mouse,
    /// What was pressed since the frame before.
    pub pressed: BTreeSet<Key>,
    /// What is held down. A terminal does not tell when a key is let go; there it is what was pressed.
    pub held: BTreeSet<Key>,
}

impl Input {
    /// A frame begins.
    pub fn begin(&mut self) {
        self.pressed.clear();
        self.held.clear();
        self.mouse.wheel = 0.0;
    }

    /// A key was pressed, and is not known to be held.
    pub fn press(&mut self, key: Key) {
        self.pressed.insert(key);
        self.held.insert(key);
    }
}
