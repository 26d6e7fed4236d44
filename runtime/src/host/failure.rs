//! Failures in native code: of a kernel itself, which leaves its iteration, and of its functions, which unwind.

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::print::{self, Printing, Texts};
use super::strips::Strips;
use crate::access::Position;
use crate::kernel::failures::{Failures, Place};
use crate::kernel::shown::{self, Argument};

/// Iterations of a block, at most, of which nothing is left where one fails: they run again one by one.
pub const BLOCK: usize = 64;
/// So many at once: fewer than any block has.
const AGAIN: usize = 4;

thread_local! {
    /// What the thread runs of a kernel; null where it runs nothing of one.
    static CURRENT: Cell<*const Running<'static>> = const { Cell::new(std::ptr::null()) };
    /// What unwound last.
    static UNWOUND: Cell<Unwound> = const { Cell::new(Unwound::Nothing) };
}

#[derive(Clone, Copy)]
enum Unwound {
    Nothing,
    Iteration(usize),
    /// A block of iterations of which nothing is left: the first of them.
    Block(usize),
}

/// What a function of a kernel unwinds with. The panic hook does not see it.
pub(crate) struct FunctionFailed {
    place: Place,
    why: Why,
}

enum Why {
    Message {
        template: &'static str,
        args: Vec<Argument>,
    },
    /// An access out of bounds.
    Outside {
        field: &'static str,
        index: Vec<usize>,
        shape: Vec<usize>,
    },
}

/// What iterations in lanes unwind with after a failure that is recorded, and blocks that are to run one by one.
struct Left;

/// Ends iterations that run in lanes.
///
/// # Panics
/// Always.
#[cold]
pub fn leave() -> ! {
    resume_unwind(Box::new(Left))
}

/// Ends a block of which nothing is left, so that its iterations run one by one.
///
/// # Panics
/// Always.
#[cold]
pub fn again() -> ! {
    resume_unwind(Box::new(Left))
}

impl FunctionFailed {
    fn record(&self, failures: &Failures) {
        match &self.why {
            Why::Message { template, args } => failures.record(self.place, template, args),
            Why::Outside { field, index, shape } => failures.outside(self.place, field, index, shape),
        }
    }
}

/// Native code of a kernel, while a thread runs it.
pub(super) struct Running<'r> {
    /// Where it records what fails.
    failures: &'r Failures,
    /// How many iterations run one by one where the next block fails.
    alone: Cell<usize>,
    pub(super) printing: Printing<'r>,
}

impl<'r> Running<'r> {
    #[inline]
    fn new(failures: &'r Failures, texts: Option<&'r Texts>) -> Running<'r> {
        let printing = Printing::new(texts);
        Running {
            failures,
            alone: Cell::new(BLOCK),
            printing,
        }
    }

    pub(super) fn kernel(&self) -> &'static str {
        self.failures.kernel()
    }
}

/// What the thread runs of a kernel.
///
/// # Safety
/// It is not kept beyond what the thread runs now: `Entered` sets it back before it is gone.
pub(super) unsafe fn running<'r>() -> Option<&'r Running<'r>> {
    // SAFETY: by the caller's word.
    unsafe { CURRENT.get().cast::<Running<'r>>().as_ref() }
}

/// Sets what a thread runs until dropped.
struct Entered {
    before: *const Running<'static>,
}

