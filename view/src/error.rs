//! What can go wrong with the output.

use std::io;
use std::path::PathBuf;

/// A picture or an animation could not be written; says which, and why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The folder could not be made, read or cleared.
    #[error("cannot prepare the output folder {}", path.display())]
    Folder {
        /// The folder, or the stale file in it.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A frame could not be written.
    #[error("cannot write the picture {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The encoder's reason.
        source: png::EncodingError,
    },
    /// A frame could not be read back for the animation.
    #[error("cannot read the picture {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The decoder's reason.
        source: png::DecodingError,
    },
    /// The animation could not be written.
    #[error("cannot write the animation {}", path.display())]
    Animation {
        /// The file.
        path: PathBuf,
        /// The encoder's reason.
        source: gif::EncodingError,
    },
    /// A frame has another size than those before it.
    #[error("frame {frame} has {}x{} pixels, but the frames before it have {}x{}", came[0], came[1], expected[0], expected[1])]
    Size {
        /// Number of the frame, from 0.
        frame: usize,
        /// Width and height of the first frame.
        expected: [usize; 2],
        /// Width and height of this frame.
        came: [usize; 2],
    },
    /// The frames are wider or higher than a GIF can be.
    #[error("an animation of {}x{} pixels is beyond the 65535 of the GIF format; an animated PNG holds it", size[0], size[1])]
    TooLarge {
        /// Width and height of the frames.
        size: [usize; 2],
    },
}
