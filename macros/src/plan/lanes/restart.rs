//! How a block of iterations in lanes can run again, one by one, after one of them has failed: what it wrote before is written again, or is what it was.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::Span;

use super::why::{UNTOLD, Why};
use crate::budget::SETTLED_PARTS;
use crate::hir::affine::number;
use crate::hir::printing::may_print;
use crate::hir::visit::{Visit, any, any_in, walk_expr};
use crate::hir::{Access, Axis, BinOp, Expr, ExprKind, Func, LocalId, ParFor, Value};

/// What a block needs to run again from its start.
pub struct Restart {
    /// Whose values are kept meanwhile.
    pub places: Vec<Expr>,
    /// Whether an iteration that has run writes the same when it runs again.
    pub repeats: bool,
    /// Whether what was printed is kept, too.
    pub prints: bool,
}

/// The places of which the values have to be kept, or nothing where a block does not run again, as docs/safety/failures.md says of three kinds of loops; else
/// why it could not. `stands_in`: an iteration that ends may have written before what follows from another element, so that all places are kept.
pub fn of(func: &Func, p: &ParFor, stands_in: bool) -> Result<Option<Restart>, Why> {
    // What was added atomically cannot be put back: others may have added meanwhile.
    if any_in(&p.body, |e| matches!(e.kind, ExprKind::Atomic(..))) {
        return Ok(None);
    }
    let mut search = Search {
        func,
        p,
        read: Vec::new(),
        written: BTreeMap::new(),
        named: HashMap::new(),
        items: HashMap::new(),
        counted: HashSet::new(),
        left: Cell::new(0),
    };
    search.block(&p.body);
    let Search { read, written, .. } = search;
    let (mut places, mut again) = (Vec::new(), true);
    // What is written and not read is the same when it is written again.
    let changed = |field: &LocalId, found: &Written| found.updated || read.contains(field);
    let repeats = !written.iter().any(|(field, found)| changed(field, found));
    for (_, found) in written
        .into_iter()
        .filter(|(field, found)| stands_in || changed(field, found))
    {
        if let Some(at) = found.untold {
            return Err(Why::new(at, UNTOLD));
        }
        places.extend(found.places);
        again &= !found.differs;
    }
    let prints = may_print(&p.body);
    Ok(again.then_some(Restart {
        places,
        repeats,
        prints,
    }))
}

struct Written {
    /// Whether it depends on what was there.
    updated: bool,
    /// What each iteration may write.
    places: Vec<Expr>,
    /// Whether it may write others, in other rounds of a sequential loop or in `unsafe`.
    differs: bool,
    /// Where it writes what variables do not tell.
    untold: Option<Span>,
}

struct Search<'h> {
    func: &'h Func,
    p: &'h ParFor,
    read: Vec<LocalId>,
    written: BTreeMap<LocalId, Written>,
    /// What immutable variables are.
    named: HashMap<LocalId, Expr>,
    /// Of which array they are which item.
    items: HashMap<LocalId, (Expr, usize)>,
    /// What sequential loops count, and what is made of it.
    counted: HashSet<LocalId>,
    /// Parts that the place which is being settled may still have.
    left: Cell<usize>,
}

