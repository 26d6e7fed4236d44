//! Binomial checkpoints: which states to keep so that the way back repeats as few steps as can be.
//!
//! A. Griewank, A. Walther: Algorithm 799: Revolve. ACM Transactions on Mathematical Software 26 (2000), 19-45.

/// How many steps can be reversed with so many states, of which the first is the one at the beginning, if none is run more than so many
/// times: the binomial coefficient of `states + times` over `states`.
fn reach(states: usize, times: usize) -> usize {
    let mut reach = 1_u128;
    for k in 1..=states.min(times) as u128 {
        // Divides without rest: the product is a binomial coefficient after each factor.
        reach = reach.saturating_mul((states + times) as u128 + 1 - k) / k;
        if reach > usize::MAX as u128 {
            return usize::MAX;
        }
    }
    reach as usize
}

/// How many steps to go from the state at the beginning of `steps` steps, at least two, to the next one that is kept, where `states` can be
/// kept, at least two, the one at the beginning included.
pub fn split(steps: usize, states: usize) -> usize {
    let mut times = 1;
    while reach(states, times) < steps {
        times += 1;
    }
    let most = reach(states, times - 1);
    let least_behind = reach(states - 1, times - 1);
    most.min(steps.saturating_sub(least_behind)).clamp(1, steps - 1)
}

/// The first steps of states that are kept on the way to the end, with how many more could have been kept behind each.
pub fn on_the_way(steps: usize, states: usize) -> Vec<(usize, usize)> {
    let (mut begin, mut left) = (0, states.max(1));
    let mut kept = vec![(0, left)];
    while left > 1 && steps - begin > 1 {
        begin += split(steps - begin, left);
        left -= 1;
        kept.push((begin, left));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{on_the_way, split};

    /// Steps that are run before the way back and on it, beside those whose derivative is taken at once.
    fn run(steps: usize, states: usize) -> usize {
        match (steps, states) {
            (0 | 1, _) => 0,
            (_, 1) => steps * (steps - 1) / 2,
            _ => {
                let first = split(steps, states);
                first + run(steps - first, states - 1) + run(first, states)
            }
        }
    }

    /// The fewest that can be, by trying all.
    fn fewest(steps: usize, states: usize) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; steps + 1]; states + 1];
        for s in 1..=states {
            for l in 2..=steps {
                let all = (1..l).map(|m| m + table[s - 1][l - m] + table[s][m]);
                table[s][l] = match s {
                    1 => l * (l - 1) / 2,
                    _ => all.min().unwrap_or(0),
                };
            }
        }
        table
    }

    #[test]
    fn as_few_steps_are_repeated_as_can_be() {
        let table = fewest(80, 9);
        for (states, row) in table.iter().enumerate().skip(1) {
            for (steps, fewest) in row.iter().enumerate().skip(1) {
                assert_eq!(run(steps, states), *fewest, "{steps} steps, {states} states");
            }
        }
        // Griewank and Walther, table 1: `r l - C(s + r, r - 1)`.
        assert_eq!((run(10, 3), run(56, 5), run(1000, 1)), (15, 3 * 56 - 28, 499_500));
    }

    #[test]
    fn states_on_the_way_are_no_more_than_asked_for() {
        for states in 1..=6 {
            for steps in 0..40 {
                let kept = on_the_way(steps, states);
                assert!(kept.len() <= states && kept[0] == (0, states));
                assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[1].0 < steps));
            }
        }
    }
}
