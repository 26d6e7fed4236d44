use std::ops::{Index, IndexMut};

use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Bytes {
    word: [u8; 4],
}

impl Index<usize> for Bytes {
    type Output = u8;

    fn index(&self, k: usize) -> &u8 {
        &self.word[k]
    }
}

impl IndexMut<usize> for Bytes {
    fn index_mut(&mut self, k: usize) -> &mut u8 {
        &mut self.word[k]
    }
}

#[derive(Element, Clone, Copy)]
struct Cell {
    bytes: Bytes,
}

#[kernel]
fn set(cells: &mut Field<Cell>) {
    for i in cells.indices() {
        cells[i].bytes[1] = 1;
    }
}

fn main() {}
