//! What lies on the picture, drawn by the host: texts and sliders.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::FONT_8X13;
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{Drawable, Pixel, Primitive};
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};

use super::input::{Input, Key};
use super::{Packed, ViewError};
use crate::Color;

/// A finished frame: 0x00RRGGBB, row by row from the top.
pub struct Canvas<'a>(pub &'a mut Packed);

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        let [width, height] = self.0.size.map(|n| n as u32);
        Size::new(width, height)
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let [width, height] = self.0.size;
        for Pixel(at, color) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(at.x), usize::try_from(at.y))
                && x < width
                && y < height
            {
                self.0.pixels[y * width + x] = u32::from_be_bytes([0, color.r(), color.g(), color.b()]);
            }
        }
        Ok(())
    }
}

/// A text of a frame.
pub struct Label {
    pub text: String,
    /// The upper left corner, in pixels.
    pub at: [f32; 2],
    pub color: Color,
}

impl Label {
    pub fn draw(&self, canvas: &mut Canvas<'_>) {
        let [r, g, b] = self.color.to_srgb();
        // What is too far out is moved to where it is as little seen.
        let [x, y] = self.at.map(|at| at.clamp(-1e6, 1e6) as i32);
        let at = Point::new(x, y);
        write(canvas, &self.text, at, Rgb888::new(r, g, b));
    }
}

fn write(canvas: &mut Canvas<'_>, text: &str, at: Point, color: Rgb888) {
    let style = MonoTextStyle::new(&FONT_8X13, color);
    let Ok(_) = Text::with_baseline(text, at, style, Baseline::Top).draw(canvas);
}

/// A number that the user sets by the mouse or by keys.
pub struct Slider {
    pub name: String,
    pub range: RangeInclusive<f32>,
    pub value: f32,
    /// Whether this frame asked for it: only then it is shown.
    pub asked: bool,
}

/// All sliders of a window, one below the other from the upper left corner.
#[derive(Default)]
pub struct Sliders {
    all: Vec<Slider>,
    /// The one that arrows move.
    chosen: usize,
    /// The one that the mouse holds.
    dragged: Option<usize>,
}

const BAR: [f32; 2] = [140.0, 17.0];
const MARGIN: f32 = 8.0;
const STEP: f32 = BAR[1] + 4.0;

impl Sliders {
    /// The value of a slider, which begins with `start`.
    pub fn value(&mut self, name: &str, range: RangeInclusive<f32>, start: f32) -> Result<f32, ViewError> {
        if !(range.start() < range.end() && (range.end() - range.start()).is_finite()) {
            let name = name.to_owned();
            return Err(ViewError::Range { name, range });
        }
        let found = self.all.iter().position(|slider| slider.name == name);
        let place = found.unwrap_or(self.all.len());
        if found.is_none() {
            self.all.push(Slider {
                name: name.to_owned(),
                range: range.clone(),
                value: start,
                asked: true,
            });
        }
        let slider = &mut self.all[place];
        slider.asked = true;
        slider.value = slider.value.clamp(*range.start(), *range.end());
        slider.range = range;
        Ok(slider.value)
    }

    /// Moves what mouse and keys move. Sliders that the last frame did not ask for stay as they are.
    pub fn update(&mut self, input: &Input) {
        if !input.mouse.left {
            self.dragged = None;
        }
        let shown: Vec<usize> = (0..self.all.len()).filter(|&k| self.all[k].asked).collect();
        if shown.is_empty() {
            return;
        }
        let [x, y] = input.mouse.pixel;
        if input.mouse.left && self.dragged.is_none() {
            let row = (y - MARGIN) / STEP;
            let inside = (MARGIN..=MARGIN + BAR[0]).contains(&x) && row >= 0.0;
            self.dragged = shown.get(row as usize).copied().filter(|_| inside);
        }
        if let Some(k) = self.dragged {
            self.chosen = k;
            self.all[k].set((x - MARGIN) / BAR[0]);
        }
        if input.pressed.contains(&Key::Tab) {
            let next = shown.iter().find(|&&k| k > self.chosen);
            self.chosen = *next.unwrap_or(&shown[0]);
        }
        let chosen = &mut self.all[self.chosen];
        if chosen.asked {
            let step = 0.02
                * (f32::from(u8::from(input.held.contains(&Key::Right)))
                    - f32::from(u8::from(input.held.contains(&Key::Left))));
            chosen.set(chosen.share() + step);
        }
    }

    /// Whether the mouse moves one of them, so that it points at nothing else.
    pub fn hold_the_mouse(&self) -> bool {
        self.dragged.is_some()
    }

