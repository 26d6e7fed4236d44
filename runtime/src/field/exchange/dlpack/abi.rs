//! The C structures of DLPack 1.0, <https://dmlc.github.io/dlpack/latest/c_api.html>.

use std::ffi::c_void;

/// Where a tensor lies.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLDevice {
    /// [`CPU`], [`CUDA`], or another number of the standard.
    pub device_type: i32,
    /// Number of the device among those of its type.
    pub device_id: i32,
}

/// Memory of the host.
pub const CPU: i32 = 1;
/// Memory of a CUDA device.
pub const CUDA: i32 = 2;

/// The type of a tensor's scalars.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLDataType {
    /// 0 signed, 1 unsigned, 2 float, 6 boolean, or another number of the standard.
    pub code: u8,
    /// Size in bits.
    pub bits: u8,
    /// 1, or the number of scalars in a packed vector.
    pub lanes: u16,
}

/// An array in the memory of some device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLTensor {
    /// Start of the memory.
    pub data: *mut c_void,
    /// Where it is.
    pub device: DLDevice,
    /// Number of axes.
    pub ndim: i32,
    /// Type of the scalars.
    pub dtype: DLDataType,
    /// Length of each axis.
    pub shape: *mut i64,
    /// Distance of neighbours along each axis, in scalars. Null for row-major order without gaps.
    pub strides: *mut i64,
    /// Distance of the first scalar from `data`.
    pub byte_offset: u64,
}

/// A tensor with its owner, as before version 1.0.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// For the producer.
    pub manager_ctx: *mut c_void,
    /// Called once by the consumer, with this structure.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// Version of the structures.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLPackVersion {
    /// Another one means another layout.
    pub major: u32,
    /// Compatible additions.
    pub minor: u32,
}

/// A tensor with its owner.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// Version of this structure.
    pub version: DLPackVersion,
    /// For the producer.
    pub manager_ctx: *mut c_void,
    /// Called once by the consumer, with this structure.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// [`READ_ONLY`] and others.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

/// The flag of a tensor that must not be written to.
pub const READ_ONLY: u64 = 1;
