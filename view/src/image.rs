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
        let (width, height) = (self.width, self.height);
        assert!(
            x < width && y < height,
            "pixel {x}, {y} of a picture of {width}x{height}"
        );
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
    /// [`PictureError::Read`], also for a file that says it has more pixels than it can hold.
    pub fn read_png(path: &Path) -> Result<Image, PictureError> {
        Image::decode(path).map_err(|source| PictureError::Read {
            path: path.to_owned(),
            source,
        })
    }

    fn decode(path: &Path) -> Result<Image, png::DecodingError> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
        let info = reader.info();
        let refused = |what: String| png::DecodingError::IoError(std::io::Error::other(what));
        if (info.color_type, info.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
            return Err(refused("not a picture of 8-bit RGB".to_owned()));
        }
        let (width, height) = (info.width as usize, info.height as usize);
        // The size is what the file says of itself: no memory is taken for pixels that cannot be in it. How long anything but a
        // plain file is, is not known.
        let most = about.is_file().then(|| about.len().saturating_mul(INFLATION));
        let bytes = 3 * u128::from(info.width) * u128::from(info.height);
        if most.is_some_and(|most| bytes > u128::from(most)) {
            let length = about.len();
            return Err(refused(format!("{length} bytes cannot hold {width}x{height} pixels")));
        }
        let count = width.checked_mul(height).ok_or(png::DecodingError::LimitsExceeded)?;
        let mut pixels = Vec::new();
        pixels
            .try_reserve_exact(count)
            .map_err(|_| png::DecodingError::LimitsExceeded)?;
        pixels.resize(count, [0; 3]);
        reader.next_frame(pixels.as_flattened_mut())?;
        Ok(Image { width, height, pixels })
    }
}

/// A byte of compressed data becomes no more bytes than these: two bits repeat at most 258 (RFC 1951, section 3.2.5).
const INFLATION: u64 = 1032;

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
    fn there_is_no_pixel_outside_of_a_picture() {
        let image = image(4, 2);
        for (x, y) in [(4, 0), (0, 2), (3, 1 << 62), (1, (1 << 62) + 1)] {
            assert!(std::panic::catch_unwind(|| image.pixel(x, y)).is_err(), "{x} {y}");
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

    /// A file that says it has this size, and next to no data.
    fn hollow(path: &Path, width: u32, height: u32, color: png::ColorType) {
        let mut encoder = png::Encoder::new(File::create(path).unwrap(), width, height);
        encoder.set_color(color);
        let mut writer = encoder.write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c, 3, 0]).unwrap();
    }

    #[test]
    fn a_file_that_claims_more_pixels_than_it_holds_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hollow.png");
        let refused = || match Image::read_png(&path) {
            Err(PictureError::Read { source, .. }) => source.to_string(),
            other => panic!("{other:?}"),
        };
        for (width, height) in [(1 << 24, 1 << 22), (1 << 16, 1 << 16), (1 << 14, 1 << 20), (200, 200)] {
            hollow(&path, width, height, png::ColorType::Rgb);
            assert!(std::fs::metadata(&path).unwrap().len() < 100);
            let text = refused();
            let expected = format!("bytes cannot hold {width}x{height} pixels");
            assert!(text.ends_with(&expected), "{text}");
        }
        // Too wide for a row, too large for memory, and of another kind.
        for (width, height) in [(1 << 30, 1), (i32::MAX as u32, i32::MAX as u32)] {
            hollow(&path, width, height, png::ColorType::Rgb);
            refused();
        }
        hollow(&path, 1 << 24, 1 << 22, png::ColorType::Grayscale);
        assert_eq!(refused(), "not a picture of 8-bit RGB");
        // Small enough to be in it; the data is missing.
        hollow(&path, 3, 5, png::ColorType::Rgb);
        refused();
    }

    #[test]
    fn a_picture_that_is_compressed_most_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plain.png");
        let plain = Image::from_fn(3000, 2001, |_, _| [0; 3]);
        let file = BufWriter::new(File::create(&path).unwrap());
        let mut encoder = plain.encoder(file);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(plain.pixels().as_flattened()).unwrap();
        writer.finish().unwrap();
        assert_eq!(Image::read_png(&path).unwrap(), plain);
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
