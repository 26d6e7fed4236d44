//! Memory of a device, owned.

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use crate::device::capture;
use crate::device::undivided::undivided;
use crate::device::{Device, Init};
use crate::element::{Element, MOST_ALIGNED};
use crate::error::{Error, Result};

/// Size of the host's buffer through which the memory of other devices passes.
const BUFFER: usize = 4 << 20;
/// Alignment of all memory and of that buffer.
const ALIGN: usize = MOST_ALIGNED;
/// Vectors of so many bytes become fields as they are.
const ADOPTED: usize = 64 << 10;

/// Memory on a device, of one holder unless [`Memory::share`] makes several, which only read it.
pub struct Memory {
    device: Device,
    /// Dangling if `bytes` is 0.
    at: NonNull<u8>,
    bytes: usize,
    allocation: Arc<Allocation>,
}

/// What is freed when nobody holds it any more.
struct Allocation {
    device: Device,
    at: NonNull<u8>,
    bytes: usize,
    /// What keeps the memory alive, if it is not the device's own.
    owner: Option<Owner>,
}

struct Owner {
    keep: Box<dyn Any + Send + Sync>,
    /// The device has to be told of the end.
    adopted: bool,
    /// Nobody else reaches the memory.
    alone: bool,
}

// SAFETY: the memory is owned, holds elements, which are `Send` and `Sync`, and is written through `&mut` only, of its only
// holder.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}
// SAFETY: the address is for the end of the allocation, when nobody else has it.
unsafe impl Send for Allocation {}
// SAFETY: as above; a shared borrow does nothing.
unsafe impl Sync for Allocation {}

impl Memory {
    fn new(device: &Device, at: NonNull<u8>, bytes: usize, owner: Option<Owner>) -> Memory {
        Memory {
            device: device.clone(),
            at,
            bytes,
            allocation: Arc::new(Allocation {
                device: device.clone(),
                at,
                bytes,
                owner,
            }),
        }
    }

    pub(in crate::field) fn alloc(device: &Device, bytes: usize, init: Init) -> Result<Memory> {
        let at = if bytes == 0 {
            dangling()
        } else {
            device.backend().alloc(bytes, init)?
        };
        Ok(Memory::new(device, at, bytes, None))
    }

