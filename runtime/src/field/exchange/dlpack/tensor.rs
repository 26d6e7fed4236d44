//! A tensor of DLPack, owned.

use std::ffi::c_void;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr::{NonNull, fn_addr_eq};
use std::sync::atomic::AtomicU8;

use super::abi::{DLDataType, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, READ_ONLY};
use super::error;
use crate::element::dtype::DType;
use crate::error::Result;
use crate::field::cow::CowMemory;

const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 0 };

/// A tensor that some library shares by DLPack. Dropping it tells that library.
///
/// It comes from [`Field::into_dlpack`](crate::Field::into_dlpack), or from a pointer that another library made.
pub struct Tensor {
    tensor: DLTensor,
    flags: u64,
    owner: Owner,
}

enum Owner {
    Versioned(NonNull<DLManagedTensorVersioned>),
    Legacy(NonNull<DLManagedTensor>),
    Here {
        memory: CowMemory,
        /// What the tensor's pointers `shape` and `strides` point to.
        _axes: Vec<i64>,
    },
}

/// What `manager_ctx` of a tensor points to that was made here.
#[repr(C)]
struct Context {
    /// Points to [`MARK`].
    mark: *const AtomicU8,
    tensor: Tensor,
}

/// Its address is the mark of this library. It could change, so that it is merged with no other.
static MARK: AtomicU8 = AtomicU8::new(0);

// SAFETY: DLPack lets a consumer use and delete a tensor on any thread.
unsafe impl Send for Tensor {}

impl Tensor {
    /// Takes a tensor over from another library: what a Python capsule named `dltensor_versioned` holds.
    ///
    /// # Errors
    /// [`Error::DlPack`](crate::Error::DlPack) if its version is not 1; then it is deleted.
    ///
    /// # Safety
    /// The pointer is valid, the caller gives it up, and what it says is true. All work on the memory has ended, and others that may use it
    /// keep to Rust's rules: nobody writes while a field of it is read, nobody touches it while a field of it is written.
    pub unsafe fn from_raw(managed: NonNull<DLManagedTensorVersioned>) -> Result<Tensor> {
        // SAFETY: by the caller's word; version and deleter stand where they do in every version.
        let (version, flags) = unsafe { ((*managed.as_ptr()).version, (*managed.as_ptr()).flags) };
        if version.major != VERSION.major {
            // SAFETY: by the caller's word.
            unsafe { delete_versioned(managed) };
            let reason = format!("it is of version {}.{}, not 1", version.major, version.minor);
            return Err(error("taking over a DLPack tensor", reason));
        }
        // SAFETY: by the caller's word.
        let (tensor, deleter, context) = unsafe {
            let managed = managed.as_ref();
            (managed.dl_tensor, managed.deleter, managed.manager_ctx)
        };
        if deleter.is_some_and(|deleter| fn_addr_eq(deleter, drop_versioned as Versioned)) {
            // SAFETY: it has the deleter of `into_raw`, which made it.
            if let Some(context) = unsafe { own(context) } {
                // SAFETY: `into_raw` made that box, too, which the caller gives up.
                drop(unsafe { Box::from_raw(managed.as_ptr()) });
                return Ok(context.tensor.seen(tensor, flags));
            }
        }
        Ok(Tensor {
            tensor,
            flags,
            owner: Owner::Versioned(managed),
        })
    }

    /// As [`Tensor::from_raw`], for what a capsule named `dltensor` holds.
    ///
    /// # Safety
    /// As there.
    #[must_use]
    pub unsafe fn from_raw_legacy(managed: NonNull<DLManagedTensor>) -> Tensor {
        // SAFETY: by the caller's word.
        let (tensor, deleter, context) = unsafe {
            let managed = managed.as_ref();
            (managed.dl_tensor, managed.deleter, managed.manager_ctx)
        };
        if deleter.is_some_and(|deleter| fn_addr_eq(deleter, drop_legacy as Legacy)) {
            // SAFETY: it has the deleter of `into_raw_legacy`, which made it.
            if let Some(context) = unsafe { own(context) } {
                // SAFETY: `into_raw_legacy` made that box, too, which the caller gives up.
                drop(unsafe { Box::from_raw(managed.as_ptr()) });
                return context.tensor.seen(tensor, 0);
            }
        }
        Tensor {
            tensor,
            flags: 0,
            owner: Owner::Legacy(managed),
        }
    }

