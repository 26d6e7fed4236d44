//! The devices that fields are tested on.

use swathe::Device;
use swathe_software_cuda::harness;

/// The CPU, and a CUDA device: the software device, or with `SWATHE_TEST_GPU` a GPU.
pub fn devices() -> [Device; 2] {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    let cuda = Device::cuda(0).unwrap_or_else(|error| panic!("{error}"));
    [Device::cpu(), cuda]
}
