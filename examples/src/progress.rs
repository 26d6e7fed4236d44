//! How far a program is.

use indicatif::{ProgressBar, ProgressIterator, ProgressStyle};

/// Counts the frames from 0 to `count - 1` and shows a bar meanwhile; quiet where standard error is no terminal.
///
/// ```
/// assert_eq!(swathe_examples::progress::frames(17).sum::<usize>(), 136);
/// ```
pub fn frames(count: u32) -> impl Iterator<Item = usize> {
    let bar = bar(u64::from(count), "frames");
    (0..count as usize).progress_with(bar)
}

/// A bar of `count` steps with a caption, to be moved by [`ProgressBar::inc`]; it vanishes at the end.
#[must_use]
pub fn bar(count: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(count).with_message(what);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg}, {per_sec}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_finish(indicatif::ProgressFinish::AndClear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_comes_once_and_in_order() {
        for count in [0, 1, 3, 1000] {
            assert!(frames(count).eq(0..count as usize));
        }
    }

    #[test]
    fn the_bar_counts_to_its_end() {
        let bar = bar(3, "steps");
        bar.inc(2);
        assert_eq!((bar.position(), bar.length()), (2, Some(3)));
    }
}
