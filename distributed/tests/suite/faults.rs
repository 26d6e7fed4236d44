//! Ranks that panic, fail, end, or call something else: each other rank gets an error, and none waits for ever.

use std::panic::panic_any;
use std::time::Duration;

use swathe_distributed::{Error, Local, Result, World};

use crate::watchdog::watched;

/// What each rank gets.
fn outcomes(ranks: usize, body: impl Fn(&World) -> Result<()> + Sync + Send + 'static) -> Vec<Option<Error>> {
    watched(move || Local::new(ranks).run(|world| Ok(body(world).err())).unwrap())
}

#[test]
fn a_panic_reaches_all_ranks() {
    for ranks in [2, 3, 5] {
        let told = watched(move || {
            Local::new(ranks).run(|world| {
                if world.rank() == 1 {
                    panic!("no more {}", 7);
                }
                world.barrier()?;
                Ok(())
            })
        });
        let expected = Error::Panicked {
            rank: 1,
            message: "no more 7".to_owned(),
        };
        assert_eq!(told, Err(expected));
    }
}

/// Panics at its end.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic_any(Bomb);
        }
    }
}

#[test]
fn a_panic_with_any_payload_is_a_panic() {
    for payload in [|| panic_any(5), || panic_any(Bomb)] {
        let told = watched(move || {
            Local::new(2).run(|world| {
                if world.rank() == 1 {
                    payload();
                }
                world.barrier()
            })
        });
        let expected = Error::Panicked {
            rank: 1,
            message: "with a value that is no text".to_owned(),
        };
        assert_eq!(told, Err(expected));
    }
}

#[test]
fn an_error_of_one_rank_is_returned_as_it_is_and_told_to_the_others() {
    let told = watched(|| {
        Local::new(3).run(|world| {
            if world.rank() == 2 {
                return Err(Error::program("disk full"));
            }
            let others = world.sum(1.0).unwrap_err();
            assert_eq!(others.to_string(), "rank 2 failed: disk full");
            // Nothing works afterwards.
            assert_eq!(world.barrier().unwrap_err(), others);
            Err(others)
        })
    });
    assert_eq!(told, Err::<Vec<()>, _>(Error::program("disk full")));
}

#[test]
fn a_limit_may_be_longer_than_time() {
    for limit in [
        Duration::MAX,
        Duration::from_secs(u64::MAX / 2),
        Duration::from_secs(1 << 62),
    ] {
        let sums = watched(move || {
            Local::new(3).time_limit(limit).run(|world| {
                // The others wait.
                if world.rank() == 1 {
                    std::thread::sleep(Duration::from_millis(30));
                }
                world.barrier()?;
                world.sum(world.rank() as u32 + 1)
            })
        });
        assert_eq!(sums, Ok(vec![6; 3]), "{limit:?}");
        // What can never come is told nevertheless.
        let told = watched(move || {
            Local::new(2).time_limit(limit).run(|world| match world.rank() {
                0 => Ok(()),
                _ => world.barrier(),
            })
        });
        assert!(matches!(told, Err(Error::Ended { rank: 0, .. })), "{told:?}");
    }
}

#[test]
fn a_rank_that_ends_early_is_named() {
    for error in outcomes(4, |world| match world.rank() {
        3 => Ok(()),
        _ => world.barrier(),
    })
    .into_iter()
    .take(3)
    {
        match error {
            Some(Error::Ended { rank: 3, call }) => assert!(call.what == "barrier" && call.sequence == 0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn calls_in_another_order_are_named_with_their_lines() {
    let errors = outcomes(3, |world| match world.rank() {
        1 => {
            world.sum(1_u32)?;
            world.barrier()
        }
        _ => {
            world.barrier()?;
            world.sum(1_u32).map(drop)
        }
    });
    for error in errors {
        let error = error.unwrap();
        assert!(matches!(&error, Error::Mismatch { call, others_call, .. }
            if call.line != others_call.line && call.file.ends_with("faults.rs")));
        let text = error.to_string();
        assert!(
            text.contains("call 0, barrier, at ") && text.contains("call 0, sum of `u32`, at "),
            "{text}"
        );
    }
}

#[test]
fn the_same_call_from_another_line_is_told() {
    let errors = outcomes(2, |world| {
        if world.rank() == 0 {
            return world.barrier();
        }
        world.barrier()
    });
    assert!(errors.iter().all(|error| matches!(error, Some(Error::Mismatch { .. }))));
}

#[test]
fn roots_types_and_lengths_are_compared() {
    let root = outcomes(3, |world| {
        world.broadcast(usize::from(world.rank() == 2), 1.0).map(drop)
    });
    let text = root[0].as_ref().unwrap().to_string();
    assert!(text.contains("from rank 0") && text.contains("from rank 1"), "{text}");
    let length = outcomes(3, |world| world.sum_slice(&vec![1.0; 3 + world.rank()]).map(drop));
    assert!(length.iter().all(|error| matches!(error, Some(Error::Mismatch { .. }))));
    let ty = outcomes(2, |world| match world.rank() {
        0 => all(world, 1.0_f32),
        _ => all(world, 1.0_f64),
    });
    assert!(ty.iter().all(|error| matches!(error, Some(Error::Mismatch { .. }))));

    fn all<T: swathe::Element>(world: &World, value: T) -> Result<()> {
        world.all_gather(&[value]).map(drop)
    }
}

#[test]
fn a_root_that_is_none_is_refused() {
    let errors = outcomes(2, |world| world.gather(2, &[1.0]).map(drop));
    for error in errors {
        assert_eq!(
            error.unwrap().to_string(),
            "gather of `f64` on rank 2: there is no rank 2 among 2"
        );
    }
}

#[test]
fn a_rank_that_computes_too_long_is_told_of() {
    let error = watched(|| {
        Local::new(2).time_limit(Duration::from_millis(30)).run(|world| {
            if world.rank() == 1 {
                std::thread::sleep(Duration::from_millis(500));
            }
            world.barrier()
        })
    });
    assert!(matches!(error, Err(Error::TimedOut { rank: 1, .. })), "{error:?}");
}

#[test]
fn no_ranks_are_refused() {
    assert!(matches!(Local::new(0).run(|_| Ok(())), Err(Error::Start(_))));
}
