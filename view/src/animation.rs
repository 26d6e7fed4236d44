//! From pictures to an animation: GIF, or animated PNG.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::palette::{COLORS, Palette};
use crate::{Image, PictureError};

/// Pixels that a frame says nothing about stay as they are.
const AS_BEFORE: u8 = COLORS as u8;

/// How many pixels of the whole animation the palette is made from.
const SAMPLES: usize = 300_000;

/// Picks every so many pixels, over all frames, to choose a palette from.
#[derive(Debug)]
pub struct Sampler {
    samples: Vec<[u8; 3]>,
    stride: usize,
}

impl Sampler {
    pub fn new(frames: usize, pixels: usize) -> Sampler {
        let stride = frames.saturating_mul(pixels).div_ceil(SAMPLES).max(1);
        // An even stride on an even width would sample the same columns again and again.
        Sampler {
            samples: Vec::new(),
            stride: stride | 1,
        }
    }

    pub fn add(&mut self, image: &Image) {
        self.samples.extend(image.pixels().iter().step_by(self.stride));
    }
}

/// Writes the pictures in `frames` as an animation that runs forever, `fps` pictures in a second.
pub fn write_gif(path: &Path, frames: &[PathBuf], sampler: &Sampler, fps: u32) -> Result<(), PictureError> {
    let Some(first) = frames.first() else { return Ok(()) };
    let first = Image::read_png(first)?;
    let failed = |source| PictureError::Animation {
        path: path.to_owned(),
        source,
    };
    let size = [first.width(), first.height()];
    let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
        return Err(PictureError::TooLarge { size });
    };
    let mut palette = Palette::new(&sampler.samples);
    let file = File::create(path).map_err(|e| failed(EncodingError::Io(e)))?;
    let mut encoder = Encoder::new(BufWriter::new(file), width, height, &palette.bytes()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut shown = vec![AS_BEFORE; first.pixels().len()];
    for (k, frame) in frames.iter().enumerate() {
        let image = if k == 0 { &first } else { &Image::read_png(frame)? };
        let mut change = change(image, &mut palette, &mut shown);
        change.delay = delay(k, fps);
        encoder.write_frame(&change).map_err(failed)?;
    }
    let mut file = encoder.into_inner().map_err(failed)?;
    file.flush().map_err(|e| failed(EncodingError::Io(e)))
}

/// Writes the pictures in `frames` as an animated PNG that runs forever, `fps` pictures in a second.
pub fn write_apng(path: &Path, frames: &[PathBuf], fps: u32) -> Result<(), PictureError> {
    let Some(first) = frames.first() else { return Ok(()) };
    let first = Image::read_png(first)?;
    let failed = |source| PictureError::Write {
        path: path.to_owned(),
        source,
    };
    let file = File::create(path).map_err(|e| failed(png::EncodingError::IoError(e)))?;
    let mut encoder = first.encoder(BufWriter::new(file));
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    encoder.set_animated(count, 0).map_err(failed)?;
    let delay = u16::try_from(fps).unwrap_or(u16::MAX);
    encoder.set_frame_delay(1, delay).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for (k, frame) in frames.iter().enumerate() {
        let image = if k == 0 { &first } else { &Image::read_png(frame)? };
        writer.write_image_data(image.pixels().as_flattened()).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}

/// The frame that turns what is `shown` into `image`: the smallest box around all that changes.
fn change(image: &Image, palette: &mut Palette, shown: &mut [u8]) -> Frame<'static> {
    let (width, height) = (image.width(), image.height());
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    let mut update = vec![AS_BEFORE; shown.len()];
    for (place, (&pixel, shown)) in image.pixels().iter().zip(&mut *shown).enumerate() {
        let index = palette.index(pixel);
        if index != *shown {
            *shown = index;
            update[place] = index;
            let (x, y) = (place % width, place / width);
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if bottom == 0 {
        // Nothing changes, but time passes: one pixel stays as it is.
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let rows = update.chunks_exact(width).take(bottom).skip(top);
    let buffer: Vec<u8> = rows.flat_map(|row| &row[left..right]).copied().collect();
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: Cow::Owned(buffer),
        transparent: Some(AS_BEFORE),
        dispose: DisposalMethod::Keep,
        ..Frame::default()
    }
}

/// How long frame `k` stays, in hundredths of a second, such that the mean is right.
fn delay(k: usize, fps: u32) -> u16 {
    let end = |k: usize| (200 * k as u64 + u64::from(fps)) / (2 * u64::from(fps));
    (end(k + 1) - end(k)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delays_add_up() {
        for fps in [1, 7, 24, 30, 50] {
            let total: u32 = (0..10 * fps as usize).map(|k| u32::from(delay(k, fps))).sum();
            assert_eq!(total, 1000, "{fps} frames per second");
        }
        assert_eq!(delay(0, 50), 2);
    }

    #[test]
    fn a_frame_holds_only_what_changes() {
        let picture = |dot: usize| Image::from_fn(17, 5, |x, y| if (x, y) == (dot, 3) { [255, 9, 9] } else { [0; 3] });
        let mut palette = Palette::new(picture(4).pixels());
        let mut shown = vec![AS_BEFORE; 17 * 5];
        let whole = change(&picture(4), &mut palette, &mut shown);
        assert_eq!((whole.left, whole.top, whole.width, whole.height), (0, 0, 17, 5));
        let moved = change(&picture(6), &mut palette, &mut shown);
        assert_eq!((moved.left, moved.top, moved.width, moved.height), (4, 3, 3, 1));
        assert_eq!(
            *moved.buffer,
            [palette.index([0; 3]), AS_BEFORE, palette.index([255, 9, 9])]
        );
        let still = change(&picture(6), &mut palette, &mut shown);
        assert_eq!((still.width, still.height, &*still.buffer), (1, 1, &[AS_BEFORE][..]));
    }
}
