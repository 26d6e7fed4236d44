//! Indices that a table gives, `pos[cells[[a, b, k]] as usize]`, in loops inside of loops: neighbours of a particle, found by a grid. Each entry of the table
//! then serves many iterations, and to look at all of them once, in front of the parallel loop, takes less than the check of each use. The loop is
//! there twice, without these checks and with them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::setting::plain;
use crate::budget::{TABLE_DEPTH, TABLE_PARTS};
use crate::hir::types::is_usize;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, AccessId, Check, Expr, ExprKind, Func, LocalId, ParFor};

/// Tables of a parallel loop.
pub struct Tables {
    /// With the fields that their entries are positions of.
    pub tables: BTreeMap<LocalId, BTreeSet<LocalId>>,
    /// Accesses in bounds if all entries are.
    pub accesses: HashSet<AccessId>,
}

impl Tables {
    /// The tables of a loop, if there are any.
    pub fn of(func: &Func, p: &ParFor) -> Option<Tables> {
        if plain() || parts(&p.body) > TABLE_PARTS {
            return None;
        }
        let mut find = Find {
            func,
            values: HashMap::new(),
            depth: 0,
            found: Tables {
                tables: BTreeMap::new(),
                accesses: HashSet::new(),
            },
        };
        find.block(&p.body);
        (!find.found.accesses.is_empty()).then_some(find.found)
    }
}

struct Find<'h> {
    func: &'h Func,
    /// Immutable variables, with what they are.
    values: HashMap<LocalId, Value>,
    depth: usize,
    found: Tables,
}

/// An entry of this table, unchanged.
#[derive(Clone, Copy)]
enum Value {
    Entry(LocalId),
    /// As an index.
    Index(LocalId),
}

impl Find<'_> {
    fn value(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Field(access) => {
                let fixed = !self.func.field_mutable(access.field) && !self.func.is_offset(access.field);
                fixed.then_some(Value::Entry(access.field))
            }
            ExprKind::Local(id, _) => self.values.get(id).copied(),
            ExprKind::Cast(inner, ty, ..) => match self.value(inner)? {
                Value::Entry(table) if is_usize(ty) => Some(Value::Index(table)),
                _ => None,
            },
            _ => None,
        }
    }

    fn access(&mut self, access: &Access) {
        let checked = self.func.access(access.id).check == Check::InKernel && !self.func.is_offset(access.field);
        if checked
            && self.depth >= TABLE_DEPTH
            && let [index] = access.index.as_slice()
            && let Some(Value::Index(table)) = self.value(index)
        {
            self.found.tables.entry(table).or_default().insert(access.field);
            self.found.accesses.insert(access.id);
        }
    }
}

impl Visit for Find<'_> {
    fn named(&mut self, local: LocalId, value: &Expr) {
        if let Some(value) = self.value(value) {
            self.values.insert(local, value);
        }
    }

    fn expr(&mut self, e: &Expr) {
        let inside = matches!(e.kind, ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..));
        self.depth += usize::from(inside);
        walk_expr(self, e);
        self.depth -= usize::from(inside);
        if let Some(access) = e.accessed() {
            self.access(access);
        }
    }
}
