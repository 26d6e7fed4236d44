//! Sparse matrices, lists of neighbours, trees.

use swathe::prelude::*;

use crate::data::{Size, Twin, hash, input, output, random, state, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::sparse_by_hand::{csr_product, depths, edge_sums, ell_product, forces, tree_sums};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("CSR matrix times vector", csr, csr_product)
            .form("local variable", csr_local::plan, |(s, c, a, x, y)| {
                csr_local(&s.field, &c.field, &a.field, &x.field, &mut y.field)
            })
            .form("`+=` on the element", csr_add::plan, |(s, c, a, x, y)| {
                csr_add(&s.field, &c.field, &a.field, &x.field, &mut y.field)
            })
            .form("bounds first", csr_bounds::plan, |(s, c, a, x, y)| {
                csr_bounds(&s.field, &c.field, &a.field, &x.field, &mut y.field)
            })
            .form("`while`", csr_while::plan, |(s, c, a, x, y)| {
                csr_while(&s.field, &c.field, &a.field, &x.field, &mut y.field)
            })
            .done(),
        idiom("ELL matrix times vector", ell, ell_product)
            .form("zeros stored", ell_zeros::plan, |(c, a, x, y)| {
                ell_zeros(&c.field, &a.field, &x.field, &mut y.field)
            })
            .form("`if`", ell_if::plan, |(c, a, x, y)| {
                ell_if(&c.field, &a.field, &x.field, &mut y.field)
            })
            .done(),
        idiom("neighbour lists, forces", neighbours, forces)
            .form("counts and a table", forces_table::plan, |(n, l, p, f)| {
                forces_table(&n.field, &l.field, &p.field, &mut f.field)
            })
            .form("local variables", forces_local::plan, |(n, l, p, f)| {
                forces_local(&n.field, &l.field, &p.field, &mut f.field)
            })
            .form("`continue`", forces_continue::plan, |(n, l, p, f)| {
                forces_continue(&n.field, &l.field, &p.field, &mut f.field)
            })
            .done(),
        idiom("mesh edges, adding to nodes", edges, edge_sums)
            .form("atomics on both ends", edges_atomic::plan, |(e, x, y)| {
                edges_atomic(&e.field, &x.field, &mut y.field)
            })
            .form("array of two", edges_array::plan, |(e, x, y)| {
                edges_array(&e.field, &x.field, &mut y.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("tree, sums by levels", tree, tree_sums)
            .form("a kernel for each level", tree_level::plan, |(t,)| {
                let mut width = t.field.len() / 2;
                while width >= 1 {
                    tree_level(&mut t.field, width)?;
                    width /= 2;
                }
                Ok(())
            })
            .form("with the level's number", tree_number::plan, |(t,)| {
                for level in (0..t.field.len().ilog2()).rev() {
                    tree_number(&mut t.field, level)?;
                }
                Ok(())
            })
            .done(),
        idiom("tree, parents before children", parents, depths)
            .form("loop to the root", depth_while::plan, |(p, d)| {
                depth_while(&p.field, &mut d.field)
            })
            .form("`loop` and `break`", depth_loop::plan, |(p, d)| {
                depth_loop(&p.field, &mut d.field)
            })
            .done(),
    ]
}

pub type Csr = (Twin<u32>, Twin<u32>, Twin<f32>, Twin<f32>, Twin<f32>);
pub type Ell = (Twin<u32, 2>, Twin<f32, 2>, Twin<f32>, Twin<f32>);
pub type Lists = (Twin<u32>, Twin<u32, 2>, Twin<Vec3>, Twin<Vec3>);
pub type Edges = (Twin<[u32; 2]>, Twin<f32>, Twin<f32>);

/// A column near the diagonal, for the element `k` of a row.
fn column(row: usize, k: usize, n: usize) -> u32 {
    ((row + n + hash(16 * row + k) as usize % 512 - 256) % n) as u32
}

fn csr(size: Size) -> swathe::Result<Csr> {
    let n = size.of(1 << 15, 1 << 20) + 3;
    let (mut starts, mut columns) = (vec![0], Vec::new());
    for row in 0..n {
        columns.extend((0..1 + hash(row) as usize % 15).map(|k| column(row, k, n)));
        starts.push(columns.len() as u32);
    }
    Ok((
        input([n + 1], |i| starts[i])?,
        input([columns.len()], |k| columns[k])?,
        input([columns.len()], |k| random(k) - 0.5)?,
        input([n], weyl)?,
        output([n])?,
    ))
}

fn ell(size: Size) -> swathe::Result<Ell> {
    let n = size.of(1 << 15, 1 << 20) + 3;
    let value = |e: usize| {
        if e % 8 < 1 + hash(e / 8) as usize % 8 {
            0.5 - random(e)
        } else {
            0.0
        }
    };
    Ok((
        input([n, 8], |e| column(e / 8, e % 8, n))?,
        input([n, 8], value)?,
        input([n], weyl)?,
        output([n])?,
    ))
}

fn neighbours(size: Size) -> swathe::Result<Lists> {
    let n = size.of(1 << 13, 1 << 18);
    Ok((
        input([n], |p| 8 + hash(p) % 24)?,
        input([n, 32], |e| column(e / 32, e, n))?,
        input([n], |p| Vec3::new(random(3 * p), random(3 * p + 1), random(3 * p + 2)))?,
        output([n])?,
    ))
}

fn edges(size: Size) -> swathe::Result<Edges> {
    let n = size.n();
    let nodes = n / 3;
    Ok((
        input([n], |e| {
            [(e / 3) as u32 % nodes as u32, column(e / 3 % nodes, e, nodes)]
        })?,
        input([nodes], weyl)?,
        output([nodes])?,
    ))
}

fn tree(size: Size) -> swathe::Result<(Twin<f32>,)> {
    Ok((state([size.of(1 << 18, 1 << 24)], weyl)?,))
}

fn parents(size: Size) -> swathe::Result<(Twin<u32>, Twin<u32>)> {
    let n = size.of(1 << 16, 1 << 22);
    Ok((
        input([n], |i| if i == 0 { 0 } else { hash(i) % i as u32 })?,
        output([n])?,
    ))
}

#[kernel]
fn csr_local(starts: &Field<u32>, columns: &Field<u32>, a: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for row in y.indices() {
        let mut sum = 0.0;
        for k in starts[row]..starts[row + 1] {
            sum += a[k as usize] * x[columns[k as usize] as usize];
        }
        y[row] = sum;
    }
}

#[kernel]
fn csr_add(starts: &Field<u32>, columns: &Field<u32>, a: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for row in y.indices() {
        y[row] = 0.0;
        for k in starts[row] as usize..starts[row + 1] as usize {
            y[row] += a[k] * x[columns[k] as usize];
        }
    }
}

#[kernel]
fn csr_bounds(starts: &Field<u32>, columns: &Field<u32>, a: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    let n = starts.len() - 1;
    for row in 0..n {
        let begin = starts[row] as usize;
        let end = starts[row + 1] as usize;
        let mut sum = 0.0;
        for k in begin..end {
            let column = columns[k] as usize;
            sum += a[k] * x[column];
        }
        y[row] = sum;
    }
}

#[kernel]
fn csr_while(starts: &Field<u32>, columns: &Field<u32>, a: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for row in y.indices() {
        let mut sum = 0.0;
        let mut k = starts[row] as usize;
        let end = starts[row + 1] as usize;
        while k < end {
            sum += a[k] * x[columns[k] as usize];
            k += 1;
        }
        y[row] = sum;
    }
}

#[kernel]
fn ell_zeros(columns: &Field<u32, 2>, a: &Field<f32, 2>, x: &Field<f32>, y: &mut Field<f32>) {
    let width = a.shape()[1];
    for row in y.indices() {
        let mut sum = 0.0;
        for k in 0..width {
            sum += a[[row, k]] * x[columns[[row, k]] as usize];
        }
        y[row] = sum;
    }
}

#[kernel]
fn ell_if(columns: &Field<u32, 2>, a: &Field<f32, 2>, x: &Field<f32>, y: &mut Field<f32>) {
    let width = a.shape()[1];
    for row in y.indices() {
        let mut sum = 0.0;
        for k in 0..width {
            let value = a[[row, k]];
            if value != 0.0 {
                sum += value * x[columns[[row, k]] as usize];
            }
        }
        y[row] = sum;
    }
}

#[kernel]
fn forces_table(counts: &Field<u32>, lists: &Field<u32, 2>, pos: &Field<Vec3>, force: &mut Field<Vec3>) {
    for p in pos.indices() {
        let mut sum = Vec3::ZERO;
        for k in 0..counts[p] as usize {
            let d = pos[lists[[p, k]] as usize] - pos[p];
            let r2 = d.dot(d) + 0.01;
            sum += d * (1.0 / (r2 * r2) - 0.5 / r2);
        }
        force[p] = sum;
    }
}

#[kernel]
fn forces_local(counts: &Field<u32>, lists: &Field<u32, 2>, pos: &Field<Vec3>, force: &mut Field<Vec3>) {
    for p in pos.indices() {
        let at = pos[p];
        let count = counts[p];
        let mut sum = Vec3::ZERO;
        for k in 0..count {
            let q = lists[[p, k as usize]] as usize;
            let d = pos[q] - at;
            let r2 = d.dot(d) + 0.01;
            sum += d * (1.0 / (r2 * r2) - 0.5 / r2);
        }
        force[p] = sum;
    }
}

#[kernel]
fn forces_continue(counts: &Field<u32>, lists: &Field<u32, 2>, pos: &Field<Vec3>, force: &mut Field<Vec3>) {
    for p in pos.indices() {
        force[p] = Vec3::ZERO;
        for k in 0..counts[p] as usize {
            let q = lists[[p, k]] as usize;
            if q == p {
                continue;
            }
            let d = pos[q] - pos[p];
            let r2 = d.length_squared() + 0.01;
            force[p] += d * (1.0 / (r2 * r2) - 0.5 / r2);
        }
    }
}

#[kernel]
fn edges_atomic(edges: &Field<[u32; 2]>, x: &Field<f32>, y: &mut Field<f32>) {
    for e in edges.indices() {
        let a = edges[e][0] as usize;
        let b = edges[e][1] as usize;
        let flux = x[b] - x[a];
        y[a].atomic_add(flux);
        y[b].atomic_add(-flux);
    }
}

#[kernel]
fn edges_array(edges: &Field<[u32; 2]>, x: &Field<f32>, y: &mut Field<f32>) {
    for e in edges.indices() {
        let [a, b] = edges[e];
        let flux = x[b as usize] - x[a as usize];
        y[a as usize].atomic_add(flux);
        y[b as usize].atomic_sub(flux);
    }
}

/// Nodes of a level stand from `width` on, their children from twice that.
#[kernel]
fn tree_level(tree: &mut Field<f32>, width: usize) {
    for k in width..2 * width {
        if 2 * k + 1 < tree.len() {
            // SAFETY: children are in the level below.
            let sum = unsafe { tree[2 * k] + tree[2 * k + 1] };
            tree[k] = 0.5 * sum;
        }
    }
}

#[kernel]
fn tree_number(tree: &mut Field<f32>, level: u32) {
    let first = 1 << level;
    for i in 0..first {
        let node = first + i;
        if 2 * node + 1 < tree.len() {
            // SAFETY: each iteration writes a node of its own; children are in the level below.
            unsafe { tree[node] = 0.5 * (tree[2 * node] + tree[2 * node + 1]) };
        }
    }
}

#[kernel]
fn depth_while(parents: &Field<u32>, depths: &mut Field<u32>) {
    for i in depths.indices() {
        let mut depth = 0;
        let mut at = i as u32;
        while at != 0 {
            at = parents[at as usize];
            depth += 1;
        }
        depths[i] = depth;
    }
}

#[kernel]
fn depth_loop(parents: &Field<u32>, depths: &mut Field<u32>) {
    for i in depths.indices() {
        let mut depth = 0_u32;
        let mut at = i;
        loop {
            if at == 0 {
                break;
            }
            at = parents[at] as usize;
            depth += 1;
        }
        depths[i] = depth;
    }
}
