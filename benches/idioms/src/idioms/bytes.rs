//! Work on bytes, as on text.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Size, Twin, hash, input, output};
use crate::hand::CHUNK;
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    let text = |size: Size| Ok((input([4 * size.n()], letter)?, output::<u8, 1, _>([4 * size.n()])?));
    let two = |size: Size| {
        Ok((
            input([4 * size.n()], letter)?,
            input::<u8, 1, _>([4 * size.n()], |i| letter(i + i / 9))?,
        ))
    };
    vec![
        idiom("count words", text, words)
            .form("byte before by `if`", words_if::plan, |(t, _)| words_if(&t.field))
            .form("range from 1", words_range::plan, |(t, _)| words_range(&t.field))
            .form("`#[func]`", words_func::plan, |(t, _)| words_func(&t.field))
            .done(),
        idiom("to upper case", text, upper)
            .form("`if`, else", upper_if::plan, |(t, u)| upper_if(&t.field, &mut u.field))
            .form("mask", upper_mask::plan, |(t, u)| upper_mask(&t.field, &mut u.field))
            .form("`match`", upper_match::plan, |(t, u)| {
                upper_match(&t.field, &mut u.field)
            })
            .done(),
        idiom("bytes that differ", two, different)
            .form("`if`", different_if::plan, |(a, b)| different_if(&a.field, &b.field))
            .form("`as u32`", different_cast::plan, |(a, b)| {
                different_cast(&a.field, &b.field)
            })
            .done(),
        idiom("bits that differ", bits, hamming)
            .form("`count_ones`", hamming_ones::plan, |(a, b)| {
                hamming_ones(&a.field, &b.field)
            })
            .form("loop over bits", hamming_loop::plan, |(a, b)| {
                hamming_loop(&a.field, &b.field)
            })
            .done(),
        idiom("brightness of pixels", pixels, grey)
            .form("arrays of bytes", grey_array::plan, |(p, g)| {
                grey_array(&p.field, &mut g.field)
            })
            .form("integers", grey_integers::plan, |(p, g)| {
                grey_integers(&p.field, &mut g.field)
            })
            .tolerance(5e-3)
            .done(),
    ]
}

type Text = (Twin<u8>, Twin<u8>);
type Bits = (Twin<u32>, Twin<u32>);
type Pixels = (Twin<[u8; 4]>, Twin<u8>);

fn letter(i: usize) -> u8 {
    match hash(i) % 40 {
        k @ 0..26 => b'a' + k as u8,
        k @ 26..34 => b'A' + k as u8 - 26,
        34 => b'\n',
        _ => b' ',
    }
}

fn bits(size: Size) -> swathe::Result<Bits> {
    Ok((input([size.n()], hash)?, input([size.n()], |i| hash(i + 1))?))
}

fn pixels(size: Size) -> swathe::Result<Pixels> {
    Ok((input([size.n()], |i| hash(i).to_le_bytes())?, output([size.n()])?))
}

const SPACE: u8 = b' ';
const LINE: u8 = b'\n';
const TAB: u8 = b'\t';
const LOWER: u8 = b'a';
const LAST: u8 = b'z';
const UPPER: u8 = b'A';

#[kernel]
fn words_if(text: &Field<u8>) -> u32 {
    let mut count = 0_u32;
    for i in text.indices() {
        let before = if i == 0 { SPACE } else { text[i - 1] };
        if text[i] > SPACE && before <= SPACE {
            count += 1;
        }
    }
    count
}

#[kernel]
fn words_range(text: &Field<u8>) -> u32 {
    let mut count = 0_u32;
    if text[0] > SPACE {
        count += 1;
    }
    for i in 1..text.len() {
        if text[i] > SPACE && text[i - 1] <= SPACE {
            count += 1;
        }
    }
    count
}

#[func]
fn is_space(byte: u8) -> bool {
    byte == SPACE || byte == LINE || byte == TAB
}

#[kernel]
fn words_func(text: &Field<u8>) -> u32 {
    let mut count = 0_u32;
    for i in text.indices() {
        if !is_space(text[i]) && (i == 0 || is_space(text[i - 1])) {
            count += 1;
        }
    }
    count
}

#[kernel]
fn upper_if(text: &Field<u8>, out: &mut Field<u8>) {
    for i in out.indices() {
        let c = text[i];
        if c >= LOWER && c <= LAST {
            out[i] = c - 32;
        } else {
            out[i] = c;
        }
    }
}

