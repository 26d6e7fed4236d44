//! What a function reads of the fields that it is lent at positions which its parameters tell (a summary of its effects). A kernel that calls it
//! asks in which part of a row these are in bounds, and there the function reads without checks.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::budget::LENT_PARAMS;
use crate::hir::affine::number;
use crate::hir::types::is_usize;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Access, AccessId, BinOp, CalleeSlot, Expr, ExprKind, Func, LocalId, NEVER, ParamKind};

/// What a function tells of its reads.
#[derive(Default)]
pub struct Reads {
    /// The accesses whose indices are told.
    pub accesses: HashSet<AccessId>,
    pub indices: Vec<Index>,
    /// Functions that it lends fields in turn.
    pub calls: Vec<Call>,
}

/// A call to which fields are lent on.
pub struct Call {
    pub callee: CalleeSlot,
    pub path: syn::ExprPath,
    pub args: Vec<Passed>,
    /// Arguments that are not told, as bits, and [`NEVER`].
    pub open: u64,
}

#[derive(PartialEq)]
pub enum Passed {
    /// Of all fields that one.
    Field(usize),
    /// A number, or those of an array.
    At(Vec<At>),
    /// A parameter that is an array.
    Whole(usize),
    Other,
}

impl Passed {
    /// The parameters that it is made of, as bits.
    pub fn needs(&self) -> u64 {
        match self {
            Passed::At(parts) => parts.iter().fold(0, |needs, at| needs | at.needs()),
            Passed::Whole(param) => 1 << param,
            Passed::Field(_) | Passed::Other => 0,
        }
    }
}

/// An index, in bounds of a field that is lent as this one of all fields.
#[derive(PartialEq)]
pub enum Index {
    Axis {
        field: usize,
        axis: usize,
        at: At,
    },
    /// The parameter is a position.
    Whole {
        field: usize,
        param: usize,
    },
}

/// A parameter or a part of one, and a number.
#[derive(Clone, Copy, PartialEq)]
pub struct At {
    pub param: Option<(usize, usize)>,
    pub by: i64,
}

impl At {
    fn needs(self) -> u64 {
        self.param.map_or(0, |(param, _)| 1 << param)
    }
}

impl Reads {
    pub fn of(func: &Func) -> Reads {
        let fields = func.params.iter().filter(|p| matches!(p.kind, ParamKind::Field { .. }));
        let fields: HashMap<LocalId, usize> = fields.enumerate().map(|(k, p)| (p.local, k)).collect();
        let mut search = Search {
            fields,
            single: BTreeMap::new(),
            several: BTreeMap::new(),
            known: HashMap::new(),
            func,
            reads: Reads::default(),
        };
        if search.fields.is_empty() || func.params.len() > LENT_PARAMS {
            return search.reads;
        }
        for (k, param) in func.params.iter().enumerate() {
            match &*param.ty {
                _ if param.kind != ParamKind::Value || func.local(param.local).mutable => {}
                syn::Type::Array(array) if is_usize(&array.elem) => _ = search.several.insert(param.local, k),
                ty if is_usize(ty) => _ = search.single.insert(param.local, k),
                _ => {}
            }
        }
        search.block(&func.body);
        search.reads
    }

    /// The parameters that tell where this function itself reads, as bits.
    pub fn needs(&self) -> u64 {
        self.indices.iter().fold(0, |needs, index| match index {
            Index::Axis { at, .. } => needs | at.needs(),
            Index::Whole { param, .. } => needs | 1 << param,
        })
    }
}

struct Search<'f> {
    func: &'f Func,
    fields: HashMap<LocalId, usize>,
    /// Parameters that are indices, and such that are arrays of them.
    single: BTreeMap<LocalId, usize>,
    several: BTreeMap<LocalId, usize>,
    /// What immutable variables are.
    known: HashMap<LocalId, At>,
    reads: Reads,
}

