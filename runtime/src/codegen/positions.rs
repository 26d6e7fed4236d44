//! The positions of a parallel loop over several axes, and the loops of the text that run through them.

use swathe_ir::LocalId;

use super::body::Body;
use super::interval::Interval;
use super::source::{Domain, Length};
use super::text::{Kind, Line};
use super::value::{Value, prec};
use super::variant::IndexWidth;

/// A loop over all positions of a shape.
#[derive(Debug)]
pub(super) struct Positions {
    /// Name of the position in elements from the first one.
    pub flat: String,
    /// Variables of the user and names, the slowest axis first.
    pub axes: Vec<(Option<LocalId>, String)>,
    /// The variable that holds all of a position, if there is one.
    pub whole: Option<LocalId>,
    pub extents: Vec<Value>,
    /// It runs over a field, whose elements are so few that they are counted in what holds its extents.
    pub field: bool,
    /// What the host knows of the extents.
    pub lengths: Vec<Length>,
    /// The host does not launch it where it knows an axis to be empty.
    pub skipped: bool,
}

/// The heads of the loops, outermost first, what starts the body of the innermost, and the domain of the grid.
pub(super) type Heads = (Vec<String>, Vec<Line>, Domain);

pub(super) const AXES: [char; 3] = ['x', 'y', 'z'];

impl Positions {
    /// The loops, once the body is written and tells which axes it uses. The last axes of the shape are those of the
    /// grid, so that finding a position takes no division.
    pub(super) fn heads(&self, body: &mut Body<'_>, t: &str, elements: Length) -> Heads {
        let is_used = |var: Option<LocalId>| var.or(self.whole).is_some_and(|l| body.used_axes.contains(&l));
        if !self.axes.iter().any(|(var, _)| is_used(*var)) {
            let count = Count::of(&self.extents, self.field, t);
            let head = body.head('x', count.ty, &self.flat, &count.text);
            return (vec![head], Vec::new(), Domain::line(elements));
        }
        let rank = self.axes.len();
        let mut lines = Vec::new();
        let mut heads = Vec::new();
        let mut lengths = [Length::One; 3];
        let counters: Vec<String> = self
            .axes
            .iter()
            .map(|(var, name)| {
                if var.is_some_and(|v| body.instance.func.locals[v.0 as usize].mutable) {
                    let counter = body.declare(&format!("{name}_counter"));
                    let text = format!("usize {name} = {counter};");
                    lines.push(Line::new(0, text, Kind::Declaration));
                    counter
                } else {
                    name.clone()
                }
            })
            .collect();
        // More leading axes than the grid has are counted together.
        let folded = rank.saturating_sub(AXES.len() - 1);
        if folded > 1 {
            let count = Count::of(&self.extents[..folded], self.field, t);
            let leading = body.declare("leading");
            let end = self.end(body, &count.text, folded);
            heads.push(body.head('z', count.ty, &leading, &end));
            lengths[2] = match self.lengths.first() {
                Some(Length::Extent(param, _)) if self.field => Length::Leading(*param, folded),
                _ => Length::Device,
            };
            let mut rest = leading;
            let mut decode = Vec::new();
            for axis in (0..folded).rev() {
                let extent = self.extents[axis].at(prec::MUL + 1);
                if axis == 0 {
                    decode.push(Line::constant(0, t, &counters[axis], &rest));
                } else {
                    let position = format!("{rest} % {extent}");
                    decode.push(Line::constant(0, t, &counters[axis], &position));
                    rest = format!("{rest} / {extent}");
                }
            }
            lines.splice(0..0, decode);
        }
        let first = if folded > 1 { folded } else { 0 };
        for (axis, counter) in counters.iter().enumerate().take(rank).skip(first) {
            let direction = rank - 1 - axis;
            lengths[direction] = self.lengths.get(axis).copied().unwrap_or(Length::Device);
            let end = self.extents[axis].at(prec::RELATION + 1);
            let end = match heads.is_empty() {
                true => self.end(body, &end, 1),
                false => end.into_owned(),
            };
            heads.push(body.head(AXES[direction], t, counter, &end));
        }
        if body.flat_used {
            // The number of positions may be more than an extent is.
            let count = Count::of(&self.extents, self.field, t);
            let mut flat = match count.ty == t {
                true => counters[0].clone(),
                false => format!("{}({})", count.ty, counters[0]),
            };
            for (axis, counter) in counters.iter().enumerate().skip(1) {
                let head = if axis > 1 { format!("({flat})") } else { flat };
                flat = format!("{head} * {} + {counter}", self.extents[axis].at(prec::MUL + 1));
            }
            lines.push(Line::constant(0, count.ty, &self.flat, &flat));
        }
        (heads, lines, Domain { lengths })
    }
}

impl Positions {
    /// The end of the outermost loop, over so many axes: it has no rounds where a loop inside of it has none, however many they would be.
    fn end(&self, body: &Body<'_>, count: &str, axes: usize) -> String {
        let (outer, last) = self.extents.split_at(self.extents.len() - 1);
        let narrow = body.module.variant.index == IndexWidth::Bits32;
        let few = outer.len() < 2 && narrow && outer.iter().all(|e| e.narrow_operand().is_some());
        let known = self.skipped && self.lengths.get(axes..).is_some_and(|of| !of.contains(&Length::Device));
        if few || known {
            return count.to_owned();
        }
        let inner = outer.iter().skip(axes).chain(last);
        let some: String = inner
            .filter(|e| e.lit.is_none_or(|v| v == 0))
            .map(|e| format!(" && {} != 0", Body::exact(e.clone()).at(prec::EQUALITY)))
            .collect();
        count.to_owned() + &some
    }
}

/// A product of extents.
struct Count<'t> {
    ty: &'t str,
    text: String,
}

impl<'t> Count<'t> {
    fn of(extents: &[Value], field: bool, t: &'t str) -> Count<'t> {
        let bounds = extents.iter().map(Value::narrow_operand).collect::<Option<Vec<_>>>();
        let product = bounds.map(|all| all.into_iter().fold(Interval::point(1), Interval::product));
        let fits = field || product.is_some_and(|product| product.most <= Interval::EXTENT.most);
        let factors = extents.iter().enumerate().map(|(k, e)| match (k, fits) {
            (0, false) if extents.len() > 1 => Body::exact(e.clone()).at(prec::MUL).into_owned(),
            _ => e.at(prec::MUL + 1).into_owned(),
        });
        let text = factors.collect::<Vec<_>>().join(" * ");
        Count {
            ty: if fits { t } else { "usize" },
            text: if extents.is_empty() { "1".to_owned() } else { text },
        }
    }
}