    /// With what another library has made of it since.
    fn seen(mut self, tensor: DLTensor, flags: u64) -> Tensor {
        (self.tensor, self.flags) = (tensor, flags);
        self
    }

    /// The memory of the field that it was, if it is all of that; else the tensor back.
    pub(super) fn into_memory(self, at: NonNull<u8>, bytes: usize) -> std::result::Result<CowMemory, Box<Tensor>> {
        match &self.owner {
            Owner::Here { memory, .. } if memory.raw().address() == at.as_ptr() && memory.raw().size() == bytes => {}
            _ => return Err(Box::new(self)),
        }
        let tensor = ManuallyDrop::new(self);
        // SAFETY: the tensor is not used again nor dropped, so that its owner is moved out of it.
        match unsafe { std::ptr::read(&raw const tensor.owner) } {
            Owner::Here { memory, .. } => Ok(memory),
            Owner::Versioned(_) | Owner::Legacy(_) => unreachable!("it is one of here, as seen above"),
        }
    }

    /// Gives it to another library, which has to call the structure's `deleter` once, when all its work on the memory has ended.
    #[must_use]
    pub fn into_raw(self) -> NonNull<DLManagedTensorVersioned> {
        if let Owner::Versioned(managed) = self.owner {
            std::mem::forget(self);
            return managed;
        }
        let (tensor, flags) = (self.tensor, self.flags);
        let managed = DLManagedTensorVersioned {
            version: VERSION,
            manager_ctx: Context::of(self),
            deleter: Some(drop_versioned),
            flags,
            dl_tensor: tensor,
        };
        NonNull::from(Box::leak(Box::new(managed)))
    }

    /// As [`Tensor::into_raw`], for libraries older than version 1.0, which cannot be told that a tensor is read-only.
    ///
    /// # Errors
    /// [`Error::DlPack`](crate::Error::DlPack) if it is.
    pub fn into_raw_legacy(self) -> Result<NonNull<DLManagedTensor>> {
        if self.is_read_only() {
            return Err(error(
                "giving away a DLPack tensor without a version",
                "it is read-only, which only the structure with a version can say",
            ));
        }
        if let Owner::Legacy(managed) = self.owner {
            std::mem::forget(self);
            return Ok(managed);
        }
        let managed = DLManagedTensor {
            dl_tensor: self.tensor,
            manager_ctx: Context::of(self),
            deleter: Some(drop_legacy),
        };
        Ok(NonNull::from(Box::leak(Box::new(managed))))
    }

    /// A tensor of memory that is kept alive with it.
    pub(in crate::field) fn new(
        data: *mut c_void,
        device: super::abi::DLDevice,
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        memory: CowMemory,
    ) -> Tensor {
        let lengths = shape.iter().map(|n| *n as i64);
        let mut axes: Vec<i64> = lengths.chain(strides.iter().map(|s| *s as i64)).collect();
        let (shape_at, strides_at) = axes.split_at_mut(shape.len());
        let tensor = DLTensor {
            data,
            device,
            ndim: shape.len() as i32,
            dtype: data_type(dtype),
            shape: shape_at.as_mut_ptr(),
            strides: strides_at.as_mut_ptr(),
            byte_offset: 0,
        };
        Tensor {
            tensor,
            flags: 0,
            owner: Owner::Here { memory, _axes: axes },
        }
    }

    /// The C structure.
    #[must_use]
    pub fn as_raw(&self) -> &DLTensor {
        &self.tensor
    }

