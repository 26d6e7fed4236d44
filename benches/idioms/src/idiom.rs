//! What an idiom is: its arrays, the forms that people write, and the same by hand.

use swathe::{Plan, Result};

use crate::Failure;
use crate::data::{Arrays, Size, compare};
use crate::measure::{self, Times};
use crate::options::Options;

/// One thing that kernels do.
pub struct Idiom<A> {
    name: &'static str,
    make: fn(Size) -> Result<A>,
    forms: Vec<Form<A>>,
    /// The best that an expert writes with rayon.
    by_hand: Box<dyn Fn(&mut A) -> f64>,
    /// What results may differ by, of the largest number.
    tolerance: f64,
}

/// One way to write it.
struct Form<A> {
    name: &'static str,
    /// Of a kernel.
    plan: Option<fn() -> Plan>,
    run: Box<dyn Fn(&mut A) -> Result<f64>>,
}

/// What a kernel returns.
pub trait Outcome {
    fn number(self) -> f64;
}

impl Outcome for () {
    fn number(self) -> f64 {
        0.0
    }
}

macro_rules! outcomes {
    ($($scalar:ty),*) => {$(
        impl Outcome for $scalar {
            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}

outcomes!(f32, f64, u32, i32, u64, usize);

/// Numbers are weighted, so that two that are swapped show.
impl<A: Outcome, B: Outcome> Outcome for (A, B) {
    fn number(self) -> f64 {
        self.0.number() + 3.0 * self.1.number()
    }
}

impl<A: Outcome, B: Outcome, C: Outcome> Outcome for (A, B, C) {
    fn number(self) -> f64 {
        self.0.number() + 3.0 * self.1.number() + 7.0 * self.2.number()
    }
}

/// An idiom without forms.
pub fn idiom<A: Arrays + 'static, R: Outcome + 'static>(
    name: &'static str,
    make: fn(Size) -> Result<A>,
    by_hand: fn(&mut A) -> R,
) -> Idiom<A> {
    Idiom {
        name,
        make,
        forms: Vec::new(),
        by_hand: Box::new(move |arrays| by_hand(arrays).number()),
        tolerance: 1e-5,
    }
}

impl<A: Arrays + 'static> Idiom<A> {
    pub fn form<R: Outcome + 'static>(
        mut self,
        name: &'static str,
        plan: fn() -> Plan,
        run: fn(&mut A) -> Result<R>,
    ) -> Self {
        let run = Box::new(move |arrays: &mut A| Ok(run(arrays)?.number()));
        self.forms.push(Form {
            name,
            plan: Some(plan),
            run,
        });
        self
    }

    /// As an expression over fields.
    pub fn expression<R: Outcome + 'static>(mut self, run: fn(&mut A) -> Result<R>) -> Self {
        self.forms.push(Form {
            name: "expression",
            plan: None,
            run: Box::new(move |arrays: &mut A| Ok(run(arrays)?.number())),
        });
        self
    }

    pub fn tolerance(self, tolerance: f64) -> Self {
        Idiom { tolerance, ..self }
    }

    pub fn done(self) -> Box<dyn Measured> {
        Box::new(self)
    }

    /// Compares all forms with what is written by hand.
    fn check(&self, arrays: &mut A) -> std::result::Result<(), Failure> {
        for form in &self.forms {
            for array in arrays.each() {
                array.reset()?;
            }
            let expected = (self.by_hand)(arrays);
            let got = (form.run)(arrays)?;
            let mut pairs = vec![compare(&[got], &[expected])];
            for array in arrays.each() {
                pairs.push(array.compare()?);
            }
            if let Some(at) = pairs.iter().position(|[off, largest]| *off > self.tolerance * largest) {
                return Err(Failure::Wrong {
                    idiom: self.name,
                    form: form.name,
                    what: format!("result {at} is off by {:e}, of {:e}", pairs[at][0], pairs[at][1]),
                });
            }
        }
        Ok(())
    }
}

/// An [`Idiom`] of any arrays.
pub trait Measured {
    fn name(&self) -> &'static str;

    /// With the plans of those that are kernels.
    fn forms(&self) -> Vec<(&'static str, Option<Plan>)>;

    /// # Errors
    /// Of kernels, and [`Failure::Wrong`].
    fn measure(&self, options: &Options) -> std::result::Result<Times, Failure>;
}

impl<A: Arrays + 'static> Measured for Idiom<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn forms(&self) -> Vec<(&'static str, Option<Plan>)> {
        let plans = self.forms.iter().map(|form| (form.name, form.plan.map(|plan| plan())));
        plans.collect()
    }

    fn measure(&self, options: &Options) -> std::result::Result<Times, Failure> {
        let mut arrays = (self.make)(options.size())?;
        self.check(&mut arrays)?;
        let elements = arrays.each().iter().map(|array| array.len()).max().unwrap_or(1);
        let mut runs: Vec<Box<dyn Fn(&mut A) -> Result<f64> + '_>> = Vec::new();
        for form in &self.forms {
            runs.push(Box::new(|arrays| (form.run)(arrays)));
        }
        runs.push(Box::new(|arrays| Ok((self.by_hand)(arrays))));
        measure::turns(&mut arrays, &runs, elements, options)
    }
}
