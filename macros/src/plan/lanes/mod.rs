//! Loops in lanes (outer-loop vectorisation with masks): as many iterations as a vector register has room for are taken together. LLVM vectorises
//! the innermost loop only, so each straight part of the body becomes an innermost loop over lanes, with the user's own code in it. A variable
//! that lives from one part to another is an array with a value for each lane.

mod along;
mod branch;
mod call;
mod gathers;
mod items;
mod lift;
mod part;
mod restart;
mod search;
mod split;
mod uses;
mod why;

use std::collections::BTreeSet;

use proc_macro2::Span;

pub use self::branch::{Branch, Fork};
pub use self::call::{Call, Choice};
pub use self::items::root_item;
pub use self::part::{Cut, Item, Lifted, Loop, Part, RETURN, Region};
pub use self::restart::{Restart, has_an_index};
pub use self::search::{is_short, is_written_out};
pub use self::uses::{Form, declared, leaves};
pub use self::why::Why;
use self::why::{COMPARED, GATHERED_ROUNDS, LARGE, SCATTERED};
use super::accumulators::Accumulators;
use super::scatter::Atomics;
use super::setting::plain;
use crate::budget::{MASKED, NARROW, WIDE, WIDTH};
use crate::hir::{Func, LocalId, ParFor};

/// A loop, or a function, in lanes.
pub struct Lanes<'h> {
    pub func: &'h Func,
    pub body: Cut<'h>,
    /// With regions as they are, and cut at calls.
    pub forms: [Form; 2],
    /// Of a function its callers decide.
    pub width: Option<usize>,
    /// For registers of half the size, if the results do not depend on the width.
    pub narrow: Option<usize>,
    /// Whether it pays with the widest registers alone.
    pub wide_only: bool,
    /// Whether there are no loops in it.
    pub straight: bool,
    /// Variables of which each lane reduces to a part.
    pub reductions: &'h [crate::hir::Reduction],
    /// Functions of which one has to have loops, for lanes to pay.
    pub pays: Pays<'h>,
    /// How a block of which an iteration fails runs again one by one; nothing if it does not.
    pub restart: Option<Restart>,
    /// Rounds that an iteration makes at most behind a gather, but for those of functions; nothing if it gathers nothing.
    pub rounds: Option<u64>,
}

/// What is done where less than a block is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// It runs one by one.
    None,
    /// A block with fewer lanes.
    Short,
    /// A block that begins earlier: iterations run again.
    Again,
}

/// Whether lanes pay.
pub enum Pays<'h> {
    Always,
    /// If one of these functions has loops for which they do.
    IfLooped(Vec<&'h syn::ExprPath>),
}

impl<'h> Lanes<'h> {
    /// The loop in lanes, if that is right and may pay; else why not, if there is anything to say.
    pub fn of(
        func: &'h Func,
        p: &'h ParFor,
        atomics: &Atomics,
        accumulators: &Accumulators,
    ) -> Result<Lanes<'h>, Option<Why>> {
        if plain() {
            return Err(None);
        }
        if let Some(arg) = p.arg_reductions.first() {
            return Err(Some(Why::new(arg.span, COMPARED)));
        }
        let along_rows = search::rows(p, accumulators);
        if along_rows.is_some() && p.reductions.is_empty() {
            return Err(along_rows);
        }
        let added: BTreeSet<LocalId> = atomics.added_only().map(|(field, _)| field).collect();
        let body = split::body(func, p, added).map_err(Some)?;
        let callees = callees(&body.parts);
        if along_rows.is_some() && callees.is_empty() {
            return Err(along_rows);
        }
        let (has_loops, adds) = (contains_loop(&body.parts), !atomics.fields.is_empty());
        if let (Some(why), false) = (body.short, has_loops) {
            return Err(Some(why));
        }
        if adds && !has_loops {
            // One by one each addition waits for the one before, as LLVM cannot tell that they are apart.
            if let Some(at) = along::other(func, p) {
                return Err((!p.reductions.is_empty()).then(|| Why::new(at, SCATTERED)));
            }
        } else if !has_loops && p.reductions.is_empty() && callees.is_empty() {
            // LLVM vectorises it, or cannot.
            return Err(None);
        }
        if let Some(why) = gathers::refused(func, p, &body, has_loops) {
            return Err(Some(why));
        }
        let straight = !has_loops && (adds || !p.reductions.is_empty());
        let masked = is_masked(&body.parts);
        let wide_only = !body.gathers.is_empty() && (masked || !gathers::outweighed(&p.body, &body.gathers));
        let width = match (straight, masked) {
            (true, _) => WIDE,
            (false, false) if has_loops => WIDTH,
            _ => MASKED,
        };
        let pays = match along_rows.is_none() && (has_loops || straight) {
            true => Pays::Always,
            false => Pays::IfLooped(callees),
        };
        // Large arrays are in memory whatever the width. Where LLVM does not know how many items it copies, it calls a function for it.
        let narrow = p.reductions.is_empty() && !straight && !wide_only && body.large.is_empty();
        let forms = [Form::of(&body, false), Form::of(&body, true)];
        if let Some(at) = copied(func, &body, &forms) {
            return Err(Some(Why::new(at, LARGE)));
        }
        let restart = restart::of(func, p, !body.gathers.is_empty()).map_err(Some)?;
        // One that fails must not end others.
        if let (None, Some(gather)) = (&restart, body.gathers.values().next()) {
            return Err(Some(Why::new(gather.at, GATHERED_ROUNDS)));
        }
        let rounds = (!body.gathers.is_empty()).then(|| gathers::rounds(func, &p.body));
        Ok(Lanes {
            func,
            forms,
            body,
            width: Some(width),
            narrow: narrow.then_some(NARROW),
            wide_only,
            straight,
            reductions: &p.reductions,
            pays,
            restart,
            rounds,
        })
    }

    /// The body of a function in lanes, if that may pay.
    pub fn of_function(func: &'h Func) -> Option<Lanes<'h>> {
        if plain() {
            return None;
        }
        let body = split::function(func)?;
        let callees = callees(&body.parts);
        let pays = match (contains_loop(&body.parts), callees.is_empty()) {
            (false, _) if body.short.is_some() => return None,
            (true, _) => Pays::Always,
            (false, false) => Pays::IfLooped(callees),
            (false, true) => return None,
        };
        let forms = [Form::of(&body, false), Form::of(&body, true)];
        if copied(func, &body, &forms).is_some() {
            return None;
        }
        Some(Lanes {
            func,
            forms,
            body,
            width: None,
            narrow: None,
            wide_only: false,
            straight: false,
            reductions: &[],
            pays,
            restart: None,
            rounds: None,
        })
    }

    /// What is done where less than a block is left.
    pub fn last(&self) -> Last {
        match &self.restart {
            _ if self.straight && counts_once(&self.body.parts) => Last::Short,
            // An iteration that runs again writes the same again, if it reads nothing that the loop writes.
            Some(restart) if restart.repeats => Last::Again,
            _ => Last::None,
        }
    }

    /// Whether an array is not copied for each lane.
    pub fn is_large(&self, id: LocalId) -> bool {
        self.body.large.iter().any(|large| large.local == id)
    }

    /// Arrays that are in lanes if they are large, which rustc knows.
    pub fn perhaps_large(&self) -> Vec<LocalId> {
        let large = self.body.large.iter().filter(|large| large.perhaps);
        large.map(|large| large.local).collect()
    }

    /// Whether it gathers.
    pub fn gathers(&self) -> bool {
        self.rounds.is_some()
    }

    /// The fields that it gathers from.
    pub fn gathered(&self) -> BTreeSet<LocalId> {
        self.body.gathers.values().map(|gather| gather.field).collect()
    }

    /// The bits of branches that some lanes take.
    pub fn branches(&self) -> Vec<u32> {
        let mut bits = Vec::new();
        collect_branches(&self.body.parts, &mut bits);
        bits
    }
}

