//! What conditions say about bounds, so that the text does not check again what the user's `if` has checked.

use super::body::Body;
use super::value::{Effect, Value, prec};

impl Body<'_> {
    /// Notes what holds where the condition does. A fact is the check that it makes needless, `i >= u_0`.
    pub(super) fn learn(&mut self, condition: &Value) {
        if condition.effect != Effect::Stable || condition.prec < prec::AND {
            return;
        }
        self.learn_bounds(condition, true);
        let mut positive = Vec::new();
        let mut depth = 0;
        for part in condition.text.split(" && ") {
            // What stands in parentheses is said of another condition, which may be negated.
            let outer = depth;
            depth += part.matches('(').count();
            depth -= part.matches(')').count();
            if outer > 0 || part.contains(['(', '|', '?']) {
                continue;
            }
            if let Some((small, large)) = part.split_once(" < ") {
                self.below(small, large);
            } else if let Some((large, small)) = part.split_once(" > ") {
                self.below(small, large);
            }
            if let Some((name, "0")) = part.split_once(" > ") {
                positive.push(name);
            } else if let Some((name, "1")) = part.split_once(" >= ") {
                positive.push(name);
            }
        }
        // Above zero, one less does not wrap.
        for name in positive
            .into_iter()
            .filter(|name| self.axes.iter().any(|axis| axis == name))
        {
            let less: Vec<String> = self
                .checked
                .iter()
                .filter_map(|fact| fact.split_once(" >= "))
                .filter(|(small, _)| *small == name)
                .map(|(_, extent)| format!("{name} - 1 >= {extent}"))
                .collect();
            self.checked.extend(less);
        }
    }

    /// Notes which variables are above zero where the condition does, or does not, hold.
    pub(super) fn learn_bounds(&mut self, condition: &Value, holds: bool) {
        let (all, joint) = if holds { (prec::AND, " && ") } else { (prec::OR, " || ") };
        if condition.effect != Effect::Stable || condition.prec < all {
            return;
        }
        let other = if holds { " || " } else { " && " };
        if condition.text.contains(['(', '?']) || condition.text.contains(other) {
            return;
        }
        for part in condition.text.split(joint) {
            let words: Vec<&str> = part.split(' ').collect();
            let [name, symbol, number] = words.as_slice() else {
                continue;
            };
            let Ok(number) = number.parse::<u32>() else { continue };
            let least = match (*symbol, holds) {
                (">", true) | ("<=", false) => i128::from(number) + 1,
                (">=", true) | ("<", false) => i128::from(number),
                ("!=", true) | ("==", false) if number == 0 => 1,
                _ => continue,
            };
            self.least.push(((*name).to_owned(), least));
        }
    }

    fn below(&mut self, small: &str, large: &str) {
        let extent = match self.extents.iter().find(|(name, _)| name == large) {
            Some((_, extent)) => extent.clone(),
            None => large.to_owned(),
        };
        self.checked.push(format!("{small} >= {extent}"));
        // The position of an element is so far from the end of `usize` that adding a small number does not wrap.
        if let Some((axis, offset)) = small.split_once(" + ")
            && self.axes.iter().any(|a| a == axis)
            && offset.parse::<u32>().is_ok()
        {
            self.checked.push(format!("{axis} >= {extent}"));
        }
    }
}
