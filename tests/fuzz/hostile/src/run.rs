//! Runs of the programs of a batch: each with several sizes and data, as plain Rust and on every device, set of instructions and number of
//! threads. The caller reads from the lines on standard output how far it came, and so which program ended it.

use std::io::Write as _;

use swathe::versions::Version;
use swathe::{Device, Element, Field, FieldLayout};

use crate::compare::{Failure, Outcome, among, compare};
use crate::data::{Draw, Flat, Kind};
use crate::{plain, turn};

/// A program.
pub struct Case {
    /// Its seed.
    pub seed: u64,
    /// The body as plain Rust, on data that the bench makes.
    pub plain: fn(&mut Bench),
    /// The body as a kernel.
    pub kernel: fn(&mut Bench),
    /// Most axes of a field.
    pub rank: usize,
    /// Whether arguments of atomic operations may fail in another order than that of the text.
    pub atomics: bool,
    /// Whether it asks [`crate::turn()`], and how often in an iteration: `None` if more than once.
    pub turns: Option<usize>,
}

enum Place<'a> {
    /// As plain Rust, or without running at all.
    Plain {
        run: bool,
    },
    Device(&'a Device),
}

/// Elements around a part of a field, before and behind.
const MARGIN: usize = 2;

/// Data of one run, and what came of it.
pub struct Bench<'a> {
    place: Place<'a>,
    seed: u64,
    n: usize,
    rank: usize,
    wrong: u64,
    fields: u64,
    outcome: Outcome,
}

impl Bench<'_> {
    fn draw(&mut self, kind: Kind) -> Draw {
        self.fields += 1;
        let least = shape(self.n, self.rank.max(1)).into_iter().min().unwrap_or(0);
        // Shapes of other ranks are at least as long along each axis.
        Draw::new(self.seed ^ self.fields << 40, kind, least, self.wrong)
    }

    fn elements<T: Flat, const D: usize>(&mut self, kind: Kind) -> ([usize; D], Vec<T>) {
        let shape: [usize; D] = shape(self.n, D).try_into().expect("as many axes");
        let mut draw = self.draw(kind);
        let all = shape.iter().product();
        (shape, (0..all).map(|_| T::make(&mut draw)).collect())
    }

    /// A field of the plain run, the next parameter.
    pub fn plain<T: Flat, const D: usize>(&mut self, name: &'static str, kind: Kind) -> plain::Field<T, D> {
        let (shape, elements) = self.elements(kind);
        plain::Field::new(name, shape, elements)
    }

    /// A field, the next parameter.
    pub fn field<T: Flat + Element, const D: usize>(&mut self, kind: Kind) -> Field<T, D>
    where
        [usize; D]: swathe::Position<D>,
    {
        let (shape, elements) = self.elements::<T, D>(kind);
        let mut next = elements.into_iter();
        Field::from_fn(self.device(), shape, |_| next.next().expect("one for each position")).expect("memory")
    }

    /// A field of which [`Bench::part`] is the next parameter.
    pub fn whole<T: Flat + Element>(&mut self, kind: Kind) -> Field<T> {
        let ([n], elements) = self.elements::<T, 1>(kind);
        let mut margin = Draw::new(self.seed, Kind::Value, 1, 0);
        let all = (0..n + 2 * MARGIN).map(|k| match k.checked_sub(MARGIN).and_then(|k| elements.get(k)) {
            Some(element) => *element,
            None => T::make(&mut margin),
        });
        Field::from_slice(self.device(), &all.collect::<Vec<_>>()).expect("memory")
    }

    /// Which elements of a [`Bench::whole`] the parameter is.
    pub fn part(&self) -> std::ops::Range<usize> {
        MARGIN..MARGIN + self.n
    }

    /// A number.
    pub fn value<T: Flat>(&mut self, kind: Kind) -> T {
        T::make(&mut self.draw(kind))
    }

    /// The length of fields with one axis.
    pub fn n(&self) -> usize {
        self.n
    }

    fn device(&self) -> &Device {
        match self.place {
            Place::Device(device) => device,
            Place::Plain { .. } => unreachable!("plain runs have plain fields"),
        }
    }

    /// Runs the body as plain Rust.
    pub fn run<R: Flat>(&mut self, body: impl FnOnce() -> R) {
        if let Place::Plain { run: true } = self.place {
            let result = plain::iteration(body);
            self.outcome.failures = plain::take_failures();
            if let Some(result) = result {
                result.flat(&mut self.outcome.result);
            }
        }
    }

    /// Takes what a kernel returned.
    pub fn took<R: Flat>(&mut self, result: swathe::Result<R>) {
        match result.and_then(|value| self.device().synchronize().map(|()| value)) {
            Ok(value) => value.flat(&mut self.outcome.result),
            Err(error) => self.outcome.error = Some(error),
        }
    }

    /// Keeps what a plain field holds after the run.
    pub fn keep_plain<T: Flat, const D: usize>(&mut self, field: &plain::Field<T, D>) {
        self.keep_all(field.elements());
    }

    /// Keeps what a field holds after the run.
    pub fn keep<T: Flat + Element, const D: usize, L: FieldLayout>(&mut self, field: &Field<T, D, L>) {
        self.keep_all(&field.to_vec().expect("the elements"));
    }

    /// Keeps what the part of a field holds after the run, and the rest if it has changed.
    pub fn keep_part<T: Flat + Element>(&mut self, field: &Field<T>) {
        let (all, part) = (field.to_vec().expect("the elements"), self.part());
        let mut margin = Draw::new(self.seed, Kind::Value, 1, 0);
        let (mut were, mut are) = (Vec::new(), Vec::new());
        for element in all[..MARGIN].iter().chain(&all[part.end..]) {
            T::make(&mut margin).flat(&mut were);
            element.flat(&mut are);
        }
        self.keep_all(&all[part]);
        if were != are {
            self.outcome.fields.push(are);
        }
    }

    fn keep_all<T: Flat>(&mut self, elements: &[T]) {
        let mut scalars = Vec::with_capacity(elements.len());
        elements.iter().for_each(|element| element.flat(&mut scalars));
        self.outcome.fields.push(scalars);
    }
}