#[kernel]
fn upper_mask(text: &Field<u8>, out: &mut Field<u8>) {
    for i in out.indices() {
        let lower = (text[i] >= LOWER && text[i] <= LAST) as u8;
        out[i] = text[i] ^ (lower << 5);
    }
}

#[kernel]
fn upper_match(text: &Field<u8>, out: &mut Field<u8>) {
    for i in out.indices() {
        out[i] = match text[i] {
            97..=122 => text[i] - LOWER + UPPER,
            _ => text[i],
        };
    }
}

#[kernel]
fn different_if(a: &Field<u8>, b: &Field<u8>) -> u32 {
    let mut count = 0_u32;
    for i in a.indices() {
        if a[i] != b[i] {
            count += 1;
        }
    }
    count
}

#[kernel]
fn different_cast(a: &Field<u8>, b: &Field<u8>) -> u32 {
    let mut count = 0_u32;
    for i in 0..a.len() {
        count += (a[i] != b[i]) as u32;
    }
    count
}

#[kernel]
fn hamming_ones(a: &Field<u32>, b: &Field<u32>) -> u32 {
    let mut count = 0;
    for i in a.indices() {
        count += (a[i] ^ b[i]).count_ones();
    }
    count
}

#[kernel]
fn hamming_loop(a: &Field<u32>, b: &Field<u32>) -> u32 {
    let mut count = 0_u32;
    for i in a.indices() {
        let mut bits = a[i] ^ b[i];
        while bits != 0 {
            bits &= bits - 1;
            count += 1;
        }
    }
    count
}

#[kernel]
fn grey_array(pixels: &Field<[u8; 4]>, grey: &mut Field<u8>) {
    for i in grey.indices() {
        let [r, g, b, _] = pixels[i];
        grey[i] = (0.299 * r as f32 + 0.587 * g as f32 + 0.114 * b as f32) as u8;
    }
}

#[kernel]
fn grey_integers(pixels: &Field<[u8; 4]>, grey: &mut Field<u8>) {
    for i in grey.indices() {
        let p = pixels[i];
        let sum = 77 * p[0] as u32 + 150 * p[1] as u32 + 29 * p[2] as u32;
        grey[i] = (sum / 256) as u8;
    }
}

by_hand! {
    fn words((text, _): &mut Text) -> u32 {
        let text = &text.plain;
        let first = u32::from(text[0] > b' ');
        let rest: u32 = text.par_chunks(8 * CHUNK).enumerate().map(|(c, here)| {
            let start = (c * 8 * CHUNK).max(1);
            let here = &text[start..c * 8 * CHUNK + here.len()];
            let before = &text[start - 1..start - 1 + here.len()];
            here.iter().zip(before).map(|(c, b)| u32::from((*c > b' ') & (*b <= b' '))).sum::<u32>()
        }).sum();
        first + rest
    }

    fn upper((text, out): &mut Text) {
        out.plain.par_chunks_mut(8 * CHUNK).zip(text.plain.par_chunks(8 * CHUNK)).for_each(|(out, text)| {
            for (out, c) in out.iter_mut().zip(text) {
                *out = c.to_ascii_uppercase();
            }
        });
    }

    fn different((a, b): &mut Text) -> u32 {
        a.plain.par_chunks(8 * CHUNK).zip(b.plain.par_chunks(8 * CHUNK)).map(|(a, b)| {
            a.iter().zip(b).map(|(a, b)| u32::from(a != b)).sum::<u32>()
        }).sum()
    }

    fn hamming((a, b): &mut Bits) -> u32 {
        a.plain.par_chunks(CHUNK).zip(b.plain.par_chunks(CHUNK)).map(|(a, b)| {
            a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>()
        }).sum()
    }

    fn grey((pixels, grey): &mut Pixels) {
        grey.plain.par_chunks_mut(CHUNK).zip(pixels.plain.par_chunks(CHUNK)).for_each(|(grey, pixels)| {
            for (grey, p) in grey.iter_mut().zip(pixels) {
                *grey = ((77 * u32::from(p[0]) + 150 * u32::from(p[1]) + 29 * u32::from(p[2])) / 256) as u8;
            }
        });
    }
}
