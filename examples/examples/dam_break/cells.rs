//! Points sorted by the cells of a grid, so that all that is near a place lies in three rows of cells: a counting sort.

use swathe::Argument;
use swathe::prelude::*;

/// A grid over the rectangle from the origin on. Points beyond it are in the cells of its rim.
#[derive(Element, Clone, Copy, Debug)]
pub struct Grid {
    /// The sides of a cell.
    pub cell: Vec2,
    pub columns: u32,
    pub rows: u32,
}

#[func]
impl Grid {
    /// Row and column of the cell that a point is in.
    pub fn place(self, at: Vec2) -> [usize; 2] {
        // The cast makes 0 of what is negative.
        let [column, row] = (at / self.cell).as_usize();
        [row.min(self.rows as usize - 1), column.min(self.columns as usize - 1)]
    }

    /// The number of that cell, row by row.
    pub fn number(self, at: Vec2) -> usize {
        let [row, column] = self.place(at);
        row * self.columns as usize + column
    }
}

/// How many points each cell has.
#[kernel]
pub fn count(points: &Field<Vec2>, grid: Grid, counts: &mut Field<u32>) {
    for c in counts.indices() {
        counts[c] = 0;
    }
    for i in points.indices() {
        counts[grid.number(points[i])].atomic_add(1);
    }
}

/// The numbers of the points, cell by cell, and in each cell in their order. The points of cell `c` begin at `start[c]`.
#[kernel]
pub fn sort(
    points: &Field<Vec2>,
    grid: Grid,
    start: &Field<u32>,
    next: &mut Field<u32>,
    list: &mut Field<u32>,
    order: &mut Field<u32>,
) {
    for c in next.indices() {
        next[c] = start[c];
    }
    for i in points.indices() {
        let at = next[grid.number(points[i])].atomic_add(1);
        list[at as usize].atomic_store(i as u32);
    }
    // Threads came to a cell in any order. A point's place is the number of those before it, whoever came first.
    for i in points.indices() {
        let c = grid.number(points[i]);
        let mut at = start[c];
        for k in start[c] as usize..start[c + 1] as usize {
            at += (list[k] < i as u32) as u32;
        }
        order[at as usize].atomic_store(i as u32);
    }
}

/// What sorting needs, and what comes of it.
pub struct Cells {
    pub grid: Grid,
    /// Where the points of each cell begin in [`order`](Cells::order), and behind the last cell their number.
    pub start: Field<u32>,
    /// The numbers of the points, cell by cell.
    pub order: Field<u32>,
    counts: Field<u32>,
    next: Field<u32>,
    list: Field<u32>,
}

impl Cells {
    /// For so many points in a rectangle. Points that are no farther apart than `reach` are in cells that touch.
    pub fn new(device: &Device, points: usize, rectangle: Vec2, reach: f32) -> swathe::Result<Cells> {
        let [columns, rows] = rectangle.to_array().map(|side| ((side / reach) as u32).max(1));
        let cells = columns as usize * rows as usize;
        Ok(Cells {
            grid: Grid {
                cell: rectangle / Vec2::new(columns as f32, rows as f32),
                columns,
                rows,
            },
            start: Field::zeros(device, cells + 1)?,
            order: Field::zeros(device, points)?,
            counts: Field::zeros(device, cells + 1)?,
            next: Field::zeros(device, cells + 1)?,
            list: Field::zeros(device, points)?,
        })
    }

    /// Sorts the points anew.
    pub fn sort(&mut self, points: &impl Argument<Field<Vec2>>) -> swathe::Result<()> {
        count(points, self.grid, &mut self.counts)?;
        self.start = self.counts.cumsum_exclusive()?;
        sort(
            points,
            self.grid,
            &self.start,
            &mut self.next,
            &mut self.list,
            &mut self.order,
        )
    }
}
