//! The 255 colours of an animation.

use color_quant::NeuQuant;

/// How many colours there are; the index after them is free for "as before".
pub const COLORS: usize = 255;

/// Colours that serve all frames, so that nothing flickers from one frame to the next.
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// The nearest colour for each of the 2^24, worked out at first use; `UNKNOWN` before.
    nearest: Vec<u8>,
}

const UNKNOWN: u8 = COLORS as u8;

impl Palette {
    /// The palette for pixels that were taken from all frames.
    pub fn new(samples: &[[u8; 3]]) -> Palette {
        let mut distinct = samples.to_vec();
        distinct.sort_unstable();
        let common = most_common(&distinct);
        distinct.dedup();
        let colors = if distinct.len() <= COLORS {
            distinct
        } else {
            quantise(samples, common)
        };
        Palette {
            colors,
            nearest: vec![UNKNOWN; 1 << 24],
        }
    }

    /// Red, green, blue of all colours, padded to what GIF wants.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.as_flattened().to_vec();
        bytes.resize(3 * (COLORS + 1), 0);
        bytes
    }

    /// The index of the colour that is nearest to `pixel`.
    pub fn index(&mut self, pixel: [u8; 3]) -> u8 {
        let place = usize::from(pixel[0]) << 16 | usize::from(pixel[1]) << 8 | usize::from(pixel[2]);
        if self.nearest[place] == UNKNOWN {
            let indices = 0..self.colors.len();
            let best = indices.min_by_key(|&k| distance(self.colors[k], pixel)).unwrap_or(0);
            self.nearest[place] = best as u8;
        }
        self.nearest[place]
    }
}

fn quantise(samples: &[[u8; 3]], common: [u8; 3]) -> Vec<[u8; 3]> {
    let rgba: Vec<u8> = samples.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
    let map = NeuQuant::new(3, COLORS, &rgba).color_map_rgb();
    let mut colors = map.as_chunks::<3>().0.to_vec();
    // The network lands near the background, and a background that is off by one is what the eye sees first.
    if let Some(near) = colors.iter_mut().min_by_key(|color| distance(**color, common)) {
        *near = common;
    }
    colors
}

fn most_common(sorted: &[[u8; 3]]) -> [u8; 3] {
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map_or([0; 3], |run| run[0])
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let [r, g, b] = [0, 1, 2].map(|k| u32::from(a[k].abs_diff(b[k])).pow(2));
    // The eye's weights, roughly.
    2 * r + 4 * g + b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(palette: &mut Palette, pixel: [u8; 3]) -> [u8; 3] {
        let index = palette.index(pixel);
        palette.colors[usize::from(index)]
    }

    #[test]
    fn few_colours_stay_exact() {
        let samples: Vec<[u8; 3]> = (0..1000).map(|k| [(k % 5) as u8 * 40, (k % 7) as u8 * 30, 9]).collect();
        let mut palette = Palette::new(&samples);
        for &sample in &samples {
            assert_eq!(nearest(&mut palette, sample), sample);
        }
    }

    #[test]
    fn many_colours_come_close_and_the_background_is_exact() {
        let background = [17, 47, 65];
        let gradient = (0..60_000u32).map(|k| [(k / 256) as u8, (k % 256) as u8, 128]);
        let samples: Vec<[u8; 3]> = std::iter::repeat_n(background, 30_000).chain(gradient).collect();
        let mut palette = Palette::new(&samples);
        assert_eq!(palette.bytes().len(), 768);
        assert_eq!(nearest(&mut palette, background), background);
        let worst = samples.iter().map(|&sample| {
            let color = nearest(&mut palette, sample);
            (0..3).map(|k| color[k].abs_diff(sample[k])).max().unwrap()
        });
        assert!(worst.max().unwrap() < 40);
    }

    #[test]
    fn no_samples_make_a_palette_too() {
        assert_eq!(Palette::new(&[]).index([1, 2, 3]), 0);
    }
}
