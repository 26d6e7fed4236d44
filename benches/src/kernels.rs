//! The kernels of the workloads, for those who look at what becomes of them.

pub use crate::workloads::copy::copy;
pub use crate::workloads::dot::dot;
pub use crate::workloads::histogram::histogram;
pub use crate::workloads::jacobi2d::relax;
pub use crate::workloads::lattice_boltzmann::step;
pub use crate::workloads::mandelbrot::mandelbrot;
pub use crate::workloads::mat3::mat3;
pub use crate::workloads::mpm2d::substep;
pub use crate::workloads::nbody::{gravity, gravity_fast};
pub use crate::workloads::ray_marching::render;
pub use crate::workloads::saxpy::saxpy;
pub use crate::workloads::sph::{advance, densities, forces, sort};
pub use crate::workloads::spmv::spmv;
pub use crate::workloads::sum::sum;
