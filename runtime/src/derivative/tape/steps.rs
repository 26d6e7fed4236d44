//! Tapes of many equal steps, which keep few states and run steps again.

use std::collections::BTreeMap;

use super::gradients::Gradients;
use super::schedule::{on_the_way, split};
use super::source::{Source, Sources};
use super::state::{State, each};
use super::{Tape, refuse_second_order};
use crate::error::{Error, Result};
use crate::field::recorded::Held;
use crate::field::recorded::adjoint::Adjoints;
use crate::field::recorded::state::{AnyField, Described, Saved};
use crate::recording;

/// How much a tape of steps may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bytes(usize),
    States(usize),
}

impl Budget {
    /// So many bytes for states; at least two states are kept. What one step records comes on top.
    #[must_use]
    pub fn bytes(bytes: usize) -> Budget {
        Budget(Kind::Bytes(bytes))
    }

    /// So many states, at least two: those at the beginning and in front of the last step are kept in any case.
    #[must_use]
    pub fn states(states: usize) -> Budget {
        Budget(Kind::States(states))
    }

    /// Where a state has so many bytes.
    fn of(self, bytes: usize) -> usize {
        let states = match self.0 {
            Kind::Bytes(budget) => budget.checked_div(bytes).unwrap_or(usize::MAX),
            Kind::States(states) => states,
        };
        states.max(2)
    }
}

/// Many equal steps of a program, to be gone through backwards: see [`Tape::steps`].
pub struct Steps<F> {
    sources: Sources,
    step: F,
    count: usize,
    /// States on the way, and in front of which steps, with how many more can be kept from there on.
    kept: Vec<(usize, usize, Vec<Saved>)>,
    /// In front of the last step, and at the end.
    last: Vec<Saved>,
    end: Vec<Saved>,
}

impl Tape {
    /// Runs `count` steps of a program, `step(k, &mut state)` for `k` in `0..count`, and keeps as much of it as [`Steps::backward`] needs: a few
    /// states, from which it runs the steps again. With `s` states beside the one in front of the last step, `C(s + r, s)` steps are run
    /// no more than `r` times before the one that is recorded: 495 steps 4 times with 8 states. Clones share what steps do not write, so that a state takes memory for
    /// what they do.
    ///
    /// What steps write has to be in the state, and what else they read must not change until the way back is done. The steps have to
    /// do the same each time.
    ///
    /// ```
    /// use swathe::derivative::{Budget, Tape};
    /// use swathe::{Device, Field};
    ///
    /// let device = Device::default();
    /// let force = Field::from_slice(&device, &[1.0_f64, 2.0, 3.0])?;
    /// let mut x = Field::<f64>::zeros(&device, 3)?;
    /// let mut steps = Tape::steps([force.source()], &mut x, 1000, Budget::states(10), |_, x| x.copy_from(&force))?;
    /// let (_, of_loss) = swathe::derivative::value_and_gradient([x.source()], || x.sum().map(drop))?;
    /// let gradients = steps.backward(&mut x, &of_loss)?;
    /// assert_eq!(gradients.get(&force)?.to_vec()?, [1.0, 1.0, 1.0]);
    /// assert_eq!(gradients.get(&x)?.to_vec()?, [0.0; 3]); // each step overwrites it
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// The steps' own; [`Error::NotRecordable`] within a recording, or if a step writes to a field outside of the state;
    /// [`Error::OutOfMemory`].
    pub fn steps<S, F>(
        sources: impl IntoIterator<Item = Source>,
        state: &mut S,
        count: usize,
        budget: Budget,
        step: F,
    ) -> Result<Steps<F>>
    where
        S: State + ?Sized,
        F: Fn(usize, &mut S) -> Result<()>,
    {
        refuse_second_order("a tape of steps")?;
        may_write(state)?;
        let mut kept = Vec::new();
        let mut on_way = Vec::new();
        let mut last = Vec::new();
        for k in 0..count {
            let before = save(state)?;
            plain(&step, k, state)?;
            if k == 0 {
                let states = budget.of(written(state, &before)).saturating_sub(1);
                on_way = on_the_way(count, states);
            }
            if let Some((_, left)) = on_way.iter().find(|(begin, _)| *begin == k) {
                kept.push((k, *left, clone(&before)?));
            }
            if k + 1 == count {
                last = before;
            }
        }
        Ok(Steps {
            sources: Sources::of(sources),
            step,
            count,
            kept,
            last,
            end: save(state)?,
        })
    }
}

/// A way back over steps.
struct Reversal<'a, S: ?Sized, F> {
    steps: &'a Steps<F>,
    state: &'a mut S,
    /// Of the fields of the state, by their order.
    adjoints: Vec<Option<Held>>,
    /// Of the other sources.
    others: Adjoints,
    run: usize,
}

