//! What can go wrong with a window.

use std::io;
use std::ops::RangeInclusive;

use crate::PictureError;

/// A frame could not be shown; says why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No window can be opened, or it is gone.
    #[error("cannot show a window: {0}; SWATHE_VIEW=terminal or SWATHE_VIEW=record shows the frames elsewhere")]
    Display(String),
    /// The terminal cannot be used.
    #[error("cannot show frames in the terminal: {0}; SWATHE_VIEW=record writes them to files")]
    Terminal(#[source] io::Error),
    /// An environment variable has a value that is none of its own.
    #[error("{variable} is `{text}`, expected {expected}")]
    Choice {
        /// Its name.
        variable: &'static str,
        /// Its value.
        text: String,
        /// What it can be.
        expected: &'static str,
    },
    /// A window, or an image that it is to show, has no pixels or too many.
    #[error("{what} of {}x{} pixels cannot be shown", size[0], size[1])]
    Size {
        /// What has this size.
        what: &'static str,
        /// Width and height.
        size: [usize; 2],
    },
    /// A slider has no numbers to choose from.
    #[error("the slider `{name}` cannot run from {} to {}", range.start(), range.end())]
    Range {
        /// The slider.
        name: String,
        /// Its range.
        range: RangeInclusive<f32>,
    },
    /// A kernel that draws failed, or memory on the device.
    #[error(transparent)]
    Device(#[from] swathe::Error),
    /// A picture or recording could not be written.
    #[error(transparent)]
    Picture(#[from] PictureError),
}
