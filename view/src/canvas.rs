//! A picture in the making.

use std::cmp::Ordering;

use crate::{Color, Image};

/// How a shape meets what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// The shape covers what is below it, like paint.
    Over,
    /// The shape adds its light to what is below it, like a spark.
    Add,
}

/// A picture in linear light, on which particles are drawn. Pixel (0, 0) is the top left one, its centre lies at
/// (0.5, 0.5); y runs downwards.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Color>,
}

impl Canvas {
    /// A canvas of one colour.
    ///
    /// # Panics
    /// With more pixels than there is memory for.
    #[must_use]
    pub fn new(width: usize, height: usize, background: Color) -> Canvas {
        let mut pixels = Vec::new();
        let count = width.checked_mul(height);
        let count = count.filter(|count| pixels.try_reserve_exact(*count).is_ok());
        let Some(count) = count else {
            panic!("no memory holds a canvas of {width}x{height} pixels")
        };
        pixels.resize(count, background);
        Canvas { width, height, pixels }
    }

    /// Paints everything in one colour, for the next frame.
    pub fn clear(&mut self, background: Color) {
        self.pixels.fill(background);
    }

    /// Multiplies all light by `factor`: particles drawn over what is left of the last frame have trails.
    pub fn fade(&mut self, factor: f32) {
        for pixel in &mut self.pixels {
            *pixel = *pixel * factor;
        }
    }

    /// A disc with a smooth edge. A disc smaller than a pixel gets fainter instead of smaller.
    ///
    /// `center` and `radius` are in pixels.
    pub fn disc(&mut self, center: [f32; 2], radius: f32, color: Color, blend: Blend) {
        let radius = length(radius);
        let shown = radius.max(0.6);
        let strength = (radius / shown).powi(2);
        // An edge that falls from 1 to 0 between r - 1/2 and r + 1/2 covers pi (r^2 + 1/12).
        let edge = (shown * shown - 1.0 / 12.0).sqrt() + 0.5;
        self.stamp(center, [edge; 2], color, blend, |[dx, dy]| {
            strength * (edge - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0)
        });
    }