/// Where a large array stands that is used as a whole, not item by item from its plane.
fn copied(func: &Func, body: &Cut<'_>, forms: &[Form]) -> Option<Span> {
    let copied = forms.iter().map(|form| {
        let mut copied = BTreeSet::new();
        collect_copied(func, form, &body.parts, &mut copied);
        copied
    });
    let copied: BTreeSet<LocalId> = copied.flatten().collect();
    let is_plane = |local| forms.iter().all(|form| form.planes.contains(local));
    let mut large = body.large.iter();
    let large = large.find(|large| copied.contains(&large.local) || !is_plane(&large.local));
    large.map(|large| large.at)
}

fn collect_copied(func: &Func, form: &Form, parts: &[Part<'_>], copied: &mut BTreeSet<LocalId>) {
    for part in parts {
        let region = match part {
            Part::Region(region) => Some(region),
            Part::Choice(choice) if !form.cut => Some(&choice.whole),
            _ => None,
        };
        if let Some(region) = region {
            let own: BTreeSet<LocalId> = declared(region).into_iter().collect();
            let whole = &(&form.uses(region) - &form.by_item(func, region)) - &own;
            copied.extend(whole);
        }
        for parts in part.inner(form.cut) {
            collect_copied(func, form, parts, copied);
        }
    }
}

fn callees<'h>(parts: &[Part<'h>]) -> Vec<&'h syn::ExprPath> {
    let mut found = Vec::new();
    collect_callees(parts, &mut found);
    found
}

fn contains_loop(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(_) => true,
        _ => part.inner(true).into_iter().any(contains_loop),
    })
}

/// Whether all of it counts lanes alone, none of which is another one's.
fn counts_once(parts: &[Part<'_>]) -> bool {
    parts.iter().all(|part| match part {
        Part::Region(region) => region.together.is_none(),
        Part::Scope(parts) => counts_once(parts),
        Part::Uniform(_) => true,
        Part::Fork(fork) => counts_once(&fork.then) && counts_once(&fork.otherwise),
        Part::Loop(_) | Part::Branch(_) | Part::Call(_) | Part::Choice(_) => false,
    })
}

fn is_masked(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(inner) if inner.is_masked() => true,
        Part::Branch(_) => true,
        _ => part.inner(false).into_iter().any(is_masked),
    })
}

fn collect_callees<'h>(parts: &[Part<'h>], callees: &mut Vec<&'h syn::ExprPath>) {
    for part in parts {
        match part {
            Part::Choice(choice) => callees.extend(&choice.callees),
            _ => part
                .inner(true)
                .into_iter()
                .for_each(|parts| collect_callees(parts, callees)),
        }
    }
}

fn collect_branches(parts: &[Part<'_>], bits: &mut Vec<u32>) {
    for part in parts {
        if let Part::Branch(branch) = part {
            bits.push(branch.bit);
        }
        part.inner(true)
            .into_iter()
            .for_each(|parts| collect_branches(parts, bits));
    }
}
