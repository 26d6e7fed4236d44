//! Memory of others in graphs and streams: arrays of the host, and tensors of DLPack that another library allocated on the device.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, ShapeBuilder};
use swathe::dlpack::{self, DLDataType, DLDevice, DLManagedTensorVersioned, DLPackVersion, DLTensor, Tensor};
use swathe::prelude::*;
use swathe::{Graph, Stream};
use swathe_software_cuda::harness;

#[kernel]
fn triple(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = x[i].wrapping_mul(3).wrapping_add(i as i32);
    }
}

#[kernel]
fn into_array(x: &Field<i32>, out: &mut Array1<i32>) {
    for i in out.indices() {
        out[i] = x[i] + 1;
    }
}

#[kernel]
fn from_array(x: &Array1<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[i] + 1;
    }
}

#[kernel]
fn sums(x: &ArrayView2<i32>, y: &Field<i32, 2>, out: &mut ArrayViewMut2<i32>) {
    for p in out.indices() {
        out[p] = x[p] + y[p];
    }
}

/// The device, for this test alone: a failure is told to whoever waits for the device next.
fn device() -> (Device, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    (Device::cuda(0).unwrap_or_else(|error| panic!("{error}")), alone)
}

#[test]
fn a_capture_refuses_arrays_as_arguments() -> swathe::Result<()> {
    let (device, _alone) = device();
    let start: Vec<i32> = (0..17).map(|k| k * k).collect();
    let mut field = Field::from_slice(&device, &start)?;
    let mut array = Array1::from_iter(100..117);
    let before = array.clone();
    let text = |kernel: &str| {
        format!(
            "an array as argument of kernel `{kernel}` cannot be captured in a graph: an array passes through a copy at each call; \
             make a field of it before the capture"
        )
    };
    let error = Graph::capture(&device, || into_array(&field, &mut array)).unwrap_err();
    assert_eq!(error.to_string(), text("into_array"));
    let error = Graph::capture(&device, || from_array(&array, &mut field)).unwrap_err();
    assert_eq!(error.to_string(), text("from_array"));
    // Without elements, too: whether a program can be captured does not depend on lengths.
    let error = Graph::capture(&device, || into_array(&field, &mut Array1::zeros(0))).unwrap_err();
    assert_eq!(error.to_string(), text("into_array"));
    assert_eq!(field.to_vec()?, start);
    assert_eq!(array, before);

    // The device is as before; what is at hand in a field can be captured.
    let graph = Graph::capture(&device, || triple(&mut field))?;
    graph.launch()?;
    into_array(&field, &mut array)?;
    let expected = Array1::from_iter((0..17).map(|k| 3 * k * k + k + 1));
    assert_eq!(array, expected);
    Ok(())
}

/// The driver's functions, as another library calls them.
struct Driver(libloading::Library);

impl Driver {
    fn load() -> Driver {
        // SAFETY: the driver, which is loaded already.
        Driver(unsafe { libloading::Library::new("libcuda.so.1") }.unwrap())
    }

    fn upload(&self, values: &[i32]) -> u64 {
        let (mut at, bytes) = (0_u64, size_of_val(values));
        // SAFETY: these are their types; the device's context is current on this thread, which has just used it.
        unsafe {
            let alloc = self
                .0
                .get::<unsafe extern "C" fn(*mut u64, usize) -> i32>(b"cuMemAlloc_v2\0")
                .unwrap();
            assert_eq!(alloc(&raw mut at, bytes), 0);
            let copy = self
                .0
                .get::<unsafe extern "C" fn(u64, *const i32, usize) -> i32>(b"cuMemcpyHtoD_v2\0")
                .unwrap();
            assert_eq!(copy(at, values.as_ptr(), bytes), 0);
        }
        at
    }

    fn free(&self, at: u64) {
        // SAFETY: as above; the memory is not used any more.
        let freed = unsafe {
            self.0
                .get::<unsafe extern "C" fn(u64) -> i32>(b"cuMemFree_v2\0")
                .unwrap()(at)
        };
        assert_eq!(freed, 0);
    }
}

/// Memory of another library, which counts the calls of its deleter.
/// Memory that another library allocated, and that several tensors may have.
struct Uploaded(u64);

impl Drop for Uploaded {
    fn drop(&mut self) {
        Driver::load().free(self.0);
    }
}

struct Foreign {
    memory: Arc<Uploaded>,
    deleted: Arc<AtomicUsize>,
    shape: [i64; 1],
}

unsafe extern "C" fn delete(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `part_of` made both boxes.
    let foreign = unsafe {
        let managed = Box::from_raw(managed);
        Box::from_raw(managed.manager_ctx.cast::<Foreign>())
    };
    let Foreign { memory, deleted, .. } = *foreign;
    drop(memory);
    deleted.fetch_add(1, Ordering::SeqCst);
}

