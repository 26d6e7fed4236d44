//! Costs by number of elements, as a picture.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::{Failure, report};

/// The costs of one workload with one number of threads.
#[derive(Clone, Debug)]
pub struct Line {
    pub workload: &'static str,
    pub threads: usize,
    /// Number of elements, and nanoseconds for each.
    pub points: Vec<(usize, f64)>,
}

impl Line {
    pub fn new(workload: &'static str, threads: usize) -> Line {
        Line {
            workload,
            threads,
            points: Vec::new(),
        }
    }
}

const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (360, 260);

/// Draws a panel for each workload, both axes logarithmic, the darker the more threads.
///
/// # Errors
/// [`Failure::Plot`].
pub fn write(file: &Path, lines: &[Line]) -> Result<(), Failure> {
    draw(file, lines).map_err(|e| Failure::Plot(file.display().to_string(), e.to_string()))
}

fn draw(file: &Path, lines: &[Line]) -> Result<(), Box<dyn Error>> {
    let panels: Vec<&[Line]> = lines.chunk_by(|a, b| a.workload == b.workload).collect();
    let rows = panels.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * COLUMNS as u32, PANEL.1 * rows as u32);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, lines) in root.split_evenly((rows, COLUMNS)).iter().zip(panels) {
        let points = || lines.iter().flat_map(|line| &line.points);
        let least = points().map(|(_, ns)| *ns).fold(f64::INFINITY, f64::min);
        let most = points().map(|(_, ns)| *ns).fold(0.0, f64::max);
        let first = points().map(|(n, _)| *n).min().unwrap_or(1) as f64;
        let last = points().map(|(n, _)| *n).max().unwrap_or(1) as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(format!("{}, ns per element", lines[0].workload), ("sans-serif", 15))
            .margin(8)
            .margin_right(24)
            .x_label_area_size(24)
            .y_label_area_size(48)
            .build_cartesian_2d(
                (first..last).log_scale().base(2.0),
                (least * 0.7..most * 1.4).log_scale(),
            )?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|n| format!("2^{:.0}", n.log2()))
            .y_label_formatter(&|ns| format!("{}", report::rounded(*ns)))
            .draw()?;
        for (k, line) in lines.iter().enumerate() {
            let shade = 0.35 + 0.65 * (k + 1) as f64 / lines.len() as f64;
            let style = RGBColor(20, 70, 160).mix(shade).stroke_width(2);
            let unit = if line.threads == 1 { "thread" } else { "threads" };
            chart
                .draw_series(LineSeries::new(
                    line.points.iter().map(|(n, ns)| (*n as f64, *ns)),
                    style,
                ))?
                .label(format!("{} {unit}", line.threads))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .border_style(TRANSPARENT)
            .draw()?;
    }
    root.present()?;
    Ok(())
}
