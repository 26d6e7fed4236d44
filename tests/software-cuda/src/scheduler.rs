//! The threads of a block, run in turns by one thread of the operating system.
//!
//! A fiber takes the next thread that has not started, runs it to its end, and takes another, so that threads which
//! never wait cost no switch. A thread that waits leaves its fiber to itself, and another fiber goes on.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use crate::block::{Context, Fault};
use crate::error::Code;
use crate::fiber::{Saved, Stack, switch};
use crate::library::Row;
use crate::signal;
use crate::warp::{self, Lane};

/// What a text calls.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Runtime {
    barrier: extern "C" fn(*mut c_void),
    warp: extern "C" fn(*mut c_void, c_uint, c_uint, u64, c_uint, c_uint) -> u64,
    yield_: extern "C" fn(*mut c_void),
    fail: extern "C" fn(*mut c_void, c_int, *const c_char),
}

pub(crate) static RUNTIME: Runtime = Runtime {
    barrier,
    warp: warp_operation,
    yield_: give_way,
    fail,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Running,
    Barrier,
    Warp,
    Ready,
}

#[derive(Debug)]
struct Fiber {
    stack: Stack,
    state: State,
    thread: usize,
    position: [u32; 3],
}

/// What a fiber does when it is switched to.
#[derive(Clone, Copy, Debug)]
enum Task {
    Threads,
    Blocks(u64, u64),
}

#[derive(Debug)]
pub(crate) struct Scheduler {
    fibers: Vec<Fiber>,
    idle: Vec<usize>,
    ready: VecDeque<usize>,
    main: Saved,
    current: usize,
    /// A fiber runs: a signal now comes from a kernel.
    inside: bool,
    fault: Option<Fault>,
    /// Number and address of a signal.
    signal: Option<(c_int, usize)>,
    task: Task,
    context: *mut Context,
    kernel: Option<Row>,
    arguments: *const *mut c_void,
    dims: [u32; 3],
    threads: usize,
    next: usize,
    live: usize,
    at_barrier: usize,
    lanes: Vec<Lane>,
}

thread_local! {
    static SCHEDULER: RefCell<Box<Scheduler>> = RefCell::new(Box::new(Scheduler::new()));
    static ACTIVE: Cell<*mut Scheduler> = const { Cell::new(null_mut()) };
}

fn of<'a>(scheduler: *mut c_void) -> &'a mut Scheduler {
    // SAFETY: texts hand back what `Job::work` gave them, and one fiber of a thread runs at a time.
    unsafe { &mut *scheduler.cast() }
}

extern "C" fn barrier(scheduler: *mut c_void) {
    let s = of(scheduler);
    if s.threads > 1 {
        s.at_barrier += 1;
        s.wait(State::Barrier);
    }
}

extern "C" fn give_way(scheduler: *mut c_void) {
    let s = of(scheduler);
    s.ready.push_back(s.current);
    s.wait(State::Ready);
}

extern "C" fn warp_operation(
    scheduler: *mut c_void,
    op: c_uint,
    mask: c_uint,
    value: u64,
    arg: c_uint,
    width: c_uint,
) -> u64 {
    let s = of(scheduler);
    let thread = s.fibers[s.current].thread;
    if op != warp::ACTIVE && mask >> (thread % 32) & 1 == 0 {
        s.leave(Fault {
            code: Code::LAUNCH_FAILED,
            address: None,
            text: format!("thread {thread} is not in its own mask {mask:#010x}"),
        });
    }
    s.lanes[thread].wait(s.current, op, mask, value, arg, width);
    s.wait(State::Warp);
    s.lanes[thread].result
}

extern "C" fn fail(scheduler: *mut c_void, code: c_int, message: *const c_char) {
    // SAFETY: texts pass literals.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    of(scheduler).leave(Fault {
        code: Code(code),
        address: None,
        text,
    });
}

/// What runs at the bottom of each fiber.
extern "C" fn run() -> ! {
    loop {
        let s = of(ACTIVE.get().cast());
        if let (Some(kernel), arguments) = (s.kernel, s.arguments) {
            match s.task {
                Task::Blocks(first, count) => {
                    if let Some(blocks) = kernel.blocks {
                        // SAFETY: the kernel's own function, with as many arguments as it has.
                        unsafe { blocks(arguments, first, count) };
                    }
                }
                Task::Threads => {
                    while s.next < s.threads {
                        s.start_thread();
                        if let Some(thread) = kernel.thread {
                            // SAFETY: as above.
                            unsafe { thread(arguments) };
                        }
                        s.end_thread();
                    }
                }
            }
        }
        s.idle.push(s.current);
        s.wait(State::Idle);
    }
}

impl Scheduler {
    fn new() -> Scheduler {
        Scheduler {
            fibers: Vec::new(),
            idle: Vec::new(),
            ready: VecDeque::new(),
            main: 0,
            current: 0,
            inside: false,
            fault: None,
            signal: None,
            task: Task::Threads,
            context: null_mut(),
            kernel: None,
            arguments: std::ptr::null(),
            dims: [1; 3],
            threads: 0,
            next: 0,
            live: 0,
            at_barrier: 0,
            lanes: Vec::new(),
        }
    }

    /// This thread's scheduler; a new one while the thread ends, and its own is gone.
    pub(crate) fn with<R>(body: impl FnOnce(&mut Scheduler) -> R) -> R {
        signal::install();
        let run = |s: &mut Scheduler| {
            ACTIVE.set(&raw mut *s);
            let result = body(s);
            ACTIVE.set(null_mut());
            result
        };
        match SCHEDULER.try_with(|_| ()) {
            Ok(()) => SCHEDULER.with_borrow_mut(|own| run(own)),
            Err(_) => run(&mut Box::new(Scheduler::new())),
        }
    }

