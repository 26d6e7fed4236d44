//! Is a result right?

/// What a result may be off by.
#[derive(Clone, Copy, Debug)]
pub enum Tolerance {
    /// The largest difference against the largest value of the reference, in each array.
    Relative(f64),
    /// Counts of steps: more than 1 off in less than 1 % of the pixels, and the total within 0.5 %. In `f32` and in
    /// `f64`, orbits near the border part.
    Counts,
    /// Pictures of values in 0..1: more than 0.01 off in less than 1 % of the pixels, for outlines move.
    Picture,
    /// Nothing.
    Exact,
}

/// How far a result is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    pub valid: bool,
    /// The figure that is compared with the tolerance.
    pub error: f64,
    /// Sum of the first array.
    pub checksum: f64,
}

impl Tolerance {
    /// Compares arrays of a result with those of the reference.
    pub fn judge(self, got: &[Vec<f64>], reference: &[Vec<f64>]) -> Verdict {
        let same_shape = got.len() == reference.len() && got.iter().zip(reference).all(|(g, r)| g.len() == r.len());
        let finite = got.iter().flatten().all(|x| x.is_finite());
        let checksum = got.first().map_or(0.0, |values| values.iter().sum());
        if !same_shape || !finite {
            return Verdict {
                valid: false,
                error: f64::INFINITY,
                checksum,
            };
        }
        let arrays = || got.iter().zip(reference);
        let worst = |figure: fn(&[f64], &[f64]) -> f64| arrays().map(|(g, r)| figure(g, r)).fold(0.0, f64::max);
        let (error, valid) = match self {
            Tolerance::Relative(most) => {
                let error = worst(relative);
                (error, error <= most)
            }
            Tolerance::Counts => {
                let (off, total) = (worst(|g, r| share(g, r, 1.0)), worst(total));
                (off.max(total), off < 0.01 && total < 5e-3)
            }
            Tolerance::Picture => {
                let off = worst(|g, r| share(g, r, 0.01));
                (off, off < 0.01)
            }
            Tolerance::Exact => {
                let off = worst(|g, r| share(g, r, 0.0));
                (off, off == 0.0)
            }
        };
        Verdict { valid, error, checksum }
    }
}

fn relative(got: &[f64], reference: &[f64]) -> f64 {
    let largest = reference.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
    let off = got
        .iter()
        .zip(reference)
        .fold(0.0_f64, |m, (g, r)| m.max((g - r).abs()));
    if off == 0.0 { 0.0 } else { off / largest }
}

fn share(got: &[f64], reference: &[f64], most: f64) -> f64 {
    let off = got
        .iter()
        .zip(reference)
        .filter(|(g, r)| (**g - **r).abs() > most)
        .count();
    off as f64 / got.len().max(1) as f64
}

fn total(got: &[f64], reference: &[f64]) -> f64 {
    (got.iter().sum::<f64>() / reference.iter().sum::<f64>() - 1.0).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(tolerance: Tolerance, got: &[f64], reference: &[f64]) -> Verdict {
        tolerance.judge(&[got.to_vec()], &[reference.to_vec()])
    }

    #[test]
    fn what_is_off_is_refused() {
        let relative = Tolerance::Relative(1e-3);
        assert!(judge(relative, &[1.0, 100.09], &[1.0, 100.0]).valid);
        assert!(!judge(relative, &[1.2, 100.0], &[1.0, 100.0]).valid);
        assert!(!judge(relative, &[1.0], &[1.0, 0.0]).valid);
        assert!(!judge(relative, &[f64::NAN], &[0.0]).valid);
        assert!(!relative.judge(&[], &[vec![]]).valid);
        assert!(!judge(Tolerance::Exact, &[1.0, 2.0], &[1.0, 2.5]).valid);
    }

    #[test]
    fn counts_may_differ_in_few_pixels() {
        let reference = vec![100.0; 1000];
        let mut got = reference.clone();
        got[..9].fill(102.0);
        assert!(judge(Tolerance::Counts, &got, &reference).valid);
        got[..11].fill(102.0);
        assert!(!judge(Tolerance::Counts, &got, &reference).valid);
        let all = vec![101.0; 1000];
        assert!(
            !judge(Tolerance::Counts, &all, &reference).valid,
            "the total is 1 % off"
        );
    }
}
