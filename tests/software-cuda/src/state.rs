//! All that the driver knows, behind one lock.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use swathe_ptx_interpreter::{Region, Regions};

use crate::config::Config;
use crate::error::{Code, Result};
use crate::graph::{Capture, Graph};
use crate::memory::{Block, Memory, Place};
use crate::module::{Kernel, Module};
use crate::stream::{Position, Stream};

#[derive(Debug)]
pub(crate) struct ContextState {
    pub device: usize,
    /// Broken until it is destroyed.
    pub error: Option<Code>,
    /// Kernels that ran since the last look at the guards.
    pub ran: Vec<String>,
    /// The legacy default stream.
    pub null: usize,
    pub peers: Vec<usize>,
    pub limits: HashMap<c_int, usize>,
}

#[derive(Debug)]
pub(crate) struct Event {
    pub context: usize,
    pub timing: bool,
    pub recorded: Option<Position>,
    pub time: Option<Instant>,
    /// Capture, stream, and number of operations of that stream before it.
    pub captured: Option<(usize, usize, usize)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub module: Arc<Module>,
    pub owner: usize,
    pub context: usize,
    pub kernel: Kernel,
    /// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
    pub dynamic: c_int,
}

#[derive(Debug)]
pub(crate) struct Loaded {
    pub module: Arc<Module>,
    pub context: usize,
    pub globals: Vec<usize>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub device: usize,
    pub default: bool,
    pub attributes: HashMap<c_int, u64>,
    pub used: u64,
    pub high: u64,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub ready: bool,
    pub contexts: HashMap<usize, ContextState>,
    /// Of each device: context and number of retains.
    pub primary: HashMap<usize, (usize, usize)>,
    pub streams: HashMap<usize, Stream>,
    pub per_thread: HashMap<(usize, ThreadId), usize>,
    pub events: HashMap<usize, Event>,
    pub modules: HashMap<usize, Loaded>,
    pub functions: HashMap<usize, Function>,
    pub pools: HashMap<usize, Pool>,
    /// Of each device: its default pool and its current one.
    pub device_pools: HashMap<usize, (usize, usize)>,
    pub graphs: HashMap<usize, Arc<Graph>>,
    pub executables: HashMap<usize, Arc<Graph>>,
    pub captures: HashMap<usize, Capture>,
    pub memory: Memory,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

/// Taken only for a moment, never while work runs.
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle: a number that no memory has as its address.
pub(crate) fn handle() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    0x5_C0DE_0000_0000 + 64 * NEXT.fetch_add(1, Ordering::Relaxed)
}

thread_local! {
    /// Without a destructor: a driver can be called while a thread's values are dropped.
    pub(crate) static CURRENT: std::cell::RefCell<Contexts> = const { std::cell::RefCell::new(Contexts([0; 16], 0)) };
}

/// The contexts of a thread, the current one last, and how many they are.
pub(crate) struct Contexts([usize; 16], usize);

impl Contexts {
    pub(crate) fn push(&mut self, id: usize) {
        self.0[self.1] = id;
        self.1 += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<usize> {
        self.1 = self.1.checked_sub(1)?;
        Some(self.0[self.1])
    }

    pub(crate) fn remove(&mut self, id: usize) {
        let all = std::mem::replace(self, Contexts([0; 16], 0));
        all.0[..all.1].iter().filter(|&&c| c != id).for_each(|&c| self.push(c));
    }
}

pub(crate) fn current() -> usize {
    CURRENT.with_borrow(|stack| stack.0[..stack.1].last().copied().unwrap_or(0))
}

/// Reports leaks when the process ends.
pub(crate) fn watch_exit() {
    static ONCE: AtomicBool = AtomicBool::new(false);
    extern "C" fn at_exit() {
        crate::control::report_leaks();
    }
    if !ONCE.swap(true, Ordering::Relaxed) {
        // SAFETY: the function has the type that the call asks for.
        unsafe { libc::atexit(at_exit) };
    }
}

impl State {
    pub(crate) fn check_ready(&self) -> Result {
        if self.ready { Ok(()) } else { Err(Code::NOT_INITIALIZED) }
    }

    pub(crate) fn device(&self, device: c_int) -> Result<usize> {
        self.check_ready()?;
        usize::try_from(device)
            .ok()
            .filter(|&d| d < Config::get().devices)
            .ok_or(Code::INVALID_DEVICE)
    }

