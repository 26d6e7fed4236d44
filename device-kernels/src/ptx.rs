//! The PTX of the kernels, which `cargo xtask ptx` writes.

macro_rules! families {
    ($($family:literal)*) => {
        /// The families of kernels: each is a PTX module, to be loaded when one of its entries is first launched.
        pub const FAMILIES: &[&str] = &[$($family),*];

        /// The PTX of a family, for devices of compute capability 7.0 and up; empty if there is no such family.
        #[must_use]
        pub fn text(family: &str) -> &'static str {
            match family {
                $($family => include_str!(concat!("../ptx/", $family, ".ptx")),)*
                _ => "",
            }
        }
    };
}

families! {
    "arg" "arg_fold" "cast" "compare" "copy" "copy_large" "fill" "fold" "gather" "layout" "random" "reduce" "scan" "sequence"
    "transpose"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::Entry;

    use super::*;

    #[test]
    fn every_entry_is_in_the_text_of_its_family_and_no_other_is() {
        for family in FAMILIES {
            let names = text(family)
                .lines()
                .filter_map(|line| line.strip_prefix(".visible .entry ")?.strip_suffix('('));
            let entries = Entry::all().filter(|entry| entry.family == *family);
            assert_eq!(
                names.collect::<BTreeSet<_>>(),
                entries.map(|entry| entry.name).collect::<BTreeSet<_>>(),
                "{family}: `cargo xtask ptx` has not run"
            );
        }
        assert!(Entry::all().all(|entry| FAMILIES.contains(&entry.family)));
    }
}