impl<F> Steps<F> {
    /// The derivatives with respect to the sources, and to the fields of the state as they were in front of the first step.
    ///
    /// `of_loss` are the derivatives of a loss with respect to the state at the end, and perhaps to the sources: fields of the state that are no
    /// source of it have no influence. The state has to be the one whose steps were run; it holds the end again afterwards.
    ///
    /// # Errors
    /// Those of the recorded operations' derivatives; [`Error::State`] if the state has other fields than at the end of the
    /// steps; [`Error::NotRecordable`] as in [`Tape::record`].
    pub fn backward<S>(&self, state: &mut S, of_loss: &Gradients) -> Result<Gradients>
    where
        S: State + ?Sized,
        F: Fn(usize, &mut S) -> Result<()>,
    {
        self.counted(state, of_loss).map(|(gradients, _)| gradients)
    }

    /// The same, with how many steps were run again for it, beside the one run of each that is recorded.
    #[doc(hidden)]
    pub fn counted<S>(&self, state: &mut S, of_loss: &Gradients) -> Result<(Gradients, usize)>
    where
        S: State + ?Sized,
        F: Fn(usize, &mut S) -> Result<()>,
    {
        refuse_second_order("the way back over steps")?;
        may_write(state)?;
        restore(state, &self.end)?;
        let fields = described(state);
        let others = Adjoints::default();
        for source in self.other_sources(&fields) {
            if let Some(found) = of_loss.found(source.field())? {
                others.add(source.field(), found)?;
            }
        }
        for field in fields.iter().filter(|field| field.is_active()) {
            if !of_loss.has(field.field()) {
                return Err(Error::NoGradient {
                    field: field.describe(),
                    reason: "it is a field of the state and no source of the loss: record that with `state.sources()`",
                });
            }
        }
        let adjoints = fields
            .iter()
            .map(|field| of_loss.found(field.field()))
            .collect::<Result<_>>()?;
        let mut reversal = Reversal {
            steps: self,
            state,
            adjoints,
            others,
            run: 0,
        };
        let mut end = self.count;
        let mut done = Ok(());
        for (begin, left, saved) in self.kept.iter().rev() {
            done = reversal.range(*begin, end, *left, saved);
            if done.is_err() {
                break;
            }
            end = *begin;
        }
        let Reversal {
            state,
            adjoints,
            others,
            run,
            ..
        } = reversal;
        restore(state, &self.end)?;
        exchange(state, &fields);
        done?;
        let fields = described(state);
        let mut found: Vec<_> = fields.iter().map(Described::field).zip(adjoints).collect();
        for source in self.other_sources(&fields) {
            found.push((source.field(), others.take(source.field())?));
        }
        Ok((Gradients::of(found), run))
    }

    fn other_sources<'a>(&'a self, fields: &'a [Described]) -> impl Iterator<Item = &'a Source> {
        let is_other = |source: &&Source| fields.iter().all(|field| field.field() != source.field());
        self.sources.iter().filter(is_other)
    }
}

impl<S: State + ?Sized, F: Fn(usize, &mut S) -> Result<()>> Reversal<'_, S, F> {
    /// Goes back over the steps from `begin` to `end`, in front of which is a state, where `states` can be kept, that one included.
    fn range(&mut self, begin: usize, end: usize, states: usize, saved: &[Saved]) -> Result<()> {
        let steps = end - begin;
        if steps == 1 {
            restore(self.state, saved)?;
            return self.step(begin);
        }
        if steps > 1 && states > 1 {
            let middle = begin + split(steps, states);
            self.advance(begin, middle, saved)?;
            let there = save(self.state)?;
            self.range(middle, end, states - 1, &there)?;
            drop(there);
            return self.range(begin, middle, states, saved);
        }
        for k in (begin..end).rev() {
            if k + 1 == self.steps.count {
                restore(self.state, &self.steps.last)?;
            } else {
                self.advance(begin, k, saved)?;
            }
            self.step(k)?;
        }
        Ok(())
    }

    fn advance(&mut self, begin: usize, end: usize, saved: &[Saved]) -> Result<()> {
        restore(self.state, saved)?;
        for k in begin..end {
            plain(&self.steps.step, k, self.state)?;
            self.run += 1;
        }
        Ok(())
    }

    /// Goes back over one step, in front of which the state is.
    fn step(&mut self, k: usize) -> Result<()> {
        let before = described(self.state);
        let others: Vec<Source> = self.steps.other_sources(&before).cloned().collect();
        let sources: Vec<Source> = before
            .iter()
            .cloned()
            .map(Source)
            .chain(others.iter().cloned())
            .collect();
        let tape = Tape::record(sources, || (self.steps.step)(k, self.state))?;
        let after = described(self.state);
        same_count(before.len(), after.len())?;
        let adjoints = Adjoints::default();
        for (field, adjoint) in after.iter().zip(&mut self.adjoints) {
            if let Some(adjoint) = adjoint.take() {
                adjoints.add(field.field(), adjoint)?;
            }
        }
        for source in &others {
            if let Some(adjoint) = self.others.take(source.field())? {
                adjoints.add(source.field(), adjoint)?;
            }
        }
        tape.go_back(&adjoints, None)?;
        self.adjoints = before
            .iter()
            .map(|field| adjoints.take(field.field()))
            .collect::<Result<_>>()?;
        for source in &others {
            if let Some(adjoint) = adjoints.take(source.field())? {
                self.others.add(source.field(), adjoint)?;
            }
        }
        Ok(())
    }
}

