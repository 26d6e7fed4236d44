//! What kernels become: the plans and the native code of some twenty kernels as text, compared with files beside this one.
//! A change that only moves code leaves the files as they are.
//! `UPDATE_EXPECT=1 cargo test -p swathe-macros` writes them anew; read the difference.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use swathe_ir::FuncKind;
use syn2::visit_mut::VisitMut;

use crate::error::Errors;
use crate::lower::Place;
use crate::plan::describe::{Description, describe};
use crate::{check, kernel, lower, plan};

/// The attribute of an item, its arguments, and the item without it.
fn attribute(attrs: &mut Vec<syn::Attribute>) -> (bool, TokenStream) {
    let attribute = attrs.remove(0);
    let args = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    (attribute.path().is_ident("kernel"), args)
}

fn items(source: &str) -> Vec<syn::Item> {
    syn::parse_file(source).expect("the file is Rust").items
}

/// The plans of a file's kernels.
fn planned(source: &str) -> String {
    let mut text = String::new();
    for item in items(source) {
        let syn::Item::Fn(mut item) = item else { continue };
        let (true, _) = attribute(&mut item.attrs) else {
            continue;
        };
        let mut errors = Errors::default();
        let func = lower::func(&item.sig, &item.block, FuncKind::Kernel, Place::Free, &mut errors);
        let mut func = func.expect("the kernel is right");
        check::kernel(&mut func, &mut errors);
        assert!(errors.is_empty(), "the kernel is right");
        for (p, plan) in func.loops().zip(&plan::of_kernel(&func)) {
            let Description {
                techniques, remarks, ..
            } = describe(&func, p, plan);
            writeln!(text, "{}, loop {}", func.name, p.number).expect("a String");
            for technique in techniques {
                writeln!(text, "    {technique:?}").expect("a String");
            }
            for remark in remarks {
                writeln!(text, "    ! {}", remark.text).expect("a String");
            }
        }
    }
    text
}

/// The kernels and functions of a file, expanded. Other items stay out.
fn expanded(source: &str) -> String {
    let items = items(source).into_iter().map(|item| match item {
        syn::Item::Fn(mut item) => match attribute(&mut item.attrs) {
            (true, args) => kernel::kernel(&args, item.into_token_stream()),
            (false, args) => kernel::func(&args, item.into_token_stream()),
        },
        syn::Item::Impl(mut item) => {
            attribute(&mut item.attrs);
            kernel::func(&TokenStream::new(), item.into_token_stream())
        }
        _ => TokenStream::new(),
    });
    // Shorter paths: lines break less.
    let mut text = quote!(#(#items)*).to_string();
    for path in [
        ":: swathe :: __rt :: core :: primitive",
        ":: swathe :: __rt :: core",
        ":: swathe :: __rt",
    ] {
        let (_, last) = path.rsplit_once(":: ").expect("a path");
        let (whole, short) = (
            format!("{path} :: "),
            if last == "primitive" {
                String::new()
            } else {
                format!("{last} :: ")
            },
        );
        text = text.replace(&whole, &short);
    }
    assert!(!text.contains("compile_error"), "{text}");
    let mut file = syn2::parse_file(&text).expect("the expansion is Rust");
    Native.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

/// Leaves what runs on the CPU: neither the copy that is only typed, nor what is the same for all kernels.
struct Native;

impl VisitMut for Native {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn2::Attribute>) {
        attributes.retain(|a| {
            !["allow", "doc", "inline", "must_use"]
                .iter()
                .any(|name| a.path().is_ident(name))
        });
    }

    fn visit_file_mut(&mut self, file: &mut syn2::File) {
        file.items
            .retain(|item| matches!(item, syn2::Item::Fn(_) | syn2::Item::Impl(_)));
        syn2::visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn2::ItemImpl) {
        item.items
            .retain(|item| !matches!(item, syn2::ImplItem::Fn(f) if f.sig.ident == "load"));
        syn2::visit_mut::visit_item_impl_mut(self, item);
    }
}

macro_rules! kernels {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let source = include_str!(concat!("kernels/", stringify!($name), ".rs"));
            expect_file![concat!("plans/", stringify!($name), ".txt")].assert_eq(&planned(source));
            expect_file![concat!("expanded/", stringify!($name), ".rs")].assert_eq(&expanded(source));
        }
    )*};
}

kernels! { straight stencil axes gather gathers_in_lanes scatter lanes tables reductions windows offset vouched functions positions given }

