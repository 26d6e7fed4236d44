//! Fields from and to other libraries by [DLPack](https://dmlc.github.io/dlpack/latest/), which NumPy, PyTorch, JAX and CuPy speak.
//!
//! [`Field::into_dlpack`] and [`Field::from_dlpack`] share memory, on the CPU and on CUDA devices;
//! [`Field::copy_from_dlpack`] and [`Field::copy_to_dlpack`] copy, and take any strides on the CPU. Axes are those of
//! [`Field::to_ndarray`].
//!
//! ```
//! use swathe::dlpack::Tensor;
//! use swathe::{Device, Field, Vec3};
//!
//! let u = Field::<Vec3>::from_fn(&Device::cpu(), 5, |[i]| Vec3::splat(i as f32))?;
//! let tensor = u.into_dlpack()?;
//! assert_eq!((tensor.shape(), tensor.strides()), (vec![5, 3], vec![3, 1]));
//! let for_python = tensor.into_raw(); // into a capsule named "dltensor_versioned"
//! // SAFETY: the pointer is the one above, which nobody else has.
//! let tensor = unsafe { Tensor::from_raw(for_python)? };
//! let u = Field::<Vec3>::from_dlpack(tensor)?;
//! assert_eq!(u.get(4)?, Vec3::splat(4.0));
//! # Ok::<(), swathe::Error>(())
//! ```

mod abi;
mod tensor;

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Mutex;

pub use abi::{
    CPU, CUDA, DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, READ_ONLY,
};
pub use tensor::Tensor;

use crate::access::layout::Aos;
use crate::device::{Device, capture};
use crate::element::dtype::DType;
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::ArrayScalar;
use crate::field::Field;
use crate::field::bytes_of;
use crate::field::cow::CowMemory;
use crate::field::exchange::array::{field_shape, whole};
use crate::field::exchange::strided::{self, Axis};
use crate::field::exchange::tile::Tile;
use crate::field::memory::Memory;

