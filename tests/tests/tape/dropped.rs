//! Values that use fields when they are dropped, in closures that tapes drop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use swathe::derivative::{Keep, Operation, Tape};
use swathe::prelude::*;

use super::{devices, numbers, square};

/// Uses a field of its own when it is dropped, and counts that.
struct Uses(Arc<AtomicUsize>, Device);

impl Drop for Uses {
    fn drop(&mut self) {
        let mut x = numbers(&self.1, 3, 1);
        square(&mut x).unwrap();
        x.fill(x.get(1).unwrap()).unwrap();
        let _ = Operation::is_recording();
        let tape = Tape::record([x.source()], || square(&mut x)).unwrap();
        assert_eq!(tape.len(), 1);
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// An operation that has run.
fn begun(x: &mut Field<f64>) -> swathe::Result<Operation> {
    let mut operation = Operation::new("dropped")?;
    operation.output::<Field<f64>, _>("x", x, Keep::Nothing)?;
    operation.run(|| x.fill(2.0))?;
    Ok(operation)
}

fn finish(operation: Operation, uses: Uses) {
    operation.finish(move |_| {
        let _ = &uses;
        Ok(())
    });
}

#[test]
fn what_a_closure_holds_may_use_fields_when_it_is_dropped() -> swathe::Result<()> {
    for device in devices() {
        let count = Arc::new(AtomicUsize::new(0));
        let uses = || Uses(Arc::clone(&count), device.clone());
        let dropped = |expected: usize| assert_eq!(count.swap(0, Ordering::Relaxed), expected);
        let mut x = numbers(&device, 3, 1);
        // In a pause, in another recording, in another thread, after the end, not run: it is recorded nowhere.
        let ended = Tape::record([x.source()], || {
            let operation = begun(&mut x)?;
            Tape::pause(|| finish(operation, uses()));
            dropped(1);
            Ok(())
        });
        assert!(ended.is_err());
        let ended = Tape::record([x.source()], || {
            let (operation, mut y) = (begun(&mut x)?, numbers(&device, 3, 2));
            Tape::record([y.source()], || {
                finish(operation, uses());
                dropped(1);
                square(&mut y)
            })
            .map(drop)
        });
        assert!(ended.is_err());
        let ended = Tape::record([x.source()], || {
            let (operation, uses) = (begun(&mut x)?, uses());
            std::thread::scope(|scope| scope.spawn(|| finish(operation, uses)).join().unwrap());
            dropped(1);
            Ok(())
        });
        assert!(ended.is_err());
        let mut late = None;
        let ended = Tape::record([x.source()], || {
            late = Some(begun(&mut x)?);
            Ok(())
        });
        assert!(ended.is_err());
        late.into_iter().for_each(|operation| finish(operation, uses()));
        dropped(1);
        // In an operation.
        let ended = Tape::record([x.source()], || {
            let operation = begun(&mut x)?;
            let mut y = numbers(&device, 3, 2);
            square(&mut x)?;
            let mut other = Operation::new("other")?;
            other.output::<Field<f64>, _>("x", &mut x, Keep::Nothing)?;
            other.run(|| {
                finish(operation, uses());
                dropped(1);
                y.fill(1.0)
            })
        });
        assert!(ended.is_err());
        // A recording that fails, or unwinds; a tape that is dropped in another recording.
        let ended = Tape::record([x.source()], || {
            finish(begun(&mut x)?, uses());
            finish(begun(&mut x)?, uses());
            x.get(0).map(drop)
        });
        assert!(ended.is_err());
        dropped(2);
        let ended = Tape::record([x.source()], || {
            finish(begun(&mut x)?, uses());
            let _ = x == numbers(&device, 3, 2);
            Ok(())
        });
        assert!(ended.is_err());
        dropped(1);
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Tape::record([x.source()], || {
                finish(begun(&mut x)?, uses());
                panic!("in the middle")
            })
        }));
        assert!(ended.is_err());
        dropped(1);
        let tape = Tape::record([x.source()], || {
            finish(begun(&mut x)?, uses());
            Ok(())
        })?;
        dropped(0);
        Tape::record([x.source()], || {
            drop(tape);
            square(&mut x)
        })?;
        dropped(1);
        assert!(!Operation::is_recording());
    }
    Ok(())
}

thread_local! {
    /// It ends with its thread, after values of the thread that are made later.
    static LAST: RefCell<Option<Uses>> = const { RefCell::new(None) };
}

#[test]
fn what_ends_with_a_thread_may_use_fields_while_others_record() -> swathe::Result<()> {
    for device in devices() {
        let count = Arc::new(AtomicUsize::new(0));
        let uses = Uses(Arc::clone(&count), device.clone());
        let x = numbers(&device, 3, 1);
        Tape::record([x.source()], || {
            let thread = move || {
                LAST.set(Some(uses));
                // Only now the thread records for the first time.
                let mut y = numbers(&device, 3, 2);
                Tape::record([y.source()], || square(&mut y)).map(drop)
            };
            std::thread::spawn(thread).join().unwrap()?;
            assert_eq!(count.load(Ordering::Relaxed), 1);
            Ok(())
        })?;
    }
    Ok(())
}
