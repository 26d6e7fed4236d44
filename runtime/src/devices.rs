//! The devices of this machine: where the neutral [`Device`] meets the backends.

use std::str::FromStr;
use std::sync::OnceLock;

use crate::cpu::memory::Cpu;
use crate::cuda;
use crate::device::Device;
use crate::error::{Error, Result};

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

/// `auto`, the [default](Device::default), `cpu`, `cuda`, the first CUDA device, or `cuda:N`, that of this number.
///
/// ```
/// use swathe::Device;
///
/// let device: Device = std::env::var("DEVICE").as_deref().unwrap_or("auto").parse()?;
/// println!("on {device}");
/// assert!("cpu".parse::<Device>()?.is_cpu());
/// assert!("gpu".parse::<Device>().is_err());
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnknownDevice`]; those of [`Device::cuda`].
impl FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Device> {
        let unknown = || Error::UnknownDevice { name: name.to_owned() };
        match name {
            "auto" => Ok(Device::default()),
            "cpu" => Ok(Device::cpu()),
            "cuda" => Device::cuda(0),
            _ => {
                let number = name.strip_prefix("cuda:").ok_or_else(unknown)?;
                // As they are written: `+1` is no number of a device.
                let digits = number.bytes().all(|digit| digit.is_ascii_digit());
                Device::cuda(number.parse().ok().filter(|_| digits).ok_or_else(unknown)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_by_name() {
        assert_eq!("cpu".parse::<Device>().unwrap(), Device::cpu());
        assert_eq!("auto".parse::<Device>().unwrap(), Device::default());
        for name in [
            "",
            "CPU",
            "cuda:",
            "cuda:x",
            "cuda:-1",
            "cuda:+1",
            "cuda: 0",
            "cuda:99999999999999999999",
            "gpu",
        ] {
            let error = name.parse::<Device>().unwrap_err();
            assert_eq!(error, Error::UnknownDevice { name: name.to_owned() });
            assert_eq!(
                error.to_string(),
                format!("`{name}` is no device: write `auto`, `cpu`, `cuda` or `cuda:N`")
            );
        }
        assert!(matches!("cuda:77".parse::<Device>(), Err(Error::Cuda(_))));
    }
}
