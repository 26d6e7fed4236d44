//! Indices that a table gives, `pos[cells[[a, b, k]] as usize]`, in loops inside of loops: neighbours of a particle, found by a grid. Each entry of the table
//! then serves many iterations, and to look at all of them once, in front of the parallel loop, takes less than the check of each use. The loop is
//! there twice, without these checks and with them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::print::{Mode, Printer};
use super::{field_name, plain};
use crate::hir::types::is_usize;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, AccessId, Check, Expr, ExprKind, Func, LocalId, ParFor};

/// Sequential loops that an access has to be in: in one alone, as over the entries of a sparse matrix's row, each entry may be used once.
const DEPTH: usize = 2;
/// Parts of expressions in a loop's body, at most: the body is there twice.
const MOST_PARTS: usize = 300;

/// Tables of a parallel loop.
pub struct Tables {
    /// With the fields that their entries are positions of.
    tables: BTreeMap<LocalId, BTreeSet<LocalId>>,
    /// Accesses in bounds if all entries are.
    pub accesses: HashSet<AccessId>,
}

impl Printer<'_> {
    pub fn tables(&self, p: &ParFor) -> Option<Tables> {
        if plain() || self.mode != Mode::Native || parts(&p.body) > MOST_PARTS {
            return None;
        }
        let mut find = Find {
            func: self.func,
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

impl Tables {
    /// Declares whether all entries are positions.
    pub fn look(&self, name: &Ident) -> TokenStream {
        let all = self.tables.iter().map(|(table, fields)| {
            let (table, fields) = (field_name(*table), fields.iter().map(|field| field_name(*field)));
            quote!(::swathe::__rt::largest(#table, __n)
                .is_some_and(|__most| #(::swathe::__rt::Most::below(&__most, #fields.shape()[0]))&&*))
        });
        quote!(
            #[cfg(not(debug_assertions))]
            let #name = ::swathe::__rt::UNCHECKED || (#(#all)&&*);
        )
    }

    pub fn name(p: &ParFor) -> Ident {
        format_ident!("__looked{}", p.number)
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
            ExprKind::Cast(inner, ty, _) => match self.value(inner)? {
                Value::Entry(table) if is_usize(ty) => Some(Value::Index(table)),
                _ => None,
            },
            _ => None,
        }
    }

    fn access(&mut self, access: &Access) {
        let checked = self.func.access(access.id).check == Check::InKernel && !self.func.is_offset(access.field);
        if checked
            && self.depth >= DEPTH
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
        if let ExprKind::Field(access) | ExprKind::Atomic(_, _, access, _) = &e.kind {
            self.access(access);
        }
    }
}
