//! Fields and tensors of DLPack.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Array2;
use swathe::dlpack::{
    self, DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, Tensor,
};
use swathe::prelude::*;

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

/// A tensor of another library, which counts the calls of its deleter.
struct Foreign {
    _data: Vec<f64>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: Arc<AtomicUsize>,
}

const F64: DLDataType = DLDataType {
    code: 2,
    bits: 64,
    lanes: 1,
};

unsafe extern "C" fn delete(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `foreign` made both boxes.
    let foreign = unsafe {
        let managed = Box::from_raw(managed);
        Box::from_raw(managed.manager_ctx.cast::<Foreign>())
    };
    foreign.deleted.fetch_add(1, Ordering::SeqCst);
}

/// A tensor on the CPU of 0, 1, 2, ... in memory; `first` is the position of its first scalar there.
fn foreign(
    shape: &[i64],
    strides: Option<&[i64]>,
    first: usize,
    change: impl FnOnce(&mut DLManagedTensorVersioned),
) -> (NonNull<DLManagedTensorVersioned>, Arc<AtomicUsize>) {
    let deleted = Arc::new(AtomicUsize::new(0));
    let mut data: Vec<f64> = (0..100).map(f64::from).collect();
    let start = data.as_mut_ptr();
    let mut owner = Box::new(Foreign {
        _data: data,
        shape: shape.to_vec(),
        strides: strides.unwrap_or_default().to_vec(),
        deleted: deleted.clone(),
    });
    let dl_tensor = DLTensor {
        data: start.cast::<c_void>(),
        device: DLDevice {
            device_type: dlpack::CPU,
            device_id: 0,
        },
        ndim: shape.len() as i32,
        dtype: F64,
        shape: owner.shape.as_mut_ptr(),
        strides: strides.map_or(std::ptr::null_mut(), |_| owner.strides.as_mut_ptr()),
        byte_offset: first as u64 * 8,
    };
    let mut managed = DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 1 },
        manager_ctx: Box::into_raw(owner).cast(),
        deleter: Some(delete),
        flags: 0,
        dl_tensor,
    };
    change(&mut managed);
    (NonNull::from(Box::leak(Box::new(managed))), deleted)
}

fn tensor(shape: &[i64], strides: Option<&[i64]>, first: usize) -> (Tensor, Arc<AtomicUsize>) {
    let (managed, deleted) = foreign(shape, strides, first, |_| ());
    // SAFETY: made above.
    (unsafe { Tensor::from_raw(managed).unwrap() }, deleted)
}

fn count(deleted: &AtomicUsize) -> usize {
    deleted.load(Ordering::SeqCst)
}

#[test]
fn fields_travel_without_copies() -> swathe::Result<()> {
    for device in devices() {
        let field = Field::<Matrix<f64, 2, 3>, 2>::from_fn(&device, [5, 7], |[i, j]| {
            Matrix::from_array([0, 1].map(|r| [0, 1, 2].map(|c| (((i * 7 + j) * 2 + r) * 3 + c) as f64)))
        })?;
        let before = field.to_vec()?;
        let tensor = field.into_dlpack()?;
        assert_eq!(
            (tensor.shape(), tensor.strides()),
            (vec![5, 7, 2, 3], vec![42, 6, 3, 1])
        );
        let expected = if device.is_cpu() { dlpack::CPU } else { dlpack::CUDA };
        assert_eq!(
            tensor.as_raw().device,
            DLDevice {
                device_type: expected,
                device_id: 0
            }
        );
        assert_eq!(tensor.as_raw().dtype, F64);
        let at = tensor.as_raw().data;

        let managed = tensor.into_raw();
        // SAFETY: made by `into_raw`.
        let tensor = unsafe { Tensor::from_raw(managed)? };
        let legacy = tensor.into_raw_legacy()?;
        // SAFETY: made by `into_raw_legacy`.
        let tensor = unsafe { Tensor::from_raw_legacy(legacy) };
        assert_eq!(tensor.as_raw().data, at);
        let mut field = Field::<Matrix<f64, 2, 3>, 2>::from_dlpack(tensor)?;
        assert_eq!(field.device(), &device);
        assert_eq!(field.to_vec()?, before);
        field.set([4, 6], Matrix::from_array([[-1.0; 3]; 2]))?;
        let tensor = field.into_dlpack()?;
        assert_eq!(tensor.as_raw().data, at);

        // Into another field, and from one.
        let mut copy = Field::<f64, 4>::zeros(&device, [5, 7, 2, 3])?;
        copy.copy_from_dlpack(&tensor)?;
        assert_eq!(copy.get([4, 6, 1, 2])?, -1.0);
        assert_eq!(copy.get([3, 2, 1, 0])?, ((23 * 2 + 1) * 3) as f64);
        copy.fill(2.5)?;
        let mut tensor = tensor;
        copy.copy_to_dlpack(&mut tensor)?;
        let field = Field::<[[f64; 3]; 2], 2>::from_dlpack(tensor)?;
        assert_eq!(field.get([3, 3])?, [[2.5; 3]; 2]);

        let empty = Field::<u8, 2>::zeros(&device, [0, 3])?.into_dlpack()?;
        assert_eq!(Field::<u8, 2>::from_dlpack(empty)?.shape(), [0, 3]);
        let scalar = Field::<i16, 0>::full(&device, [], -7)?.into_dlpack()?;
        assert_eq!(Field::<i16, 0>::from_dlpack(scalar)?.get([])?, -7);
    }
    Ok(())
}

