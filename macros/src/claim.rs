//! The macros that kernels know, `assert!`, `panic!`, `println!`, `matches!` and their kind: their arguments, and their format strings.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use swathe_ir::Output;
use swathe_ir::message::{self, Named, Piece, Style, StyleKind};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;

use crate::groups::Parenthesize;
use crate::source;

/// What such a macro says.
pub struct Claim {
    pub kind: Kind,
    /// Whether a release build leaves it out.
    pub debug: bool,
    pub message: Message,
}

pub enum Kind {
    /// Holds if the condition does.
    Holds(Box<syn::Expr>),
    /// Holds if two values are equal, or are not; the message has them as its last two.
    Compares {
        equal: bool,
        left: Box<syn::Expr>,
        right: Box<syn::Expr>,
    },
    /// Never holds.
    Never,
    /// Claims nothing: writes the message.
    Prints(Output),
    /// Writes values, each behind its text, and gives them.
    Inspects(Vec<Inspected>),
    /// Says whether a value matches a pattern, as this `match` does.
    Matches(Box<syn::Expr>),
}

/// An argument of `dbg!`.
pub struct Inspected {
    /// What is written, with the value as its only one.
    pub message: Message,
    pub value: syn::Expr,
}

#[derive(Default)]
pub struct Message {
    /// With numbers for all values.
    pub template: String,
    /// The values.
    pub args: Vec<syn::Expr>,
    /// In which ways each value is written.
    pub styles: Vec<Vec<StyleKind>>,
}

/// The names of the macros.
const NAMES: [&str; 16] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "print",
    "println",
    "eprint",
    "eprintln",
    "dbg",
    "matches",
];

