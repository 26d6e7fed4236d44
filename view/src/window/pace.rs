//! How fast frames follow each other, and how many there are.

use std::time::{Duration, Instant};

use super::ViewError;

/// Keeps frames at most so fast.
#[derive(Debug)]
pub struct Pace {
    period: Duration,
    next: Option<Instant>,
}

impl Pace {
    /// `fps` frames in a second; no pace where it is not a positive number.
    pub fn new(fps: f32) -> Pace {
        let period = Duration::try_from_secs_f32(1.0 / fps).unwrap_or_default();
        Pace { period, next: None }
    }

    /// Sleeps until the next frame is due. A frame that came too late moves those after it.
    pub fn wait(&mut self) {
        let now = Instant::now();
        let due = self.next.filter(|&next| next > now).unwrap_or(now);
        std::thread::sleep(due - now);
        self.next = due.checked_add(self.period);
    }
}

/// After how many frames a window closes by itself: what `SWATHE_VIEW_FRAMES` says, and where nobody watches 240 if it says nothing.
pub fn limit(watched: bool) -> Result<Option<u64>, ViewError> {
    const VARIABLE: &str = "SWATHE_VIEW_FRAMES";
    let Some(text) = std::env::var_os(VARIABLE) else {
        return Ok((!watched).then_some(240));
    };
    match text.to_str().and_then(|text| text.parse().ok()) {
        Some(limit) => Ok(Some(limit)),
        None => Err(ViewError::Choice {
            variable: VARIABLE,
            text: text.to_string_lossy().into_owned(),
            expected: "a number of frames",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_rates_are_no_pace() {
        for fps in [0.0, -3.0, f32::NAN, f32::INFINITY] {
            assert_eq!(Pace::new(fps).period, Duration::ZERO, "{fps}");
        }
        assert_eq!(Pace::new(50.0).period, Duration::from_millis(20));
    }

    #[test]
    fn frames_keep_their_pace() {
        let mut pace = Pace::new(100.0);
        let start = Instant::now();
        (0..4).for_each(|_| pace.wait());
        assert!(start.elapsed() >= Duration::from_millis(29));
    }
}