    /// Draws those of this frame; the next frame asks anew.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>) {
        let mut top = MARGIN;
        for (k, slider) in self.all.iter_mut().enumerate().filter(|(_, slider)| slider.asked) {
            let corner = Point::new(MARGIN as i32, top as i32);
            let full = Size::new(BAR[0] as u32, BAR[1] as u32);
            let filled = Size::new((BAR[0] * slider.share()) as u32, full.height);
            let ground = PrimitiveStyle::with_fill(Rgb888::new(0x30, 0x34, 0x3c));
            let bar = match k == self.chosen {
                true => Rgb888::new(0x3f, 0x8f, 0xd8),
                false => Rgb888::new(0x52, 0x6a, 0x80),
            };
            let Ok(()) = Rectangle::new(corner, full).into_styled(ground).draw(canvas);
            let Ok(()) = Rectangle::new(corner, filled)
                .into_styled(PrimitiveStyle::with_fill(bar))
                .draw(canvas);
            let text = format!("{} {:.3}", slider.name, slider.value);
            write(canvas, &text, corner + Point::new(4, 2), Rgb888::WHITE);
            top += STEP;
        }
    }

    /// The next frame asks anew.
    pub fn begin(&mut self) {
        for slider in &mut self.all {
            slider.asked = false;
        }
    }
}

impl Slider {
    fn share(&self) -> f32 {
        (self.value - self.range.start()) / (self.range.end() - self.range.start())
    }

    fn set(&mut self, share: f32) {
        let (start, end) = (*self.range.start(), *self.range.end());
        self.value = (start + (end - start) * share.clamp(0.0, 1.0)).clamp(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(sliders: &mut Sliders, input: &Input) -> [f32; 2] {
        sliders.update(input);
        sliders.begin();
        [("a", 0.5), ("b", 2.0)].map(|(name, start)| sliders.value(name, 0.0..=4.0, start).unwrap())
    }

    #[test]
    fn a_slider_follows_the_mouse_and_the_keys() {
        let mut sliders = Sliders::default();
        let mut input = Input::default();
        assert_eq!(frame(&mut sliders, &input), [0.5, 2.0]);
        // The second bar, at a quarter.
        input.mouse.pixel = [MARGIN + 0.25 * BAR[0], MARGIN + STEP + 3.0];
        assert_eq!(frame(&mut sliders, &input), [0.5, 2.0]);
        input.mouse.left = true;
        assert_eq!(frame(&mut sliders, &input), [0.5, 1.0]);
        assert!(sliders.hold_the_mouse());
        // Held, it follows wherever the mouse goes, to its end.
        input.mouse.pixel = [1000.0, MARGIN];
        assert_eq!(frame(&mut sliders, &input), [0.5, 4.0]);
        input.mouse.left = false;
        assert_eq!(frame(&mut sliders, &input), [0.5, 4.0]);
        assert!(!sliders.hold_the_mouse());
        // The arrows move the one that was chosen last, Tab goes on.
        input.press(Key::Left);
        assert_eq!(frame(&mut sliders, &input), [0.5, 4.0 * 0.98]);
        input.begin();
        input.press(Key::Tab);
        input.press(Key::Right);
        assert_eq!(frame(&mut sliders, &input)[0], 0.5 + 4.0 * 0.02);
    }

    #[test]
    fn a_slider_that_nobody_asks_for_is_not_there() {
        let mut sliders = Sliders::default();
        let mut input = Input::default();
        frame(&mut sliders, &input);
        sliders.begin();
        input.mouse.left = true;
        input.mouse.pixel = [MARGIN + 1.0, MARGIN + 1.0];
        sliders.update(&input);
        assert!(!sliders.hold_the_mouse());
    }

    #[test]
    fn a_range_without_numbers_is_refused() {
        let mut sliders = Sliders::default();
        for range in [1.0..=1.0, 2.0..=1.0, 0.0..=f32::INFINITY, f32::NAN..=1.0] {
            let error = sliders.value("speed", range, 0.0).unwrap_err();
            assert!(error.to_string().contains("slider `speed`"), "{error}");
        }
    }

    #[test]
    fn texts_are_cut_at_the_rim() {
        let mut picture = Packed {
            size: [17, 9],
            pixels: vec![0; 17 * 9],
        };
        for at in [[-5.0, -5.0], [12.0, 3.0], [1e30, 0.0], [f32::NAN, -1e30]] {
            let label = Label {
                text: "Ink ä".to_owned(),
                at,
                color: Color::WHITE,
            };
            label.draw(&mut Canvas(&mut picture));
        }
        assert!(picture.pixels.contains(&0xff_ffff));
    }
}
