//! Products of matrices in blocks.

use std::collections::HashSet;
use std::panic::Location;

use swathe::{Dot, Field};

use crate::array::DistArray;
use crate::array::map::{Chunk, IndexMap, meet};
use crate::array::mode::{Combine, Mode};
use crate::array::span::Span;
use crate::error::{Error, Result};

/// A product of two blocks, on the first rank that has both.
struct Product {
    rank: usize,
    left: usize,
    right: usize,
    place: Chunk<2>,
}

impl<T: Combine> DistArray<T, 2> {
    /// The product of two matrices in blocks, without communication: in mode [`Mode::Sum`], each product of two blocks a chunk on the first
    /// rank that has both. A collective call, since both are brought into [`Mode::Replica`].
    ///
    /// # Errors
    /// [`Error::Argument`] if the worlds differ, if the columns of this matrix are not as many as the rows of the other one, if blocks overlap in part, if the columns of
    /// this one are cut elsewhere than the rows of the other one, or if no rank has two blocks that are to be multiplied. Else as
    /// [`DistArray::change_mode`].
    #[track_caller]
    pub fn dot(&self, other: &DistArray<T, 2>) -> Result<DistArray<T, 2>>
    where
        for<'a> Field<T, 2>: Dot<&'a Field<T, 2>, Output = Field<T, 2>>,
    {
        self.check_world("the product", other)?;
        let (site, number) = (Location::caller(), self.world.next_made());
        let products = products(&self.map, &other.map)?;
        let left = self.change_mode_at(Mode::Replica, site)?;
        let right = other.change_mode_at(Mode::Replica, site)?;
        let mut places = vec![Vec::new(); self.world.size()];
        let mut chunks = Vec::new();
        for product in products {
            places[product.rank].push(product.place);
            if product.rank == self.world.rank() {
                chunks.push(left.chunks[product.left].dot(&right.chunks[product.right])?);
            }
        }
        let shape = [self.shape()[0], other.shape()[1]];
        self.result(number, shape, places, Mode::Sum, chunks)
    }
}

/// All products, each once.
fn products(left: &IndexMap<2>, right: &IndexMap<2>) -> Result<Vec<Product>> {
    let wrong = |expected: &str, got: String| Error::Argument {
        what: format!(
            "the product of matrices of shapes {:?} and {:?}",
            left.shape(),
            right.shape()
        ),
        expected: expected.to_owned(),
        got,
    };
    if left.shape()[1] != right.shape()[0] {
        return Err(wrong(
            "as many columns as rows",
            format!("{} and {}", left.shape()[1], right.shape()[0]),
        ));
    }
    for map in [left, right] {
        let blocks: Vec<&Chunk<2>> = map.all().map(|(_, chunk)| chunk).collect();
        for (k, one) in blocks.iter().enumerate() {
            if let Some(other) = blocks[..k]
                .iter()
                .find(|other| *other != one && meet(one, other).is_some())
            {
                return Err(wrong(
                    "blocks that are equal or apart",
                    format!("{} and {}", text(one), text(other)),
                ));
            }
        }
    }
    let inner: Vec<Span> = right.all().map(|(_, chunk)| chunk[0]).collect();
    for (_, chunk) in left.all() {
        if let Some(other) = inner
            .iter()
            .find(|rows| **rows != chunk[1] && !rows.meet(&chunk[1]).is_empty())
        {
            return Err(wrong(
                "columns and rows that are cut alike",
                format!("{} and {other}", chunk[1]),
            ));
        }
    }
    let mut products = Vec::new();
    let mut done = HashSet::new();
    for rank in 0..left.ranks().min(right.ranks()) {
        for (k, a) in left.of_rank(rank).iter().enumerate() {
            for (l, b) in right.of_rank(rank).iter().enumerate() {
                if a[1] == b[0] && done.insert((*a, *b)) {
                    products.push(Product {
                        rank,
                        left: k,
                        right: l,
                        place: [a[0], b[1]],
                    });
                }
            }
        }
    }
    for (_, a) in left.all() {
        // What has no positions, or adds nothing to any, need not be computed.
        let is_needed = |b: &Chunk<2>| a[1] == b[0] && ![a[0], a[1], b[1]].iter().any(Span::is_empty);
        for (_, b) in right.all().filter(|(_, b)| is_needed(b)) {
            if !done.contains(&(*a, *b)) {
                return Err(wrong(
                    "a rank that has both blocks of each product",
                    format!("none with {} and {}", text(a), text(b)),
                ));
            }
        }
    }
    Ok(products)
}

fn text(chunk: &Chunk<2>) -> String {
    format!("[{}, {}]", chunk[0], chunk[1])
}
