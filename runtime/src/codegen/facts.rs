//! What conditions say about bounds, so that the text does not check again what the user's `if` has checked.

use super::body::Body;
use super::condition::{Below, Comparison, Relation, Term};
use super::value::Value;

impl Body<'_> {
    /// Notes what holds where the condition does.
    pub(super) fn learn(&mut self, condition: &Value) {
        let Some(said) = condition.condition.as_deref() else {
            return;
        };
        self.learn_bounds(condition, true);
        for Comparison { left, relation, right } in &said.if_true {
            match relation {
                Relation::Less => self.below(left, right),
                Relation::Greater => self.below(right, left),
                _ => {}
            }
        }
        for comparison in &said.if_true {
            if let Some((name, 1..)) = least(comparison) {
                self.one_less_is_below(&Term::of(name));
            }
        }
    }

    /// Notes which variables are above zero where the condition does, or does not, hold.
    pub(super) fn learn_bounds(&mut self, condition: &Value, holds: bool) {
        let Some(said) = condition.condition.as_deref() else {
            return;
        };
        let said = if holds { &said.if_true } else { &said.if_false };
        let bounds = said.iter().filter_map(least);
        self.least.extend(bounds.map(|(name, least)| (name.to_owned(), least)));
    }

    fn below(&mut self, small: &Term, large: &Term) {
        let extent = match self.extents.iter().find(|(name, _)| large.name() == Some(name)) {
            Some((_, extent)) => Term::of(extent),
            None => large.clone(),
        };
        // The position of an element is so far from the end of `usize` that adding a small number does not wrap.
        if let Term::Sum(axis, 1..=SMALL) = small
            && self.axes.contains(axis)
        {
            let position = Term::of(axis);
            let extent = extent.clone();
            self.checked.push(Below { position, extent });
        }
        let position = small.clone();
        self.checked.push(Below { position, extent });
    }

    /// Notes that a position of the loop less one is in bounds where it is itself: above zero, that does not wrap.
    fn one_less_is_below(&mut self, position: &Term) {
        if !self.axes.iter().any(|axis| position.name() == Some(axis)) {
            return;
        }
        let known = self.checked.iter().filter(|fact| fact.position == *position);
        let less: Vec<Below> = known
            .map(|fact| Below {
                position: fact.position.clone().plus(-1),
                extent: fact.extent.clone(),
            })
            .collect();
        self.checked.extend(less);
    }
}

/// What is added to the position of an element without wrapping, at most.
const SMALL: i128 = i32::MAX as i128;

/// A name, and the least number that it can be where the comparison holds.
fn least(comparison: &Comparison) -> Option<(&str, i128)> {
    let (name, Term::Number(number)) = (comparison.left.name()?, &comparison.right) else {
        return None;
    };
    let number = i128::from(u32::try_from(*number).ok()?);
    let least = match comparison.relation {
        Relation::Greater => number + 1,
        Relation::GreaterOrEqual => number,
        Relation::Different if number == 0 => 1,
        _ => return None,
    };
    Some((name, least))
}