    pub(crate) fn prepare(&mut self, context: *mut Context, kernel: Row, arguments: &[*mut c_void], dims: [u32; 3]) {
        self.context = context;
        self.kernel = Some(kernel);
        self.arguments = arguments.as_ptr();
        self.dims = dims;
    }

    /// Runs a range of blocks whose threads never wait.
    pub(crate) fn blocks(&mut self, first: u64, count: u64) -> Result<(), Fault> {
        self.task = Task::Blocks(first, count);
        // `__syncthreads` is not in the text, so that nothing asks for more.
        self.threads = 1;
        self.resume_idle()
    }

    /// Runs one block.
    pub(crate) fn block(&mut self, position: [u32; 3]) -> Result<(), Fault> {
        // SAFETY: this thread's context.
        unsafe { (*self.context).block = position };
        self.task = Task::Threads;
        self.threads = self.dims.iter().map(|&n| n as usize).product();
        self.next = 0;
        self.live = self.threads;
        self.at_barrier = 0;
        self.lanes.clear();
        self.lanes.resize(self.threads, Lane::default());
        loop {
            if self.next < self.threads {
                self.resume_idle()?;
            } else if let Some(fiber) = self.ready.pop_front() {
                self.resume(fiber)?;
            } else if self.live == 0 {
                return Ok(());
            } else {
                self.release()?;
            }
        }
    }

    /// All threads wait or are done: lets those go on that have met.
    fn release(&mut self) -> Result<(), Fault> {
        warp::release(&mut self.lanes, &mut self.ready);
        if self.at_barrier == self.live {
            self.at_barrier = 0;
            for (k, fiber) in self.fibers.iter().enumerate() {
                if fiber.state == State::Barrier {
                    self.ready.push_back(k);
                }
            }
        }
        if self.ready.is_empty() {
            warp::tell_active(&mut self.lanes, &mut self.ready);
        }
        if !self.ready.is_empty() {
            return Ok(());
        }
        let text = format!(
            "threads of a block wait for each other for ever: {} of {} at __syncthreads, the others at warp operations",
            self.at_barrier, self.live
        );
        Err(self.abandon(Fault {
            code: Code::LAUNCH_FAILED,
            address: None,
            text,
        }))
    }

    fn resume_idle(&mut self) -> Result<(), Fault> {
        let fiber = match self.idle.pop() {
            Some(fiber) => fiber,
            None => {
                let number = self.fibers.len();
                let Some(stack) = Stack::new(run, number) else {
                    let text = "no memory for a thread's stack".into();
                    return Err(self.abandon(Fault {
                        code: Code::LAUNCH_OUT_OF_RESOURCES,
                        address: None,
                        text,
                    }));
                };
                self.fibers.push(Fiber {
                    stack,
                    state: State::Idle,
                    thread: 0,
                    position: [0; 3],
                });
                number
            }
        };
        self.resume(fiber)
    }

    fn resume(&mut self, fiber: usize) -> Result<(), Fault> {
        self.current = fiber;
        self.fibers[fiber].state = State::Running;
        self.inside = true;
        let (main, to) = (&raw mut self.main, &raw const self.fibers[fiber].stack.at);
        // SAFETY: the fiber waits at what it saved, or starts.
        unsafe { switch(main, to) };
        self.inside = false;
        if self.signal.is_none() && self.fault.is_none() {
            return Ok(());
        }
        let fault = match self.signal.take() {
            Some((number, address)) => Some(signal::describe(number, address)),
            None => self.fault.take(),
        };
        fault.map_or(Ok(()), |fault| Err(self.abandon(fault)))
    }

    /// Forgets all that runs.
    fn abandon(&mut self, fault: Fault) -> Fault {
        self.ready.clear();
        self.idle.clear();
        for (k, fiber) in self.fibers.iter_mut().enumerate() {
            fiber.stack.restart(run, k);
            fiber.state = State::Idle;
            self.idle.push(k);
        }
        fault
    }

    /// On a fiber: back to the scheduler until somebody resumes it.
    fn wait(&mut self, state: State) {
        let current = self.current;
        self.fibers[current].state = state;
        let (from, main) = (&raw mut self.fibers[current].stack.at, &raw const self.main);
        // SAFETY: the scheduler waits in `resume`.
        unsafe { switch(from, main) };
        self.show_thread();
    }

    /// On a fiber: ends the launch.
    fn leave(&mut self, fault: Fault) -> ! {
        self.fault = Some(fault);
        self.wait(State::Idle);
        unreachable!("an abandoned fiber was resumed")
    }

    fn start_thread(&mut self) {
        let thread = self.next;
        self.next += 1;
        let t = thread as u32;
        let [x, y, _] = self.dims;
        let fiber = &mut self.fibers[self.current];
        (fiber.thread, fiber.position) = (thread, [t % x, t / x % y, t / x / y]);
        self.show_thread();
    }

    fn end_thread(&mut self) {
        let thread = self.fibers[self.current].thread;
        self.live -= 1;
        self.lanes[thread].done = true;
    }

    fn show_thread(&mut self) {
        // SAFETY: this thread's context.
        unsafe { (*self.context).thread = self.fibers[self.current].position };
    }

    /// In a signal handler: leaves the kernel, if one runs.
    pub(crate) fn interrupted(number: c_int, address: usize) {
        let active = ACTIVE.get();
        // SAFETY: set while `with` lends the scheduler.
        if active.is_null() || !unsafe { (*active).inside } {
            return;
        }
        let s = of(active.cast());
        s.signal = Some((number, address));
        let mut lost = Saved::default();
        // SAFETY: the scheduler waits in `resume`; what runs here is abandoned.
        unsafe { switch(&raw mut lost, &raw const s.main) };
    }
}