/// The claim that a macro call is; `None` if it is another macro.
pub fn claim(mac: &syn::Macro) -> Option<syn::Result<Claim>> {
    let segments = &mac.path.segments;
    // Alone, which rustc confirms, or by the crate.
    let of_std = segments.len() == 2 && (segments[0].ident == "std" || segments[0].ident == "core");
    let last = segments.last().filter(|_| segments.len() == 1 || of_std)?;
    let name = last.ident.to_string();
    NAMES
        .contains(&name.as_str())
        .then(|| mac.parse_body_with(|input: ParseStream<'_>| parse(&name, input)))
}

fn parse(name: &str, input: ParseStream<'_>) -> syn::Result<Claim> {
    let debug = name.starts_with("debug_");
    let name = name.trim_start_matches("debug_");
    if input.is_empty() && name.starts_with("assert") {
        return Err(input.error(format!("`{name}!` needs something to be true")));
    }
    match name {
        "matches" => return matches(input),
        "dbg" => return inspects(input),
        "print" => return prints(input, Output::Out, ""),
        "println" => return prints(input, Output::Out, "\n"),
        "eprint" => return prints(input, Output::Err, ""),
        "eprintln" => return prints(input, Output::Err, "\n"),
        _ => {}
    }
    let (kind, failed) = match name {
        "assert" => {
            let mut cond: syn::Expr = input.parse()?;
            let text = source::text(&cond.to_token_stream());
            Parenthesize.visit_expr_mut(&mut cond);
            (Kind::Holds(Box::new(cond)), format!("assertion failed: {text}"))
        }
        "assert_eq" | "assert_ne" => {
            let left = Box::new(expression(input)?);
            input.parse::<syn::Token![,]>()?;
            let right = Box::new(expression(input)?);
            let equal = name == "assert_eq";
            let symbol = if equal { "==" } else { "!=" };
            (
                Kind::Compares { equal, left, right },
                format!("assertion `left {symbol} right` failed"),
            )
        }
        "panic" => (Kind::Never, "explicit panic".to_owned()),
        "unreachable" => (Kind::Never, "internal error: entered unreachable code".to_owned()),
        "todo" => (Kind::Never, "not yet implemented".to_owned()),
        _ => (Kind::Never, "not implemented".to_owned()),
    };
    if !matches!(kind, Kind::Never) && !input.is_empty() {
        input.parse::<syn::Token![,]>()?;
    }
    let own = (!input.is_empty()).then(|| Own::parse(input)).transpose()?;
    let before = match (&own, name) {
        (None, _) => Some(failed),
        (Some(_), "assert" | "panic") => None,
        (Some(_), _) => Some(format!("{failed}: ")),
    };
    let mut pieces: Vec<Piece> = before.map(Piece::Text).into_iter().collect();
    let (mut args, mut styles) = (Vec::new(), Vec::new());
    if let Some(own) = own {
        pieces.extend(own.pieces);
        (args, styles) = (own.args, own.styles);
    }
    if let Kind::Compares { .. } = kind {
        let debug = Style {
            kind: StyleKind::Debug,
            ..Style::default()
        };
        for (k, text) in ["\n  left: ", "\n right: "].into_iter().enumerate() {
            pieces.extend([
                Piece::Text(text.to_owned()),
                Piece::Value(Named::Number(args.len() + k), debug),
            ]);
        }
        styles.extend([vec![StyleKind::Debug], vec![StyleKind::Debug]]);
    }
    let template = message::template(&pieces);
    let message = Message { template, args, styles };
    Ok(Claim { kind, debug, message })
}

/// `matches!(value, pattern if guard)`.
fn matches(input: ParseStream<'_>) -> syn::Result<Claim> {
    let value = expression(input)?;
    input.parse::<syn::Token![,]>()?;
    let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<syn::Token![if]>>()? {
        Some(token) => {
            let condition = expression(input)?;
            quote::quote!(#token #condition)
        }
        None => TokenStream::new(),
    };
    input.parse::<Option<syn::Token![,]>>()?;
    if !input.is_empty() {
        return Err(input.error("behind the pattern of `matches!` stands `if` with a condition, or nothing"));
    }
    let whole = syn::parse_quote!(match #value {
        #pattern #guard => true,
        #[allow(unreachable_patterns)]
        _ => false,
    });
    Ok(Claim {
        kind: Kind::Matches(Box::new(whole)),
        debug: false,
        message: Message::default(),
    })
}

fn prints(input: ParseStream<'_>, output: Output, end: &str) -> syn::Result<Claim> {
    let own = (!input.is_empty()).then(|| Own::parse(input)).transpose()?;
    let (mut pieces, args, styles) = own.map_or_else(Default::default, |own| (own.pieces, own.args, own.styles));
    if !end.is_empty() {
        pieces.push(Piece::Text(end.to_owned()));
    }
    let template = message::template(&pieces);
    Ok(Claim {
        kind: Kind::Prints(output),
        debug: false,
        message: Message { template, args, styles },
    })
}

/// `dbg!(a, b)`.
fn inspects(input: ParseStream<'_>) -> syn::Result<Claim> {
    let values = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated(input)?;
    let inspected = values.into_iter().map(|mut value| {
        let text = source::text(&value.to_token_stream());
        Parenthesize.visit_expr_mut(&mut value);
        let style = Style {
            kind: StyleKind::Debug,
            ..Style::default()
        };
        let pieces = [
            Piece::Text(format!(" {text} = ")),
            Piece::Value(Named::Number(0), style),
            Piece::Text("\n".to_owned()),
        ];
        let message = Message {
            template: message::template(&pieces),
            args: Vec::new(),
            styles: vec![vec![StyleKind::Debug]],
        };
        Inspected { message, value }
    });
    Ok(Claim {
        kind: Kind::Inspects(inspected.collect()),
        debug: false,
        message: Message {
            template: "\n".to_owned(),
            ..Message::default()
        },
    })
}

fn expression(input: ParseStream<'_>) -> syn::Result<syn::Expr> {
    let mut e = input.parse()?;
    Parenthesize.visit_expr_mut(&mut e);
    Ok(e)
}

/// The user's own message.
struct Own {
    pieces: Vec<Piece>,
    args: Vec<syn::Expr>,
    styles: Vec<Vec<StyleKind>>,
}

struct Argument {
    name: Option<Ident>,
    value: syn::Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.peek(syn::Ident) && input.peek2(syn::Token![=]) && !input.peek2(syn::Token![==]);
        let name = if named {
            let name = input.parse()?;
            input.parse::<syn::Token![=]>()?;
            Some(name)
        } else {
            None
        };
        let value = expression(input)?;
        Ok(Argument { name, value })
    }
}

impl Own {
    fn parse(input: ParseStream<'_>) -> syn::Result<Own> {
        if !input.peek(syn::LitStr) {
            let rest: TokenStream = input.parse()?;
            return Err(syn::Error::new_spanned(
                rest,
                "a message in a kernel begins with its text, a string in quotes: `\"x = {}\", x`",
            ));
        }
        let lit: syn::LitStr = input.parse()?;
        let mut list = Vec::new();
        if !input.is_empty() {
            input.parse::<syn::Token![,]>()?;
            list = Punctuated::<Argument, syn::Token![,]>::parse_terminated(input)?
                .into_iter()
                .collect();
        }
        let text = lit.value();
        let mut pieces = message::pieces(&text)
            .map_err(|error| syn::Error::new(lit.span(), format!("`{}`: {}", &text[error.at], error.what)))?;
        let given = list.len();
        let mut own = Own {
            pieces: Vec::new(),
            args: Vec::new(),
            styles: Vec::new(),
        };
        let mut next = 0;
        let mut captured: Vec<(String, usize)> = Vec::new();
        let mut used: Vec<Vec<StyleKind>> = vec![Vec::new(); given];
        for piece in &mut pieces {
            let Piece::Value(named, style) = piece else { continue };
            let number = match named {
                Named::Next => {
                    next += 1;
                    next - 1
                }
                Named::Number(n) => *n,
                Named::Name(name) => {
                    let by_name = list
                        .iter()
                        .position(|arg| arg.name.as_ref().is_some_and(|n| *n == name.as_str()));
                    let before = captured.iter().find(|(n, _)| n == name).map(|(_, k)| *k);
                    match by_name.or(before) {
                        Some(k) => k,
                        None => {
                            let ident = syn::parse_str::<Ident>(name)
                                .map(|ident| Ident::new(&ident.to_string(), lit.span()))
                                .map_err(|_| {
                                    syn::Error::new(lit.span(), format!("`{name}` is no name of a variable"))
                                })?;
                            list.push(Argument {
                                name: None,
                                value: syn::parse_quote!(#ident),
                            });
                            used.push(Vec::new());
                            captured.push((name.clone(), list.len() - 1));
                            list.len() - 1
                        }
                    }
                }
            };
            if matches!(named, Named::Next | Named::Number(_)) && number >= given {
                let text = format!("the message writes value number {}, and is given {given}", number + 1);
                return Err(syn::Error::new(lit.span(), text));
            }
            *named = Named::Number(number);
            if !used[number].contains(&style.kind) {
                used[number].push(style.kind);
            }
        }
        if let Some((arg, _)) = list.iter().zip(&used).find(|(_, styles)| styles.is_empty()) {
            return Err(syn::Error::new_spanned(
                &arg.value,
                "the message does not use this value",
            ));
        }
        own.pieces = pieces;
        own.args = list.into_iter().map(|arg| arg.value).collect();
        own.styles = used;
        Ok(own)
    }
}
