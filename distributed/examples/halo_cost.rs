//! What dividing a stencil among ranks costs: steps of one grid on one rank with all threads, and on ranks with one thread each.

use std::mem::swap;
use std::time::{Duration, Instant};

use clap::Parser;
use swathe::prelude::*;
use swathe_distributed::{Grid, Local, Result, World};

/// What dividing a stencil among ranks costs.
#[derive(Parser)]
struct Args {
    /// Cells along each axis
    #[arg(long, default_value_t = 4096)]
    size: usize,

    /// Steps of each measurement
    #[arg(long, default_value_t = 20)]
    steps: u32,

    /// Measurements of each way, in turns
    #[arg(long, default_value_t = 7)]
    rounds: usize,

    /// Threads, and ranks
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

#[kernel]
fn spread(u: &OffsetField<f32, 2>, v: &mut OffsetField<f32, 2>) {
    for [i, j] in v.indices() {
        v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
    }
}

/// Without the library for ranks: the same block with a halo that nobody fills.
fn alone(size: usize, steps: u32) -> Result<Duration> {
    let device = Device::cpu();
    let field = |halo: usize| -> Result<OffsetField<f32, 2>> {
        let field = Field::<f32, 2>::full(&device, [size + 2 * halo; 2], 1.0)?;
        Ok(field.with_origin([-(halo as isize); 2])?)
    };
    let (u, mut v) = (field(1)?, field(0)?);
    spread(&u, &mut v)?;
    let start = Instant::now();
    for _ in 0..steps {
        spread(&u, &mut v)?;
    }
    Ok(start.elapsed())
}

fn steps(world: &World, size: usize, steps: u32, overlap: bool) -> Result<Duration> {
    let device = Device::cpu();
    let grid = Grid::new(world, [size, size]).halo(1).periodic([true, true]).build()?;
    let (mut u, mut v) = (grid.field::<f32>(&device)?, grid.field::<f32>(&device)?);
    u.fill(1.0)?;
    v.fill(1.0)?;
    let mut step = || -> Result<()> {
        if overlap {
            let pending = u.start_exchange()?;
            let mut parts = v.split_rim(1)?;
            spread(&pending.inside()?, &mut parts.inner)?;
            let whole = pending.finish()?;
            for side in &mut parts.sides {
                spread(whole, side)?;
            }
        } else {
            spread(u.shared()?, &mut v.own()?)?;
        }
        swap(&mut u, &mut v);
        Ok(())
    };
    step()?;
    world.barrier()?;
    let start = Instant::now();
    (0..steps).try_for_each(|_| step())?;
    world.barrier()?;
    Ok(start.elapsed())
}

/// The exact sum of all elements, or of each rank's by the field's own reduction.
fn sums(world: &World, size: usize, exact: bool) -> Result<Duration> {
    let grid = Grid::new(world, [size, size]).build()?;
    let mut u = grid.field::<f32>(&Device::cpu())?;
    u.fill_with(|[i, j]| (i * 7 + j * 3) as f32 * 1e-3)?;
    let own = u.inside()?.into_part().try_clone()?;
    world.barrier()?;
    let start = Instant::now();
    match exact {
        true => u.sum()?,
        false => world.sum(own.sum()?)?,
    };
    Ok(start.elapsed())
}

fn main() -> Result<()> {
    let Args {
        size,
        steps: count,
        rounds,
        threads,
    } = Args::parse();
    let ranks = |ranks: usize, each: usize, overlap: bool| -> Result<Duration> {
        let all = Local::new(ranks)
            .threads(each)
            .run(|world| steps(world, size, count, overlap))?;
        Ok(all[0])
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(swathe_distributed::Error::program)?;
    // As if it were that of all steps.
    let sum = |exact: bool| -> Result<Duration> {
        let all = Local::new(threads).threads(1).run(|world| sums(world, size, exact))?;
        Ok(all[0] * count)
    };
    let ways: [(&str, &dyn Fn() -> Result<Duration>); 7] = [
        ("the kernel alone, all threads", &|| pool.install(|| alone(size, count))),
        ("one rank, all threads", &|| ranks(1, threads, false)),
        ("one rank, all threads, overlap", &|| ranks(1, threads, true)),
        ("a rank for each thread", &|| ranks(threads, 1, false)),
        ("a rank for each thread, overlap", &|| ranks(threads, 1, true)),
        ("exact sum, a rank for each thread", &|| sum(true)),
        ("sums of the ranks' own", &|| sum(false)),
    ];
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for ((_, way), times) in ways.iter().zip(&mut times) {
            times.push(way()?.as_secs_f64() / f64::from(count));
        }
    }
    println!("{size} x {size} cells, {threads} threads: median of {rounds}, least and most, ms a step");
    for ((name, _), times) in ways.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let ms = |k: usize| times[k] * 1e3;
        println!("{name:34} {:7.2} {:7.2} {:7.2}", ms(rounds / 2), ms(0), ms(rounds - 1));
    }
    Ok(())
}
