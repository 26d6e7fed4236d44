//! One random kernel, run in the interpreter and on every device with the same arguments.

use std::fmt::Write as _;

use swathe::__rt::{Instance, KernelDef, Position, captured, precompile};
use swathe::{Device, Element, Error, Field, FieldLayout, KernelType, bf16, f16};
use swathe_ir::{Scalar, Type};

use crate::interpreter::{self, Arg, Failure, FieldData, Outcome};
use crate::value::Value;

/// What a field starts with.
#[derive(Clone, Copy, Debug)]
pub enum Fill {
    /// Any values, those at the ends of their types among them.
    Any,
    /// Integers from 0 to this, itself excluded: positions.
    Below(u64),
}

/// A kernel's arguments and a launch of it: generated code is a function of these, called once for each device.
pub type Case = fn(&mut Bench);

enum Place {
    /// Runs nothing: its compiler takes most of the time.
    Compiler(Device),
    Interpreter,
    Device(Device),
}

/// What one run of a kernel is called with, and what came of it.
pub struct Bench {
    place: Place,
    seed: u64,
    args: Vec<Arg>,
    /// For each field what it is a part of, and which elements of that: all, if empty.
    wholes: Vec<(Vec<Value>, Vec<usize>)>,
    outcome: Option<Outcome>,
}

impl Bench {
    /// A field, the next parameter of the kernel.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub fn field<T: Element, const D: usize>(&mut self, shape: [usize; D], fill: Fill) -> Field<T, D>
    where
        [usize; D]: Position<D>,
    {
        let (elements, field) = self.filled(shape, fill);
        self.parameter(&shape, Vec::new(), elements, Vec::new());
        field
    }