/// Sums, methods, parentheses, signs and branches that stand `n` deep in one another.
fn deep(n: usize) -> [String; 5] {
    let repeated = |part: &str| part.repeat(n);
    [
        format!("x{}", repeated(" + x")),
        format!("x{}", repeated(".sqrt()")),
        format!("{}x{}", repeated("("), repeated(")")),
        format!("{}x", repeated("- ")),
        format!("{} {{ x }}", repeated("if x < 1.0 { x } else ")),
    ]
}

#[test]
fn what_is_too_deep_for_the_stack_is_refused() {
    let rustc = std::thread::Builder::new().stack_size(8 << 20);
    let expansion = rustc.spawn(expand_deep_code).expect("a thread");
    expansion.join().expect("no panic");
}

fn expand_deep_code() {
    let expanded = |value: &str| {
        let func: TokenStream = format!("fn f(x: f32) -> f32 {{ let y = {value}; y }}")
            .parse()
            .expect("tokens");
        let kernel = format!("fn f(f: &mut Field<f32>) {{ for i in f.indices() {{ let x = f[i]; f[i] = {value}; }} }}");
        let kernel: TokenStream = kernel.parse().expect("tokens");
        let none = TokenStream::new();
        [kernel::func(&none, func), kernel::kernel(&none, kernel)].map(|tokens| tokens.to_string())
    };
    let refused = |text: &String| text.contains(crate::error::TOO_DEEP);
    for (shallow, deep) in deep(240).iter().zip(&deep(300)) {
        assert!(!expanded(shallow).iter().any(refused), "{}", &shallow[..20]);
        assert!(expanded(deep).iter().all(refused), "{}", &deep[..20]);
    }
    // As many, but beside one another.
    let block = format!("{{ {} x }}", "if x < 1.0 {} else {} ".repeat(300));
    assert!(!expanded(&block).iter().any(refused));
}

/// A procedural macro may give all of a kernel one span.
#[test]
fn closures_tell_places_apart_without_spans() {
    fn at_one_place(tokens: TokenStream) -> TokenStream {
        let tokens = tokens.into_iter().map(|mut token| {
            if let proc_macro2::TokenTree::Group(group) = &token {
                token = proc_macro2::Group::new(group.delimiter(), at_one_place(group.stream())).into();
            }
            token.set_span(proc_macro2::Span::call_site());
            token
        });
        tokens.collect()
    }
    let kernel = "fn k(u: &Field<f32>, v: &Field<f32>, w: &mut Field<f32>) {
        let of_u = |k: usize| u[k + 1] + u[k];
        for i in w.indices() {
            let both = |k: usize| { let more = |j: usize| v[j] + of_u(j); more(k) - more(k + 2) };
            w[i] = v[i + 3] + both(i) * of_u(i) + both(7);
        }
    }";
    let kernel: TokenStream = kernel.parse().expect("tokens");
    let item: syn::ItemFn = syn::parse2(at_one_place(kernel)).expect("a function");
    let mut errors = Errors::default();
    let func = lower::func(&item.sig, &item.block, FuncKind::Kernel, Place::Free, &mut errors);
    let func = func.expect("the kernel is right");
    let sites: Vec<usize> = func.accesses.iter().map(|access| access.site.0).collect();
    assert_eq!(sites, [0, 1, 2, 3, 1, 2, 3, 2, 3, 1, 2, 3, 1, 2, 3, 15]);
}

/// Rows at the rims of other axes have an inside: what stands there for a neighbour by a table goes around, and asks nothing of the row.
#[test]
fn neighbours_by_tables_go_around() {
    let kernel: TokenStream = "fn k(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
        let [h, w] = u.shape();
        for [i, j] in v.indices() {
            let mut sum = 0.0;
            for [a, b] in [[0, 1], [2, 0]] {
                sum += u[[i.periodic(a, h), j.periodic(b, w)]];
            }
            for q in 0..3 {
                sum += u[[(i + h + q - 1) % h, j.symmetric(0, w)]];
            }
            v[[i, j]] = sum;
        }
    }"
    .parse()
    .expect("tokens");
    let text = crate::kernel::kernel(&TokenStream::new(), kernel).to_string();
    for (function, count) in [("periodic", 1), ("moved", 2), ("rest", 1), ("less", 0)] {
        let found = text.matches(&format!("within :: {function} ")).count();
        assert_eq!(found, count, "{function}");
    }
}

/// A variable that is made of the one before it, twice: what follows variables does not go every way to the first one, of which there are 2^60.
#[test]
fn chains_of_variables_are_followed_once() {
    let rustc = std::thread::Builder::new().stack_size(8 << 20);
    rustc.spawn(expand_chains).expect("a thread").join().expect("no panic");
}

