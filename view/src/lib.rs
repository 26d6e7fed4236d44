//! Pictures of simulations that are written with [`swathe`](https://docs.rs/swathe): a live window, recordings, colour maps.
//!
//! [`Window`] shows fields while they change, in a window, a terminal or a recording.
//! [`Canvas`] and [`ColorMap`] make an [`Image`] on the host, [`Recording`] writes images as PNG files and one animation.
//!
//! Without the feature `window` there are pictures and recordings only, and `swathe` is not needed.

mod animation;
mod canvas;
mod color;
mod colormap;
mod error;
mod image;
mod palette;
mod recording;
#[cfg(feature = "window")]
mod window;

pub use canvas::{Blend, Canvas, View};
pub use color::Color;
pub use colormap::ColorMap;
pub use error::PictureError;
pub use image::Image;
pub use recording::{Animation, Recording, Report};
#[cfg(feature = "window")]
pub use window::{Camera, Key, Mouse, Paint, ViewError, Window};

// The chapters of the guide that show pictures, each block of Rust code run as a test.
#[cfg(all(doctest, feature = "window"))]
mod guide {
    #[doc = include_str!(concat!("../../docs/guide/src/", "start.md"))]
    struct Start;
    #[doc = include_str!(concat!("../../docs/guide/src/", "view.md"))]
    struct View;
}
