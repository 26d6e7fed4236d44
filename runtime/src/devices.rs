//! The devices of this machine: where the neutral [`Device`] meets the backends.

use std::sync::OnceLock;

use crate::cpu::memory::Cpu;
use crate::cuda;
use crate::device::Device;
use crate::error::Result;

impl Device {
    /// The CPU. Kernels run on the threads of rayon's current pool, so that [`rayon::ThreadPool::install`] decides how
    /// many.
    #[must_use]
    #[inline]
    pub fn cpu() -> Device {
        static CPU: Cpu = Cpu::new();
        Device::of(&CPU)
    }

    /// Every device of this machine that can be used, the CPU last.
    #[must_use]
    pub fn all() -> Vec<Device> {
        let mut devices: Vec<Device> = cuda::devices().into_iter().map(|device| Device::of(device)).collect();
        devices.push(Device::cpu());
        devices
    }

    /// The CUDA device of this number, as the driver counts them.
    ///
    /// # Errors
    /// [`Error::Cuda`], which says what is missing and how to get it: the driver, a device, this number.
    pub fn cuda(index: usize) -> Result<Device> {
        Ok(Device::of(cuda::device(index)?))
    }
}

impl Default for Device {
    /// The first CUDA device if there is one that can be used, else the CPU.
    fn default() -> Device {
        static FIRST: OnceLock<Device> = OnceLock::new();
        // They are looked for outside of `get_or_init`: a logger that is told of them may ask for this device.
        let found = FIRST.get().is_none().then(|| Device::all().into_iter().next());
        let first = || found.flatten().unwrap_or_else(Device::cpu);
        FIRST.get_or_init(first).clone()
    }
}