    /// As [`Bench::field`], where the kernel's positions begin with `origin`.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub fn offset<T: Element, const D: usize>(
        &mut self,
        shape: [usize; D],
        origin: [isize; D],
        fill: Fill,
    ) -> Field<T, D>
    where
        [usize; D]: Position<D>,
    {
        let (elements, field) = self.filled(shape, fill);
        self.parameter(&shape, origin.to_vec(), elements, Vec::new());
        field
    }

    /// A field of which the next parameter is a part of that shape: for each axis the first position, the step, which counts from the end
    /// if it is negative, and how many positions are behind.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub fn part<T: Element, const D: usize>(
        &mut self,
        shape: [usize; D],
        axes: [(usize, isize, usize); D],
        fill: Fill,
    ) -> Field<T, D>
    where
        [usize; D]: Position<D>,
    {
        let mut whole = [0; D];
        let mut taken = vec![0];
        for (k, (first, step, behind)) in axes.into_iter().enumerate() {
            let length = shape[k].saturating_sub(1) * step.unsigned_abs() + usize::from(shape[k] > 0);
            whole[k] = first + length + behind;
            let at = |i: usize| match step > 0 {
                true => first + i * step.unsigned_abs(),
                false => first + length - 1 - i * step.unsigned_abs(),
            };
            taken = taken
                .iter()
                .flat_map(|flat| (0..shape[k]).map(move |i| flat * whole[k] + at(i)))
                .collect();
        }
        let (elements, field) = self.filled(whole, fill);
        self.parameter(&shape, Vec::new(), elements, taken);
        field
    }

    fn parameter(&mut self, shape: &[usize], origin: Vec<isize>, whole: Vec<Value>, taken: Vec<usize>) {
        let is_part = shape.iter().product::<usize>() != whole.len() || !taken.is_empty();
        self.args.push(Arg::Field(FieldData {
            shape: shape.to_vec(),
            elements: match is_part {
                true => taken.iter().map(|&k| whole[k].clone()).collect(),
                false => whole.clone(),
            },
            origin,
        }));
        self.wholes
            .push(if is_part { (whole, taken) } else { Default::default() });
    }

    /// Random elements, and a field of them.
    fn filled<T: Element, const D: usize>(&mut self, shape: [usize; D], fill: Fill) -> (Vec<Value>, Field<T, D>)
    where
        [usize; D]: Position<D>,
    {
        let count = shape.iter().product();
        let mut random = Random(self.seed ^ (self.args.len() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let ty = T::ty();
        let mut elements = Vec::with_capacity(count);
        let values: Vec<T> = (0..count)
            .map(|_| {
                let mut bytes = vec![0; size_of::<T>()];
                random.fill(&ty, fill, &mut bytes);
                elements.push(Value::from_bytes(&ty, &bytes));
                // SAFETY: as many bytes as the type has; each scalar is one of its type, and the rest is padding.
                unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
            })
            .collect();
        let device = match &self.place {
            Place::Interpreter | Place::Compiler(_) => Device::cpu(),
            Place::Device(device) => device.clone(),
        };
        let mut next = values.into_iter();
        let field = Field::from_fn(&device, shape, |_| next.next().expect("one for each position"));
        (elements, field.expect("memory"))
    }

    /// Any other argument, the next parameter of the kernel.
    pub fn value<T: KernelType>(&mut self, value: T) -> T {
        self.args.push(Arg::Value(read(&value)));
        value
    }

    /// Runs the kernel.
    pub fn run<K: KernelDef, R: KernelType>(&mut self, launch: impl FnOnce() -> swathe::Result<R>) {
        self.outcome = Some(match &self.place {
            Place::Compiler(device) => {
                // What it says is said again at the launch.
                let _ = precompile::<K>(device);
                return;
            }
            Place::Interpreter => self.interpret(K::load()),
            Place::Device(device) => {
                let mut result = None;
                let printed = captured(|| {
                    let value = launch();
                    // What it printed is written by the next call that waits.
                    let ended = device.synchronize();
                    result = Some(value.and_then(|value| ended.map(|()| value)));
                });
                let result = result.expect("it ran");
                Outcome {
                    result: match result {
                        Ok(value) => Ok(read(&value)),
                        Err(error) => Err(failure(error)),
                    },
                    failures: Vec::new(),
                    fields: Vec::new(),
                    printed: printed.into_iter().map(|(_, text)| text).collect(),
                    steps: 0,
                }
            }
        });
    }

    fn interpret(&self, instance: Instance) -> Outcome {
        let mut outcome = interpreter::run(instance, self.args.clone());
        for (elements, (whole, taken)) in outcome.fields.iter_mut().zip(&self.wholes) {
            if whole.is_empty() {
                continue;
            }
            let mut all = whole.clone();
            for (element, &k) in elements.drain(..).zip(taken) {
                all[k] = element;
            }
            *elements = all;
        }
        outcome
    }

    /// Keeps what a field holds after the run, in the order of the parameters.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn keep<T: Element, const D: usize, L: FieldLayout>(&mut self, field: &Field<T, D, L>) {
        let Place::Device(_) = &self.place else { return };
        let values = field.to_vec().expect("the elements").iter().map(read).collect();
        if let Some(outcome) = &mut self.outcome {
            outcome.fields.push(values);
        }
    }
}

fn read<T: KernelType>(value: &T) -> Value {
    let (size, _) = T::device_layout();
    let mut bytes = vec![0; size];
    // SAFETY: the buffer has the size of the layout.
    unsafe { value.pack(bytes.as_mut_ptr()) };
    match T::ty() {
        Type::Tuple(types) => {
            // Laid out as C does.
            let mut at = 0_usize;
            let parts = types.iter().map(|ty| {
                at = at.next_multiple_of(ty.align());
                let part = Value::from_bytes(ty, &bytes[at..]);
                at += ty.size();
                part
            });
            Value::Tuple(parts.collect())
        }
        ty => Value::from_bytes(&ty, &bytes),
    }
}