impl<T: External, const D: usize> Field<T, D>
where
    T::Scalar: ArrayScalar,
{
    /// Gives the field's memory to other libraries, as a tensor of the shape of [`Field::to_ndarray`]. Kernels launched before have
    /// ended then. The memory is freed when the last of them has called the tensor's deleter.
    ///
    /// # Errors
    /// What failed in those kernels; [`Error::OutOfMemory`] if a clone shares the memory, since others may write to it;
    /// [`Error::DlPack`] if a graph refers to the field.
    pub fn into_dlpack(mut self) -> Result<Tensor> {
        // Who gets the tensor may write.
        self.memory.write()?;
        self.prepare()?;
        if self.memory.raw().is_recorded() {
            let what = format!("giving {} to another library", self.describe());
            return Err(error(
                what,
                "a graph would go on to write to it; drop the graph first, or give a clone",
            ));
        }
        self.device().synchronize()?;
        let device = location(self.device())?;
        let shape = whole::<T, Aos>(&self.shape).array_shape(&T::AXES);
        let strides = strided::row_major(&shape, 1);
        let data: *mut c_void = self.address().cast();
        Ok(Tensor::new(
            data,
            device,
            T::Scalar::DTYPE,
            &shape,
            &strides,
            self.memory,
        ))
    }

    /// A field in the memory of a tensor, on the tensor's device; the deleter is called when the field is dropped. Of a tensor that
    /// [`Field::into_dlpack`] made it is that field's memory, with nothing in between.
    ///
    /// # Errors
    /// [`Error::DType`], [`Error::Shape`]; [`Error::DlPack`] if a field cannot lie there: the tensor is read-only, has gaps or
    /// another order than row-major, is not aligned (on a GPU to 16 bytes), or is on a device that swathe has not. [`Field::copy_from_dlpack`] takes
    /// most of these. The tensor is deleted.
    pub fn from_dlpack(tensor: Tensor) -> Result<Self> {
        let what = || format!("making a Field<{}, {D}> of a DLPack tensor", T::ty());
        check_dtype(&tensor, T::Scalar::DTYPE, what)?;
        let shape = field_shape::<T, D>(&tensor.shape())?;
        let device = device_of(&tensor, what)?;
        let refuse = |reason: String| Err(error(what(), reason + "; `copy_from_dlpack` can copy it"));
        if tensor.is_read_only() {
            return refuse("it is read-only".to_owned());
        }
        if !is_dense(&tensor) {
            return refuse(format!(
                "its strides {:?} are not those of row-major order without gaps",
                tensor.strides()
            ));
        }
        let bytes = bytes_of(&shape, size_of::<T>())?;
        let Some(at) = NonNull::new(tensor.data()).filter(|_| bytes > 0) else {
            return Field::zeros(&device, shape);
        };
        // Code of a GPU loads elements of up to 16 bytes whole.
        let align = if device.is_cpu() {
            align_of::<T>()
        } else {
            align_of::<T>().max(16)
        };
        if !at.as_ptr().addr().is_multiple_of(align) {
            return refuse(format!("its address is no multiple of {align}"));
        }
        let own = tensor.into_memory(at, bytes).map(CowMemory::into_form::<T, Aos>);
        let memory = own.unwrap_or_else(|tensor| {
            // A tensor is used by one thread at a time here: not at all, until it is dropped.
            let owner = Box::new(Mutex::new(tensor));
            // SAFETY: by the word of who made the tensor.
            CowMemory::new::<T, Aos>(unsafe { Memory::foreign(&device, at, bytes, owner) })
        });
        let field = Field {
            memory,
            shape,
            elements: PhantomData,
        };
        if T::Scalar::DTYPE == DType::Bool && !are_truths(field.memory.raw(), bytes)? {
            return Err(error(what(), NOT_TRUTHS));
        }
        Ok(field)
    }

    /// Sets all elements from a tensor, of any strides if it is on the CPU.
    ///
    /// # Errors
    /// [`Error::DType`], [`Error::Shape`]; [`Error::DlPack`] for a tensor with gaps on another device, or on one that swathe has not;
    /// [`Error::NotCapturable`] for a tensor on another device while a graph is captured. Then nothing is written.
    pub fn copy_from_dlpack(&mut self, tensor: &Tensor) -> Result<()> {
        let what = || format!("copying a DLPack tensor into {}", self.describe());
        check_dtype(tensor, T::Scalar::DTYPE, what)?;
        let place = whole::<T, Aos>(&self.shape);
        place.check(&T::AXES, &tensor.shape(), &what())?;
        let device = device_of(tensor, what)?;
        let bytes = bytes_of(&self.shape, size_of::<T>())?;
        let Some(at) = NonNull::new(tensor.data()).filter(|_| bytes > 0) else {
            return Ok(());
        };
        if !device.is_cpu() {
            if !is_dense(tensor) {
                return Err(error(what(), elsewhere(tensor)));
            }
            refuse_to_capture(what)?;
            // SAFETY: by the word of who made the tensor, which outlives this memory, and no graph refers to it.
            let memory = unsafe { Memory::foreign(&device, at, bytes, Box::new(())) };
            if T::Scalar::DTYPE == DType::Bool && !are_truths(&memory, bytes)? {
                return Err(error(what(), NOT_TRUTHS));
            }
            return self.own()?.copy_from(&memory);
        }
        // SAFETY: by the word of who made the tensor.
        if T::Scalar::DTYPE == DType::Bool && !unsafe { are_truths_on_host(tensor) } {
            return Err(error(what(), NOT_TRUTHS));
        }
        let shape = self.shape;
        // SAFETY: the shapes are equal and so are the scalars, and who made the tensor vouches for its memory.
        unsafe { whole::<T, Aos>(&shape).import(self.own()?, &T::AXES, at.as_ptr(), &tensor.strides()) }
    }

    /// Copies all elements into a tensor, of any strides if it is on the CPU.
    ///
    /// # Errors
    /// As for [`Field::copy_from_dlpack`]; and [`Error::DlPack`] for a tensor that is read-only, or of which several positions are
    /// the same place in memory, such as one broadcast along an axis. Then nothing is written.
    pub fn copy_to_dlpack(&self, tensor: &mut Tensor) -> Result<()> {
        let what = || format!("copying {} into a DLPack tensor", self.describe());
        check_dtype(tensor, T::Scalar::DTYPE, what)?;
        let place = whole::<T, Aos>(&self.shape);
        place.check(&T::AXES, &tensor.shape(), &what())?;
        let device = device_of(tensor, what)?;
        if tensor.is_read_only() {
            return Err(error(what(), "it is read-only"));
        }
        if let Some(reason) = overlap(&tensor.shape(), &tensor.strides()) {
            return Err(error(what(), reason));
        }
        let bytes = bytes_of(&self.shape, size_of::<T>())?;
        let Some(at) = NonNull::new(tensor.data()).filter(|_| bytes > 0) else {
            return Ok(());
        };
        if device.is_cpu() {
            // SAFETY: as for the import, and positions are distinct.
            return unsafe { place.export(self.memory.read()?, &T::AXES, at.as_ptr(), &tensor.strides()) };
        }
        if !is_dense(tensor) {
            return Err(error(what(), elsewhere(tensor)));
        }
        refuse_to_capture(what)?;
        // SAFETY: by the word of who made the tensor, which outlives this memory, and no graph refers to it.
        let mut memory = unsafe { Memory::foreign(&device, at, bytes, Box::new(())) };
        memory.copy_from(self.memory.read()?)?;
        device.synchronize()
    }
}

const NOT_TRUTHS: &str = "it is of booleans, but has bytes other than 0 and 1";

