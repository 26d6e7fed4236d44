//! Control flow and what threads wait for.

use crate::operand::{Kind, Type};
use crate::table::{Form, Words};

/// With these modifiers and without types.
fn plain(words: &Words<'_>, known: &[&[&str]], form: Form) -> Option<Form> {
    (words.types.is_empty() && known.contains(&&words.modifiers[..])).then_some(form)
}

pub(crate) fn bra(words: &Words<'_>) -> Option<Form> {
    plain(words, &[&[], &["uni"]], Form::Branch)
}

pub(crate) fn call(words: &Words<'_>) -> Option<Form> {
    plain(words, &[&[], &["uni"]], Form::Call)
}

pub(crate) fn ret(words: &Words<'_>) -> Option<Form> {
    plain(words, &[&[], &["uni"]], Form::Return)
}

pub(crate) fn exit(words: &Words<'_>) -> Option<Form> {
    plain(words, &[&[]], Form::Exit)
}

/// Of all threads of the block: number and count come with the operands. Or of the lanes of a mask.
pub(crate) fn bar(words: &Words<'_>) -> Option<Form> {
    plain(words, &[&["sync"]], Form::Barrier).or_else(|| plain(words, &[&["warp", "sync"]], Form::Converge))
}

pub(crate) fn activemask(words: &Words<'_>) -> Option<Form> {
    let bits = |ty: &Type| ty.kind == Kind::Bits && ty.bits == 32;
    (words.modifiers.is_empty() && matches!(&words.types[..], [ty] if bits(ty))).then_some(Form::Active)
}

/// Threads run one after the other, so that nothing is left to order.
pub(crate) fn membar(words: &Words<'_>) -> Option<Form> {
    let known: &[&[&str]] = match words.name {
        "membar" => &[&["gl"], &["cta"], &["sys"]],
        _ => &[
            &["sc", "gpu"],
            &["sc", "cta"],
            &["sc", "sys"],
            &["acq_rel", "gpu"],
            &["acq_rel", "cta"],
            &["acq_rel", "sys"],
        ],
    };
    plain(words, known, Form::Fence)
}