impl Entered {
    fn new(running: *const Running<'_>) -> Entered {
        Entered {
            before: CURRENT.replace(running.cast()),
        }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}

/// Runs native code of a launch outside of parallel loops. A function's failure is recorded, and ends it.
pub(crate) fn enter<R>(failures: &Failures, native: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    let running = Running::new(failures, None);
    let _entered = Entered::new(&raw const running);
    catch_unwind(AssertUnwindSafe(native)).inspect_err(|payload| {
        if let Some(failed) = payload.downcast_ref::<FunctionFailed>() {
            failed.record(failures);
        }
    })
}

/// A launch whose parallel loop runs: its parts enter it on their threads; the thread that waits for them may do other work
/// meanwhile.
pub(crate) struct Parts {
    failures: *const Failures,
    /// While several threads run it.
    texts: Cell<*const Texts>,
    _left: Entered,
}

// SAFETY: failures and texts are `Sync`, and outlive the loops that its native code waits for; what points to the texts changes while one thread
// alone runs parts.
unsafe impl Sync for Parts {}

impl Parts {
    pub(crate) fn new() -> Parts {
        // SAFETY: it is left below.
        let launch = unsafe { running() };
        Parts {
            failures: launch.map_or(std::ptr::null(), |launch| std::ptr::from_ref(launch.failures)),
            texts: Cell::new(std::ptr::null()),
            _left: Entered::new(std::ptr::null()),
        }
    }

    /// Runs `work`, which hands parts to other threads, and waits for them.
    pub(crate) fn shared(&self, work: impl FnOnce()) {
        struct Shared<'p>(&'p Parts, Texts);
        impl Drop for Shared<'_> {
            fn drop(&mut self) {
                self.0.texts.set(std::ptr::null());
            }
        }
        let shared = Shared(self, Texts::new());
        self.texts.set(&raw const shared.1);
        work();
    }

    /// Runs a part of a loop; of one without parts the calling thread runs all, which stays in the launch. An iteration that a function's failure
    /// ends is recorded, and the others run. `carries`: calls of `body` carry a result, which is not
    /// used where one fails. Its rows are cut, if `strips`.
    pub(crate) fn run(
        parts: Option<&Parts>,
        range: Range<usize>,
        carries: bool,
        strips: Option<Strips>,
        body: &mut dyn FnMut(Range<usize>),
    ) {
        let (part, _entered);
        let running = match parts {
            // SAFETY: it runs this.
            None => unsafe { running() },
            // SAFETY: the native code of the launch waits for the loop, and `shared` for the parts.
            Some(parts) => match unsafe { (parts.failures.as_ref(), parts.texts.get().as_ref()) } {
                (None, _) => None,
                (Some(failures), texts) => {
                    part = Running::new(failures, texts);
                    _entered = Entered::new(&raw const part);
                    Some(&part)
                }
            },
        };
        let each = |run: &mut dyn FnMut(Range<usize>)| match strips {
            Some(strips) => strips.each(range.clone(), run),
            None => run(range.clone()),
        };
        match running {
            Some(running) => {
                running.alone.set(BLOCK);
                each(&mut |range| Parts::run_in(running, range, carries, body));
            }
            None => each(body),
        }
    }

    fn run_in(running: &Running<'_>, range: Range<usize>, carries: bool, body: &mut dyn FnMut(Range<usize>)) {
        let mut start = range.start;
        // Before it there are no blocks.
        let mut blocks = range.start;
        while start < range.end {
            UNWOUND.set(Unwound::Nothing);
            let end = match start < blocks {
                // With what was carried into an iteration, `all && x[i] > 0` might not come to what failed.
                true => range.end.min(blocks).min(start + if carries { 1 } else { AGAIN }),
                false => range.end,
            };
            // Unwind safety: as for a panic, by `Launch::run`.
            let ended = catch_unwind(AssertUnwindSafe(|| body(start..end)));
            // A sum in lanes may overflow where the sums of the few iterations that run again do not.
            let passed_on =
                |payload: &Box<dyn Any + Send>| carries && !payload.is::<FunctionFailed>() && !payload.is::<Left>();
            let again = matches!((&ended, UNWOUND.get()), (Err(payload), Unwound::Block(_)) if !passed_on(payload));
            running.printing.ended(again);
            let Err(payload) = ended else {
                start = end;
                continue;
            };
            let at = match UNWOUND.get() {
                Unwound::Iteration(at) => at,
                // Where one fails others do, too, and each is work in vain: twice as many run one by one each time.
                Unwound::Block(first) if again => {
                    let alone = running.alone.get();
                    running.alone.set(alone.saturating_mul(2));
                    (start, blocks) = (first, first.saturating_add(alone));
                    continue;
                }
                Unwound::Block(_) | Unwound::Nothing => resume_unwind(payload),
            };
            match payload.downcast_ref::<FunctionFailed>() {
                Some(failed) => failed.record(running.failures),
                None if payload.is::<Left>() => {}
                None => resume_unwind(payload),
            }
            start = at + 1;
        }
    }
}

