//! A cantilever of plane finite elements: O. C. Zienkiewicz, R. L. Taylor, "The finite element method" (1967 and later), and the method of
//! conjugate gradients: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems" (1952).
//!
//! ```text
//! sum over elements of (integral of Bᵀ D B) u = load,   u = 0 at the left side
//! ```
//!
//! Elements are rectangles of four nodes with bilinear displacements (Q4), under plane stress, one thick. No matrix is assembled:
//! each node gathers the forces of the elements around it. Lengths and forces are in any units, and moduli in those that follow.

use swathe::prelude::*;

/// Isotropic and linear.
#[derive(Element, Clone, Copy, Debug)]
pub struct Material {
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio, from 0 to below 1/2.
    pub poisson: f64,
}

#[func]
impl Material {
    /// The stresses xx, yy and xy of the strains xx, yy and twice xy.
    pub fn stress(self, strain: DVec3) -> DVec3 {
        let plane = self.young / (1.0 - self.poisson * self.poisson);
        let shear = 0.5 * self.young / (1.0 + self.poisson);
        DVec3::new(
            plane * (strain.x + self.poisson * strain.y),
            plane * (strain.y + self.poisson * strain.x),
            shear * strain.z,
        )
    }
}

/// The forces at the corners of an element by displacements of its corners. A corner's number is twice its row, plus its column.
pub type Stiffness = [[DMat2; 4]; 4];

/// The gradient of the shape function of a corner, at a place from 0 to 1 along each side.
#[func]
pub fn shape_gradient(corner: usize, at: DVec2, sides: DVec2) -> DVec2 {
    let (up, right) = (corner / 2 == 1, corner % 2 == 1);
    let x = if right { at.x } else { 1.0 - at.x };
    let y = if up { at.y } else { 1.0 - at.y };
    let dx = if right { y } else { -y };
    let dy = if up { x } else { -x };
    DVec2::new(dx, dy) / sides
}

/// By Gauss's rule of two points along each side, which is exact.
pub fn stiffness(material: Material, sides: DVec2) -> Stiffness {
    let mut sum = [[DMat2::ZERO; 4]; 4];
    let points = [0.5 - 0.5 / 3.0_f64.sqrt(), 0.5 + 0.5 / 3.0_f64.sqrt()];
    for x in points {
        for y in points {
            let gradients = [0, 1, 2, 3].map(|corner| shape_gradient(corner, DVec2::new(x, y), sides));
            for (p, a) in gradients.iter().enumerate() {
                for (q, b) in gradients.iter().enumerate() {
                    // The stresses where this corner moves to the right by 1, and up.
                    let across = material.stress(DVec3::new(b.x, 0.0, b.y));
                    let along = material.stress(DVec3::new(0.0, b.y, b.x));
                    let force = |s: DVec3| DVec2::new(a.x * s.x + a.y * s.z, a.y * s.y + a.x * s.z);
                    sum[p][q] += DMat2::from_cols([force(across), force(along)]) * (0.25 * sides.x * sides.y);
                }
            }
        }
    }
    sum
}

/// The forces that hold displacements, but at the nodes of the left side, which are held by the wall.
#[kernel]
pub fn apply(stiffness: Stiffness, u: &Field<DVec2, 2>, force: &mut Field<DVec2, 2>) {
    let [rows, columns] = u.shape();
    for [i, j] in force.indices() {
        let mut sum = DVec2::ZERO;
        // This node is corner `p` of the element whose lower left one is at (i - a, j - b).
        for p in 0..4 {
            let (a, b) = (p / 2, p % 2);
            if j > 0 && i >= a && j >= b && i + 1 < rows + a && j + 1 < columns + b {
                for q in 0..4 {
                    sum += stiffness[p][q] * u[[i + q / 2 - a, j + q % 2 - b]];
                }
            }
        }
        force[[i, j]] = sum;
    }
}

/// The sum of the products of all components.
#[kernel]
pub fn dot(a: &Field<DVec2, 2>, b: &Field<DVec2, 2>) -> f64 {
    let mut sum = 0.0;
    for [i, j] in a.indices() {
        sum += a[[i, j]].dot(b[[i, j]]);
    }
    sum
}

