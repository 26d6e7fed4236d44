//! Derivatives: pullbacks against central differences of the kernels themselves and against tangents, on every device.

mod compare;
mod control;
mod domains;
mod effects;
mod fields;
mod peers;
mod running;
mod structs;
mod told;

use swathe::Device;

pub fn check(device: &Device) {
    peers::check(device);
    fields::check(device);
    control::check(device);
    domains::check(device);
    effects::check(device);
    running::check(device);
    structs::check(device);
    told::check(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = peers::cuda_sources();
    all.extend(fields::cuda_sources());
    all.extend(control::cuda_sources());
    all.extend(domains::cuda_sources());
    all.extend(effects::cuda_sources());
    all.extend(running::cuda_sources());
    all.extend(structs::cuda_sources());
    all.extend(told::cuda_sources());
    all
}