/// # Panics
/// On any other error than those of kernels: a random kernel makes no other.
fn failure(error: Error) -> Failure {
    match error {
        Error::OutOfBounds {
            file,
            line,
            column,
            field,
            index,
            shape,
            count,
            ..
        } => Failure {
            file: file.to_owned(),
            line,
            column,
            field: field.to_owned(),
            index: index.into(),
            shape: shape.into(),
            count,
        },
        Error::OffsetOutOfBounds {
            file,
            line,
            column,
            field,
            index,
            ranges,
            count,
            ..
        } => Failure {
            file: file.to_owned(),
            line,
            column,
            field: field.to_owned(),
            index: index
                .iter()
                .zip(&ranges)
                .map(|(i, r)| i.wrapping_sub(r.start).cast_unsigned())
                .collect(),
            shape: ranges
                .iter()
                .map(|r| r.end.wrapping_sub(r.start).cast_unsigned())
                .collect(),
            count,
        },
        Error::KernelFailure {
            file,
            line,
            column,
            message,
            count,
            ..
        } => Failure {
            file: file.to_owned(),
            line,
            column,
            field: message,
            index: Vec::new(),
            shape: Vec::new(),
            count,
        },
        other => Failure {
            file: format!("{other}"),
            line: 0,
            column: 0,
            field: String::new(),
            index: Vec::new(),
            shape: Vec::new(),
            count: 0,
        },
    }
}

fn once(case: Case, seed: u64, place: Place) -> Option<Outcome> {
    let mut bench = Bench {
        place,
        seed,
        args: Vec::new(),
        wholes: Vec::new(),
        outcome: None,
    };
    case(&mut bench);
    bench.outcome
}

/// Compiles a kernel for a device, as several threads may do at once. Launches may not: what fails in one is reported to
/// whoever waits for the device next.
pub fn compile(case: Case, device: &Device) {
    once(case, 0, Place::Compiler(device.clone()));
}

/// How the outcomes of one kernel agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// It runs, with the same bits.
    Runs,
    /// It fails with the same error, and the same bits.
    Fails,
    /// It fails, and a function or division that failed ended the iterations beside its own, too, where they run in lanes: one of the
    /// failures is told.
    FailsInLanes,
}

/// Runs a kernel everywhere and says how the outcomes agree, or differ.
///
/// # Errors
/// The first difference from the interpreter.
pub fn compare(case: Case, seed: u64, cuda: Option<&Device>) -> Result<Agreement, String> {
    let once = |place| once(case, seed, place).expect("the case runs its kernel");
    let expected = once(Place::Interpreter);
    let mut agreement = match expected.result {
        Ok(_) => Agreement::Runs,
        Err(_) => Agreement::Fails,
    };
    for threads in [1, 2, 7] {
        // Fields this small never go past the caches otherwise, and their rows are not cut.
        swathe::host::strips::cut_rows_from(if threads == 1 { 0 } else { 5 });
        swathe::host::cache::set_stream_from(if threads == 1 { usize::MAX } else { 1 });
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let got = pool.install(|| once(Place::Device(Device::cpu())));
        if let Some(what) = differ(&expected, &got) {
            if !one_of(&expected, &got) {
                return Err(format!("CPU, {threads} threads: {what}"));
            }
            agreement = Agreement::FailsInLanes;
        }
    }
    if let Some(device) = cuda {
        let got = once(Place::Device(device.clone()));
        if let Some(what) = differ(&expected, &got) {
            return Err(format!("{device}: {what}"));
        }
    }
    Ok(agreement)
}

/// Whether a run reports some of the failures, one that ends the iterations beside its own among them.
fn one_of(expected: &Outcome, got: &Outcome) -> bool {
    let (Err(all), Err(told)) = (&expected.result, &got.result) else {
        return false;
    };
    let count = 1;
    expected.failures.iter().any(|failure| failure.index.is_empty())
        && expected.failures.contains(&Failure { count, ..told.clone() })
        && (1..=all.count).contains(&told.count)
}