fn expand_chains() {
    let chain = |first: &str, link: &dyn Fn(&str) -> String| {
        let mut text = format!("let h0 = {first};");
        for k in 1..=60 {
            write!(text, "let h{k} = {};", link(&format!("h{}", k - 1))).expect("a String");
        }
        text
    };
    let twice = |h: &str| format!("{h} + {h}");
    let product = |h: &str| format!("{h} * {h} + {h}");
    let chosen = |h: &str| format!("if {h} > 3 {{ {h} - 1 }} else {{ {h} + 1 }}");
    let bounded = |h: &str| format!("{h}.min({h} + n).max({h})");
    let both = |h: &str| format!("{h} && {h}");
    let either = |h: &str| format!("{h} || !{h}");
    // Each comes in both senses, beside conditions of its own on the position.
    let mixed = |h: &str| {
        format!(
            "!({h} && i + {} < x.len()) || {h}",
            h.len() * 7 + h.as_bytes()[h.len() - 1] as usize
        )
    };
    let array = |h: &str| format!("[{h}[1], {h}[1], {h}[0] + {h}[0]]");
    let table = |h: &str| format!("T[{h} + {h}]");
    let least = |h: &str| format!("T[{h}.min({h} + 1)]");
    let called = |h: &str| format!("f({h} + {h}, n)");
    let numbers: [&dyn Fn(&str) -> String; 4] = [&twice, &product, &chosen, &bounded];
    let mut bodies = Vec::new();
    for link in numbers {
        for first in ["at[i]", "at[i] as usize", "i"] {
            let chain = chain(first, link);
            for end in [
                "y[i] = h60 as i64;",
                "if h60 >= 0 { y[i] = 1; }",
                "if h60 < x.len() { y[i] = x[h60]; }",
                "if h60 < x.len() as i64 && h60 > 3 { y[i] = x[(h60 - 2) as usize]; }",
                "y[i] = x[h60] + x[h60 as usize + 1];",
                "y[h60] = 1; y[i + h60] += 2;",
                "for l in 0..5 { y[i] += x[h60 + l]; }",
                "for l in 0..h60 { if l > h60 { break; } y[i] += x[l]; }",
                "let mut s = 0; for l in 0..40 { s += at[i] * l; } if h60 < y.len() { unsafe { y[h60] = s } }",
                "y[h60 % n] = 1; s += h60; if h60 > most { most = h60; }",
            ] {
                bodies.push(format!("{chain} {end}"));
            }
        }
    }
    for link in [&table as &dyn Fn(&str) -> String, &least, &called] {
        let chain = chain("i", link);
        bodies.push(format!("{chain} y[i] = x[h60] + x[h60 + 1];"));
        bodies.push(format!("{chain} if h60 < x.len() {{ y[i] = x[h60]; }}"));
    }
    for link in [&both as &dyn Fn(&str) -> String, &either, &mixed] {
        for first in ["at[i] > 3", "i > 3", "i + 1 < x.len()", "(at[i] as usize) < x.len()"] {
            let chain = chain(first, link);
            bodies.push(format!("{chain} if h60 {{ y[i] = x[i + 1] + x[at[i] as usize]; }}"));
            bodies.push(format!("{chain} if h60 {{ y[i] = x[i - 1]; }}"));
            bodies.push(format!(
                "{chain} if !h60 || at[i] > 4 {{ continue; }} y[i + 1] = x[at[i] as usize];"
            ));
        }
    }
    bodies.push(format!(
        "{} if h60[0] < x.len() {{ y[i] = x[h60[0]] + x[h60[2]]; }}",
        chain("[i, n, 3]", &array)
    ));
    let within = |body: &str| {
        format!(
            "for l in 0..n {{ {} }}",
            body.replace("at[i]", "l").replace("x[", "x[l + ")
        )
    };
    bodies.extend(bodies.clone().iter().map(|body| within(body)));
    for body in bodies {
        let kernel = format!(
            "fn k(at: &Field<i64>, x: &Field<i64>, y: &mut Field<i64>, n: usize) -> (usize, usize) {{ let (mut s, mut most) = (0, 0); for i in y.indices() {{ {body} }} (s, most) }}"
        );
        let kernel: TokenStream = kernel.parse().expect("tokens");
        // What is refused was looked at as well.
        kernel::kernel(&TokenStream::new(), kernel);
    }
}