impl Search<'_> {
    fn write(&mut self, place: &Expr, updated: bool) {
        let Some(found) = place.field_place() else {
            self.expr(place);
            return;
        };
        found.indices().for_each(|index| self.expr(index));
        let field = found.access.field;
        // In `unsafe` it is the author's word alone that an iteration makes the access, and that others do not.
        let vouched = self.func.access(found.access.id).in_unsafe;
        let kept = self.kept(place).filter(|_| !vouched);
        let differs = vouched || found.indices().any(|index| self.differs(index));
        let written = self.written.entry(field).or_insert(Written {
            updated: false,
            places: Vec::new(),
            differs: false,
            untold: None,
        });
        written.updated |= updated;
        match kept {
            Some(place) if !written.places.iter().any(|other| is_same(other, &place)) => written.places.push(place),
            Some(_) => {}
            None if differs => written.differs = true,
            None => written.untold = Some(place.span),
        }
    }

    /// Whether an index differs from round to round of a sequential loop.
    fn differs(&self, index: &Expr) -> bool {
        any(index, |e| match &e.kind {
            ExprKind::Local(id, _) => self.counted.contains(id),
            _ => false,
        })
    }

    /// The whole of what a write changes: members of structs lie apart, components of a vector do not.
    fn kept(&self, place: &Expr) -> Option<Expr> {
        let found = place.field_place()?;
        let mut kept = place;
        for _ in found.members().count()..found.steps.len() {
            kept = match &kept.kind {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => base,
                _ => return None,
            };
        }
        let mut kept = kept.clone();
        self.left.set(SETTLED_PARTS);
        self.settle_element(&mut kept)?;
        Some(kept)
    }

    fn settle_element(&self, place: &mut Expr) -> Option<()> {
        match &mut place.kind {
            ExprKind::Member(base, _) => self.settle_element(base),
            ExprKind::Field(access) => self.settle(access),
            _ => None,
        }
    }

    /// Writes an index with what is there when an iteration begins.
    fn settle(&self, access: &mut Access) -> Option<()> {
        // It is read in front of the block, so in front of any condition.
        if self.func.access(access.id).behind_condition {
            return None;
        }
        // All parts of what the loop has one variable for.
        let mut parts = access.index.iter().enumerate();
        if let [Some(whole)] = self.p.vars[..]
            && access.index.len() > 1
            && parts.all(|(k, index)| self.axis(index) == Some(k))
        {
            access.index = vec![self.local(&access.index[0], whole)];
            access.bracketed = false;
            return Some(());
        }
        for index in &mut access.index {
            *index = self.settled(index)?;
        }
        Some(())
    }

    fn settled(&self, index: &Expr) -> Option<Expr> {
        // A variable that stands in it twice is written twice.
        self.left.set(self.left.get().checked_sub(1)?);
        match &index.kind {
            ExprKind::Lit(..) => Some(index.clone()),
            // A position as a whole.
            ExprKind::Array(parts, ty) => {
                let parts: Option<Vec<Expr>> = parts.iter().map(|part| self.settled(part)).collect();
                let mut whole = index.clone();
                whole.kind = ExprKind::Array(parts?, *ty);
                Some(whole)
            }
            // Accesses without a check of their own alone come here, at every position of the loop in bounds. Such an index is made of what rustc has
            // confirmed to be numbers, or the copy of the loop in which it stands never runs: so it may be computed once more.
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), span, a, b, callee) => {
                let (a, b) = (self.settled(a)?, self.settled(b)?);
                let mut sum = index.clone();
                sum.kind = ExprKind::Binary(*op, *span, Box::new(a), Box::new(b), *callee);
                Some(sum)
            }
            // The call of `min` that is lowering's own.
            ExprKind::Limited(minimum) => {
                let mut minimum = minimum.clone();
                let ExprKind::Call { args, .. } = &mut minimum.kind else {
                    return None;
                };
                for arg in args {
                    *arg = self.settled(arg)?;
                }
                let mut limited = index.clone();
                limited.kind = ExprKind::Limited(minimum);
                Some(limited)
            }
            ExprKind::Index(array, k) if matches!(array.kind, ExprKind::Local(..)) => {
                self.item(array, usize::try_from(number(k)?).ok()?)
            }
            ExprKind::Index(a, b) if matches!(a.kind, ExprKind::FieldShape(..)) => {
                let mut extent = index.clone();
                extent.kind = ExprKind::Index(a.clone(), Box::new(self.settled(b)?));
                Some(extent)
            }
            ExprKind::Cast(a, ty, slot, casting) => {
                let mut cast = index.clone();
                cast.kind = ExprKind::Cast(Box::new(self.settled(a)?), ty.clone(), *slot, *casting);
                Some(cast)
            }
            ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => Some(index.clone()),
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                match (&local.value, local.inside) {
                    _ if local.mutable => None,
                    _ if self.p.vars.contains(&Some(*id)) => Some(index.clone()),
                    (_, None) => Some(index.clone()),
                    (Value::Alias(of), _) => self.settled(&self.local(index, *of)),
                    (Value::Parallel { axis: Axis::One(k), .. }, _) => {
                        let var = (*self.p.vars.get(*k)?)?;
                        let of_axis = match &self.func.local(var).value {
                            Value::Parallel {
                                axis: Axis::One(of), ..
                            } => of == k,
                            _ => false,
                        };
                        of_axis.then(|| self.local(index, var))
                    }
                    _ => match self.items.get(id) {
                        Some((array, k)) => self.item(array, *k),
                        None => self.settled(self.named.get(id)?),
                    },
                }
            }
            _ => None,
        }
    }

    /// An item of an array that stands in the text.
    fn item(&self, array: &Expr, k: usize) -> Option<Expr> {
        match &array.kind {
            ExprKind::Array(parts, _) => self.settled(parts.get(k)?),
            ExprKind::Local(id, _) => self.item(self.named.get(id)?, k),
            _ => None,
        }
    }

    /// The axis of which it is the loop's position.
    fn axis(&self, index: &Expr) -> Option<usize> {
        let ExprKind::Local(id, _) = &index.kind else {
            return None;
        };
        match &self.func.local(*id).value {
            Value::Alias(of) => self.axis(&self.local(index, *of)),
            Value::Parallel {
                axis: Axis::One(k) | Axis::Part { k, .. },
                ..
            } => Some(*k),
            _ => None,
        }
    }

    /// A variable in the place of an expression.
    fn local(&self, e: &Expr, id: LocalId) -> Expr {
        let ident = self.func.local(id).ident.clone();
        let mut e = e.clone();
        e.kind = ExprKind::Local(id, ident);
        e
    }
}

