//! Where the frames of an example go: into files, or into a window.

use std::fmt;

use swathe_view::{Animation, Image, Recording, Report};

use crate::{Common, Failure};

/// Writes each frame as PNG and all as an animation, or shows them (`--view`).
pub struct Output(Kind);

enum Kind {
    Files(Recording),
    #[cfg(feature = "view")]
    Window(Box<live::Live>),
}

impl Output {
    /// As the options say.
    ///
    /// # Errors
    /// A folder that cannot be made, or `--view` in a program that was built without it.
    pub fn new(options: &Common) -> Result<Output, Failure> {
        if options.view {
            return live::open();
        }
        let animation = if options.no_gif {
            Animation::None
        } else {
            Animation::Gif
        };
        let recording = Recording::new(&options.out)?
            .expected(options.frames as usize)
            .frames_per_second(options.fps)
            .animation(animation);
        Ok(Output(Kind::Files(recording)))
    }

    /// Takes the next frame; whether another one is wanted: not if the user has closed the window.
    ///
    /// # Errors
    /// What hinders writing or showing it.
    pub fn frame(&mut self, image: &Image) -> Result<bool, Failure> {
        match &mut self.0 {
            Kind::Files(recording) => {
                recording.frame(image)?;
                Ok(true)
            }
            #[cfg(feature = "view")]
            Kind::Window(window) => window.frame(image),
        }
    }

    /// Writes the animation, and tells what there is now.
    ///
    /// # Errors
    /// What hinders writing.
    pub fn finish(self) -> Result<Shown, Failure> {
        match self.0 {
            Kind::Files(recording) => Ok(Shown(Some(recording.finish()?))),
            #[cfg(feature = "view")]
            Kind::Window(window) => {
                window.close()?;
                Ok(Shown(None))
            }
        }
    }
}

/// What has become of the frames, as a sentence.
#[derive(Debug)]
pub struct Shown(Option<Report>);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(report) => report.fmt(f),
            None => f.write_str("shown, not written"),
        }
    }
}

#[cfg(not(feature = "view"))]
mod live {
    use super::{Failure, Output};

    pub fn open() -> Result<Output, Failure> {
        Err(
            "this program was built without a window: cargo run --release --features view --example NAME -- --view"
                .into(),
        )
    }
}

#[cfg(feature = "view")]
mod live {
    use swathe::Device;
    use swathe_view::{Image, Window};

    use super::{Failure, Kind, Output};

    /// The window, from the first frame on, which knows its size.
    #[derive(Default)]
    pub struct Live(Option<Window>);

    pub fn open() -> Result<Output, Failure> {
        Ok(Output(Kind::Window(Box::default())))
    }

    impl Live {
        pub fn frame(&mut self, image: &Image) -> Result<bool, Failure> {
            let window = match &mut self.0 {
                Some(window) => window,
                none => {
                    let name = std::env::current_exe()?;
                    let title = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let window = Window::new(&Device::cpu(), &title, [image.width(), image.height()])?;
                    none.insert(window)
                }
            };
            // Begins a frame, and shows it when the next one begins: so the one that was handed over is shown at once.
            if !window.frame()? {
                return Ok(false);
            }
            window.show_image(image)?;
            Ok(true)
        }

        pub fn close(mut self) -> Result<(), Failure> {
            if let Some(window) = &mut self.0 {
                // The last frame.
                window.frame()?;
                window.close()?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceChoice;

    fn options(out: &std::path::Path, view: bool) -> Common {
        Common {
            device: DeviceChoice::Cpu,
            frames: 3,
            out: out.to_owned(),
            fps: 30,
            no_gif: false,
            view,
        }
    }

    #[test]
    fn the_frames_go_into_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::new(&options(folder.path(), false)).unwrap();
        for k in 0..3 {
            assert!(
                output
                    .frame(&Image::from_fn(5, 3, |x, y| [x as u8, y as u8, k]))
                    .unwrap()
            );
        }
        let text = output.finish().unwrap().to_string();
        assert!(
            text.starts_with("3 frames: ") && text.contains("animation.gif"),
            "{text}"
        );
        assert!(folder.path().join("frame_0002.png").exists());
    }

    #[cfg(not(feature = "view"))]
    #[test]
    fn without_the_feature_a_window_is_refused_with_what_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let error = Output::new(&options(folder.path(), true)).err().unwrap().to_string();
        assert!(error.contains("--features view"), "{error}");
    }
}
