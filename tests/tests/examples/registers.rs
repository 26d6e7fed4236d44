//! The CUDA C of the examples' kernels compiles without a warning, and what it computes with stays in registers.
//!
//! `--nocapture` shows how many registers each launch takes.

#[path = "../../../examples/examples/mpm_step.rs"]
#[allow(dead_code)]
mod mpm_step;

use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_nvidia_tools::ptxas::Ptxas;

use crate::{
    beam, boids, dam_break, drape, fluid, gray_scott, ising, julia, lenia, lens, mpm88, multigrid, nbody, path_tracer,
    plasma, vortex_street,
};

/// Bytes of local memory of a function that calls `sinf` or `cosf`: an array of theirs for angles above 100000.
const ANGLE: u64 = 32;
/// Bytes of the constant array of images, once in each version of the loop, where the compiler does not unroll the loop over it.
const IMAGES: u64 = 64;

/// An example, the CUDA C of a kernel, and the entry points that need local memory, with how much of it.
type Kernel = (&'static str, swathe::Result<String>, &'static [(&'static str, u64)]);

fn kernels() -> [Kernel; 57] {
    [
        // The singular value decomposition turns by an angle.
        ("mpm88", mpm88::physics::substep::cuda_source(), &[("substep_1", ANGLE)]),
        ("mpm_step", mpm_step::step::cuda_source(), &[]),
        ("nbody", nbody::physics::kick::cuda_source(), &[]),
        ("nbody", nbody::physics::drift::cuda_source(), &[]),
        ("nbody", nbody::physics::energy::cuda_source(), &[]),
        ("gray_scott", gray_scott::physics::react::cuda_source(), &[]),
        ("julia", julia::physics::julia::cuda_source(), &[]),
        ("lens", lens::physics::magnetic::cuda_source(), &[]),
        ("lens", lens::physics::electric::cuda_source(), &[]),
        ("lens", lens::physics::shine::cuda_source(), &[]),
        (
            "path_tracer",
            path_tracer::physics::trace::cuda_source(),
            &[("trace", ANGLE)],
        ),
        ("path_tracer", path_tracer::physics::expose::cuda_source(), &[]),
        ("dam_break", dam_break::cells::count::cuda_source(), &[]),
        ("dam_break", dam_break::cells::sort::cuda_source(), &[]),
        ("dam_break", dam_break::physics::gather::cuda_source(), &[]),
        (
            "dam_break",
            dam_break::physics::accelerate::cuda_source(),
            &[("accelerate", IMAGES)],
        ),
        ("dam_break", dam_break::physics::advance::cuda_source(), &[]),
        ("dam_break", dam_break::physics::energy::cuda_source(), &[]),
        ("drape", drape::physics::fly::cuda_source(), &[]),
        ("drape", drape::physics::stretch::cuda_source(), &[]),
        ("drape", drape::physics::shear::cuda_source(), &[]),
        ("drape", drape::physics::bend::cuda_source(), &[]),
        ("drape", drape::physics::touch::cuda_source(), &[]),
        ("drape", drape::physics::measure::cuda_source(), &[]),
        ("drape", drape::draw::room::cuda_source(), &[]),
        ("drape", drape::draw::paint::cuda_source(), &[]),
        ("fluid", fluid::physics::carry::cuda_source(), &[]),
        ("fluid", fluid::physics::carry_flow::cuda_source(), &[]),
        ("fluid", fluid::physics::blow::cuda_source(), &[]),
        ("fluid", fluid::physics::divergence::cuda_source(), &[]),
        ("fluid", fluid::physics::relax::cuda_source(), &[]),
        ("fluid", fluid::physics::push::cuda_source(), &[]),
        ("vortex_street", vortex_street::physics::step::cuda_source(), &[]),
        ("vortex_street", vortex_street::physics::drag::cuda_source(), &[]),
        ("vortex_street", vortex_street::physics::vorticity::cuda_source(), &[]),
        ("ising", ising::physics::flip::cuda_source(), &[]),
        ("ising", ising::physics::measure::cuda_source(), &[]),
        ("boids", boids::physics::fly::cuda_source(), &[]),
        ("boids", boids::physics::gather::cuda_source(), &[]),
        ("boids", boids::physics::direction::cuda_source(), &[]),
        ("multigrid", multigrid::physics::smooth::cuda_source(), &[]),
        ("multigrid", multigrid::physics::residual::cuda_source(), &[]),
        ("multigrid", multigrid::physics::restrict::cuda_source(), &[]),
        ("multigrid", multigrid::physics::prolong::cuda_source(), &[]),
        ("plasma", plasma::physics::deposit::cuda_source(), &[]),
        ("plasma", plasma::physics::rise::cuda_source(), &[]),
        ("plasma", plasma::physics::at_nodes::cuda_source(), &[]),
        ("plasma", plasma::physics::push::cuda_source(), &[]),
        ("plasma", plasma::physics::portrait::cuda_source(), &[]),
        ("plasma", plasma::physics::moments::cuda_source(), &[]),
        ("beam", beam::physics::apply::cuda_source(), &[]),
        ("beam", beam::physics::dot::cuda_source(), &[]),
        ("beam", beam::physics::advance::cuda_source(), &[]),
        ("beam", beam::physics::turn::cuda_source(), &[]),
        ("beam", beam::physics::remainder::cuda_source(), &[]),
        ("beam", beam::physics::mises::cuda_source(), &[]),
        ("lenia", lenia::physics::live::cuda_source(), &[]),
    ]
}

#[test]
fn kernels_stay_in_registers() {
    let Some(nvrtc) = Nvrtc::get() else { return };
    let ptxas = Ptxas::get();
    let mut failures = Vec::new();
    for (example, text, arrays) in kernels() {
        let text = text.unwrap_or_else(|error| panic!("{example}: {error}"));
        for arch in ["sm_75", "sm_80", "sm_90", "sm_120"] {
            // As the runtime compiles.
            let compiled = nvrtc.compile(&text, arch, &["--generate-line-info"]);
            if compiled.cubin.is_err() || !compiled.log.is_empty() {
                failures.push(format!("{example} on {arch}: {}\n{text}", compiled.log));
                continue;
            }
            let Some(ptxas) = ptxas else { continue };
            let usages = match ptxas.usage(&compiled.ptx, arch) {
                Ok(usages) => usages,
                Err(said) => {
                    failures.push(format!("{example} on {arch}: ptxas: {said}"));
                    continue;
                }
            };
            for usage in usages {
                println!(
                    "{arch:6} {example:13} {:12} {:3} registers",
                    usage.entry, usage.registers
                );
                let allowed = arrays.iter().find(|(entry, _)| *entry == usage.entry);
                if usage.spill_stores + usage.spill_loads > 0 {
                    failures.push(format!("{example} on {arch} spills registers: {usage:?}"));
                } else if usage.stack > allowed.map_or(0, |(_, bytes)| *bytes) {
                    failures.push(format!("{example} on {arch} keeps values in local memory: {usage:?}"));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
