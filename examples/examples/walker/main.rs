//! A robot of springs that learns to walk: its gait is found by derivatives.

mod physics;
mod robot;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, Common, Defaults, Failure, Output, View, cli, progress};

use robot::{Body, DT, Robot, School};

/// A robot of springs that learns to walk, by the derivative of its way with respect to what its muscles are told.
#[derive(Parser)]
struct Args {
    /// Rounds of learning
    #[arg(long, value_name = "N", default_value_t = 120)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Seconds that the robot walks in each
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60))]
    seconds: u32,

    #[command(flatten)]
    common: Common,
}

/// How far along in its learning each of the robots in the picture is.
const LEARNED: [u32; 3] = [0, 30, 100];

/// A robot in the picture.
struct Lane {
    weights: Field<f32, 2>,
    body: Body,
    done: usize,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 160,
        out: "out/walker",
    });
    let device = args.common.device.open()?;
    let robot = Robot::new(&device)?;
    let steps = (args.seconds as f32 / DT).round() as usize;
    println!(
        "{} masses, {} springs, {steps} steps, on {device}",
        robot.masses.len(),
        robot.springs.len()
    );

    let begin = Instant::now();
    let mut school = School::new(robot.weights()?)?;
    let mut lanes = Vec::new();
    for round in 0..=args.rounds {
        for _ in LEARNED.iter().filter(|percent| *percent * args.rounds / 100 == round) {
            lanes.push(Lane {
                weights: school.best.0.try_clone()?,
                body: robot.body()?,
                done: 0,
            });
        }
        if round < args.rounds {
            let way = school.round(&robot, steps)?;
            if round % 10 == 0 || round + 1 == args.rounds {
                println!("round {round:3}: its middle is at {way:.2} m");
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{seconds:.1} s, {:.3} s for a gradient",
        seconds / f64::from(args.rounds)
    );

    let mut output = Output::new(&args.common)?;
    for frame in progress::frames(args.common.frames) {
        // As fast as it is.
        let until = (frame as f32 / args.common.fps as f32 / DT) as usize;
        for lane in &mut lanes {
            while lane.done < until {
                robot.step(lane.done, &mut lane.body, &lane.weights)?;
                lane.done += 1;
            }
        }
        if !output.frame(&picture(&robot, &lanes)?.to_image())? {
            break;
        }
    }
    if let Some(lane) = lanes.last() {
        let way = -physics::backwardness(&lane.body.position)?;
        println!("the middle of the last one is at {way:.2} m");
    }
    println!("{}", output.finish()?);
    Ok(())
}

const WIDTH: usize = 960;
const HEIGHT: usize = 150;

/// The robots below each other, from the one that has learned nothing.
fn picture(robot: &Robot, lanes: &[Lane]) -> swathe::Result<Canvas> {
    let mut canvas = Canvas::new(WIDTH, HEIGHT * lanes.len(), Color::hex(0x101626));
    for (k, lane) in lanes.iter().enumerate() {
        let view = View::fit(WIDTH, HEIGHT, [-0.2, -0.1], [5.2, 0.75]);
        let at = |[x, y]: [f32; 2]| {
            let [x, y] = view.pixel([x, y]);
            [x, y + (k * HEIGHT) as f32]
        };
        for metre in 0..6 {
            let x = metre as f32;
            canvas.line(at([x, -0.04]), at([x, -0.08]), 2.0, Color::hex(0x5d6a85), Blend::Over);
        }
        canvas.line(
            at([-1.0, -0.02]),
            at([7.0, -0.02]),
            3.0,
            Color::hex(0x5d6a85),
            Blend::Over,
        );
        let (places, commands) = (lane.body.position.to_vec()?, lane.body.commands.to_vec()?);
        for (spring, command) in robot.springs.iter().zip(&commands) {
            let [a, b] = spring.ends.map(|end| places[end as usize]);
            let color = match spring.swing {
                0.0 => Color::hex(0x7f8fb0),
                // Muscles: longer ones are red, shorter ones blue.
                _ => Color::hex(0x4a9dff).mix(Color::hex(0xff5a4a), 0.5 + 0.5 * command),
            };
            canvas.line(at([a.x, a.y]), at([b.x, b.y]), 2.5, color, Blend::Over);
        }
        for place in &places {
            canvas.disc(at([place.x, place.y]), 4.0, Color::hex(0xffe2b0), Blend::Over);
        }
    }
    Ok(canvas)
}
