//! The device that the user asked for.

use swathe::Device;

use crate::DeviceChoice;

/// There is no such device on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no CUDA device {number}; this machine has {}", names.join(", "))]
pub struct NoSuchDevice {
    /// The number that was asked for.
    pub number: usize,
    /// What there is, by the names of `--device`.
    pub names: Vec<String>,
}

impl DeviceChoice {
    /// The device itself.
    ///
    /// # Errors
    /// [`NoSuchDevice`].
    pub fn open(self) -> Result<Device, NoSuchDevice> {
        match self {
            DeviceChoice::Auto => Ok(Device::default()),
            DeviceChoice::Cpu => Ok(Device::cpu()),
            DeviceChoice::Cuda(number) => nth(number, Device::all()),
        }
    }
}

fn nth(number: usize, all: Vec<Device>) -> Result<Device, NoSuchDevice> {
    let mut cuda: Vec<Device> = all.into_iter().filter(|device| !device.is_cpu()).collect();
    if number < cuda.len() {
        return Ok(cuda.swap_remove(number));
    }
    let names = cuda
        .iter()
        .enumerate()
        .map(|(k, device)| format!("cuda:{k} ({device})"));
    Err(NoSuchDevice {
        number,
        names: names.chain(["cpu".to_owned()]).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_there() {
        assert!(DeviceChoice::Cpu.open().unwrap().is_cpu());
        assert_eq!(DeviceChoice::Auto.open().unwrap(), Device::default());
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let error = nth(2, vec![Device::cpu()]).unwrap_err();
        assert_eq!(error.to_string(), "there is no CUDA device 2; this machine has cpu");
        assert!(DeviceChoice::Cuda(usize::MAX).open().is_err());
    }
}