/// Nothing is left of a journey: else as many would be in one another, and too many for the stack when the last is dropped.
#[test]
fn fields_travel_often() -> swathe::Result<()> {
    for device in devices() {
        let mut field = Field::<Vec3>::from_fn(&device, 17, |[i]| Vec3::new(i as f32, 0.5, -(i as f32)))?;
        let before = field.to_vec()?;
        let mut at = None;
        for k in 0..30_000 {
            let tensor = field.into_dlpack()?;
            assert_eq!(*at.get_or_insert(tensor.as_raw().data), tensor.as_raw().data);
            // SAFETY: made by `into_raw`, or `into_raw_legacy`.
            let tensor = match k % 3 {
                0 => tensor,
                // SAFETY: the pointer has just been given away, and nobody else has it.
                1 => unsafe { Tensor::from_raw(tensor.into_raw())? },
                // SAFETY: as above.
                _ => unsafe { Tensor::from_raw_legacy(tensor.into_raw_legacy()?) },
            };
            let scalars = Field::<f32, 2>::from_dlpack(tensor)?;
            assert_eq!(scalars.shape(), [17, 3]);
            field = Field::from_dlpack(scalars.into_dlpack()?)?;
        }
        assert_eq!(field.to_vec()?, before);
        // It is shared by clones as memory is that nobody else has.
        let clone = field.try_clone()?;
        let copies = swathe::copies_on_write();
        field.set(3, Vec3::splat(7.0))?;
        assert!(swathe::copies_on_write() > copies);
        assert_eq!((clone.get(3)?, field.get(3)?), (before[3], Vec3::splat(7.0)));
    }
    Ok(())
}

/// Another library may give back a part of what it was given.
#[test]
fn parts_of_fields_come_back() -> swathe::Result<()> {
    for device in devices() {
        let field = Field::<f64, 2>::from_fn(&device, [5, 3], |[i, j]| (10 * i + j) as f64)?;
        let managed = field.into_dlpack()?.into_raw();
        // SAFETY: made by `into_raw`: the shape is [5, 3].
        let tensor = unsafe {
            *(*managed.as_ptr()).dl_tensor.shape = 3;
            (*managed.as_ptr()).dl_tensor.byte_offset = 2 * 3 * 8;
            Tensor::from_raw(managed)?
        };
        let mut part = Field::<f64, 2>::from_dlpack(tensor)?;
        assert_eq!(part.to_vec()?, [20.0, 21.0, 22.0, 30.0, 31.0, 32.0, 40.0, 41.0, 42.0]);
        for _ in 0..100 {
            part = Field::from_dlpack(part.into_dlpack()?)?;
        }
        assert_eq!((part.shape(), part.get([2, 1])?), ([3, 3], 41.0));
    }
    Ok(())
}

