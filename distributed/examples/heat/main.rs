//! Heat that spreads over a plate, whose cells are divided among ranks.

use std::mem::swap;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::Array2;
use swathe::prelude::*;
use swathe_distributed::{End, Grid, Result, World};
use swathe_examples::{ColorMap, Failure, Image, Size};

/// Heat that spreads over a plate, whose cells are divided among ranks.
#[derive(Parser)]
struct Args {
    /// Size of the plate in cells, and of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x400")]
    size: Size,

    /// Ranks: threads of this process, unless `mpiexec` starts several
    #[arg(long, value_name = "N", default_value_t = 6)]
    ranks: usize,

    /// Steps
    #[arg(long, value_name = "N", default_value_t = 2000)]
    steps: u32,

    /// The picture
    #[arg(long, value_name = "FILE", default_value = "out/heat.png")]
    out: std::path::PathBuf,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

/// One step; `u` has a halo of one cell around `next`.
#[kernel(strict)]
fn spread(u: &OffsetField<f32, 2>, next: &mut OffsetField<f32, 2>, rate: f32) {
    for [i, j] in next.indices() {
        let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
        next[[i, j]] = u[[i, j]] + rate * (around - 4.0 * u[[i, j]]);
    }
}

/// Nothing flows through the edges: beyond them it is as warm as at them.
#[kernel]
fn insulate(u: &OffsetField<f32, 2>, beyond: &mut OffsetField<f32, 2>, axis: usize, edge: isize) {
    for [i, j] in beyond.indices() {
        beyond[[i, j]] = if axis == 0 { u[[edge, j]] } else { u[[i, edge]] };
    }
}

/// What a run ends with: the plate on rank 0, the sum of all cells, and the ranks' first cells along each axis.
struct Outcome {
    plate: Option<Array2<f32>>,
    heat: [f32; 2],
    borders: [Vec<usize>; 2],
}

fn simulate(world: &World, shape: [usize; 2], steps: u32) -> Result<Outcome> {
    let device = Device::default();
    let grid = Grid::new(world, shape).halo(1).build()?;
    let (mut u, mut next) = (grid.field::<f32>(&device)?, grid.field::<f32>(&device)?);
    u.fill_with(|[i, j]| warmth(i as f32 / shape[0] as f32, j as f32 / shape[0] as f32))?;
    let before = u.sum()?;
    for _ in 0..steps {
        // What needs no neighbour is computed while the halos are on their way.
        let pending = u.start_exchange()?;
        let mut parts = next.split_rim(1)?;
        spread(&pending.inside()?, &mut parts.inner, 0.2)?;
        let whole = pending.boundary(|mut side| {
            let edge = match side.end {
                End::Low => 0,
                End::High => shape[side.axis] as isize - 1,
            };
            insulate(&side.rest, &mut side.beyond, side.axis, edge)
        })?;
        for side in &mut parts.sides {
            spread(whole, side, 0.2)?;
        }
        swap(&mut u, &mut next);
    }
    let mut borders = [Vec::new(), Vec::new()];
    for rank in 0..world.size() {
        for (border, range) in borders.iter_mut().zip(grid.cells(rank)?) {
            if range.start > 0 && !border.contains(&range.start) {
                border.push(range.start);
            }
        }
    }
    Ok(Outcome {
        heat: [before, u.sum()?],
        plate: u.gather(0)?.map(|plate| plate.to_ndarray()).transpose()?,
        borders,
    })
}

/// A few warm bars and discs, by height and width in heights of the plate.
fn warmth(y: f32, x: f32) -> f32 {
    const DISCS: [[f32; 4]; 5] = [
        [0.3, 0.3, 0.16, 1.0],
        [0.7, 0.5, 0.1, 0.8],
        [0.35, 1.05, 0.2, 0.6],
        [0.8, 1.3, 0.12, 1.0],
        [0.15, 1.45, 0.07, 0.9],
    ];
    let disc = DISCS.iter().find(|[cy, cx, r, _]| (y - cy).hypot(x - cx) < *r);
    disc.map_or(0.05, |[.., heat]| *heat)
}

fn run() -> Result<(), Failure> {
    let args = Args::parse();
    let shape = [args.size.height, args.size.width];
    let start = Instant::now();
    let outcomes = swathe_distributed::run(args.ranks, |world| {
        let outcome = simulate(world, shape, args.steps)?;
        Ok((world.size(), outcome))
    })?;
    let seconds = start.elapsed().as_secs_f64();
    // Of the ranks in this process.
    for (ranks, Outcome { plate, heat, borders }) in outcomes {
        let Some(plate) = plate else { continue };
        let rows: Vec<[u8; 3]> = ColorMap::ember().image(plate.view(), 0.0..0.7).pixels().to_vec();
        let picture = Image::from_fn(shape[1], shape[0], |x, y| {
            let dotted = (x + y) % 8 < 5;
            match (borders[0].contains(&y) || borders[1].contains(&x)) && dotted {
                true => [120, 200, 255],
                false => rows[y * shape[1] + x],
            }
        });
        if let Some(folder) = args.out.parent() {
            std::fs::create_dir_all(folder)?;
        }
        picture.write_png(&args.out)?;
        let cells = f64::from(args.steps) * (shape[0] * shape[1]) as f64;
        println!(
            "{} steps of {} x {} cells on {ranks} ranks: {seconds:.2} s, {:.0} million cells a second",
            args.steps,
            shape[1],
            shape[0],
            cells / seconds / 1e6
        );
        println!("heat before and after: {} and {}", heat[0], heat[1]);
        println!("{}", args.out.display());
    }
    Ok(())
}