fn same_count(expected: usize, got: usize) -> Result<()> {
    match expected == got {
        true => Ok(()),
        false => Err(Error::State {
            reason: format!("it has {got} fields, not {expected}"),
        }),
    }
}

/// Visits each field, until one fails.
fn visit<S: State + ?Sized>(
    state: &mut S,
    mut see: impl FnMut(usize, &mut dyn AnyField) -> Result<()>,
) -> Result<usize> {
    let (mut count, mut done) = (0, Ok(()));
    each(state, |field| {
        if done.is_ok() {
            done = see(count, field);
        }
        count += 1;
    });
    done.map(|()| count)
}

pub(super) fn described<S: State + ?Sized>(state: &mut S) -> Vec<Described> {
    let mut found = Vec::new();
    each(state, |field| found.push(Described::of(field)));
    found
}

pub(super) fn save<S: State + ?Sized>(state: &mut S) -> Result<Vec<Saved>> {
    let mut saved = Vec::new();
    visit(state, |_, field| {
        saved.push(Saved::of(field)?);
        Ok(())
    })?;
    Ok(saved)
}

/// # Errors
/// [`Error::NotRecordable`] where a recording that has paused would not see what becomes of a field.
pub(super) fn may_write<S: State + ?Sized>(state: &mut S) -> Result<()> {
    visit(state, |_, field| field.memory().write()).map(drop)
}

fn clone(saved: &[Saved]) -> Result<Vec<Saved>> {
    saved.iter().map(Saved::try_clone).collect()
}

pub(super) fn restore<S: State + ?Sized>(state: &mut S, saved: &[Saved]) -> Result<()> {
    let count = visit(state, |k, field| match saved.get(k) {
        Some(saved) => saved.restore(field),
        None => Ok(()),
    })?;
    same_count(saved.len(), count)
}

/// Gives fields that have changed places their places back, all but what they hold.
fn exchange<S: State + ?Sized>(state: &mut S, places: &[Described]) {
    let mut now = Vec::new();
    each(state, |field| {
        now.push((Described::of(field), field.memory().identity()));
    });
    // Where steps have made new fields there is no way back, nor where fields of other sizes have changed places.
    let all = places.len() == now.len();
    let found = |place: &Described| now.iter().find(|(field, _)| field.field() == place.field());
    let Some(before) = places.iter().map(found).collect::<Option<Vec<_>>>().filter(|_| all) else {
        return;
    };
    let mut pairs = before.iter().zip(&now);
    if !pairs.all(|((old, _), (new, _))| old.is_like(new)) {
        return;
    }
    // Whom each field becomes. On the way there all of them are nobody's, so that none meets another of its name, in whatever order they are shown.
    let pairs = now.iter().zip(&before).map(|((_, (id, _)), (_, to))| (*id, *to));
    let mut moves: BTreeMap<_, _> = pairs.filter(|(id, to)| *id != to.0).collect();
    let mut moved = BTreeMap::new();
    each(state, |field| {
        if let Some(to) = moves.remove(&field.memory().id()) {
            field.memory_mut().become_new();
            moved.insert(field.memory().id(), to);
        }
    });
    // Another visit, other fields: one that is not shown has its name still.
    if !moves.is_empty() {
        return;
    }
    each(state, |field| {
        if let Some(to) = moved.remove(&field.memory().id()) {
            field.memory_mut().become_field(to);
        }
    });
}

/// Bytes of the fields that have been written since.
fn written<S: State + ?Sized>(state: &mut S, since: &[Saved]) -> usize {
    let (mut bytes, mut saved) = (0_usize, since.iter());
    each(state, |field| {
        if saved.next().is_none_or(|saved| saved.is_other(field)) {
            bytes = bytes.saturating_add(field.bytes());
        }
    });
    bytes
}

/// Runs a step unrecorded, which writes to the state alone.
fn plain<S: State + ?Sized>(step: impl Fn(usize, &mut S) -> Result<()>, k: usize, state: &mut S) -> Result<()> {
    let fields = described(state).iter().map(Described::field).collect();
    let first_new = crate::field::recorded::state::next_field();
    recording::confine("a step of a tape", fields, first_new, || step(k, state))
}
