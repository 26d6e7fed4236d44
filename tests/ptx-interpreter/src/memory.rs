//! Memory that a kernel may access.

use crate::operand::Type;

/// Bytes of this process.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first.
    pub start: u64,
    /// How many.
    pub bytes: u64,
    /// May they be written?
    pub writable: bool,
}

/// Who accessed a byte of shared memory since a barrier.
#[derive(Clone, Copy, Default)]
struct Shadow {
    /// The interval between two barriers.
    epoch: u64,
    writer: Option<u32>,
    reader: Option<u32>,
    /// By more than one thread.
    readers: bool,
    /// At all, in this block.
    written: bool,
}

pub(crate) struct Memory<'a> {
    regions: &'a [Region],
    shared: Vec<u128>,
    bytes: usize,
    shadow: Vec<Shadow>,
    epoch: u64,
}

impl<'a> Memory<'a> {
    pub fn new(regions: &'a [Region], shared: usize) -> Memory<'a> {
        Memory {
            regions,
            shared: vec![0; shared.div_ceil(16)],
            bytes: shared,
            shadow: vec![Shadow::default(); shared],
            epoch: 1,
        }
    }

    pub fn barrier(&mut self) {
        self.epoch += 1;
    }

    pub fn shared(&self) -> u64 {
        self.shared.as_ptr().expose_provenance() as u64
    }

    /// A pointer to where `thread` may read or write a value.
    pub fn place(
        &mut self,
        address: u64,
        ty: Type,
        space: Option<bool>,
        write: bool,
        thread: u32,
    ) -> Result<*mut u8, String> {
        let size = ty.bytes() as u64;
        let inside =
            |start: u64, bytes: u64| address >= start && address - start <= bytes && bytes - (address - start) >= size;
        let verb = if write { "writes" } else { "reads" };
        if !address.is_multiple_of(size) {
            return Err(format!(
                "thread {thread} {verb} {size} bytes at {address:#x}, which is not aligned"
            ));
        }
        let in_shared = inside(self.shared(), self.bytes as u64);
        let allowed = in_shared
            || self
                .regions
                .iter()
                .any(|region| inside(region.start, region.bytes) && (region.writable || !write));
        if !allowed || space.is_some_and(|shared| shared != in_shared) {
            return Err(format!(
                "thread {thread} {verb} {size} bytes at {address:#x}, which it must not"
            ));
        }
        if in_shared {
            let start = (address - self.shared()) as usize;
            for byte in start..start + size as usize {
                self.note(byte, write, thread)?;
            }
        }
        Ok(std::ptr::with_exposed_provenance_mut(address as usize))
    }

    fn note(&mut self, byte: usize, write: bool, thread: u32) -> Result<(), String> {
        let shadow = &mut self.shadow[byte];
        if shadow.epoch != self.epoch {
            *shadow = Shadow {
                epoch: self.epoch,
                written: shadow.written,
                ..Shadow::default()
            };
        }
        let other = |who: Option<u32>| who.is_some_and(|who| who != thread);
        if other(shadow.writer) || write && (other(shadow.reader) || shadow.readers) {
            return Err(format!(
                "thread {thread} and another one access byte {byte} of shared memory"
            ));
        }
        if write {
            shadow.writer = Some(thread);
            shadow.written = true;
        } else {
            if !shadow.written {
                return Err(format!(
                    "thread {thread} reads byte {byte} of shared memory, which nobody has written"
                ));
            }
            shadow.readers |= other(shadow.reader);
            shadow.reader = Some(thread);
        }
        Ok(())
    }
}

/// Reads a value.
///
/// # Safety
/// [`Memory::place`] gave the pointer for this type.
pub(crate) unsafe fn load(from: *const u8, ty: Type) -> u64 {
    // SAFETY: by contract.
    let value = unsafe {
        match ty.bits {
            8 => u64::from(*from),
            16 => u64::from(*from.cast::<u16>()),
            32 => u64::from(*from.cast::<u32>()),
            _ => *from.cast::<u64>(),
        }
    };
    ty.extend(value)
}

/// Writes a value.
///
/// # Safety
/// [`Memory::place`] gave the pointer for this type.
pub(crate) unsafe fn store(to: *mut u8, ty: Type, value: u64) {
    // SAFETY: by contract.
    unsafe {
        match ty.bits {
            8 => *to = value as u8,
            16 => *to.cast::<u16>() = value as u16,
            32 => *to.cast::<u32>() = value as u32,
            _ => *to.cast::<u64>() = value,
        }
    }
}