impl Search<'_> {
    fn at(&self, e: &Expr) -> Option<At> {
        if let Some(by) = number(e).and_then(|by| i64::try_from(by).ok()) {
            return Some(At { param: None, by });
        }
        let moved = |at: At, by: Option<i64>| Some(At { by: by?, ..at });
        match &e.kind {
            ExprKind::Local(id, _) => match self.single.get(id) {
                Some(param) => Some(At {
                    param: Some((*param, 0)),
                    by: 0,
                }),
                None => self.known.get(id).copied(),
            },
            ExprKind::Index(base, k) => match &base.kind {
                ExprKind::Local(id, _) => {
                    let param = *self.several.get(id)?;
                    let part = usize::try_from(number(k)?).ok()?;
                    Some(At {
                        param: Some((param, part)),
                        by: 0,
                    })
                }
                _ => None,
            },
            ExprKind::Binary(BinOp::Add, _, a, b, _) => match (self.at(a)?, self.at(b)?) {
                (at, At { param: None, by }) | (At { param: None, by }, at) => moved(at, at.by.checked_add(by)),
                _ => None,
            },
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => match (self.at(a)?, self.at(b)?) {
                (at, At { param: None, by }) => moved(at, at.by.checked_sub(by)),
                _ => None,
            },
            _ => None,
        }
    }

    fn access(&mut self, access: &Access) {
        let Some(&field) = self.fields.get(&access.field) else {
            return;
        };
        let whole = match &access.index[..] {
            [whole] if !access.bracketed => match &whole.kind {
                ExprKind::Local(id, _) => self.several.get(id).copied(),
                _ => None,
            },
            _ => None,
        };
        let found: Option<Vec<Index>> = match whole {
            Some(param) => Some(vec![Index::Whole { field, param }]),
            None => {
                let axes = access.index.iter().enumerate();
                axes.map(|(axis, e)| self.at(e).map(|at| Index::Axis { field, axis, at }))
                    .collect()
            }
        };
        let Some(found) = found else { return };
        self.reads.accesses.insert(access.id);
        for index in found {
            if !self.reads.indices.contains(&index) {
                self.reads.indices.push(index);
            }
        }
    }

    fn passed(&self, arg: &Expr) -> Passed {
        match &arg.kind {
            ExprKind::FieldArgument(field, _) => self.fields.get(field).copied().map_or(Passed::Other, Passed::Field),
            ExprKind::Local(id, _) if let Some(param) = self.several.get(id) => Passed::Whole(*param),
            ExprKind::Array(parts, _) => {
                let parts: Option<Vec<At>> = parts.iter().map(|e| self.at(e)).collect();
                parts.map_or(Passed::Other, Passed::At)
            }
            _ => self.at(arg).map_or(Passed::Other, |at| Passed::At(vec![at])),
        }
    }

    fn called(&mut self, callee: CalleeSlot, path: &syn::ExprPath, args: &[Expr]) {
        let lends = args.iter().any(|arg| matches!(arg.kind, ExprKind::FieldArgument(..)));
        if !lends || args.len() > LENT_PARAMS {
            return;
        }
        let args: Vec<Passed> = args.iter().map(|arg| self.passed(arg)).collect();
        let open = args.iter().enumerate().filter(|(_, passed)| **passed == Passed::Other);
        let open = open.fold(NEVER, |open, (k, _)| open | 1 << k);
        let path = path.clone();
        self.reads.calls.push(Call {
            callee,
            path,
            args,
            open,
        });
    }
}

impl Visit for Search<'_> {
    /// `let [i, j] = position;`
    fn item(&mut self, local: LocalId, array: &Expr, part: usize) {
        let ExprKind::Local(id, _) = &array.kind else { return };
        if let Some(&param) = self.several.get(id) {
            let at = At {
                param: Some((param, part)),
                by: 0,
            };
            self.known.insert(local, at);
        }
    }

    fn named(&mut self, local: LocalId, value: &Expr) {
        if let Some(at) = self.at(value).filter(|_| !self.func.local(local).mutable) {
            self.known.insert(local, at);
        }
    }

    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
        match &e.kind {
            ExprKind::Field(access) => self.access(access),
            ExprKind::Call {
                callee,
                path,
                on: None,
                args,
            } => self.called(*callee, path, args),
            _ => {}
        }
    }
}