fn differ(expected: &Outcome, got: &Outcome) -> Option<String> {
    let mut text = String::new();
    match (&expected.result, &got.result) {
        (Ok(a), Ok(b)) if a.same(b) => {}
        (Err(a), Err(b)) if a == b => {}
        (a, b) => {
            let _ = write!(text, "the result is {b:?}, the interpreter's {a:?}; ");
        }
    }
    for (k, (a, b)) in expected.fields.iter().zip(&got.fields).enumerate() {
        let different: Vec<usize> = (0..a.len()).filter(|&i| !a[i].same(&b[i])).collect();
        if let Some(&i) = different.first() {
            let _ = write!(
                text,
                "{} of {} elements of field {k} differ, element {i} is {:?}, the interpreter's {:?}; ",
                different.len(),
                a.len(),
                b[i],
                a[i]
            );
        }
    }
    let sorted = |outcome: &Outcome| {
        let mut printed = outcome.printed.clone();
        printed.sort();
        printed
    };
    // A device has room for so much, and says how much it had no room for.
    let is_lost = |text: &String| text.starts_with("swathe: ");
    let lost = got.printed.iter().any(is_lost);
    let (wanted, printed) = (sorted(expected), sorted(got));
    let mut rest = wanted.iter();
    let part = printed
        .iter()
        .filter(|text| !is_lost(text))
        .all(|text| rest.any(|other| other == text));
    if !part || (!lost && wanted != printed) {
        let _ = write!(
            text,
            "{:?} is printed, by the interpreter {:?}; ",
            got.printed, expected.printed
        );
    }
    (!text.is_empty()).then_some(text)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn fill(&mut self, ty: &Type, fill: Fill, to: &mut [u8]) {
        match ty {
            Type::Scalar(s) => {
                let word = self.scalar(*s, fill);
                to[..s.size()].copy_from_slice(&word.to_le_bytes()[..s.size()]);
            }
            Type::Vector(s, n) => (0..*n).for_each(|k| self.fill(&Type::Scalar(*s), fill, &mut to[k * s.size()..])),
            Type::Array(t, n) => (0..*n).for_each(|k| self.fill(t, fill, &mut to[k * t.size()..])),
            Type::Struct(s) => s
                .members
                .iter()
                .for_each(|m| self.fill(&m.ty, fill, &mut to[m.offset..])),
            other => panic!("no element: `{other}`"),
        }
    }

    fn scalar(&mut self, s: Scalar, fill: Fill) -> u64 {
        let word = self.next();
        let kind = self.next() % 8;
        match (s, fill) {
            (Scalar::Bool, _) => word & 1,
            (Scalar::F32, _) => u64::from(match kind {
                0 => f32::MAX.to_bits(),
                1 => (-0.0_f32).to_bits(),
                _ => ((word % 4001) as f32 * 0.25 - 500.0).to_bits(),
            }),
            (Scalar::F64, _) => match kind {
                0 => 1e300_f64.to_bits(),
                1 => (-0.0_f64).to_bits(),
                _ => ((word % 4001) as f64 * 0.25 - 500.0).to_bits(),
            },
            (Scalar::F16 | Scalar::Bf16, _) => {
                let x = (word % 401) as f32 * 0.25 - 50.0;
                u64::from(match (s, kind) {
                    (Scalar::F16, 0) => f16::MAX.to_bits(),
                    (Scalar::F16, 1) => f16::NEG_ZERO.to_bits(),
                    (Scalar::F16, _) => f16::from_f32(x).to_bits(),
                    (_, 0) => bf16::MAX.to_bits(),
                    _ => bf16::from_f32(x).to_bits(),
                })
            }
            (_, Fill::Below(n)) => word % n.max(1),
            _ => match kind {
                0 => 1 << (8 * s.size() - 1),
                1 => (1 << (8 * s.size() - 1)) - 1,
                2 => u64::MAX,
                3 => word,
                _ => (word % 201).wrapping_sub(100),
            },
        }
    }
}
