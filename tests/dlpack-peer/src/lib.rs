//! Functions for Python, which exchange fields by DLPack. The test `field_python` calls them.

use std::ffi::{CString, c_char, c_void};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI64, Ordering};

use swathe::dlpack::{DLManagedTensor, DLManagedTensorVersioned, Tensor};
use swathe::{Complex, Device, Field, Vec3, Vector, f16};

/// Tensors given to Python whose deleter was not called yet.
static LIVE: AtomicI64 = AtomicI64::new(0);

/// Counts what becomes of a tensor by standing before its deleter.
struct Counted {
    context: *mut c_void,
    versioned: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    legacy: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

unsafe extern "C" fn delete_versioned(managed: *mut DLManagedTensorVersioned) {
    LIVE.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: `export` put these there.
    unsafe {
        let counted = Box::from_raw((*managed).manager_ctx.cast::<Counted>());
        (*managed).manager_ctx = counted.context;
        if let Some(delete) = counted.versioned {
            delete(managed);
        }
    }
}

unsafe extern "C" fn delete_legacy(managed: *mut DLManagedTensor) {
    LIVE.fetch_sub(1, Ordering::SeqCst);
    // SAFETY: `export_legacy` put these there.
    unsafe {
        let counted = Box::from_raw((*managed).manager_ctx.cast::<Counted>());
        (*managed).manager_ctx = counted.context;
        if let Some(delete) = counted.legacy {
            delete(managed);
        }
    }
}

macro_rules! tensor_of {
    ($kind:expr; $($k:literal $t:ident)*) => {
        match $kind {
            0 => Field::<bool, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| (i * 5 + j) % 3 == 1)?.into_dlpack(),
            $($k => Field::<$t, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| (i * 5 + j) as $t)?.into_dlpack(),)*
            11 => Field::<Vec3, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| {
                Vec3::from_array([0, 1, 2].map(|k| ((i * 5 + j) * 3 + k) as f32))
            })?
            .into_dlpack(),
            12 => Field::<f64, 0>::full(&Device::cpu(), [], 2.5)?.into_dlpack(),
            14 => Field::<f16, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| f16::from_f32((i * 5 + j) as f32 / 2.0))?.into_dlpack(),
            15 => Field::<Complex<f32>, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| Complex::new(1.0, -0.5) * (i * 5 + j) as f32)?.into_dlpack(),
            16 => Field::<Complex<f64>, 2>::from_fn(&Device::cpu(), [3, 5], |[i, j]| Complex::new(1.0, -0.5) * (i * 5 + j) as f64)?.into_dlpack(),
            17 => Field::<Vector<bool, 3>>::from_fn(&Device::cpu(), 4, |[i]| Vector::from_array([0, 1, 2].map(|k| (i * 3 + k) % 3 == 1)))?.into_dlpack(),
            _ => Field::<i32, 2>::zeros(&Device::cpu(), [0, 4])?.into_dlpack(),
        }
    };
}

fn tensor(kind: u32) -> swathe::Result<Tensor> {
    tensor_of!(kind; 1 i8 2 i16 3 i32 4 i64 5 u8 6 u16 7 u32 8 u64 9 f32 10 f64)
}

/// A tensor of the kind, or null.
#[unsafe(no_mangle)]
pub extern "C" fn peer_export(kind: u32) -> *mut DLManagedTensorVersioned {
    let Ok(tensor) = tensor(kind) else {
        return std::ptr::null_mut();
    };
    let managed = tensor.into_raw().as_ptr();
    LIVE.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the structure is ours until Python gets it.
    unsafe {
        let counted = Counted {
            context: (*managed).manager_ctx,
            versioned: (*managed).deleter,
            legacy: None,
        };
        (*managed).manager_ctx = Box::into_raw(Box::new(counted)).cast();
        (*managed).deleter = Some(delete_versioned);
    }
    managed
}