fn foreign(device: &Device, values: &[i32]) -> swathe::Result<(Tensor, Arc<AtomicUsize>)> {
    foreign_from(device, values, 0)
}

/// A tensor of what is behind the first values.
fn foreign_from(device: &Device, values: &[i32], first: usize) -> swathe::Result<(Tensor, Arc<AtomicUsize>)> {
    device.synchronize()?;
    let memory = Arc::new(Uploaded(Driver::load().upload(values)));
    part_of(&memory, first, values.len() - first)
}

/// A tensor of `count` values behind the first ones.
fn part_of(memory: &Arc<Uploaded>, first: usize, count: usize) -> swathe::Result<(Tensor, Arc<AtomicUsize>)> {
    let deleted = Arc::new(AtomicUsize::new(0));
    let mut owner = Box::new(Foreign {
        memory: memory.clone(),
        deleted: deleted.clone(),
        shape: [count as i64],
    });
    let dl_tensor = DLTensor {
        data: std::ptr::without_provenance_mut(memory.0 as usize),
        device: DLDevice {
            device_type: dlpack::CUDA,
            device_id: 0,
        },
        ndim: 1,
        dtype: DLDataType {
            code: 0,
            bits: 32,
            lanes: 1,
        },
        shape: owner.shape.as_mut_ptr(),
        strides: std::ptr::null_mut(),
        byte_offset: 4 * first as u64,
    };
    let managed = Box::new(DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 1 },
        manager_ctx: Box::into_raw(owner).cast(),
        deleter: Some(delete),
        flags: 0,
        dl_tensor,
    });
    // SAFETY: a tensor of one axis, over memory that lives until the deleter is called.
    Ok((unsafe { Tensor::from_raw(NonNull::from(Box::leak(managed)))? }, deleted))
}

fn tripled(values: &[i32]) -> Vec<i32> {
    values
        .iter()
        .enumerate()
        .map(|(i, x)| x.wrapping_mul(3).wrapping_add(i as i32))
        .collect()
}

#[test]
fn streams_keep_the_order_of_calls_on_tensors() -> swathe::Result<()> {
    let (device, _alone) = device();
    let mut expected: Vec<i32> = (0..1000).map(|k| 7 * k - 3).collect();
    let (tensor, deleted) = foreign(&device, &expected)?;
    let mut x = Field::<i32>::from_dlpack(tensor)?;
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    for k in 0..7 {
        streams[k % 2].run(|| triple(&mut x))?;
        expected = tripled(&expected);
    }
    assert_eq!(x.to_vec()?, expected);
    streams[0].run(|| triple(&mut x))?;
    assert_eq!(deleted.load(Ordering::SeqCst), 0);
    drop(x);
    assert_eq!(deleted.load(Ordering::SeqCst), 1, "once, when the work has ended");
    Ok(())
}

#[test]
fn memory_that_comes_several_times_is_known_until_all_have_given_it_up() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values: Vec<i32> = (0..1000).map(|k| 5 * k + 11).collect();
    device.synchronize()?;
    // The second begins where the first does, or behind it.
    for first in [0, 64] {
        let memory = Arc::new(Uploaded(Driver::load().upload(&values)));
        let a = Field::<i32>::from_dlpack(part_of(&memory, 0, 600)?.0)?;
        let b = Field::<i32>::from_dlpack(part_of(&memory, first, 1000 - first)?.0)?;
        assert_eq!(Arc::strong_count(&memory), 3);
        drop(a);
        assert_eq!(Arc::strong_count(&memory), 2);
        let mut copy = Field::<i32>::zeros(&device, 1000 - first)?;
        let graph = Graph::capture(&device, || copy.copy_from(&b))?;
        drop(b);
        assert_eq!(Arc::strong_count(&memory), 2, "the graph may run");
        let c = Field::<i32>::from_dlpack(part_of(&memory, first, 3)?.0)?;
        graph.launch()?;
        assert_eq!(copy.to_vec()?, values[first..]);
        drop(graph);
        assert_eq!(Arc::strong_count(&memory), 2, "the last field has it");
        assert_eq!(c.to_vec()?, values[first..first + 3]);
        drop(c);
        assert_eq!(Arc::strong_count(&memory), 1);
    }
    Ok(())
}

#[test]
fn a_graph_keeps_the_tensor_that_it_refers_to() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values: Vec<i32> = (0..1000).map(|k| 5 * k + 11).collect();
    let (tensor, deleted) = foreign(&device, &values)?;
    let mut x = Field::<i32>::from_dlpack(tensor)?;
    let mut copy = Field::<i32>::zeros(&device, 1000)?;
    let graph = Graph::capture(&device, || {
        triple(&mut x)?;
        copy.copy_from(&x)
    })?;
    graph.launch()?;
    assert_eq!(copy.to_vec()?, tripled(&values));
    drop(x);
    assert_eq!(deleted.load(Ordering::SeqCst), 0, "the graph may run again");
    graph.launch()?;
    assert_eq!(copy.to_vec()?, tripled(&tripled(&values)));
    graph.launch()?;
    drop(graph);
    assert_eq!(
        deleted.load(Ordering::SeqCst),
        1,
        "once, with the graph, when it has ended"
    );
    assert_eq!(copy.to_vec()?, tripled(&tripled(&tripled(&values))));
    Ok(())
}

