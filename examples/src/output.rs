//! The folder of pictures that an example leaves behind.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::animation::{self, Sampler};
use crate::{Common, Image, OutputError};

/// Writes `frame_0000.png`, `frame_0001.png`, .. and, at the end, `animation.gif`.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    frames: Vec<PathBuf>,
    size: [usize; 2],
    /// How many frames there will be, if the program keeps to its options.
    expected: usize,
    fps: u32,
    gif: bool,
    sampler: Option<Sampler>,
}

impl Output {
    /// Makes the folder that the options name, and removes the pictures of an earlier run from it; other files stay.
    ///
    /// # Errors
    /// [`OutputError::Folder`].
    pub fn new(options: &Common) -> Result<Output, OutputError> {
        let folder = options.out.clone();
        clear(&folder).map_err(|(path, source)| OutputError::Folder { path, source })?;
        Ok(Output {
            folder,
            frames: Vec::new(),
            size: [0; 2],
            expected: options.frames as usize,
            fps: options.fps,
            gif: !options.no_gif,
            sampler: None,
        })
    }

    /// Writes the next frame.
    ///
    /// # Errors
    /// [`OutputError::Write`], and [`OutputError::Size`] for a frame that has not the size of the first one.
    pub fn frame(&mut self, image: &Image) -> Result<(), OutputError> {
        let frame = self.frames.len();
        let size = [image.width(), image.height()];
        if frame == 0 {
            self.size = size;
        } else if size != self.size {
            return Err(OutputError::Size {
                frame,
                expected: self.size,
                came: size,
            });
        }
        let path = self.folder.join(format!("frame_{frame:04}.png"));
        image.write_png(&path)?;
        self.frames.push(path);
        if self.gif {
            let sampler = || Sampler::new(self.expected, image.pixels().len());
            self.sampler.get_or_insert_with(sampler).add(image);
        }
        Ok(())
    }

    /// Writes the animation, unless there is none to write, and tells what there is now.
    ///
    /// # Errors
    /// [`OutputError::Animation`], [`OutputError::TooLarge`], and [`OutputError::Read`] if a frame is gone meanwhile.
    pub fn finish(self) -> Result<Report, OutputError> {
        let mut gif = None;
        if let Some(sampler) = &self.sampler {
            let path = self.folder.join(ANIMATION);
            animation::write(&path, &self.frames, sampler, self.fps)?;
            gif = Some(path);
        }
        Ok(Report {
            frames: self.frames,
            gif,
        })
    }
}

/// The files that an example has written.
#[derive(Clone, Debug)]
pub struct Report {
    /// One picture per frame, in order.
    pub frames: Vec<PathBuf>,
    /// The animation, if one was wanted.
    pub gif: Option<PathBuf>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.frames[..] {
            [] => write!(f, "no frames")?,
            [only] => write!(f, "1 frame: {}", only.display())?,
            [first, .., last] => {
                let last = last.file_name().unwrap_or_default();
                write!(
                    f,
                    "{} frames: {} .. {}",
                    self.frames.len(),
                    first.display(),
                    Path::new(last).display()
                )?;
            }
        }
        if let Some(gif) = &self.gif {
            write!(f, "\nanimation: {}", gif.display())?;
            if let Ok(data) = fs::metadata(gif) {
                write!(f, " ({:.1} MB)", data.len() as f64 / 1e6)?;
            }
        }
        Ok(())
    }
}

const ANIMATION: &str = "animation.gif";

fn clear(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        if entry.file_name().to_str().is_some_and(is_ours) {
            fs::remove_file(entry.path()).map_err(at(&entry.path()))?;
        }
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix("frame_").and_then(|rest| rest.strip_suffix(".png"));
    name == ANIMATION || number.is_some_and(|n| n.len() >= 4 && n.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