    /// A straight line with round ends and a smooth edge. A line thinner than a pixel gets fainter instead of thinner.
    ///
    /// `from`, `to` and `width` are in pixels.
    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], width: f32, color: Color, blend: Blend) {
        let half = 0.5 * length(width);
        let shown = half.max(0.5);
        let (strength, edge) = (half / shown, shown + 0.5);
        // What is far away would leave no digits for what is seen.
        let Some([from, to]) = self.clip(from, to, 2.0 * edge + 1.0) else {
            return;
        };
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let middle = [0, 1].map(|k| from[k] + 0.5 * along[k]);
        let reach = along.map(|length| 0.5 * length.abs() + edge);
        self.stamp(middle, reach, color, blend, |[dx, dy]| {
            // From the middle of the line; its nearest point is at -1/2 to 1/2.
            let t = if square > 0.0 {
                (dx * along[0] + dy * along[1]) / square
            } else {
                0.0
            };
            let t = t.clamp(-0.5, 0.5);
            let distance = (dx - t * along[0]).hypot(dy - t * along[1]);
            strength * (edge - distance).clamp(0.0, 1.0)
        });
    }

    /// The part of a line that lies within a margin around the canvas (Liang and Barsky, "A new concept and method for line clipping", 1984).
    fn clip(&self, from: [f32; 2], to: [f32; 2], margin: f32) -> Option<[[f32; 2]; 2]> {
        let (from, to, margin) = (from.map(f64::from), to.map(f64::from), f64::from(margin));
        let along = [to[0] - from[0], to[1] - from[1]];
        // Products of two `f32` are exact, so that no digits of the line's place are lost, however far away its ends are.
        let cross = from[1] * to[0] - from[0] * to[1];
        let (mut start, mut end) = ((0.0, from), (1.0, to));
        for (k, size) in [self.width, self.height].into_iter().enumerate() {
            let (low, high) = (-margin, size as f64 + margin);
            let (near, far) = match along[k].partial_cmp(&0.0)? {
                Ordering::Less => (high, low),
                Ordering::Greater => (low, high),
                Ordering::Equal if (low..=high).contains(&from[k]) => continue,
                Ordering::Equal => return None,
            };
            let meets = |bound: f64| {
                let other = match k {
                    0 => [bound, (bound * along[1] + cross) / along[0]],
                    _ => [(bound * along[0] - cross) / along[1], bound],
                };
                ((bound - from[k]) / along[k], other)
            };
            let (enters, leaves) = (meets(near), meets(far));
            if enters.0 > start.0 {
                start = enters;
            }
            if leaves.0 < end.0 {
                end = leaves;
            }
        }
        (start.0 <= end.0).then(|| [start.1, end.1].map(|at| at.map(|x| x as f32)))
    }

    /// A spot of light with no edge, bright in the middle: a star, a spark. Its light is added.
    ///
    /// At a distance of `radius` pixels from the centre an eighth of the light is left, at two there is none.
    pub fn glow(&mut self, center: [f32; 2], radius: f32, color: Color) {
        let radius = length(radius);
        let drawn = radius.max(0.5);
        let strength = (radius / drawn).powi(2);
        self.stamp(center, [2.0 * drawn; 2], color, Blend::Add, |[dx, dy]| {
            // A polynomial that has the look of a Gaussian, but ends.
            let distance = (dx * dx + dy * dy).sqrt();
            let rest = (1.0 - (distance / (2.0 * drawn)).powi(2)).max(0.0);
            strength * rest.powi(7)
        });
    }

    /// Covers what lies as far from a place as `reach` says; `cover` is told how far.
    fn stamp(
        &mut self,
        [cx, cy]: [f32; 2],
        [reach_x, reach_y]: [f32; 2],
        color: Color,
        blend: Blend,
        cover: impl Fn([f32; 2]) -> f32,
    ) {
        // Not-a-number has no place on the canvas; as an integer it would be pixel 0.
        if ![cx, cy, reach_x, reach_y].iter().all(|number| number.is_finite()) {
            return;
        }
        // `as` saturates: what lies left of or above the canvas starts at 0.
        let columns = (cx - reach_x).floor() as usize..((cx + reach_x).ceil() as usize).min(self.width);
        let rows = (cy - reach_y).floor() as usize..((cy + reach_y).ceil() as usize).min(self.height);
        // Rows of nothing are not gone through: there may be any number of them.
        if columns.is_empty() {
            return;
        }
        for y in rows {
            let dy = y as f32 + 0.5 - cy;
            for x in columns.clone() {
                let dx = x as f32 + 0.5 - cx;
                let cover = cover([dx, dy]);
                let pixel = &mut self.pixels[y * self.width + x];
                *pixel = match blend {
                    Blend::Over => pixel.mix(color, cover),
                    Blend::Add => *pixel + color * cover,
                };
            }
        }
    }

    /// The picture; light beyond what the screen has is cut off.
    #[must_use]
    pub fn to_image(&self) -> Image {
        Image::from_fn(self.width, self.height, |x, y| {
            self.pixels[y * self.width + x].to_srgb()
        })
    }

    /// The picture of a canvas with much added light: the more light, the nearer to white, and nothing is cut off.
    ///
    /// `exposure` is the factor on the light; 1 leaves the dark parts as they are.
    #[must_use]
    pub fn expose(&self, exposure: f32) -> Image {
        Image::from_fn(self.width, self.height, |x, y| {
            let light = self.pixels[y * self.width + x].rgb;
            Color {
                rgb: light.map(|light| 1.0 - (-light * exposure).exp()),
            }
            .to_srgb()
        })
    }
}

/// A length that can be drawn: not less than nothing, nor so long that its square is infinite.
fn length(pixels: f32) -> f32 {
    if pixels > 0.0 { pixels.min(1e9) } else { 0.0 }
}

/// Where a simulation's coordinates, y upwards, lie on a canvas.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The coordinates in the middle of the canvas.
    center: [f32; 2],
    /// The same place in pixels.
    middle: [f32; 2],
    /// Pixels per unit.
    scale: f32,
}

impl View {
    /// The view that shows the box from `lower` to `upper` as large as it fits, undistorted and centred.
    #[must_use]
    pub fn fit(width: usize, height: usize, lower: [f32; 2], upper: [f32; 2]) -> View {
        let size = [width as f32, height as f32];
        let scale = (size[0] / (upper[0] - lower[0])).min(size[1] / (upper[1] - lower[1]));
        let center = [0, 1].map(|k| 0.5 * (lower[k] + upper[k]));
        View {
            center,
            middle: size.map(|n| 0.5 * n),
            scale,
        }
    }

