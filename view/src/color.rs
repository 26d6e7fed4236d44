//! Colours, as amounts of light.

use std::ops::{Add, Mul};

/// A colour in linear light, so that adding and mixing do what light does. 1 is the full intensity of the screen; more
/// is allowed on the way to a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Color {
    /// Red, green and blue.
    pub rgb: [f32; 3],
}

impl Color {
    /// No light.
    pub const BLACK: Color = Color { rgb: [0.0; 3] };
    /// All light of the screen.
    pub const WHITE: Color = Color { rgb: [1.0; 3] };

    /// From red, green and blue as screens and pictures encode them (sRGB).
    #[must_use]
    pub fn srgb(bytes: [u8; 3]) -> Color {
        Color {
            rgb: bytes.map(|byte| decode(f32::from(byte) / 255.0)),
        }
    }

    /// From the notation of style sheets: `0xffc857`.
    #[must_use]
    pub fn hex(rgb: u32) -> Color {
        let [_, r, g, b] = rgb.to_be_bytes();
        Color::srgb([r, g, b])
    }

    /// As pictures encode it (sRGB); what is too bright for the screen is cut off.
    #[must_use]
    pub fn to_srgb(self) -> [u8; 3] {
        self.rgb
            .map(|light| (encode(light.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8)
    }

    /// Between two colours: `self` at 0, `other` at 1.
    #[must_use]
    pub fn mix(self, other: Color, t: f32) -> Color {
        self * (1.0 - t) + other * t
    }

    /// The colour in OKLab: lightness and two opponent axes, in which equal distances look equal.
    /// Matrices from Björn Ottosson, "A perceptual color space for image processing" (2020).
    #[must_use]
    pub fn to_oklab(self) -> [f32; 3] {
        let lms = product(&LIGHT_TO_CONES, self.rgb).map(f32::cbrt);
        product(&CONES_TO_LAB, lms)
    }

    /// The inverse of [`Color::to_oklab`]; what no screen shows is moved to the nearest amounts that one does.
    #[must_use]
    pub fn from_oklab(lab: [f32; 3]) -> Color {
        let lms = product(&LAB_TO_CONES, lab).map(|v| v * v * v);
        Color {
            rgb: product(&CONES_TO_LIGHT, lms).map(|light| light.clamp(0.0, 1.0)),
        }
    }
}

impl Add for Color {
    type Output = Color;

    fn add(self, other: Color) -> Color {
        Color {
            rgb: std::array::from_fn(|k| self.rgb[k] + other.rgb[k]),
        }
    }
}

impl Mul<f32> for Color {
    type Output = Color;

    fn mul(self, factor: f32) -> Color {
        Color {
            rgb: self.rgb.map(|light| light * factor),
        }
    }
}

const LIGHT_TO_CONES: [[f32; 3]; 3] = [
    [0.412_221_46, 0.536_332_55, 0.051_445_995],
    [0.211_903_5, 0.680_699_5, 0.107_396_96],
    [0.088_302_46, 0.281_718_85, 0.629_978_7],
];
const CONES_TO_LAB: [[f32; 3]; 3] = [
    [0.210_454_26, 0.793_617_8, -0.004_072_047],
    [1.977_998_5, -2.428_592_2, 0.450_593_7],
    [0.025_904_037, 0.782_771_77, -0.808_675_77],
];
const LAB_TO_CONES: [[f32; 3]; 3] = [
    [1.0, 0.396_337_78, 0.215_803_76],
    [1.0, -0.105_561_346, -0.063_854_17],
    [1.0, -0.089_484_18, -1.291_485_5],
];
const CONES_TO_LIGHT: [[f32; 3]; 3] = [
    [4.076_741_7, -3.307_711_6, 0.230_969_94],
    [-1.268_438, 2.609_757_4, -0.341_319_38],
    [-0.004_196_086_3, -0.703_418_6, 1.707_614_7],
];

fn product(matrix: &[[f32; 3]; 3], v: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// IEC 61966-2-1.
fn decode(signal: f32) -> f32 {
    if signal <= 0.040_45 {
        signal / 12.92
    } else {
        ((signal + 0.055) / 1.055).powf(2.4)
    }
}

/// IEC 61966-2-1.
fn encode(light: f32) -> f32 {
    if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        for byte in 0..=255u8 {
            let bytes = [byte, 255 - byte, byte / 2];
            assert_eq!(Color::srgb(bytes).to_srgb(), bytes);
            assert_eq!(Color::from_oklab(Color::srgb(bytes).to_oklab()).to_srgb(), bytes);
        }
    }

    #[test]
    fn the_digits_are_red_green_blue() {
        assert_eq!(Color::hex(0x01_80_fe).to_srgb(), [1, 128, 254]);
    }

    #[test]
    fn half_the_light_is_more_than_half_the_signal() {
        assert_eq!(Color::BLACK.mix(Color::WHITE, 0.5).to_srgb(), [188; 3]);
        assert_eq!((Color::WHITE * 7.0).to_srgb(), [255; 3]);
    }

    #[test]
    fn lightness_is_that_of_the_source() {
        // The values for white and for pure red that the source gives.
        let [l, a, b] = Color::WHITE.to_oklab();
        assert!((l - 1.0).abs() < 1e-4 && a.abs() < 1e-4 && b.abs() < 1e-4);
        let [l, a, b] = Color::hex(0xff0000).to_oklab();
        assert!((l - 0.628).abs() < 1e-3 && (a - 0.225).abs() < 1e-3 && (b - 0.126).abs() < 1e-3);
    }
}
