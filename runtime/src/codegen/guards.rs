//! What is compared in front of a parallel loop: its step, and the number of its positions.

use swathe_ir::{self as ir, ParFor, Range, Span, Type};

use super::body::{Body, STOPPED};
use super::domain::USIZE;
use super::positions::AXES;
use super::source::SiteKind;
use super::value::{Value, prec};
use crate::kernel::domain::{MOST_POSITIONS, TOO_MANY, TOO_MANY_INCLUSIVE, TOO_MANY_OF_AXES};

pub(super) const MOST: i128 = MOST_POSITIONS as i128;

impl Body<'_> {
    /// Fails if there are too many positions along an axis, or in all.
    pub(super) fn volume_guard(&mut self, extents: &[Value], p: &ParFor) {
        const ALL: i128 = u64::MAX as i128;
        let most = |e: &Value| match e.lit {
            Some(v) => v,
            None => e.narrow.map_or(ALL, |narrow| narrow.most),
        };
        let product = extents.iter().map(most).fold(1, i128::saturating_mul);
        let long = |e: &Value| most(e) > MOST;
        if product <= ALL && !extents.iter().any(long) {
            return;
        }
        let texts: Vec<String> = extents
            .iter()
            .map(|e| Self::exact(e.clone()).at(prec::MUL).into_owned())
            .collect();
        let long = texts.iter().zip(extents).filter(|(_, e)| long(e));
        let mut conditions: Vec<String> = long.map(|(text, _)| format!("{text} > {MOST}ull")).collect();
        if product > ALL {
            let wraps = (1..texts.len()).map(|k| format!("__umul64hi({}, {}) != 0", texts[..k].join(" * "), texts[k]));
            conditions.extend(wraps);
        }
        let mut condition = conditions.join(" || ");
        if texts.len() > 1 {
            // There are none where an axis is empty.
            let some: String = texts.iter().map(|e| format!("{e} != 0 && ")).collect();
            condition = format!("{some}({condition})");
        }
        let kind = SiteKind::TooManyPositions {
            message: TOO_MANY_OF_AXES,
            types: vec![Type::Array(Box::new(USIZE), texts.len())],
        };
        let span = match &p.domain {
            ir::Domain::NdRange(extents) => extents.first().map_or(p.span, |first| first.span),
            _ => p.span,
        };
        self.too_many_guard(&condition, p, kind, &texts, span);
    }

    /// Fails if a range, of which something counts the positions, has too many.
    pub(super) fn range_guard(&mut self, condition: &str, p: &ParFor, range: &Range, [a, b]: [&Value; 2]) {
        let message = match range.inclusive {
            true => TOO_MANY_INCLUSIVE,
            false => TOO_MANY,
        };
        let ends = [a, b].map(|end| Self::exact(end.clone()));
        let kind = SiteKind::TooManyPositions {
            message,
            types: ends.iter().map(|end| end.ty.clone()).collect(),
        };
        let words = ends.map(|end| format!("u64({})", end.text));
        self.too_many_guard(condition, p, kind, &words, range.start.span);
    }

    /// Leaves the loop out; what stands behind it runs, as behind iterations that fail. Of a reduction each block still tells its part, which is that of
    /// no iterations.
    fn too_many_guard(&mut self, condition: &str, p: &ParFor, kind: SiteKind, words: &[String], span: Span) {
        let rank = match &p.domain {
            ir::Domain::NdRange(extents) => extents.len(),
            _ => 1,
        };
        let file = self.instance.func.file_of(span).to_owned();
        let site = self.module.site(kind, &file, span);
        self.module.report_at("too_many_positions", words.len(), 1);
        let words: String = words.iter().map(|word| format!(", {word}")).collect();
        let report = format!("too_many_positions({}, {site}{words});", self.errors);
        if !p.reduces() {
            self.guard(condition, rank, &report, true);
            return;
        }
        let many = self.declare("too_many");
        self.declare_constant("bool", &many, condition);
        self.guard(&many, rank, &report, false);
        self.left_out = Some(many);
    }

    pub(super) fn zero_step_guard(&mut self, step: &Value, range: &Range) {
        let span = range.step.as_ref().map_or(range.start.span, |s| s.span);
        let zero = format!("{} == 0", step.at(prec::RELATION));
        let file = self.instance.func.file_of(span).to_owned();
        let site = self.module.site(SiteKind::ZeroStep, &file, span);
        self.module.report("zero_step");
        let mut report = format!("zero_step({}, {site});", self.errors);
        if self.stops {
            self.module.stops = true;
            self.used.frame = true;
            report = format!("{{ {report} {} = true; }}", self.framed(STOPPED));
        }
        self.guard(&zero, 1, &report, true);
    }

    /// Reports of a loop over so many axes where `condition` holds, which is the same for all threads, and may end the phase.
    fn guard(&mut self, condition: &str, rank: usize, report: &str, ends: bool) {
        self.fails = true;
        // One report for the loop, not one for each thread.
        self.open_if(condition);
        self.depth += 1;
        let axes = AXES.iter().take(rank.max(1));
        axes.clone().for_each(|axis| self.module.thread(*axis));
        let first: Vec<String> = axes.map(|axis| format!("thread_{axis}() == 0")).collect();
        let first = first.join(" && ");
        self.line(format!("if ({first}) {report}"));
        if ends {
            self.jump("return;");
        }
        self.depth -= 1;
        self.close();
    }
}
