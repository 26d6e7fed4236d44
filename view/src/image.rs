//! A finished picture.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use crate::PictureError;

/// A picture of 8-bit sRGB pixels, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    /// The picture whose pixel in column `x` and row `y` is `pixel(x, y)`.
    #[must_use]
    pub fn from_fn(width: usize, height: usize, mut pixel: impl FnMut(usize, usize) -> [u8; 3]) -> Image {
        // Rows of nothing are not gone through: there may be any number of them.
        let rows = if width == 0 { 0 } else { height };
        let places = (0..rows).flat_map(|y| (0..width).map(move |x| (x, y)));
        Image {
            width,
            height,
            pixels: places.map(|(x, y)| pixel(x, y)).collect(),
        }
    }

    /// Pixels from left to right.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Red, green and blue in column `x` and row `y`.
    ///
    /// # Panics
    /// Outside of the picture.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        assert!(x < self.width, "column {x} of a picture that is {} wide", self.width);
        self.pixels[y * self.width + x]
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// [`PictureError::Write`], also for a picture without pixels, which PNG does not know.
    pub fn write_png(&self, path: &Path) -> Result<(), PictureError> {
        self.encode(path).map_err(|source| PictureError::Write {
            path: path.to_owned(),
            source,
        })
    }

    fn encode(&self, path: &Path) -> Result<(), png::EncodingError> {
        let mut writer = self.encoder(BufWriter::new(File::create(path)?)).write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()
    }

    /// An encoder for pictures of this size.
    pub(crate) fn encoder<W: Write>(&self, file: W) -> png::Encoder<'static, W> {
        // More than u32 holds is more than PNG knows, and so is 0, which the encoder refuses.
        let [width, height] = [self.width, self.height].map(|n| u32::try_from(n).unwrap_or(0));
        let mut encoder = png::Encoder::new(file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder
    }

    /// Reads a PNG of 8-bit RGB, as [`Image::write_png`] writes it.
    ///
    /// # Errors
    /// [`PictureError::Read`].
    pub fn read_png(path: &Path) -> Result<Image, PictureError> {
        Image::decode(path).map_err(|source| PictureError::Read {
            path: path.to_owned(),
            source,
        })
    }

    fn decode(path: &Path) -> Result<Image, png::DecodingError> {
        let file = BufReader::new(File::open(path)?);
        let mut reader = png::Decoder::new(file).read_info()?;
        let info = reader.info();
        let (width, height) = (info.width as usize, info.height as usize);
        let mut pixels = vec![[0; 3]; width * height];
        if (info.color_type, info.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
            let what = std::io::Error::other("not a picture of 8-bit RGB");
            return Err(png::DecodingError::IoError(what));
        }
        reader.next_frame(pixels.as_flattened_mut())?;
        Ok(Image { width, height, pixels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: usize, height: usize) -> Image {
        Image::from_fn(width, height, |x, y| [x as u8, y as u8, (x * 31 + y * 7) as u8])
    }

    #[test]
    fn a_png_comes_back_pixel_by_pixel() {
        let folder = tempfile::tempdir().unwrap();
        for (width, height) in [(1, 1), (17, 3), (3, 1000), (255, 31)] {
            let path = folder.path().join("a.png");
            image(width, height).write_png(&path).unwrap();
            assert_eq!(Image::read_png(&path).unwrap(), image(width, height));
        }
    }

    #[test]
    fn a_picture_without_pixels_is_made_at_once() {
        for (width, height) in [(0, 1 << 40), (1 << 40, 0), (0, 3), (0, 0)] {
            let empty = image(width, height);
            assert_eq!((empty.width(), empty.height()), (width, height));
            assert!(empty.pixels().is_empty());
        }
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no/such/a.png");
        let message = image(2, 2).write_png(&path).unwrap_err().to_string();
        assert!(message.contains("no/such/a.png"), "{message}");
        assert!(matches!(Image::read_png(&path), Err(PictureError::Read { path: p, .. }) if p == path));
        let empty = folder.path().join("empty.png");
        assert!(matches!(image(0, 5).write_png(&empty), Err(PictureError::Write { .. })));
    }
}