/// Notes which iteration of a part of a loop it is that unwinds. The others forget it.
pub struct Iteration(pub usize);

impl Drop for Iteration {
    // A call with the address of it would keep it in memory, at the cost of a store for each iteration.
    #[inline(always)]
    fn drop(&mut self) {
        unwound_at(self.0);
    }
}

#[cold]
fn unwound_at(iteration: usize) {
    UNWOUND.set(Unwound::Iteration(iteration));
}

/// Puts back what a block changes that unwinds. The others forget it.
pub struct Kept<F: FnMut()>(pub F);

impl<F: FnMut()> Drop for Kept<F> {
    #[inline(always)]
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Notes at which iteration a block begins that unwinds and leaves nothing. The others forget it.
pub struct BlockAt(pub usize);

impl BlockAt {
    /// The same of a block that may print.
    #[inline(always)]
    #[must_use]
    pub fn printing(first: usize) -> BlockAt {
        print::block_begins(first);
        BlockAt(first)
    }
}

impl Drop for BlockAt {
    #[inline(always)]
    fn drop(&mut self) {
        block_unwound_at(self.0);
    }
}

#[cold]
fn block_unwound_at(first: usize) {
    UNWOUND.set(Unwound::Block(first));
}

/// Notes which iteration it is by its position: `head` of all axes but the last.
pub struct RowPosition<'a, const D: usize> {
    /// The domain.
    pub shape: &'a [usize; D],
    /// The position on the axes before the last.
    pub head: [usize; D],
    /// The position on the last one.
    pub last: usize,
}

impl<const D: usize> Drop for RowPosition<'_, D> {
    #[inline(always)]
    fn drop(&mut self) {
        unwound_in_row(self.shape, self.head, self.last);
    }
}

#[cold]
fn unwound_in_row<const D: usize>(shape: &[usize; D], head: [usize; D], last: usize) {
    unwound_at(number_in_rows(shape, head, last));
}

/// The number of the iteration at a position.
#[inline]
#[must_use]
pub fn number_in_rows<const D: usize>(shape: &[usize; D], head: [usize; D], last: usize) -> usize {
    let before = D.saturating_sub(1);
    let row = (0..before).fold(0, |row, k| row * shape[k] + head[k]);
    row * shape.last().copied().unwrap_or(0) + last
}

/// A failure in a function: of the kernel that runs it, or, where the host calls it, a panic as Rust has it.
///
/// # Panics
/// Always.
#[cold]
#[track_caller]
pub fn function_failed(file: &'static str, line: u32, column: u32, template: &'static str, args: Box<[Argument]>) -> ! {
    if CURRENT.get().is_null() {
        panic!("{}", shown::message(template, &args));
    }
    resume_unwind(Box::new(FunctionFailed {
        place: Place::in_function(file, line, column),
        why: Why::Message {
            template,
            args: args.into_vec(),
        },
    }))
}

/// An access of a function to a field out of bounds: a failure of the kernel that runs it, or a panic where the host calls it.
///
/// # Panics
/// Always.
#[cold]
#[track_caller]
pub fn function_out_of_bounds<const D: usize>(
    file: &'static str,
    line: u32,
    column: u32,
    field: &'static str,
    index: impl Position<D>,
    shape: [usize; D],
) -> ! {
    let index = index.axes();
    assert!(
        !CURRENT.get().is_null(),
        "`{field}` was accessed at {index:?}, outside its shape {shape:?}"
    );
    resume_unwind(Box::new(FunctionFailed {
        place: Place::in_function(file, line, column),
        why: Why::Outside {
            field,
            index: index.to_vec(),
            shape: shape.to_vec(),
        },
    }))
}
