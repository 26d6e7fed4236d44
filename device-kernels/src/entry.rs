//! The table of entries: one macro makes the device's entry points and the host's list of them.

/// Arguments and entries of a kernel.
///
/// ```text
/// kernels! {
///     "fill": fill(Fill { to: *mut u8, bytes: u64 });      // family: function (its arguments)
///     fill_1 <u8>; fill_2 <u16>;                            // entries and their types
/// }
/// ```
///
/// The function is `unsafe fn fill<T, G: Grid>(g: G, a: Fill)`.
macro_rules! kernels {
    (
        $family:literal: $body:ident($args:ident $fields:tt);
        $($name:ident <$($t:ty),*>;)*
    ) => {
        $crate::entry::arguments!($args $fields);

        $(
            #[cfg(all(target_arch = "nvptx64", kernels = $family))]
            $crate::entry::entry_point!($name, $body [$($t),*] $args $fields);
        )*

        /// The entries of this kernel.
        #[cfg(not(target_arch = "nvptx64"))]
        pub(crate) static ENTRIES: &[$crate::launch::Entry] = &[$(
            $crate::launch::Entry {
                family: $family,
                name: stringify!($name),
                run: {
                    unsafe fn run(grid: $crate::grid::Host, args: &$crate::launch::Args) {
                        // SAFETY: the caller gives what the kernel needs.
                        unsafe { $body::<$($t,)* _>(grid, $args::read(args)) }
                    }
                    run
                },
            },
        )*];
    };
}
pub(crate) use kernels;

macro_rules! arguments {
    ($args:ident { $($field:ident: $type:ty),* $(,)? }) => {
        /// Arguments of the kernel, in the order of the entry's parameters.
        #[derive(Clone, Copy)]
        pub(crate) struct $args {
            $(pub $field: $type,)*
        }

        #[cfg(not(target_arch = "nvptx64"))]
        impl $args {
            /// As an entry takes them.
            pub(crate) fn pack(self) -> $crate::launch::Args {
                let mut args = $crate::launch::Args::default();
                $(args.push(self.$field);)*
                args
            }

            fn read(args: &$crate::launch::Args) -> Self {
                let mut position = 0..;
                $args { $($field: args.get(position.next().unwrap_or(0)),)* }
            }
        }
    };
}
pub(crate) use arguments;

#[cfg(target_arch = "nvptx64")]
macro_rules! entry_point {
    ($name:ident, $body:ident [$($t:ty),*] $args:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name($($field: $type),*) {
            // SAFETY: whoever launches gives what the kernel needs.
            unsafe { $body::<$($t,)* _>($crate::grid::Device, $args { $($field),* }) }
        }
    };
}
#[cfg(target_arch = "nvptx64")]
pub(crate) use entry_point;
