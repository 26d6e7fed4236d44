//! A plan in words: what `kernel::plan()` tells a user.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use proc_macro2::Span;
use syn::ext::IdentExt;

use super::lanes::{Last, Pays};
use super::stage::Stages;
use super::windows::Windows;
use super::{Form, LoopPlan, Positions};
use crate::budget::WIDE;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Access, AccessId, Asked, Check, Expr, ExprKind, Func, Inside, ParFor};

/// What is done for a loop, in the order in which it takes effect. The runtime has the same names, and words for them.
#[derive(Debug, PartialEq)]
pub enum Technique {
    /// This many extents are compared in front of the loop, which is there twice.
    Versioned(usize),
    /// The entries of a table are looked at in front of the loop.
    Tables,
    /// Threads add to copies of these fields.
    Private(Vec<String>),
    /// Parts are reduced by threads, and combined.
    Reduced,
    /// Sequential loops accumulate into so many parts of reductions in turns.
    Accumulators(usize),
    /// The axes are in another order than they are written.
    Interchanged,
    /// Rows are cut into strips, since accesses go across them.
    Strips,
    /// Rows are cut by this many comparisons of the position.
    Trimmed(usize),
    /// Most of each row is free of this many comparisons of the position and checks of accesses.
    Split(usize, usize),
    /// This function is asked what it gives along a row.
    Asked(Function),
    /// So many reads behind conditions are made whether these hold or not.
    Speculated(usize),
    /// So many iterations are taken together; so many with registers of half the size.
    Lanes { wide: usize, narrow: Option<usize> },
    /// So many iterations are taken together, with the widest registers alone.
    WideLanes(usize),
    /// Lanes as above, if one of the functions called has loops.
    LanesForFunctions { wide: usize, narrow: Option<usize> },
    /// Reads are checked in lanes, without a branch.
    CheckedInLanes,
    /// The last block has fewer lanes.
    Shortened,
    /// The last block begins earlier.
    Overlapped,
    /// Indices of a block are looked at in advance.
    Inspected,
    /// Blocks of which no iteration is taken are passed over.
    PassedOver,
    /// Iterations add to several copies in turns.
    InTurns,
    /// Elements are transposed in blocks, if their types are large.
    Blocks,
    /// What is only written goes past the caches, where the fields are large.
    Streamed,
    /// Indices of sequential loops are compared in front of these.
    Windows,
    /// One iteration after the other, as LLVM vectorises them.
    OneByOne,
}

/// A function that a kernel calls.
#[derive(PartialEq)]
pub struct Function(pub Box<syn::ExprPath>);