#[kernel]
fn refuse(x: &mut Field<i32>, one: i32) {
    for i in x.indices() {
        assert!(x[i] != one, "one of them is {}", one);
        x[i] += 1;
    }
}

/// What cannot tell what failed in a kernel before leaves it for a call that can.
#[test]
fn a_failure_is_told_by_who_can_tell_it() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values = [3, 1, 2];
    let told = |device: &Device| {
        let error = device.synchronize().unwrap_err();
        assert!(error.to_string().contains("one of them is 1"), "{error}");
        device.synchronize()
    };
    let fresh = || Field::<i32>::from_slice(&device, &values);

    let (tensor, deleted) = foreign(&device, &values)?;
    let x = Field::<i32>::from_dlpack(tensor)?;
    refuse(&mut fresh()?, 1)?;
    drop(x);
    assert_eq!(deleted.load(Ordering::SeqCst), 1);
    told(&device)?;

    let (tensor, _) = foreign(&device, &[7, 8, 9])?;
    let mut x = fresh()?;
    refuse(&mut fresh()?, 1)?;
    x.copy_from_dlpack(&tensor)?;
    told(&device)?;
    assert_eq!(x.to_vec()?, [7, 8, 9]);

    let (a, b) = (fresh()?, fresh()?);
    refuse(&mut fresh()?, 1)?;
    assert!(a == b && a != x);
    told(&device)
}

#[test]
fn what_a_graph_refers_to_is_not_given_away() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values: Vec<i32> = (0..17).map(|k| 3 * k - 17).collect();
    let mut x = Field::<i32>::from_slice(&device, &values)?;
    let graph = Graph::capture(&device, || triple(&mut x))?;
    let clone = x.try_clone()?;
    let error = x.into_dlpack().unwrap_err();
    assert!(matches!(error, Error::DlPack { .. }), "{error}");
    graph.launch()?;
    let given = Field::<i32>::from_dlpack(clone.into_dlpack()?)?;
    assert_eq!(given.to_vec()?, values);
    let mut x = Field::<i32>::from_slice(&device, &values)?;
    drop(Graph::capture(&device, || triple(&mut x))?);
    let given = Field::<i32>::from_dlpack(x.into_dlpack()?)?;
    assert_eq!(given.to_vec()?, values);
    Ok(())
}

/// Code for a GPU loads elements of 16 bytes whole.
#[test]
fn tensors_that_are_not_aligned_are_copied() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values: Vec<i32> = (0..17).map(|k| 3 * k - 17).collect();
    for first in 1..5 {
        let (tensor, deleted) = foreign_from(&device, &values, first)?;
        let mut x = Field::<i32>::zeros(&device, 17 - first)?;
        x.copy_from_dlpack(&tensor)?;
        assert_eq!(x.to_vec()?, values[first..]);
        match Field::<i32>::from_dlpack(tensor) {
            Ok(mut x) if first == 4 => {
                triple(&mut x)?;
                assert_eq!(x.to_vec()?, tripled(&values[first..]));
            }
            Err(Error::DlPack { reason, .. }) if first < 4 => {
                assert!(reason.contains("no multiple of 16"), "{reason}");
                assert_eq!(deleted.load(Ordering::SeqCst), 1);
            }
            other => panic!("{first}: {other:?}"),
        }
    }
    Ok(())
}

#[test]
fn a_graph_copies_no_tensor() -> swathe::Result<()> {
    let (device, _alone) = device();
    let values: Vec<i32> = (0..1000).map(|k| 3 * k - 17).collect();
    let (mut tensor, _) = foreign(&device, &values)?;
    let mut x = Field::<i32>::full(&device, 1000, 5)?;
    let refused = |result: swathe::Result<()>| {
        assert!(matches!(result, Err(Error::NotCapturable { .. })), "{result:?}");
    };
    // Also where the closure goes on nothing has been recorded.
    let graph = Graph::capture(&device, || {
        refused(x.copy_from_dlpack(&tensor));
        refused(x.copy_to_dlpack(&mut tensor));
        triple(&mut x)
    })?;
    graph.launch()?;
    assert_eq!(x.to_vec()?, tripled(&[5; 1000]));
    x.copy_from_dlpack(&tensor)?;
    assert_eq!(x.to_vec()?, values);
    drop(tensor);
    graph.launch()?;
    assert_eq!(x.to_vec()?, tripled(&values));
    Ok(())
}

