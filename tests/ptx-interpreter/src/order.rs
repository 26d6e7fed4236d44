//! Orders of blocks, warps and threads that a seed chooses. Without one blocks and threads run by their numbers.

/// Chooses by a seed: the same seed chooses the same.
#[derive(Clone, Debug)]
pub(crate) struct Chooser(u64);

impl Chooser {
    /// For a part of what a seed decides, such as one block.
    pub fn new(seed: u64, part: u64) -> Chooser {
        let mut chooser = Chooser(seed ^ part.wrapping_mul(0xd134_2543_de82_ef95));
        // Neighbours begin far from each other.
        Chooser(chooser.number())
    }

    /// SplitMix64.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Below a number that is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }

    /// Changes the order of items, to any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for k in (1..items.len()).rev() {
            items.swap(k, self.below(k as u64 + 1) as usize);
        }
    }
}

/// The order of a grid's blocks, which takes no memory: `k` times a number without a common divisor, plus another one.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    count: u64,
    factor: u64,
    start: u64,
}

impl Blocks {
    /// Of so many blocks.
    #[must_use]
    pub fn new(count: u64, seed: Option<u64>) -> Blocks {
        let (mut factor, mut start) = (1, 0);
        if let Some(seed) = seed
            && count > 1
        {
            let mut chooser = Chooser::new(seed, count);
            start = chooser.below(count);
            factor = 1 + chooser.below(count - 1);
            while divisor(factor, count) != 1 {
                factor = 1 + factor % (count - 1);
            }
        }
        Blocks { count, factor, start }
    }

    /// The number of the block that runs as the k-th one.
    #[must_use]
    pub fn at(&self, k: u64) -> u64 {
        let count = u128::from(self.count.max(1));
        ((u128::from(self.factor) * u128::from(k) + u128::from(self.start)) % count) as u64
    }
}

/// The greatest common one.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_runs_once() {
        for count in [1, 2, 3, 12, 97, 1000] {
            for seed in [None, Some(0), Some(1), Some(2)] {
                let order = Blocks::new(count, seed);
                let mut all: Vec<u64> = (0..count).map(|k| order.at(k)).collect();
                assert!(seed.is_some() || all.is_sorted(), "{all:?}");
                all.sort_unstable();
                assert!(all.iter().copied().eq(0..count), "{count} {seed:?}");
            }
        }
        let of = |seed| (0..97).map(|k| Blocks::new(97, Some(seed)).at(k)).collect::<Vec<u64>>();
        assert!(of(0) != of(1) && of(1) != of(2));
        // Beyond 2^32 blocks as well.
        assert!(Blocks::new(u64::MAX, Some(7)).at(u64::MAX - 1) < u64::MAX);
    }

    #[test]
    fn every_order_of_three_comes() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..100 {
            let mut items = [0, 1, 2];
            Chooser::new(seed, 5).shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 6);
    }
}
