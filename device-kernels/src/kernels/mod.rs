//! The kernels, one file each.

use core::mem::MaybeUninit;

pub(crate) mod arg_fold;
pub(crate) mod arg_reduce;
pub(crate) mod cast;
pub(crate) mod claim;
pub(crate) mod close;
pub(crate) mod copy;
pub(crate) mod copy_large;
pub(crate) mod differ;
pub(crate) mod fill;
pub(crate) mod fold;
pub(crate) mod gather;
pub(crate) mod iota;
pub(crate) mod layout;
pub(crate) mod linspace;
pub(crate) mod product;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod scan;
pub(crate) mod scan_add;
pub(crate) mod scan_fold;
pub(crate) mod scatter;
pub(crate) mod transpose;
pub(crate) mod uniform;

/// The entries of all kernels.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) static ENTRIES: &[&[crate::launch::Entry]] = &[
    arg_fold::ENTRIES,
    arg_reduce::ENTRIES,
    cast::ENTRIES,
    claim::ENTRIES,
    close::ENTRIES,
    copy::ENTRIES,
    copy_large::ENTRIES,
    differ::ENTRIES,
    fill::ENTRIES,
    fold::ENTRIES,
    gather::ENTRIES,
    iota::ENTRIES,
    layout::ENTRIES,
    linspace::ENTRIES,
    product::tile::ENTRIES,
    product::large_tile::ENTRIES,
    product::dot::ENTRIES,
    product::dot_fold::ENTRIES,
    product::dot_join::ENTRIES,
    random::ENTRIES,
    reduce::ENTRIES,
    scan::ENTRIES,
    scan_add::ENTRIES,
    scan_fold::ENTRIES,
    scatter::ENTRIES,
    transpose::ENTRIES,
    uniform::ENTRIES,
];

/// The element with this number.
#[inline(always)]
pub(crate) unsafe fn at<T>(start: *mut u8, index: u64) -> *mut T {
    // SAFETY: by contract the element is inside of one allocation.
    unsafe { start.cast::<T>().add(index as usize) }
}

/// Copies a word, of which padding may have no value.
///
/// # Safety
/// Both are aligned, and inside of their allocations.
#[inline(always)]
pub(crate) unsafe fn move_word<W: Copy>(from: *mut MaybeUninit<W>, to: *mut MaybeUninit<W>) {
    // SAFETY: by contract.
    unsafe { to.write(*from) };
}

/// Quotient and remainder.
///
/// # Safety
/// `by` is not 0: a check would end in a panic, which a device has not.
#[inline(always)]
pub(crate) unsafe fn split(n: u64, by: u64) -> (u64, u64) {
    // SAFETY: by contract.
    unsafe { core::hint::assert_unchecked(by != 0) };
    (n / by, n % by)
}

/// Notes that the item with this number failed: the least one stays.
#[inline(always)]
pub(crate) unsafe fn note(least: *mut u64, item: u64) {
    use core::sync::atomic::{AtomicU64, Ordering};

    // SAFETY: by contract `least` is an aligned number that is accessed by this function alone during the launch.
    unsafe { AtomicU64::from_ptr(least) }.fetch_min(item, Ordering::Relaxed);
}
