//! What conditions say about bounds, so that the text does not check again what the user's `if` has checked.

use super::body::Body;
use super::value::{Effect, Value, prec};

impl Body<'_> {
    /// Notes what holds where the condition does. A fact is the check that it makes needless, `i >= u_0`.
    pub(super) fn learn(&mut self, condition: &Value) {
        if condition.effect != Effect::Stable || condition.prec < prec::AND {
            return;
        }
        let mut positive = Vec::new();
        for part in condition.text.split(" && ") {
            if part.contains(['(', '|', '?']) {
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