    /// Whether its memory must not be written to.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.flags & READ_ONLY != 0
    }

    /// Length of each axis.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        self.axes(self.tensor.shape).iter().map(|n| *n as usize).collect()
    }

    /// Distance of neighbours along each axis, in scalars.
    #[must_use]
    pub fn strides(&self) -> Vec<isize> {
        if self.tensor.strides.is_null() {
            return crate::field::exchange::strided::row_major(&self.shape(), 1);
        }
        self.axes(self.tensor.strides).iter().map(|s| *s as isize).collect()
    }

    /// The type of its scalars, if swathe has it.
    #[must_use]
    pub fn dtype(&self) -> Option<DType> {
        let all = DType::ALL.iter().copied();
        all.into_iter().find(|dtype| data_type(*dtype) == self.tensor.dtype)
    }

    fn axes(&self, at: *const i64) -> &[i64] {
        match usize::try_from(self.tensor.ndim) {
            // SAFETY: by the word of who made the tensor there are as many.
            Ok(rank) if rank > 0 => unsafe { std::slice::from_raw_parts(at, rank) },
            _ => &[],
        }
    }

    /// Address of the first scalar, on its device.
    pub(in crate::field) fn data(&self) -> *mut u8 {
        self.tensor
            .data
            .cast::<u8>()
            .wrapping_add(self.tensor.byte_offset as usize)
    }
}

impl Context {
    fn of(tensor: Tensor) -> *mut c_void {
        let mark = &raw const MARK;
        Box::into_raw(Box::new(Context { mark, tensor })).cast()
    }
}

/// The context of a tensor that was made here, if it bears the mark: compilers may merge functions, such as a deleter and that of another copy of
/// this library.
///
/// # Safety
/// The pointer is the context of a tensor with one of the deleters below, or with one that does the same, and not used afterwards.
unsafe fn own(context: *mut c_void) -> Option<Box<Context>> {
    let context = context.cast::<Context>();
    // SAFETY: by the caller's word it points to as many bytes, the first of which are a pointer.
    let mark = unsafe { context.cast::<*const AtomicU8>().read() };
    // SAFETY: it bears the mark, so that it was made by `Context::of`, and by the caller's word it is given up.
    std::ptr::eq(mark, &raw const MARK).then(|| unsafe { Box::from_raw(context) })
}

type Versioned = unsafe extern "C" fn(*mut DLManagedTensorVersioned);
type Legacy = unsafe extern "C" fn(*mut DLManagedTensor);

impl Drop for Tensor {
    fn drop(&mut self) {
        match self.owner {
            // SAFETY: ours since `from_raw`, and not used afterwards.
            Owner::Versioned(managed) => unsafe { delete_versioned(managed) },
            Owner::Legacy(managed) => {
                // SAFETY: as above.
                unsafe {
                    if let Some(delete) = (*managed.as_ptr()).deleter {
                        delete(managed.as_ptr());
                    }
                }
            }
            Owner::Here { .. } => {}
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("shape", &self.shape())
            .field("strides", &self.strides())
            .field("dtype", &self.tensor.dtype)
            .field("device", &self.tensor.device)
            .finish_non_exhaustive()
    }
}

/// The table of the standard.
fn data_type(dtype: DType) -> DLDataType {
    let code = match dtype {
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => 0,
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => 1,
        DType::F16 | DType::F32 | DType::F64 => 2,
        DType::Bf16 => 4,
        DType::ComplexF32 | DType::ComplexF64 => 5,
        DType::Bool => 6,
    };
    DLDataType {
        code,
        bits: (dtype.size() * 8) as u8,
        lanes: 1,
    }
}

/// # Safety
/// The pointer is valid and not used afterwards.
unsafe fn delete_versioned(managed: NonNull<DLManagedTensorVersioned>) {
    // SAFETY: by the caller's word.
    unsafe {
        if let Some(delete) = (*managed.as_ptr()).deleter {
            delete(managed.as_ptr());
        }
    }
}

unsafe extern "C" fn drop_versioned(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `into_raw` made both boxes, and the consumer calls this once.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.manager_ctx.cast::<Context>()));
    }
}

unsafe extern "C" fn drop_legacy(managed: *mut DLManagedTensor) {
    // SAFETY: `into_raw_legacy` made both boxes, and the consumer calls this once.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.manager_ctx.cast::<Context>()));
    }
}
