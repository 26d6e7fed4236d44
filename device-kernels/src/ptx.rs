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
    "arg" "arg_fold" "cast" "compare" "copy" "copy_large" "fill" "fold" "gather" "layout" "product" "product_thin" "random" "reduce" "scan" "sequence"
    "transpose"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::Entry;

    use super::*;

    /// Else an assembler may join a product and a sum, and bits would differ from the host's.
    #[test]
    fn sums_and_products_of_floats_name_their_rounding() {
        for family in FAMILIES {
            for word in text(family).split_ascii_whitespace() {
                let named = ["add.", "sub.", "mul."].iter().find_map(|op| word.strip_prefix(op));
                let float = named.is_some_and(|rest| rest.ends_with("f32") || rest.ends_with("f64"));
                assert!(!float || word.contains(".rn."), "{family}: {word}");
            }
        }
    }

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