/// Whether the index of a place has a value whatever the position is: nothing in it can overflow.
pub fn has_an_index(place: &Expr) -> bool {
    fn is_there(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Array(parts, _) => parts.iter().all(is_there),
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::Local(..) | ExprKind::FieldLen(..) => true,
            _ => false,
        }
    }
    let found = place.field_place();
    found.is_some_and(|found| found.access.index.iter().all(is_there))
}

/// Whether both are one place, by the same variables. Of one field.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Member(a, of_a), ExprKind::Member(b, of_b)) => of_a == of_b && is_same(a, b),
        (ExprKind::Field(a), ExprKind::Field(b)) => all_same(&a.index, &b.index),
        (ExprKind::Array(a, _), ExprKind::Array(b, _)) => all_same(a, b),
        (ExprKind::Local(a, _), ExprKind::Local(b, _)) => a == b,
        _ => false,
    }
}

fn all_same(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

impl Visit for Search<'_> {
    fn named(&mut self, local: LocalId, init: &Expr) {
        if self.differs(init) {
            self.counted.insert(local);
        }
        self.named.insert(local, init.clone());
    }

    fn item(&mut self, local: LocalId, array: &Expr, k: usize) {
        if self.differs(array) {
            self.counted.insert(local);
        }
        self.items.insert(local, (array.clone(), k));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.write(place, false);
            }
            ExprKind::AssignOp(_, _, place, value, _) => {
                self.expr(value);
                self.write(place, true);
            }
            ExprKind::Field(access) => {
                self.read.push(access.field);
                walk_expr(self, e);
            }
            ExprKind::For(_, pat, ..) => {
                pat.bound(&mut |local| {
                    self.counted.insert(local);
                });
                walk_expr(self, e);
            }
            _ => walk_expr(self, e),
        }
    }
}
