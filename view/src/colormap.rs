//! From numbers to colours.

use ndarray::ArrayView2;

use crate::{Color, Image};

/// A scale of colours for the numbers from 0 to 1.
///
/// All but [`halo`](ColorMap::halo) rise in lightness from end to end, so that more looks like more, in grey too.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorMap {
    table: Vec<Color>,
}

const ENTRIES: usize = 1024;

impl ColorMap {
    /// Violet, teal, green, yellow: in the manner of viridis. Shows fields without a natural zero.
    #[must_use]
    pub fn fern() -> ColorMap {
        ColorMap::new(&[
            0x2e_0f_5b, 0x3b_3f_8c, 0x2d_6c_92, 0x1f_98_8b, 0x4b_c2_6c, 0xab_dd_3a, 0xfd_ea_45,
        ])
    }

    /// Black, violet, red, orange, pale yellow: in the manner of inferno. Shows heat and density on black.
    #[must_use]
    pub fn ember() -> ColorMap {
        ColorMap::new(&[
            0x01_01_06, 0x25_0c_4e, 0x64_16_6c, 0xa8_2e_5c, 0xe1_57_36, 0xfb_9e_1e, 0xfc_f6_a8,
        ])
    }

    /// Black, violet, magenta, salmon, cream: in the manner of magma.
    #[must_use]
    pub fn dusk() -> ColorMap {
        ColorMap::new(&[
            0x01_01_07, 0x21_12_4a, 0x5a_1f_7c, 0x9c_30_7f, 0xdf_4d_6c, 0xfd_97_6d, 0xfc_f2_c5,
        ])
    }

    /// Night blue, petrol, turquoise, foam.
    #[must_use]
    pub fn tide() -> ColorMap {
        ColorMap::new(&[
            0x04_07_14, 0x0b_27_48, 0x0c_54_78, 0x1b_86_94, 0x58_b8_a6, 0xb0_e0_c2, 0xfe_fa_e6,
        ])
    }

    /// Night, blue, white, amber, and night again: its ends meet, for angles and for iteration counts that wrap.
    #[must_use]
    pub fn halo() -> ColorMap {
        ColorMap::new(&[
            0x05_07_1c, 0x12_2c_70, 0x2c_7c_c4, 0xd5_ef_f7, 0xf6_c2_5b, 0xa6_4a_1c, 0x3a_12_22, 0x05_07_1c,
        ])
    }

    /// Through evenly spaced stops, given as in style sheets.
    ///
    /// # Panics
    /// With fewer than two stops.
    #[must_use]
    pub fn new(stops: &[u32]) -> ColorMap {
        assert!(
            stops.len() >= 2,
            "a colour map needs two stops or more, not {}",
            stops.len()
        );
        let stops: Vec<[f32; 3]> = stops.iter().map(|&stop| Color::hex(stop).to_oklab()).collect();
        let table = (0..ENTRIES).map(|k| {
            let place = k as f32 / (ENTRIES - 1) as f32 * (stops.len() - 1) as f32;
            let left = (place as usize).min(stops.len() - 2);
            Color::from_oklab(curve(&stops, left, place - left as f32))
        });
        ColorMap { table: table.collect() }
    }

    /// The colour of `value`; what lies outside of 0 to 1 gets the colour of the nearer end, not-a-number that of 0.
    #[must_use]
    pub fn color(&self, value: f32) -> Color {
        self.table[(value.clamp(0.0, 1.0) * (ENTRIES - 1) as f32 + 0.5) as usize]
    }

    /// Its colours, evenly spaced from that of 0 to that of 1.
    pub fn colors(&self) -> impl ExactSizeIterator<Item = Color> {
        self.table.iter().copied()
    }

    /// A picture of `data` of shape (height, width), row 0 on top; the colours run over `range`.
    #[must_use]
    pub fn image(&self, data: ArrayView2<'_, f32>, range: std::ops::Range<f32>) -> Image {
        // The difference of two `f32` may be larger than any.
        let (start, end) = (f64::from(range.start), f64::from(range.end));
        let bytes: Vec<[u8; 3]> = self.table.iter().map(|color| color.to_srgb()).collect();
        let (height, width) = data.dim();
        Image::from_fn(width, height, |x, y| {
            let value = (f64::from(data[[y, x]]) - start) / (end - start);
            bytes[(value.clamp(0.0, 1.0) * (ENTRIES - 1) as f64 + 0.5) as usize]
        })
    }
}

/// The Catmull-Rom curve through `stops`, between `left` and the next.
fn curve(stops: &[[f32; 3]], left: usize, t: f32) -> [f32; 3] {
    let [b, c] = [stops[left], stops[left + 1]];
    std::array::from_fn(|k| {
        // Beyond the ends the line goes on straight.
        let a = if left == 0 {
            2.0 * b[k] - c[k]
        } else {
            stops[left - 1][k]
        };
        let d = stops.get(left + 2).map_or(2.0 * c[k] - b[k], |stop| stop[k]);
        let [b, c] = [b[k], c[k]];
        b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn the_ends_are_the_first_and_last_stop() {
        let map = ColorMap::new(&[0x10_20_30, 0x80_70_60, 0xfe_ed_dc]);
        assert_eq!(map.color(0.0).to_srgb(), [0x10, 0x20, 0x30]);
        assert_eq!(map.color(1.0).to_srgb(), [0xfe, 0xed, 0xdc]);
        assert_eq!(map.color(-3.0), map.color(0.0));
        assert_eq!(map.color(f32::INFINITY), map.color(1.0));
        assert_eq!(map.color(f32::NAN), map.color(0.0));
    }

    #[test]
    fn lightness_rises() {
        for (name, map) in [
            ("fern", ColorMap::fern()),
            ("ember", ColorMap::ember()),
            ("dusk", ColorMap::dusk()),
            ("tide", ColorMap::tide()),
        ] {
            let lightness: Vec<f32> = (0..=100).map(|k| map.color(k as f32 / 100.0).to_oklab()[0]).collect();
            for (k, pair) in lightness.windows(2).enumerate() {
                assert!(
                    pair[1] > pair[0] + 0.001,
                    "{name} falls from {} to {} at {k} %",
                    pair[0],
                    pair[1]
                );
            }
        }
    }

    #[test]
    fn the_ends_of_the_halo_meet() {
        assert_eq!(
            ColorMap::halo().color(0.0).to_srgb(),
            ColorMap::halo().color(1.0).to_srgb()
        );
    }

    #[test]
    fn an_array_becomes_rows_of_pixels() {
        let map = ColorMap::ember();
        let image = map.image(array![[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]].view(), 2.0..7.0);
        assert_eq!((image.width(), image.height()), (3, 2));
        assert_eq!(image.pixel(0, 0), map.color(0.0).to_srgb());
        assert_eq!(image.pixel(2, 0), map.color(0.4).to_srgb());
        assert_eq!(image.pixel(2, 1), map.color(1.0).to_srgb());
    }
}