impl Function {
    pub fn name(&self) -> String {
        self.0
            .path
            .segments
            .last()
            .map(|last| last.ident.unraw().to_string())
            .unwrap_or_default()
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// What stands in the way of something better.
#[derive(Debug)]
pub struct Remark {
    pub at: Span,
    pub text: &'static str,
}

/// How a loop runs.
#[derive(Debug)]
pub struct Description {
    pub at: Span,
    pub techniques: Vec<Technique>,
    pub remarks: Vec<Remark>,
}

/// An access checked in place, in a loop without others that could be looked at.
const IN_PLACE: &str = "checked in place, so LLVM does not vectorise the loop around it: index by positions of a loop over this field, or put an `if` around it that compares the index with the field's extents";
/// The same, under a condition that compares the position.
const GUARDED: &str = "checked in place; where the condition around it implies the check, LLVM removes it";

pub fn describe(func: &Func, p: &ParFor, plan: &LoopPlan<'_>) -> Description {
    let mut techniques = Vec::new();
    if p.interchanged {
        techniques.push(Technique::Interchanged);
    }
    let compared = plan.covers.len() + plan.conditional.len();
    if compared > 0 {
        techniques.push(Technique::Versioned(compared));
    }
    if plan.tables.is_some() {
        techniques.push(Technique::Tables);
    }
    let private = plan
        .atomics
        .added_only()
        .map(|(field, _)| func.local(field).name.to_string());
    let private: Vec<String> = private.collect();
    if !private.is_empty() {
        techniques.push(Technique::Private(private));
    }
    if p.reduces() {
        techniques.push(Technique::Reduced);
    }
    if !plan.accumulated().is_empty() {
        techniques.push(Technique::Accumulators(WIDE));
    }
    if plan.strips.is_some() {
        techniques.push(Technique::Strips);
    }
    let trimmed = match &plan.positions {
        Positions::Rows { bounds, .. } => bounds.all.len(),
        Positions::Flat => 0,
    };
    if trimmed > 0 {
        techniques.push(Technique::Trimmed(trimmed));
    }
    if let Some((inside, _)) = &plan.inside {
        techniques.push(Technique::Split(inside.compared, inside.accesses));
        techniques.extend(
            functions(inside)
                .into_iter()
                .map(|path| Technique::Asked(Function(Box::new(path.clone())))),
        );
    }
    // What is said of a split loop is said of its inside.
    let (p, plan) = match &plan.inside {
        Some((inside, within)) => (&inside.body, &**within),
        None => (p, plan),
    };
    if !plan.eager.is_empty() {
        techniques.push(Technique::Speculated(plan.eager.len()));
    }
    techniques.extend(plan.forms.iter().flat_map(of_form));
    let mut left = Left {
        func,
        seen: plan.seen(),
        windows: false,
        found: Vec::new(),
    };
    left.block(&p.body);
    if left.windows {
        techniques.push(Technique::Windows);
    }
    techniques.extend(
        plan.forms
            .iter()
            .any(|form| matches!(form, Form::Single))
            .then_some(Technique::OneByOne),
    );
    let lanes = plan.not_in_lanes.iter().map(|why| Remark {
        at: why.at,
        text: why.text,
    });
    let text = if trimmed > 0 { GUARDED } else { IN_PLACE };
    // Once for each place of the text.
    let told: BTreeSet<_> = plan.not_in_lanes.iter().map(|why| place(why.at)).collect();
    let left = left.found.iter().filter(|at| !told.contains(&place(**at)));
    let remarks = lanes.chain(left.map(|at| Remark { at: *at, text })).collect();
    Description {
        at: p.span,
        techniques,
        remarks,
    }
}

fn place(span: Span) -> (usize, usize, String) {
    let start = span.start();
    (start.line, start.column, span.file())
}

fn of_form(form: &Form<'_>) -> Vec<Technique> {
    match form {
        Form::Lanes(lanes) => {
            let (wide, narrow) = (lanes.width.unwrap_or(0), lanes.narrow);
            let taken = match lanes.pays {
                Pays::Always if lanes.wide_only => Technique::WideLanes(wide),
                Pays::Always => Technique::Lanes { wide, narrow },
                Pays::IfLooped(_) => Technique::LanesForFunctions { wide, narrow },
            };
            let checked = lanes.gathers().then_some(Technique::CheckedInLanes);
            let last = match lanes.last() {
                Last::None => None,
                Last::Short => Some(Technique::Shortened),
                Last::Again => Some(Technique::Overlapped),
            };
            [taken].into_iter().chain(checked).chain(last).collect()
        }
        Form::Inspected(_) => vec![Technique::Inspected],
        Form::Scattered(_) => vec![Technique::InTurns],
        Form::Staged(stages) => of_stages(stages),
        Form::Looked(_) => vec![Technique::PassedOver, Technique::OneByOne],
        Form::Single => Vec::new(),
    }
}

fn of_stages(stages: &Stages<'_>) -> Vec<Technique> {
    let blocks = stages.whole.then_some(Technique::Blocks);
    let streamed = stages.written_only().next().map(|_| Technique::Streamed);
    blocks
        .into_iter()
        .chain(streamed)
        .chain([Technique::OneByOne])
        .collect()
}

/// The functions that are asked what they give along a row, each once.
fn functions(inside: &Inside) -> Vec<&syn::ExprPath> {
    let mut found: Vec<&syn::ExprPath> = Vec::new();
    for asked in &inside.asked {
        if let Asked::Given { of, .. } = asked
            && !found.contains(&&of.path)
        {
            found.push(&of.path);
        }
    }
    found
}

/// Accesses that stay checked in place.
struct Left<'f> {
    func: &'f Func,
    seen: HashSet<AccessId>,
    windows: bool,
    found: Vec<Span>,
}

impl Left<'_> {
    fn access(&mut self, access: &Access) {
        if self.func.access(access.id).check == Check::InKernel && !self.seen.contains(&access.id) {
            self.found.push(access.span);
        }
    }
}

impl Visit for Left<'_> {
    fn expr(&mut self, e: &Expr) {
        let before = self.seen.clone();
        if let ExprKind::For(_, pat, range, body) = &e.kind
            && let Some(windows) = Windows::of(self.func, &self.seen, pat, range, body)
        {
            self.windows = true;
            self.seen.extend(windows.accesses);
        }
        walk_expr(self, e);
        self.seen = before;
        if let Some(access) = e.accessed() {
            self.access(access);
        }
    }
}
