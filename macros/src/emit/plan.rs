//! What `kernel::plan()` shows of a loop, as constants.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::given;
use super::ir::place;
use crate::hir::{Distance, Func, Reach};
use crate::plan::LoopPlan;
use crate::plan::describe::{Description, Remark, Technique, describe};

pub fn loops(func: &Func, plans: &[LoopPlan<'_>]) -> TokenStream {
    let loops = func.loops().zip(plans).map(|(p, plan)| {
        let Description {
            at,
            techniques,
            remarks,
        } = describe(func, p, plan);
        let (file, at) = place(func, at);
        let (line, column) = (at.line, at.column);
        let techniques = techniques.iter().map(|technique| self::technique(func, technique));
        let remarks = remarks.iter().map(|Remark { at, text }| {
            let (file, at) = place(func, *at);
            let (line, column) = (at.line, at.column);
            quote!(::swathe::__rt::Remark { file: #file, line: #line, column: #column, text: #text })
        });
        let reaches = p.reaches.iter().map(|reach| self::reach(func, reach));
        quote!(::swathe::__rt::LoopPlan {
            file: #file, line: #line, column: #column, techniques: &[#(#techniques),*], remarks: &[#(#remarks),*],
            reaches: &[#(#reaches),*]
        })
    });
    quote!(&[#(#loops),*])
}

fn reach(func: &Func, reach: &Reach) -> TokenStream {
    let (field, written) = (func.local(reach.field).name.unraw().to_string(), reach.written);
    let distance = match &reach.distance {
        Distance::Own => quote!(::swathe::__rt::core::option::Option::None),
        Distance::Axes(axes) => {
            let axes = axes.iter().map(|along| match along {
                Some((low, high)) => quote!(::swathe::__rt::core::option::Option::Some((#low, #high))),
                None => quote!(::swathe::__rt::core::option::Option::None),
            });
            quote!(::swathe::__rt::core::option::Option::Some(&[#(#axes),*]))
        }
    };
    quote!(::swathe::__rt::Reach::new(#field, #written, #distance))
}

fn technique(func: &Func, technique: &Technique) -> TokenStream {
    let lanes = |wide: &usize, narrow: &Option<usize>| {
        let narrow = match narrow {
            Some(narrow) => quote!(::swathe::__rt::core::option::Option::Some(#narrow)),
            None => quote!(::swathe::__rt::core::option::Option::None),
        };
        quote!({ wide: #wide, narrow: #narrow })
    };
    let technique = match technique {
        Technique::Versioned(extents) => quote!(Versioned { extents: #extents }),
        Technique::Tables => quote!(Tables),
        Technique::Private(fields) => {
            quote!(Private { fields: &[#(#fields),*] })
        }
        Technique::Reduced => quote!(Reduced),
        Technique::Accumulators(parts) => quote!(Accumulators { parts: #parts }),
        Technique::Split(comparisons, accesses) => quote!(Split { comparisons: #comparisons, accesses: #accesses }),
        Technique::Asked(function) => {
            let (name, told, items) = (function.name(), given::tells(&function.0), &func.items);
            quote!(Asked { function: #name, told: const { #(#items)* #told } })
        }
        Technique::Speculated(reads) => quote!(Speculated { reads: #reads }),
        Technique::Interchanged => quote!(Interchanged),
        Technique::Strips => quote!(Strips),
        Technique::Trimmed(comparisons) => quote!(Trimmed { comparisons: #comparisons }),
        Technique::Lanes { wide, narrow } => {
            let members = lanes(wide, narrow);
            quote!(Lanes #members)
        }
        Technique::WideLanes(lanes) => quote!(WideLanes { lanes: #lanes }),
        Technique::LanesForFunctions { wide, narrow } => {
            let members = lanes(wide, narrow);
            quote!(LanesForFunctions #members)
        }
        Technique::CheckedInLanes => quote!(CheckedInLanes),
        Technique::Shortened => quote!(Shortened),
        Technique::Overlapped => quote!(Overlapped),
        Technique::Inspected => quote!(Inspected),
        Technique::PassedOver => quote!(PassedOver),
        Technique::InTurns => quote!(InTurns),
        Technique::Blocks => quote!(Blocks),
        Technique::Streamed => quote!(Streamed),
        Technique::Windows => quote!(Windows),
        Technique::OneByOne => quote!(OneByOne),
    };
    quote!(::swathe::__rt::Technique::#technique)
}
