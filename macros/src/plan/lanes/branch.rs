//! `if` with loops in it: where its condition differs between lanes, those for which it is false wait until the others are through.

use super::part::{Item, Part, push};
use super::search::any_exit;
use super::split::Split;
use super::why::{TOO_MANY, Why};
use crate::hir::{Block, Expr, ExprKind, LocalId};

pub struct Branch<'h> {
    /// Of lanes for which the condition is false; the next one is that of the others.
    pub bit: u32,
    pub then: Vec<Part<'h>>,
    pub otherwise: Vec<Part<'h>>,
    /// Whether lanes leave a loop in it.
    pub leaves: bool,
}

/// All lanes go the same way.
pub struct Fork<'h> {
    pub condition: &'h Expr,
    pub then: Vec<Part<'h>>,
    pub otherwise: Vec<Part<'h>>,
}

impl<'h> Split<'h> {
    pub fn branch(
        &mut self,
        condition: &'h Expr,
        then: &'h Block,
        otherwise: Option<&'h Expr>,
        into: Option<LocalId>,
        parts: &mut Vec<Part<'h>>,
    ) -> Result<(), Why> {
        let (unreached, value) = match &condition.kind {
            ExprKind::Decided { unreached, value } => (Some(unreached), &**value),
            _ => (None, condition),
        };
        if self.is_uniform(value) {
            if let Some(unreached) = unreached {
                push(Item::Unreached(unreached, None), parts);
            }
            let before = self.masked;
            let then = self.block(then, into)?;
            let masked = std::mem::replace(&mut self.masked, before);
            let otherwise = self.otherwise(otherwise, into)?;
            self.masked |= masked;
            parts.push(Part::Fork(Fork {
                condition: value,
                then,
                otherwise,
            }));
            return Ok(());
        }
        self.straight(condition)?;
        let bit = self.bits(2).ok_or(Why::new(condition.span, TOO_MANY))?;
        push(Item::Condition(condition, bit), parts);
        let before = self.masked | self.leaves(condition);
        // What no lane takes is not run.
        self.masked = false;
        let then_parts = self.block(then, into)?;
        self.masked = false;
        let else_parts = self.otherwise(otherwise, into)?;
        let leaves = any_exit(then, otherwise, &self.exits);
        self.masked = before || leaves;
        parts.push(Part::Branch(Branch {
            bit,
            then: then_parts,
            otherwise: else_parts,
            leaves,
        }));
        Ok(())
    }

    fn otherwise(&mut self, e: Option<&'h Expr>, into: Option<LocalId>) -> Result<Vec<Part<'h>>, Why> {
        let mut parts = Vec::new();
        match (e, into) {
            (Some(e), Some(into)) => self.value(e, into, &mut parts)?,
            (Some(e), None) => self.statement(e, Item::Expr(e), &mut parts)?,
            (None, _) => {}
        }
        Ok(parts)
    }
}
