//! Fill.

mod common;

use common::{Buffer, LENGTHS, run};
use swathe_device_kernels::plan;

#[test]
fn patterns_of_all_lengths_at_all_places() {
    for length in 1..=64_usize {
        let pattern: Vec<u8> = (0..length).map(|k| (k * 7 + length) as u8).collect();
        for (k, bytes) in LENGTHS.into_iter().enumerate() {
            let offset = (length * 5 + k * 3) % 17;
            let filled = run(vec![Buffer::new(vec![0xaa; bytes], offset, true)], |at| {
                plan::fill(at[0], bytes as u64, &pattern)
            });
            let expected: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
            assert_eq!(filled[0], expected, "{bytes} bytes of {pattern:?} at {offset}");
        }
    }
}

#[test]
fn wide_words_are_used_where_a_pattern_suits() {
    let name = |to: u64, bytes, length: usize| plan::fill(to, bytes, &vec![1; length])[0].entry.name;
    assert_eq!(name(256, 1000, 4), "fill_16");
    assert_eq!(name(260, 1001, 4), "fill_16");
    assert_eq!(name(256, 1000, 12), "fill_16");
    assert_eq!(name(256, 1000, 20), "fill_8");
    assert_eq!(name(256, 1000, 63), "fill_1");
    assert_eq!(name(257, 3, 4), "fill_4");
    assert_eq!(name(257, 2, 4), "fill_2");
}