    /// Memory of the device that somebody else allocated, and that lives as long as its owner.
    ///
    /// # Safety
    /// The bytes are valid and nobody writes to them, nor reads them while they are written through this.
    pub(in crate::field) unsafe fn foreign(
        device: &Device,
        at: NonNull<u8>,
        bytes: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Memory {
        let owner = Owner {
            keep: owner,
            adopted: bytes > 0 && device.backend().adopt(at, bytes),
            alone: false,
        };
        Memory::new(device, at, bytes, Some(owner))
    }

    /// The memory of a vector, if the device is the host and what is gained by it is more than what is lost; else the vector back.
    ///
    /// It begins where the allocator of the vector put it, which for elements suffices: code of the host expects no more of the arrays
    /// of others.
    pub(in crate::field) fn of_vec<T: Element>(device: &Device, mut values: Vec<T>) -> Result<Memory, Vec<T>> {
        let bytes = size_of_val(values.as_slice());
        let at = NonNull::from(values.as_mut_slice()).cast::<u8>();
        // Short memory is copied in no time, and then begins at a cache line, which counts where kernels run in the caches. Nor is much
        // more than the elements kept for them.
        let worth = bytes >= ADOPTED || bytes > 0 && at.addr().get().is_multiple_of(ALIGN);
        let tight = values.capacity() / 2 <= values.len();
        let ours = device.backend().is_host() && align_of::<T>() <= ALIGN && !cfg!(swathe_guarded);
        if !(worth && tight && ours) || capture::is_capturing() {
            return Err(values);
        }
        let owner = Owner {
            keep: Box::new(values),
            adopted: false,
            alone: true,
        };
        Ok(Memory::new(device, at, bytes, Some(owner)))
    }

    /// Whether nobody else holds it, so that it may be written. It stays so as long as this is borrowed exclusively: others come
    /// from a borrow of it.
    #[inline]
    pub(in crate::field) fn is_alone(&self) -> bool {
        // There are no weak references. The fence pairs with the release by which a holder lets go: what it did with the memory,
        // on whatever thread, is done.
        if Arc::strong_count(&self.allocation) != 1 {
            return false;
        }
        fence(Ordering::Acquire);
        true
    }

    /// Whether a graph refers to it.
    pub(in crate::field) fn is_recorded(&self) -> bool {
        self.bytes > 0 && self.device.backend().is_recorded(self.at)
    }

    /// One more holder of it, to read, if that may be. What others allocated may change when they have it back, what a graph
    /// refers to is written without its field, and what has no bytes needs no sharing.
    pub(in crate::field) fn share(&self) -> Option<Memory> {
        let own = self.bytes > 0 && self.allocation.owner.as_ref().is_none_or(|owner| owner.alone);
        (own && self.device.backend().share(self.at)).then(|| Memory {
            device: self.device.clone(),
            at: self.at,
            bytes: self.bytes,
            allocation: Arc::clone(&self.allocation),
        })
    }

    /// Fresh memory with the same bytes, on the same device. While this thread captures a graph they are copied now, not with
    /// the graph.
    pub(in crate::field) fn duplicate(&self) -> Result<Memory> {
        let at = if self.bytes == 0 {
            dangling()
        } else {
            // SAFETY: all of it is valid, and the borrow keeps writers away.
            unsafe { self.device.backend().duplicate(self.at, self.bytes)? }
        };
        Ok(Memory::new(&self.device, at, self.bytes, None))
    }

    /// How often graphs that write to it were launched.
    pub(in crate::field) fn replays(&self) -> u64 {
        if self.bytes == 0 {
            return 0;
        }
        self.device.backend().replays(self.at)
    }

    #[inline]
    pub(in crate::field) fn device(&self) -> &Device {
        &self.device
    }

    /// Its size in bytes.
    pub(in crate::field) fn size(&self) -> usize {
        self.bytes
    }

    pub(in crate::field) fn address(&self) -> *mut u8 {
        self.at.as_ptr()
    }

    pub(in crate::field) fn is_host(&self) -> bool {
        self.device.backend().is_host()
    }

    /// Lets a function write memory of the host.
    pub(in crate::field) fn edit_all(&mut self, write: impl FnOnce(*mut u8)) -> Result<()> {
        debug_assert!(self.is_alone());
        capture::refuse_on_cpu(|| "writing to a field of the CPU".to_owned())?;
        write(self.address());
        Ok(())
    }

    /// What [`undivided`] wants to know of it.
    pub(in crate::field) fn place(&self) -> (&Device, NonNull<u8>) {
        (&self.device, self.at)
    }

    /// How many bytes [`Memory::view`] and [`Memory::edit`] do well to take at once.
    pub(in crate::field) fn block(&self) -> usize {
        if self.device.backend().is_host() {
            usize::MAX
        } else {
            BUFFER
        }
    }

    /// # Safety
    /// `offset..offset + bytes` lies inside the memory, `to` has room for it.
    pub(in crate::field) unsafe fn download(&self, to: *mut u8, offset: usize, bytes: usize) -> Result<()> {
        if bytes == 0 {
            // What failed before is told by whatever waits for the device.
            return self.device.synchronize();
        }
        // SAFETY: by the caller's word; the borrow keeps writers away.
        unsafe { self.device.backend().download(to, self.at.add(offset), bytes) }
    }

    /// # Safety
    /// `offset..offset + bytes` lies inside the memory, `from` is valid for as many bytes.
    pub(in crate::field) unsafe fn upload(&mut self, offset: usize, from: *const u8, bytes: usize) -> Result<()> {
        debug_assert!(self.is_alone());
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by the caller's word; the exclusive borrow keeps all others away, since nobody else holds it.
        unsafe { self.device.backend().upload(self.at.add(offset), from, bytes) }
    }

    /// # Safety
    /// `value` is valid for `size` bytes, and the memory's size is a multiple of that.
    pub(in crate::field) unsafe fn fill(&mut self, value: *const u8, size: usize) -> Result<()> {
        debug_assert!(self.is_alone());
        if self.bytes == 0 {
            return Ok(());
        }
        // SAFETY: by the caller's word; the exclusive borrow keeps all others away, since nobody else holds it.
        unsafe { self.device.backend().fill(self.at, value, size, self.bytes / size) }
    }

    /// Writes `count` copies of a value from an offset on.
    ///
    /// # Safety
    /// `value` is valid for `size` bytes, and the copies lie inside the memory.
    pub(in crate::field) unsafe fn fill_range(
        &mut self,
        offset: usize,
        value: *const u8,
        size: usize,
        count: usize,
    ) -> Result<()> {
        debug_assert!(self.is_alone());
        if count == 0 || size == 0 {
            return Ok(());
        }
        // SAFETY: by the caller's word; the exclusive borrow keeps all others away, since nobody else holds it.
        unsafe { self.device.backend().fill(self.at.add(offset), value, size, count) }
    }

    /// Copies memory of the same size.
    pub(in crate::field) fn copy_from(&mut self, from: &Memory) -> Result<()> {
        debug_assert!(self.is_alone());
        debug_assert_eq!(self.bytes, from.bytes);
        let bytes = self.bytes.min(from.bytes);
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: both are valid for `bytes` bytes, and distinct since nobody else holds the one that is written.
        unsafe {
            if self.device == from.device {
                return self.device.backend().copy(self.at, from.at, bytes);
            }
            if self.device.backend().is_host() {
                return from.download(self.address(), 0, bytes);
            }
        }
        let block = from.block().min(bytes);
        let (device, at) = (self.device.clone(), self.at);
        undivided([(&device, at), from.place()], || {
            (0..bytes).step_by(block).try_for_each(|start| {
                let end = bytes.min(start + block);
                // SAFETY: `start..end` lies inside both.
                unsafe { from.view(start..end, |at| self.upload(start, at, end - start)) }?
            })
        })
    }

    /// Shows a range of bytes, or a copy of it, at an address on the host that is aligned as the range's start is.
    ///
    /// # Safety
    /// The range lies inside the memory.
    pub(in crate::field) unsafe fn view<R>(&self, range: Range<usize>, see: impl FnOnce(*const u8) -> R) -> Result<R> {
        if self.device.backend().is_host() {
            // SAFETY: by the caller's word.
            return Ok(see(unsafe { self.at.add(range.start) }.as_ptr()));
        }
        let buffer = Buffer::for_range(&range)?;
        // SAFETY: by the caller's word, and the buffer is as long.
        unsafe { self.download(buffer.at(), range.start, range.len())? };
        Ok(see(buffer.at()))
    }

    /// Lets a function write a range of bytes, all of it unless `keep`; the address is as for [`Memory::view`].
    ///
    /// # Safety
    /// The range lies inside the memory.
    pub(in crate::field) unsafe fn edit(
        &mut self,
        range: Range<usize>,
        keep: bool,
        write: impl FnOnce(*mut u8),
    ) -> Result<()> {
        debug_assert!(self.is_alone());
        if self.device.backend().is_host() {
            capture::refuse_on_cpu(|| "writing to a field of the CPU".to_owned())?;
            // SAFETY: by the caller's word.
            write(unsafe { self.at.add(range.start) }.as_ptr());
            return Ok(());
        }
        let buffer = Buffer::for_range(&range)?;
        // SAFETY: by the caller's word, and the buffer is as long.
        unsafe {
            if keep {
                self.download(buffer.at(), range.start, range.len())?;
            }
            write(buffer.at());
            self.upload(range.start, buffer.at(), range.len())
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Who is alone is the last, and the allocation goes, too.
        if Arc::strong_count(&self.allocation) > 1 {
            self.device.backend().unshare(self.at);
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            let waited = self.device.backend().settle().is_ok();
            let keep = match owner.adopted {
                true => self.device.backend().disown(self.at, owner.keep),
                false => Some(owner.keep),
            };
            if !waited {
                // Kernels may use the memory still: better never freed than freed too early.
                std::mem::forget(keep);
            }
            return;
        }
        if self.bytes > 0 {
            // SAFETY: allocated by this backend with this size, and no longer used.
            unsafe { self.device.backend().free(self.at, self.bytes) };
        }
    }
}

fn dangling() -> NonNull<u8> {
    const ADDRESS: std::num::NonZero<usize> = std::num::NonZero::new(ALIGN).unwrap();
    NonNull::without_provenance(ADDRESS)
}

/// Memory on the host for a moment.
struct Buffer {
    start: NonNull<u8>,
    layout: Layout,
    shift: usize,
}

impl Buffer {
    fn for_range(range: &Range<usize>) -> Result<Buffer> {
        let bytes = range.len();
        let out_of_memory = || Error::OutOfMemory {
            bytes,
            place: "the host".to_owned(),
        };
        let layout = Layout::from_size_align(bytes.saturating_add(ALIGN), ALIGN).map_err(|_| out_of_memory())?;
        // SAFETY: the size is at least `ALIGN`.
        let start = NonNull::new(unsafe { alloc(layout) }).ok_or_else(out_of_memory)?;
        Ok(Buffer {
            start,
            layout,
            shift: range.start % ALIGN,
        })
    }

    fn at(&self) -> *mut u8 {
        // SAFETY: `shift` is below `ALIGN`, which the layout adds.
        unsafe { self.start.add(self.shift).as_ptr() }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}