    /// The calling thread's context, if it works.
    pub(crate) fn context(&self) -> Result<usize> {
        self.check_ready()?;
        let id = current();
        if id == 0 {
            return Err(Code::INVALID_CONTEXT);
        }
        let context = self.contexts.get(&id).ok_or(Code::CONTEXT_IS_DESTROYED)?;
        context.error.map_or(Ok(id), Err)
    }

    pub(crate) fn new_context(&mut self, device: usize) -> usize {
        let id = handle();
        let null = handle();
        self.streams.insert(null, Stream::new(id, true, true));
        let context = ContextState {
            device,
            error: None,
            ran: Vec::new(),
            null,
            peers: Vec::new(),
            limits: HashMap::new(),
        };
        self.contexts.insert(id, context);
        id
    }

    /// What kernels of a context may access.
    pub(crate) fn reachable(&self, context: usize) -> Regions {
        let own = self.contexts.get(&context);
        let peers = own.map_or(&[][..], |own| &own.peers);
        let contexts = peers.iter().filter_map(|peer| self.contexts.get(peer)).chain(own);
        let devices: Vec<usize> = contexts.map(|context| context.device).collect();
        let known = |block: &&Block| match block.place {
            Place::Device | Place::Global => devices.contains(&block.device),
            Place::Managed | Place::Host | Place::Registered => true,
        };
        let region = |block: &Block| Region {
            start: block.base as u64,
            bytes: block.size as u64,
            writable: true,
        };
        let mut regions: Regions = self.memory.blocks().filter(known).map(region).collect();
        for block in self.memory.blocks().filter(known) {
            if let Some(written) = &block.written {
                regions.remember(block.base as u64, Arc::clone(written));
            }
        }
        regions
    }

    /// The stream that a handle means.
    pub(crate) fn stream(&mut self, handle_: *mut c_void) -> Result<usize> {
        let context = self.context()?;
        match handle_ as usize {
            0 | 1 => Ok(self.contexts[&context].null),
            2 => {
                let key = (context, std::thread::current().id());
                if let Some(&id) = self.per_thread.get(&key) {
                    return Ok(id);
                }
                let id = handle();
                self.streams.insert(id, Stream::new(context, true, true));
                self.per_thread.insert(key, id);
                Ok(id)
            }
            id => match self.streams.get(&id) {
                Some(stream) if !stream.built_in => {
                    let broken = self
                        .contexts
                        .get(&stream.context)
                        .ok_or(Code::CONTEXT_IS_DESTROYED)?
                        .error;
                    broken.map_or(Ok(id), Err)
                }
                _ => Err(Code::INVALID_HANDLE),
            },
        }
    }

    /// The device's pools, made at the first question.
    pub(crate) fn device_pool(&mut self, device: usize) -> (usize, usize) {
        if let Some(&pools) = self.device_pools.get(&device) {
            return pools;
        }
        let id = handle();
        self.pools.insert(
            id,
            Pool {
                device,
                default: true,
                ..Pool::default()
            },
        );
        self.device_pools.insert(device, (id, id));
        (id, id)
    }

    /// Frees memory and takes it out of its pool's account.
    pub(crate) fn release(&mut self, base: usize) -> std::result::Result<(), String> {
        if let Some(block) = self.memory.block(base)
            && let Some(pool) = block.pool.and_then(|p| self.pools.get_mut(&p))
        {
            pool.used = pool.used.saturating_sub(block.size as u64);
        }
        self.memory.free(base)
    }

    /// Ends a context with all that belongs to it.
    pub(crate) fn destroy_context(&mut self, id: usize) {
        self.contexts.remove(&id);
        self.streams.retain(|_, s| s.context != id);
        self.per_thread.retain(|(c, _), _| *c != id);
        self.events.retain(|_, e| e.context != id);
        self.functions.retain(|_, f| f.context != id);
        self.captures.retain(|_, c| c.context != id);
        let modules: Vec<usize> = self
            .modules
            .iter()
            .filter(|(_, m)| m.context == id)
            .map(|(&k, _)| k)
            .collect();
        for module in modules {
            self.unload(module);
        }
        let blocks: Vec<usize> = self
            .memory
            .blocks()
            .filter(|b| b.context == id)
            .map(|b| b.base)
            .collect();
        for base in blocks {
            let _ = self.release(base);
        }
    }

    pub(crate) fn unload(&mut self, id: usize) -> bool {
        let Some(loaded) = self.modules.remove(&id) else {
            return false;
        };
        loaded.module.unloaded.store(true, Ordering::Relaxed);
        for base in loaded.globals {
            self.memory.disown(base);
        }
        self.functions.retain(|_, f| f.owner != id);
        true
    }
}
