//! The workloads, each as the kernel that a user would write first.

pub mod copy;
pub mod dot;
pub mod exchange;
pub mod exchange_struct;
pub mod field;
pub mod gradients;
pub mod histogram;
pub mod jacobi2d;
pub mod lattice_boltzmann;
pub mod launch;
pub mod mandelbrot;
pub mod mat3;
pub mod mpm2d;
pub mod nbody;
pub mod ray_marching;
pub mod saxpy;
pub mod sph;
pub mod spmv;
pub mod sum;

use crate::workload::Workload;

/// All of them, in the order of the report.
pub const ALL: [Workload; 43] = [
    saxpy::WORKLOAD,
    jacobi2d::WORKLOAD,
    nbody::WORKLOAD,
    mpm2d::WORKLOAD,
    sum::WORKLOAD,
    dot::WORKLOAD,
    mandelbrot::WORKLOAD,
    histogram::WORKLOAD,
    mat3::WORKLOAD,
    launch::WORKLOAD,
    exchange::IMPORT_F32,
    exchange::EXPORT_F32,
    exchange::EXPORT_F32_OWN,
    exchange::IMPORT_VEC3,
    exchange::EXPORT_VEC3,
    exchange::EXPORT_VEC3_OWN,
    exchange_struct::IMPORT,
    exchange_struct::EXPORT,
    sph::WORKLOAD,
    lattice_boltzmann::WORKLOAD,
    ray_marching::WORKLOAD,
    spmv::WORKLOAD,
    nbody::FAST,
    nbody::PLANES,
    mpm2d::PLANES,
    mat3::PLANES,
    copy::KERNEL,
    copy::FIELD,
    field::FILL,
    field::SUM,
    field::TRANSPOSE,
    field::PLANES,
    launch::EMPTY,
    gradients::saxpy::WORKLOADS[0],
    gradients::saxpy::WORKLOADS[1],
    gradients::stencil::WORKLOADS[0],
    gradients::stencil::WORKLOADS[1],
    gradients::nbody::WORKLOADS[0],
    gradients::nbody::WORKLOADS[1],
    gradients::mpm::WORKLOADS[0],
    gradients::mpm::WORKLOADS[1],
    gradients::mass_spring::WORKLOADS[0],
    gradients::mass_spring::WORKLOADS[1],
];
