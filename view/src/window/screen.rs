//! Where a window shows what it draws.

use std::io::IsTerminal;

use super::desktop::Desktop;
use super::input::Input;
use super::terminal::Terminal;
use super::{Packed, ViewError};

/// A place to look at.
pub trait Screen {
    /// Reads mouse and keys; whether the screen is still there.
    fn poll(&mut self, input: &mut Input) -> Result<bool, ViewError>;

    /// Shows a picture.
    fn present(&mut self, picture: &Packed) -> Result<(), ViewError>;

    /// Whether somebody looks at it, so that frames keep their pace.
    fn watched(&self) -> bool {
        true
    }
}

/// Nobody looks: the frames are recorded, or only counted.
struct Nobody;

impl Screen for Nobody {
    fn poll(&mut self, _: &mut Input) -> Result<bool, ViewError> {
        Ok(true)
    }

    fn present(&mut self, _: &Packed) -> Result<(), ViewError> {
        Ok(())
    }

    fn watched(&self) -> bool {
        false
    }
}

/// What `SWATHE_VIEW` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Window,
    Terminal,
    Record,
    None,
}

impl Choice {
    /// From the environment, or from what is there: a display, a terminal, else neither.
    pub fn find() -> Result<Choice, ViewError> {
        let text = std::env::var_os("SWATHE_VIEW").unwrap_or_default();
        match text.to_str() {
            Some("") => Ok(Choice::suitable(
                std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty()),
                std::io::stdout().is_terminal() && std::io::stdin().is_terminal(),
            )),
            Some("window") => Ok(Choice::Window),
            Some("terminal") => Ok(Choice::Terminal),
            Some("record") => Ok(Choice::Record),
            Some("none") => Ok(Choice::None),
            _ => Err(ViewError::Choice {
                variable: "SWATHE_VIEW",
                text: text.to_string_lossy().into_owned(),
                expected: "window, terminal, record or none",
            }),
        }
    }

    fn suitable(display: bool, terminal: bool) -> Choice {
        match (display, terminal) {
            (true, _) => Choice::Window,
            (false, true) => Choice::Terminal,
            (false, false) => Choice::Record,
        }
    }

    pub fn open(self, title: &str, size: [usize; 2]) -> Result<Box<dyn Screen>, ViewError> {
        Ok(match self {
            Choice::Window => Box::new(Desktop::open(title, size)?),
            Choice::Terminal => Box::new(Terminal::open()?),
            Choice::Record | Choice::None => Box::new(Nobody),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn a_display_comes_first_then_a_terminal() {
        assert_eq!(Choice::suitable(true, true), Choice::Window);
        assert_eq!(Choice::suitable(true, false), Choice::Window);
        assert_eq!(Choice::suitable(false, true), Choice::Terminal);
        assert_eq!(Choice::suitable(false, false), Choice::Record);
    }
}