fn error(what: impl Into<String>, reason: impl Into<String>) -> Error {
    Error::DlPack {
        what: what.into(),
        reason: reason.into(),
    }
}

/// An error if this thread captures a graph, which would use the tensor's memory when the tensor is gone.
fn refuse_to_capture(what: impl FnOnce() -> String) -> Result<()> {
    if capture::is_capturing() {
        let reason =
            "a graph does not keep the tensor; copy before the capture, or make a field of it with `from_dlpack`";
        return Err(capture::refusal(what(), reason));
    }
    Ok(())
}

fn elsewhere(tensor: &Tensor) -> String {
    format!(
        "its strides {:?} are not those of row-major order without gaps, and it is not on the CPU",
        tensor.strides()
    )
}

fn check_dtype(tensor: &Tensor, expected: DType, what: impl Fn() -> String) -> Result<()> {
    match tensor.dtype() {
        Some(got) if got == expected => Ok(()),
        Some(got) => Err(Error::DType {
            what: what(),
            expected,
            got,
        }),
        None => {
            let DLDataType { code, bits, lanes } = tensor.as_raw().dtype;
            let reason = format!("its scalars are of code {code} with {bits} bits and {lanes} lanes, not {expected}");
            Err(error(what(), reason))
        }
    }
}

/// Where a device's memory is, for other libraries.
fn location(device: &Device) -> Result<DLDevice> {
    if device.is_cpu() {
        return Ok(DLDevice {
            device_type: CPU,
            device_id: 0,
        });
    }
    let mut others = (0..i32::MAX).map_while(|k| Device::cuda(k as usize).ok());
    let index = others.position(|other| other == *device);
    let device_id = index.and_then(|k| i32::try_from(k).ok()).ok_or_else(|| {
        let reason = "DLPack has no number for the device";
        error(format!("sharing memory of {device}"), reason)
    })?;
    Ok(DLDevice {
        device_type: CUDA,
        device_id,
    })
}

fn device_of(tensor: &Tensor, what: impl Fn() -> String) -> Result<Device> {
    let DLDevice { device_type, device_id } = tensor.as_raw().device;
    match (device_type, usize::try_from(device_id)) {
        (CPU, _) => Ok(Device::cpu()),
        (CUDA, Ok(index)) => Device::cuda(index),
        _ => {
            let reason = format!("it is on device {device_id} of type {device_type}, neither the CPU nor CUDA");
            Err(error(what(), reason))
        }
    }
}

fn is_dense(tensor: &Tensor) -> bool {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    let dense = strided::row_major(&shape, 1);
    shape.contains(&0) || (0..shape.len()).all(|k| shape[k] == 1 || dense[k] == strides[k])
}

/// Why positions of an array are not distinct places in memory, if they may not be.
fn overlap(shape: &[usize], strides: &[isize]) -> Option<String> {
    if shape.contains(&0) {
        return None;
    }
    let mut axes: Vec<usize> = (0..shape.len()).filter(|k| shape[*k] > 1).collect();
    if let Some(k) = axes.iter().find(|k| strides[**k] == 0) {
        let n = shape[*k];
        return Some(format!(
            "axis {k} has stride 0: all its {n} positions are one place in memory"
        ));
    }
    axes.sort_by_key(|k| strides[*k].unsigned_abs());
    let mut reach = 0_usize;
    for k in axes {
        if strides[k].unsigned_abs() <= reach {
            return Some(format!(
                "with strides {strides:?}, positions of its shape {shape:?} may overlap in memory"
            ));
        }
        reach = reach.saturating_add(strides[k].unsigned_abs().saturating_mul(shape[k] - 1));
    }
    None
}

/// Whether all bytes are 0 or 1.
fn are_truths(memory: &Memory, bytes: usize) -> Result<bool> {
    let block = memory.block().min(bytes).max(1);
    for start in (0..bytes).step_by(block) {
        let end = bytes.min(start + block);
        // SAFETY: the range lies inside the memory, whose bytes are seen as bytes.
        let fine = unsafe {
            memory.view(start..end, |at| {
                std::slice::from_raw_parts(at, end - start)
                    .iter()
                    .all(|byte| *byte <= 1)
            })?
        };
        if !fine {
            return Ok(false);
        }
    }
    Ok(true)
}

/// # Safety
/// The tensor's memory is valid, and on the host.
unsafe fn are_truths_on_host(tensor: &Tensor) -> bool {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    let dense = strided::row_major(&shape, 1);
    let mut bytes = vec![0_u8; shape.iter().product()];
    let axes = (0..shape.len()).map(|k| Axis {
        length: shape[k],
        to: dense[k],
        from: strides[k],
    });
    // SAFETY: by the caller's word, and the copy has room for all positions.
    unsafe { strided::copy(Tile::copying(1), axes.collect(), bytes.as_mut_ptr(), tensor.data()) };
    bytes.iter().all(|byte| *byte <= 1)
}