/// A step in the direction `p`; the square of the residual that it leaves.
#[kernel]
pub fn advance(
    step: f64,
    p: &Field<DVec2, 2>,
    force: &Field<DVec2, 2>,
    u: &mut Field<DVec2, 2>,
    r: &mut Field<DVec2, 2>,
) -> f64 {
    let mut square = 0.0;
    for [i, j] in u.indices() {
        u[[i, j]] += p[[i, j]] * step;
        r[[i, j]] -= force[[i, j]] * step;
        square += r[[i, j]].length_squared();
    }
    square
}

/// The next direction.
#[kernel]
pub fn turn(r: &Field<DVec2, 2>, share: f64, p: &mut Field<DVec2, 2>) {
    for [i, j] in p.indices() {
        p[[i, j]] = r[[i, j]] + p[[i, j]] * share;
    }
}

/// What is left of a load; none at the wall.
#[kernel]
pub fn remainder(load: &Field<DVec2, 2>, force: &Field<DVec2, 2>, r: &mut Field<DVec2, 2>) {
    for [i, j] in r.indices() {
        r[[i, j]] = if j > 0 {
            load[[i, j]] - force[[i, j]]
        } else {
            DVec2::ZERO
        };
    }
}

/// The stress of von Mises in the middle of each element.
#[kernel]
pub fn mises(u: &Field<DVec2, 2>, material: Material, sides: DVec2, out: &mut Field<f64, 2>) {
    for [i, j] in out.indices() {
        let mut strain = DVec3::ZERO;
        for q in 0..4 {
            let g = shape_gradient(q, DVec2::splat(0.5), sides);
            let moved = u[[i + q / 2, j + q % 2]];
            strain += DVec3::new(g.x * moved.x, g.y * moved.y, g.y * moved.x + g.x * moved.y);
        }
        let s = material.stress(strain);
        out[[i, j]] = (s.x * s.x - s.x * s.y + s.y * s.y + 3.0 * s.z * s.z).sqrt();
    }
}

/// A beam whose left side is held by a wall.
pub struct Beam {
    pub material: Material,
    /// The sides of an element.
    pub sides: DVec2,
    /// The force at each node: rows from the lower side up, columns from the wall on.
    pub load: Field<DVec2, 2>,
    /// The displacement of each node.
    pub u: Field<DVec2, 2>,
    stiffness: Stiffness,
    r: Field<DVec2, 2>,
    p: Field<DVec2, 2>,
    force: Field<DVec2, 2>,
}

impl Beam {
    /// Length and depth, and how many elements they have; at least one.
    pub fn new(device: &Device, material: Material, size: [f64; 2], elements: [usize; 2]) -> swathe::Result<Beam> {
        let [columns, rows] = elements.map(|n| n.max(1));
        let sides = DVec2::new(size[0] / columns as f64, size[1] / rows as f64);
        let zeros = || Field::zeros(device, [rows.saturating_add(1), columns.saturating_add(1)]);
        Ok(Beam {
            material,
            sides,
            load: zeros()?,
            u: zeros()?,
            stiffness: stiffness(material, sides),
            r: zeros()?,
            p: zeros()?,
            force: zeros()?,
        })
    }

    /// Finds the displacements, from those that there are, until the residual is so small beside the load.
    /// Tells after how many steps, which are no more than `most`.
    pub fn solve(&mut self, tolerance: f64, most: usize) -> swathe::Result<usize> {
        apply(self.stiffness, &self.u, &mut self.force)?;
        remainder(&self.load, &self.force, &mut self.r)?;
        self.p.copy_from(&self.r)?;
        let mut square = dot(&self.r, &self.r)?;
        let enough = tolerance * tolerance * dot(&self.load, &self.load)?;
        for step in 0..most {
            if square <= enough {
                return Ok(step);
            }
            apply(self.stiffness, &self.p, &mut self.force)?;
            let length = square / dot(&self.p, &self.force)?;
            let next = advance(length, &self.p, &self.force, &mut self.u, &mut self.r)?;
            turn(&self.r, next / square, &mut self.p)?;
            square = next;
        }
        Ok(most)
    }

    /// The stress of von Mises in the middle of each element.
    pub fn mises(&self) -> swathe::Result<Field<f64, 2>> {
        let [rows, columns] = self.u.shape();
        let mut out = Field::zeros(self.u.device(), [rows - 1, columns - 1])?;
        mises(&self.u, self.material, self.sides, &mut out)?;
        Ok(out)
    }
}