/// An axis of length 1 may have whatever stride, also where the array passes through a copy.
#[test]
fn strides_of_single_positions() -> swathe::Result<()> {
    let (device, _alone) = device();
    let data = [1, 2, 3];
    for stride in [1 << 62, isize::MAX as usize, isize::MAX as usize + 2, usize::MAX] {
        let row = ArrayView2::from_shape((1, 3).strides((stride, 1)), &data).unwrap();
        let field = Field::<i32, 2>::from_ndarray(&device, &row)?;
        assert_eq!(field.to_vec()?, data);
        let mut back = [0; 3];
        let mut target = ArrayViewMut2::from_shape((1, 3).strides((stride, 1)), &mut back).unwrap();
        field.view().copy_to_ndarray(&mut target)?;
        assert_eq!(back, data);
        let mut target = ArrayViewMut2::from_shape((1, 3).strides((stride, 1)), &mut back).unwrap();
        sums(&row, &field, &mut target)?;
        assert_eq!(back, [2, 4, 6]);
    }
    Ok(())
}

/// Of no elements, other axes may be longer than memory is.
#[test]
fn views_without_elements() -> swathe::Result<()> {
    const SHAPE: [usize; 2] = [0, 1 << 62];
    let (device, _alone) = device();
    for device in [Device::cpu(), device.clone()] {
        let field = Field::<f32, 2>::zeros(&device, [1, 1])?;
        let view = field.broadcast(SHAPE)?;
        assert_eq!(view.to_vec()?, [0.0; 0], "{device}");
        let mut array = Array2::zeros(SHAPE);
        view.copy_to_ndarray(&mut array)?;
        assert!(matches!(view.to_ndarray(), Err(Error::SizeOverflow { .. })), "{device}");
        assert!(matches!(view.try_clone(), Err(Error::SizeOverflow { .. })), "{device}");

        let mut none = Field::<f32>::zeros(&device, 0)?;
        let mut to = none.reshape_mut(SHAPE)?;
        to.copy_from_ndarray(&array)?;
        to.copy_from(&view)?;
        to.copy_from(&Field::<f32, 2>::zeros(&Device::cpu(), [1, 1])?.broadcast(SHAPE)?)?;
        to.fill(1.0)?;
    }
    Ok(())
}

#[kernel]
fn refuses(x: &mut Field<i32>, refused: usize) {
    for i in x.indices() {
        assert!(i != refused);
        x[i] += 1;
    }
}

/// The failures of one kernel are told as one.
#[kernel]
fn refuses_too(x: &mut Field<i32>, refused: usize) {
    for i in x.indices() {
        assert!(i != refused);
        x[i] += 2;
    }
}

#[kernel]
fn two_arrays(x: &Field<i32>, a: &mut Array1<i32>, b: &mut Array1<i32>, refused: usize) {
    for i in x.indices() {
        assert!(i != refused);
        a[i] += x[i];
        b[i] += 2 * x[i];
    }
}

#[kernel]
fn one_array(x: &Field<i32>, a: &mut Array1<i32>, refused: usize) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        assert!(i != refused);
        a[i] += x[i];
        sum += x[i];
    }
    sum
}

/// Each failure is told once, and all arrays are what the kernel made of them.
#[test]
fn failures_before_a_call_with_arrays_are_told_and_its_arrays_written() -> swathe::Result<()> {
    let (device, _alone) = device();
    let x = Field::from_slice(&device, &(1..18).collect::<Vec<i32>>())?;
    for (earlier, own) in [(0, 5), (1, 99), (1, 5), (2, 99), (2, 5)] {
        for result in [false, true] {
            let fields = (0..earlier).map(|_| Field::zeros(&device, 17));
            let mut fields: Vec<Field<i32>> = fields.collect::<Result<_, _>>()?;
            for (k, field) in fields.iter_mut().enumerate() {
                match k {
                    0 => refuses(field, k)?,
                    _ => refuses_too(field, k)?,
                }
            }
            let (mut a, mut b) = (Array1::zeros(17), Array1::zeros(17));
            let ran = match result {
                false => two_arrays(&x, &mut a, &mut b, own),
                true => one_array(&x, &mut a, own).map(drop),
            };
            let mut told = usize::from(ran.is_err());
            while device.synchronize().is_err() {
                told += 1;
            }
            let what = format!("{earlier} before, {own}, {result}");
            assert_eq!(told, earlier + usize::from(own < 17), "{what}");
            for i in 0..17 {
                let done = if i == own { 0 } else { i as i32 + 1 };
                assert_eq!(a[i], done, "{what}: {i}");
                assert_eq!(b[i], if result { 0 } else { 2 * done }, "{what}: {i}");
            }
        }
    }
    Ok(())
}