    /// The place of a point on the canvas, in pixels.
    #[must_use]
    pub fn pixel(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [
            self.middle[0] + (x - self.center[0]) * self.scale,
            self.middle[1] - (y - self.center[1]) * self.scale,
        ]
    }

    /// The coordinates that lie at a place of the canvas, which is in pixels.
    #[must_use]
    pub fn coordinates(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [
            self.center[0] + (x - self.middle[0]) / self.scale,
            self.center[1] - (y - self.middle[1]) / self.scale,
        ]
    }

    /// Pixels per unit, and the pixel at the origin of the coordinates.
    #[cfg(feature = "window")]
    pub(crate) fn parts(&self) -> (f32, [f32; 2]) {
        (self.scale, self.pixel([0.0, 0.0]))
    }

    /// A length of the simulation in pixels.
    #[must_use]
    pub fn length(&self, length: f32) -> f32 {
        length * self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(canvas: &Canvas) -> f32 {
        canvas.pixels.iter().map(|pixel| pixel.rgb[1]).sum()
    }

    #[test]
    fn a_canvas_beyond_memory_says_so() {
        for (width, height) in [(1 << 33, 1 << 31), (usize::MAX, 2), (1, usize::MAX), (1 << 61, 1)] {
            let panic = std::panic::catch_unwind(|| Canvas::new(width, height, Color::BLACK)).unwrap_err();
            let expected = format!("no memory holds a canvas of {width}x{height} pixels");
            assert_eq!(panic.downcast_ref::<String>(), Some(&expected));
        }
    }

    #[test]
    fn a_canvas_without_pixels_takes_any_shape() {
        for (width, height) in [(0, usize::MAX), (usize::MAX, 0), (0, 0)] {
            let mut canvas = Canvas::new(width, height, Color::BLACK);
            canvas.disc([0.0, 1e9], 1e9, Color::WHITE, Blend::Over);
            canvas.line([0.0, 0.0], [0.0, 1e18], 2.0, Color::WHITE, Blend::Add);
            let image = canvas.to_image();
            assert_eq!((image.width(), image.height()), (width, height));
        }
    }

    #[test]
    fn odd_lengths_draw_nothing_or_everything() {
        for odd in [f32::NAN, -2.0, f32::NEG_INFINITY, 0.0] {
            let mut canvas = Canvas::new(7, 5, Color::WHITE);
            canvas.disc([3.5, 2.5], odd, Color::BLACK, Blend::Over);
            canvas.line([1.0, 1.0], [5.0, 4.0], odd, Color::BLACK, Blend::Over);
            canvas.glow([3.5, 2.5], odd, Color::WHITE);
            assert_eq!(light(&canvas), 35.0, "{odd}");
        }
        for huge in [1e20, f32::INFINITY] {
            let mut canvas = Canvas::new(7, 5, Color::BLACK);
            canvas.disc([3.5, 2.5], huge, Color::WHITE, Blend::Over);
            assert_eq!(light(&canvas), 35.0, "{huge}");
        }
    }

    #[test]
    fn a_line_has_the_light_of_its_area_wherever_it_lies() {
        for (from, to) in [
            ([5.0, 4.0], [25.0, 4.0]),
            ([6.3, 3.1], [6.3, 19.7]),
            ([24.2, 18.6], [4.9, 5.5]),
            ([15.2, 11.9], [15.2, 11.9]),
        ] {
            for width in [0.3f32, 1.0, 2.6] {
                let mut canvas = Canvas::new(31, 23, Color::BLACK);
                canvas.line(from, to, width, Color::WHITE, Blend::Add);
                let length = f32::hypot(to[0] - from[0], to[1] - from[1]);
                // The round ends are those of the line that is drawn.
                let drawn = width.max(1.0);
                let area = width * length + width / drawn * std::f32::consts::PI * (0.25 * drawn * drawn + 1.0 / 12.0);
                let error = (light(&canvas) / area - 1.0).abs();
                assert!(
                    error < 0.1,
                    "{from:?} to {to:?}, {width}: {} for {area}",
                    light(&canvas)
                );
            }
        }
    }

    #[test]
    fn a_line_is_there_however_far_away_it_ends() {
        for far in [1e3, 1e10, 1e19, 2e38, f32::MAX] {
            let mut canvas = Canvas::new(20, 9, Color::BLACK);
            canvas.line([-far, 4.5], [far, 4.5], 3.0, Color::WHITE, Blend::Over);
            canvas.line([7.5, far], [7.5, -far], 1.0, Color::WHITE, Blend::Over);
            let mut slanted = Canvas::new(9, 9, Color::BLACK);
            slanted.line([-far, far], [far, -far], 3.0, Color::WHITE, Blend::Over);
            slanted.line([4.5, 4.5], [far, far], 3.0, Color::WHITE, Blend::Over);
            let slanted = slanted.expose(1.0);
            assert_eq!(
                [(0, 0), (4, 4), (8, 8), (8, 0), (0, 8)].map(|(x, y)| slanted.pixel(x, y)[0] > 200),
                [true, true, true, false, false]
            );
            let image = canvas.expose(1.0);
            let lit = |x, y| image.pixel(x, y)[0] > 200;
            assert!((0..20).all(|x| lit(x, 3) && lit(x, 4) && lit(x, 5)), "{far}");
            assert!((0..9).all(|y| lit(7, y) && (lit(3, y) == (3..6).contains(&y))), "{far}");
        }
    }

    #[test]
    fn a_disc_has_the_light_of_its_area_wherever_it_lies() {
        for radius in [0.2f32, 0.5, 1.0, 2.5, 7.3] {
            for shift in [0.0, 0.25, 0.5, 0.81] {
                let mut canvas = Canvas::new(31, 23, Color::BLACK);
                canvas.disc([15.0 + shift, 11.0 - shift], radius, Color::WHITE, Blend::Add);
                let area = std::f32::consts::PI * radius * radius;
                let error = (light(&canvas) / area - 1.0).abs();
                assert!(
                    error < if radius < 1.0 { 0.45 } else { 0.1 },
                    "radius {radius} at {shift}: off by {error}"
                );
            }
        }
    }

    #[test]
    fn paint_covers_and_light_adds() {
        let [red, green] = [0xff0000, 0x00ff00].map(Color::hex);
        for (blend, expected) in [(Blend::Over, [0, 255, 0]), (Blend::Add, [255, 255, 0])] {
            let mut canvas = Canvas::new(9, 7, Color::BLACK);
            canvas.disc([4.5, 3.5], 2.0, red, blend);
            canvas.disc([4.5, 3.5], 2.0, green, blend);
            assert_eq!(canvas.to_image().pixel(4, 3), expected);
            assert_eq!(canvas.to_image().pixel(0, 0), [0, 0, 0]);
        }
    }

    #[test]
    fn what_lies_beyond_the_canvas_is_cut() {
        let mut canvas = Canvas::new(5, 3, Color::BLACK);
        for center in [
            [-9.0, 1.0],
            [1.0, 1e9],
            [-1e30, -1e30],
            [f32::NAN, 1.0],
            [1.0, f32::INFINITY],
        ] {
            canvas.disc(center, 2.0, Color::WHITE, Blend::Over);
            canvas.glow(center, 2.0, Color::WHITE);
        }
        assert_eq!(light(&canvas), 0.0);
        canvas.disc([-0.5, 1.5], 2.0, Color::WHITE, Blend::Over);
        assert_eq!(canvas.to_image().pixel(0, 1), [255; 3]);
        assert_eq!(canvas.to_image().pixel(4, 1), [0; 3]);
    }

    #[test]
    fn exposure_never_reaches_its_end() {
        let mut canvas = Canvas::new(1, 1, Color { rgb: [0.01, 1.0, 3.0] });
        let [dark, bright, brighter] = canvas.expose(1.0).pixel(0, 0);
        assert_eq!(dark, canvas.to_image().pixel(0, 0)[0]);
        assert!(bright < brighter && brighter < 255);
        canvas.fade(0.5);
        assert_eq!(canvas.pixels[0].rgb, [0.005, 0.5, 1.5]);
    }

    #[test]
    fn the_view_is_upright_and_undistorted() {
        let view = View::fit(200, 100, [0.0, 0.0], [1.0, 1.0]);
        assert_eq!(view.pixel([0.0, 0.0]), [50.0, 100.0]);
        assert_eq!(view.pixel([1.0, 1.0]), [150.0, 0.0]);
        assert_eq!(view.length(0.25), 25.0);
        assert_eq!(view.coordinates([150.0, 75.0]), [1.0, 0.25]);
    }
}
