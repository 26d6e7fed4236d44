//! Signals from a kernel become its error.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use crate::block::Fault;
use crate::error::Code;
use crate::scheduler::Scheduler;

const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

struct Before([libc::sigaction; 4]);

static BEFORE: OnceLock<Before> = OnceLock::new();

extern "C" fn handle(number: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes a valid description.
    let address = unsafe { (*info).si_addr() } as usize;
    Scheduler::interrupted(number, address);
    // Not from a kernel.
    let index = SIGNALS.iter().position(|&s| s == number).unwrap_or(0);
    let Some(before) = BEFORE.get().map(|b| b.0[index]) else {
        return;
    };
    match before.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // SAFETY: puts back what stood there; the fault repeats and ends the process.
            unsafe { libc::sigaction(number, &raw const before, std::ptr::null_mut()) };
        }
        handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: the flag says that the handler has this type.
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(number, info, context);
        }
        handler => {
            // SAFETY: without the flag it has this type.
            let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            handler(number);
        }
    }
}

/// Installs the handlers, and a stack for them on this thread.
pub(crate) fn install() {
    BEFORE.get_or_init(|| {
        Before(SIGNALS.map(|number| {
            // SAFETY: all zeros is a value of this C struct, and the handler has the type that the flags promise.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                let mut before: libc::sigaction = std::mem::zeroed();
                let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
                action.sa_sigaction = handler as usize;
                // Not blocked while it runs, since it does not return.
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigaction(number, &raw const action, &raw mut before);
                before
            }
        }))
    });
    thread_local! {
        static STACK: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    // While a thread ends it is gone.
    let _ = STACK.try_with(|own| {
        let own = &mut *own.borrow_mut();
        if !own.is_empty() {
            return;
        }
        // SAFETY: queries, and then sets a stack that lives as long as the thread.
        unsafe {
            let mut stack: libc::stack_t = std::mem::zeroed();
            libc::sigaltstack(std::ptr::null(), &raw mut stack);
            if stack.ss_flags & libc::SS_DISABLE != 0 {
                *own = vec![0; 64 << 10];
                stack = libc::stack_t {
                    ss_sp: own.as_mut_ptr().cast(),
                    ss_flags: 0,
                    ss_size: own.len(),
                };
                libc::sigaltstack(&raw const stack, std::ptr::null_mut());
            } else {
                *own = vec![0];
            }
        }
    });
}

pub(crate) fn describe(number: c_int, address: usize) -> Fault {
    match number {
        libc::SIGFPE => {
            let text = "a division of integers that has no result (a device gives any number)".into();
            Fault {
                code: Code::LAUNCH_FAILED,
                address: None,
                text,
            }
        }
        libc::SIGILL => Fault {
            code: Code::ILLEGAL_INSTRUCTION,
            address: None,
            text: "an illegal instruction".into(),
        },
        _ => Fault {
            code: Code::ILLEGAL_ADDRESS,
            address: Some(address),
            text: "an illegal access".into(),
        },
    }
}