/// Of about `n` elements.
fn shape(n: usize, rank: usize) -> Vec<usize> {
    match rank {
        1 => vec![n],
        2 => vec![n.isqrt(), n.isqrt() + 1],
        _ => {
            let least = (n as f64).cbrt() as usize;
            // Rows that it pays to take apart.
            vec![least / 2 + 1, least.div_ceil(2), 4 * least + 2]
        }
    }
}

/// How many elements, and of a thousand how many are wrong.
const RUNS: [(usize, u64); 10] = [
    (17, 0),
    (1000, 0),
    (1000, 2),
    (300, 200),
    (0, 0),
    (1, 300),
    (3, 100),
    (64, 30),
    (70_000, 0),
    (70_000, 1),
];

/// From here on, each processor has its turn, but not with each number of threads.
const LONG: usize = 10_000;

/// Runs a batch. Of `SWATHE_HOSTILE`, words say which program is the first, and whether a CUDA device takes part.
pub fn main(cases: &[Case]) {
    std::panic::set_hook(Box::new(|_| {}));
    let words = std::env::var("SWATHE_HOSTILE").unwrap_or_default();
    let first: usize = words.split(' ').find_map(|word| word.parse().ok()).unwrap_or(0);
    let mut devices = vec![("cpu", Device::cpu())];
    if words.contains("cuda") {
        devices.push(("cuda", Device::cuda(0).expect("a device")));
    }
    let pools = [1, 2, 7].map(|threads| {
        (
            threads,
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a pool"),
        )
    });
    for (k, case) in cases.iter().enumerate().skip(first) {
        say(&format!("start {k} {}", case.seed));
        let found = RUNS.iter().find_map(|run| check(case, *run, &devices, &pools));
        match found {
            Some(text) => say(&format!("differs {k} {} {text}", case.seed)),
            None => say(&format!("same {k} {}", case.seed)),
        }
    }
    say("end");
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody is there to be told.
    let _ = writeln!(out, "{}", line.replace('\n', " ")).and_then(|()| out.flush());
}

fn check(
    case: &Case,
    (n, wrong): (usize, u64),
    devices: &[(&str, Device)],
    pools: &[(usize, rayon::ThreadPool)],
) -> Option<String> {
    let bench = |place| Bench {
        place,
        seed: case.seed.wrapping_mul(0x9e37_79b9) ^ n as u64 ^ wrong << 20,
        n,
        rank: case.rank,
        wrong,
        fields: 0,
        outcome: Outcome::default(),
    };
    let done = |run: fn(&mut Bench), place| {
        let mut bench = bench(place);
        run(&mut bench);
        bench.outcome
    };
    let expected: Vec<Outcome> = match case.turns {
        Some(0) => vec![done(case.plain, Place::Plain { run: true })],
        _ => [0, 1]
            .map(|answer| turn::fixed(answer, || done(case.plain, Place::Plain { run: true })))
            .into(),
    };
    // What unwinds too often takes too long.
    if expected[0].failures.contains(&Failure::Panic) && n > LONG {
        return None;
    }
    for version in Version::ALL {
        if version.select() != version {
            continue;
        }
        for (k, (threads, pool)) in pools.iter().enumerate() {
            // Rows this short are not cut otherwise.
            swathe::host::strips::cut_rows_from(if *threads == 1 { 0 } else { 5 });
            let first = k == 0 && version == Version::Baseline;
            if n > LONG && !first && version != Version::best() {
                continue;
            }
            for (name, device) in devices {
                let cuda = *name == "cuda";
                if cuda && (!first || n > LONG) {
                    continue;
                }
                let got = pool.install(|| done(case.kernel, Place::Device(device)));
                let different = match case.turns {
                    Some(0) => compare(&expected[0], &got, !case.atomics),
                    Some(1) => among(&done(case.plain, Place::Plain { run: false }), &expected, &got),
                    _ => None,
                };
                if let Some(text) = different {
                    let set = if cuda { "" } else { version.name() };
                    return Some(format!(
                        "{name} {set} on {threads} threads, {n} elements, {wrong} of 1000 wrong: {text}"
                    ));
                }
            }
        }
    }
    None
}