/// As [`peer_export`], without a version.
#[unsafe(no_mangle)]
pub extern "C" fn peer_export_legacy(kind: u32) -> *mut DLManagedTensor {
    let Ok(Ok(managed)) = tensor(kind).map(Tensor::into_raw_legacy) else {
        return std::ptr::null_mut();
    };
    let managed = managed.as_ptr();
    LIVE.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the structure is ours until Python gets it.
    unsafe {
        let counted = Counted {
            context: (*managed).manager_ctx,
            versioned: None,
            legacy: (*managed).deleter,
        };
        (*managed).manager_ctx = Box::into_raw(Box::new(counted)).cast();
        (*managed).deleter = Some(delete_legacy);
    }
    managed
}

/// Number of tensors that Python has.
#[unsafe(no_mangle)]
pub extern "C" fn peer_live() -> i64 {
    LIVE.load(Ordering::SeqCst)
}

/// Takes a tensor of shape (_, _) of `f64` over, adds 1000 to its elements in place, and gives it back.
fn add_in_place(tensor: Tensor) -> swathe::Result<()> {
    let mut field = Field::<f64, 2>::from_dlpack(tensor)?;
    let more: Vec<f64> = field.to_vec()?.into_iter().map(|x| x + 1000.0).collect();
    field.copy_from_slice(&more)
}

/// Copies a tensor of `f64` of any strides, and writes 2 x + 1 into it.
fn double(mut tensor: Tensor) -> swathe::Result<()> {
    let shape: [usize; 2] = tensor.shape().try_into().unwrap_or_default();
    let mut field = Field::<f64, 2>::zeros(&Device::cpu(), shape)?;
    field.copy_from_dlpack(&tensor)?;
    let more: Vec<f64> = field.to_vec()?.into_iter().map(|x| 2.0 * x + 1.0).collect();
    field.copy_from_slice(&more)?;
    field.copy_to_dlpack(&mut tensor)
}

/// Copies a tensor of complex numbers of any strides, and writes them times 2i into it.
fn turn(mut tensor: Tensor) -> swathe::Result<()> {
    let shape: [usize; 2] = tensor.shape().try_into().unwrap_or_default();
    let mut field = Field::<Complex<f64>, 2>::zeros(&Device::cpu(), shape)?;
    field.copy_from_dlpack(&tensor)?;
    let turned: Vec<Complex<f64>> = field
        .to_vec()?
        .into_iter()
        .map(|z| Complex::new(0.0, 2.0) * z)
        .collect();
    field.copy_from_slice(&turned)?;
    field.copy_to_dlpack(&mut tensor)
}

fn act(tensor: Tensor, action: u32) -> swathe::Result<()> {
    match action {
        0 => add_in_place(tensor),
        1 => double(tensor),
        _ => turn(tensor),
    }
}

fn answer(result: swathe::Result<()>) -> *mut c_char {
    let text = result.map_or_else(|error| error.to_string(), |()| String::new());
    CString::new(text).unwrap_or_default().into_raw()
}

/// Does `action` with a tensor; an empty text, or what failed.
///
/// # Safety
/// The pointer is from a capsule, which gives it up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_import(managed: *mut DLManagedTensorVersioned, action: u32) -> *mut c_char {
    let Some(managed) = NonNull::new(managed) else {
        return std::ptr::null_mut();
    };
    // SAFETY: by the caller's word.
    let tensor = unsafe { Tensor::from_raw(managed) };
    answer(tensor.and_then(|tensor| act(tensor, action)))
}

/// As [`peer_import`], without a version.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_import_legacy(managed: *mut DLManagedTensor, action: u32) -> *mut c_char {
    let Some(managed) = NonNull::new(managed) else {
        return std::ptr::null_mut();
    };
    // SAFETY: by the caller's word.
    let tensor = unsafe { Tensor::from_raw_legacy(managed) };
    answer(act(tensor, action))
}

/// Frees a text.
///
/// # Safety
/// It is one of those above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_free(text: *mut c_char) {
    // SAFETY: by the caller's word.
    drop(unsafe { CString::from_raw(text) });
}

/// File of this library, near the program that runs.
///
/// # Panics
/// If it is not there.
#[must_use]
pub fn library() -> std::path::PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    let near = program.ancestors().skip(1).take(3);
    let files = near.flat_map(|folder| ["deps", "."].map(|sub| folder.join(sub).join("libswathe_dlpack_peer.so")));
    let built = files.filter(|path| path.is_file());
    let newest = built.max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.expect("libswathe_dlpack_peer.so near the test")
}
