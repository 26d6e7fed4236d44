//! What stands in the parentheses of `#[kernel(..)]` and `#[func(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;

use crate::error::Errors;
use crate::hir::Arithmetic;

/// Which derivatives are asked for.
#[derive(Default)]
pub struct Asked {
    pub pullback: Option<Rule>,
    pub jvp: Option<Rule>,
}

pub struct Rule {
    /// Parameters that are no fields, with respect to which a kernel is differentiated, too.
    pub values: Vec<Ident>,
    /// The function that a `#[func]` takes for it.
    pub own: Option<syn::Path>,
}

struct Word {
    name: Ident,
    values: Vec<Ident>,
    own: Option<syn::Path>,
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> syn::Result<Word> {
        let name: Ident = input.parse()?;
        let mut word = Word {
            name,
            values: Vec::new(),
            own: None,
        };
        if input.peek(syn::token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            let values = Punctuated::<Ident, syn::Token![,]>::parse_terminated(&inner)?;
            word.values = values.into_iter().collect();
        } else if input.peek(syn::Token![=]) {
            let _: syn::Token![=] = input.parse()?;
            word.own = Some(input.parse()?);
        }
        Ok(word)
    }
}

fn words(args: &TokenStream) -> Option<Vec<Word>> {
    let words = Punctuated::<Word, syn::Token![,]>::parse_terminated.parse2(args.clone());
    Some(words.ok()?.into_iter().collect())
}

impl Asked {
    pub fn any(&self) -> bool {
        self.pullback.is_some() || self.jvp.is_some()
    }

    fn take(&mut self, word: Word) -> Result<(), Word> {
        let place = match word.name.to_string().as_str() {
            "grad" => &mut self.pullback,
            "jvp" => &mut self.jvp,
            _ => return Err(word),
        };
        if place.is_some() {
            return Err(word);
        }
        *place = Some(Rule {
            values: word.values,
            own: word.own,
        });
        Ok(())
    }
}

/// Of a kernel.
pub fn of_kernel(args: &TokenStream, errors: &mut Errors) -> (Arithmetic, Asked) {
    let (mut arithmetic, mut asked) = (None, Asked::default());
    let Some(words) = words(args) else {
        errors.on(args, KERNEL);
        return (Arithmetic::Contracted, asked);
    };
    for word in words {
        let plain = word.values.is_empty() && word.own.is_none();
        let new = match word.name.to_string().as_str() {
            "strict" if plain => Arithmetic::Strict,
            "fast_math" if plain => Arithmetic::Fast,
            "grad" | "jvp" if word.own.is_some() => {
                errors.on(
                    &word.name,
                    "a rule of one's own belongs to a `#[func]`: write `#[func(grad = rule)]`, and call it in the kernel",
                );
                continue;
            }
            _ => {
                if let Err(word) = asked.take(word) {
                    errors.on(&word.name, KERNEL);
                }
                continue;
            }
        };
        match arithmetic {
            Some(old) if old != new => errors.on(
                args,
                "`strict` and `fast_math` exclude each other: `strict` rounds every operation, `fast_math` approximates some; keep one of them",
            ),
            _ => arithmetic = Some(new),
        }
    }
    (arithmetic.unwrap_or(Arithmetic::Contracted), asked)
}

const KERNEL: &str = "write `#[kernel]`, `#[kernel(strict)]` for float arithmetic with the same bits on every device, `#[kernel(fast_math)]` for approximate divisions and roots, `#[kernel(grad)]` or `#[kernel(jvp)]` for derivatives";

/// Of a function.
pub fn of_func(args: &TokenStream, errors: &mut Errors) -> Asked {
    let mut asked = Asked::default();
    let Some(words) = words(args) else {
        errors.on(args, FUNC);
        return asked;
    };
    for word in words {
        if !word.values.is_empty() {
            errors.on(
                &word.name,
                "the gradient of a `#[func]` is that with respect to all parameters: write `grad`",
            );
        } else if let Err(word) = asked.take(word) {
            errors.on(&word.name, FUNC);
        }
    }
    asked
}

const FUNC: &str = "write `#[func]`, `#[func(grad)]` or `#[func(jvp)]` for derivatives, or `#[func(grad = rule)]` with a function of your own that gives them";