#[test]
fn the_deleter_is_called_once() -> swathe::Result<()> {
    let (t, deleted) = tensor(&[4, 5], None, 3);
    drop(t);
    assert_eq!(count(&deleted), 1);

    let (t, deleted) = tensor(&[4, 5], Some(&[5, 1]), 3);
    let mut field = Field::<f64, 2>::from_dlpack(t)?;
    assert_eq!(field.get([2, 2])?, 15.0);
    field.fill(1.0)?;
    assert_eq!(count(&deleted), 0);
    let again = field.into_dlpack()?.into_raw();
    assert_eq!(count(&deleted), 0);
    // SAFETY: made by `into_raw`.
    drop(unsafe { Tensor::from_raw(again)? });
    assert_eq!(count(&deleted), 1);

    let (managed, deleted) = foreign(&[4], None, 0, |managed| managed.version.major = 2);
    // SAFETY: made above.
    let error = unsafe { Tensor::from_raw(managed) }.unwrap_err().to_string();
    assert_eq!(error, "taking over a DLPack tensor: it is of version 2.1, not 1");
    assert_eq!(count(&deleted), 1);
    Ok(())
}

#[test]
fn what_cannot_be_shared() -> swathe::Result<()> {
    let text = |result: swathe::Result<Field<f64, 2>>| result.unwrap_err().to_string();
    let (t, deleted) = tensor(&[4, 5], Some(&[1, 4]), 0);
    assert_eq!(
        text(Field::from_dlpack(t)),
        "making a Field<f64, 2> of a DLPack tensor: its strides [1, 4] are not those of row-major order without gaps; \
         `copy_from_dlpack` can copy it"
    );
    assert_eq!(count(&deleted), 1);
    let raw = |change: fn(&mut DLManagedTensorVersioned)| {
        // SAFETY: made in the call.
        unsafe { Tensor::from_raw(foreign(&[4, 5], None, 0, change).0).unwrap() }
    };
    let read_only = |managed: &mut DLManagedTensorVersioned| managed.flags = dlpack::READ_ONLY;
    assert_eq!(
        text(Field::from_dlpack(raw(read_only))),
        "making a Field<f64, 2> of a DLPack tensor: it is read-only; `copy_from_dlpack` can copy it"
    );
    assert_eq!(
        raw(read_only).into_raw_legacy().unwrap_err().to_string(),
        "giving away a DLPack tensor without a version: it is read-only, which only the structure with a version can say"
    );
    assert_eq!(
        text(Field::from_dlpack(raw(|m| m.dl_tensor.byte_offset = 12))),
        "making a Field<f64, 2> of a DLPack tensor: its address is no multiple of 8; `copy_from_dlpack` can copy it"
    );
    assert_eq!(
        text(Field::from_dlpack(raw(|m| m.dl_tensor.dtype.code = 3))),
        "making a Field<f64, 2> of a DLPack tensor: its scalars are of code 3 with 64 bits and 1 lanes, not f64"
    );
    assert_eq!(
        text(Field::from_dlpack(raw(|m| m.dl_tensor.dtype.code = 5))),
        "making a Field<f64, 2> of a DLPack tensor: expected scalars of type f64, got Complex<f32>"
    );
    assert_eq!(
        text(Field::from_dlpack(raw(|m| m.dl_tensor.dtype.code = 1))),
        "making a Field<f64, 2> of a DLPack tensor: expected scalars of type f64, got u64"
    );
    assert_eq!(
        text(Field::from_dlpack(raw(|m| m.dl_tensor.device.device_type = 7))),
        "making a Field<f64, 2> of a DLPack tensor: it is on device 0 of type 7, neither the CPU nor CUDA"
    );
    assert_eq!(
        Field::<f64>::from_dlpack(raw(|_| ())).unwrap_err().to_string(),
        "making a Field<f64, 1> of an array: expected shape [_], got [4, 5]"
    );
    let bytes = |m: &mut DLManagedTensorVersioned| {
        m.dl_tensor.dtype = DLDataType {
            code: 6,
            bits: 8,
            lanes: 1,
        };
    };
    let error = Field::<bool, 2>::from_dlpack(raw(bytes)).unwrap_err().to_string();
    assert_eq!(
        error,
        "making a Field<bool, 2> of a DLPack tensor: it is of booleans, but has bytes other than 0 and 1"
    );
    for device in devices() {
        let mut truths = Field::<bool, 2>::full(&device, [4, 5], true)?;
        let error = truths.copy_from_dlpack(&raw(bytes)).unwrap_err().to_string();
        assert!(
            error.ends_with("it is of booleans, but has bytes other than 0 and 1"),
            "{error}"
        );
        assert_eq!(truths.to_vec()?, [true; 20]);
    }
    Ok(())
}

