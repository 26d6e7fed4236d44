//! `if` with loops in it: lanes for which its condition is false wait until the others are through.

use super::part::{Item, Part, push};
use super::search::any_exit;
use super::split::Split;
use super::why::{TOO_MANY, Why};
use crate::hir::{Block, Expr, LocalId};

pub struct Branch<'h> {
    /// Of lanes for which the condition is false; the next one is that of the others.
    pub bit: u32,
    pub then: Vec<Part<'h>>,
    pub otherwise: Vec<Part<'h>>,
    /// Whether lanes leave a loop in it.
    pub leaves: bool,
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
        self.straight(condition)?;
        let bit = self.bits(2).ok_or(Why::new(condition.span, TOO_MANY))?;
        push(Item::Condition(condition, bit), parts);
        let before = self.masked | self.leaves(condition);
        // What no lane takes is not run.
        self.masked = false;
        let then_parts = self.block(then, into)?;
        self.masked = false;
        let mut else_parts = Vec::new();
        match (otherwise, into) {
            (Some(e), Some(into)) => self.value(e, into, &mut else_parts)?,
            (Some(e), None) => self.statement(e, Item::Expr(e), &mut else_parts)?,
            (None, _) => {}
        }
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
}