#[test]
fn copies_take_any_strides() -> swathe::Result<()> {
    for device in devices() {
        let mut field = Field::<f64, 2>::zeros(&device, [4, 5])?;
        for (strides, first) in [([1_i64, 4], 0), ([-10, 2], 50), ([7, -1], 30), ([0, 3], 5), ([0, 0], 9)] {
            let (t, _deleted) = tensor(&[4, 5], Some(&strides), first);
            field.copy_from_dlpack(&t)?;
            let expected = Array2::from_shape_fn((4, 5), |(i, j)| {
                (first as i64 + i as i64 * strides[0] + j as i64 * strides[1]) as f64
            });
            assert_eq!(field.to_ndarray()?, expected, "{strides:?}");
        }
        let values = Array2::from_shape_fn((4, 5), |(i, j)| (i * 5 + j) as f64 * 1e100);
        field.copy_from_ndarray(&values)?;
        let (mut t, _deleted) = tensor(&[4, 5], Some(&[-2, 9]), 10);
        field.copy_to_dlpack(&mut t)?;
        let mut back = Field::<f64, 2>::zeros(&device, [4, 5])?;
        back.copy_from_dlpack(&t)?;
        assert_eq!(back.to_ndarray()?, values);

        let mut refused = |strides: &[i64; 2], flags: u64, reason: &str| -> swathe::Result<()> {
            let (managed, _deleted) = foreign(&[4, 5], Some(strides), 40, |managed| managed.flags = flags);
            // SAFETY: made above.
            let mut t = unsafe { Tensor::from_raw(managed)? };
            let error = field.copy_to_dlpack(&mut t).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("copying {} into a DLPack tensor: {reason}", field.describe())
            );
            back.copy_from_dlpack(&t)?;
            let before = Array2::from_shape_fn((4, 5), |(i, j)| {
                (40 + i as i64 * strides[0] + j as i64 * strides[1]) as f64
            });
            assert_eq!(back.to_ndarray()?, before);
            Ok(())
        };
        refused(&[5, 1], dlpack::READ_ONLY, "it is read-only")?;
        refused(
            &[0, 1],
            0,
            "axis 0 has stride 0: all its 4 positions are one place in memory",
        )?;
        refused(
            &[1, 0],
            0,
            "axis 1 has stride 0: all its 5 positions are one place in memory",
        )?;
        refused(
            &[4, 1],
            0,
            "with strides [4, 1], positions of its shape [4, 5] may overlap in memory",
        )?;
        refused(
            &[-2, 3],
            0,
            "with strides [-2, 3], positions of its shape [4, 5] may overlap in memory",
        )?;
    }
    Ok(())
}

#[test]
fn a_legacy_tensor_keeps_its_owner() -> swathe::Result<()> {
    unsafe extern "C" fn delete(managed: *mut DLManagedTensor) {
        // SAFETY: made below.
        let managed = unsafe { Box::from_raw(managed) };
        // SAFETY: a pointer to the counter that outlives the tensor.
        unsafe { &*managed.manager_ctx.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
    }
    let deleted = AtomicUsize::new(0);
    let mut data = [3_u32, 5, 8];
    let mut shape = [3_i64];
    let managed = Box::new(DLManagedTensor {
        dl_tensor: DLTensor {
            data: data.as_mut_ptr().cast(),
            device: DLDevice {
                device_type: dlpack::CPU,
                device_id: 0,
            },
            ndim: 1,
            dtype: DLDataType {
                code: 1,
                bits: 32,
                lanes: 1,
            },
            shape: shape.as_mut_ptr(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        },
        manager_ctx: (&raw const deleted).cast_mut().cast(),
        deleter: Some(delete),
    });
    // SAFETY: valid, with the arrays above.
    let tensor = unsafe { Tensor::from_raw_legacy(NonNull::from(Box::leak(managed))) };
    let versioned = tensor.into_raw();
    assert_eq!(count(&deleted), 0);
    // SAFETY: made by `into_raw`.
    let mut field = Field::<u32>::from_dlpack(unsafe { Tensor::from_raw(versioned)? })?;
    assert_eq!(field.to_vec()?, [3, 5, 8]);
    field.set(1, 77)?;
    drop(field);
    assert_eq!((count(&deleted), data), (1, [3, 77, 8]));
    Ok(())
}
