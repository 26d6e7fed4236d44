//! Variables and parameters (5.4): `.align 4 .b8 name[16] = {1, 2}`.

use super::cursor::Cursor;
use crate::operand::Type;

/// More than any device has.
const LARGEST: usize = 1 << 30;

/// A declaration behind its space.
#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    pub name: &'a str,
    pub bytes: usize,
    pub align: usize,
    /// The first bytes.
    pub init: Vec<u8>,
}

impl<'a> Variable<'a> {
    pub fn parse(cursor: &mut Cursor<'a>) -> Option<Variable<'a>> {
        let mut align = None;
        let mut ty = None;
        // `.ptr .align 1` tells of what a pointer points to.
        let mut pointee = false;
        let name = loop {
            match cursor.next()?.text {
                ".align" => {
                    let n = usize::try_from(cursor.number()?).ok().filter(|n| n.is_power_of_two())?;
                    if !pointee {
                        align = Some(n);
                    }
                }
                ".ptr" => pointee = true,
                ".global" | ".shared" | ".local" | ".const" if pointee => {}
                word => match word.strip_prefix('.') {
                    Some(word) => ty = Some(Type::parse(word)?),
                    None => break word,
                },
            }
        };
        let ty = ty.filter(|ty| ty.bits >= 8)?;
        let mut count = 1;
        if cursor.take("[") {
            count = match cursor.take("]") {
                true => 0,
                false => {
                    let count = usize::try_from(cursor.number()?).ok()?;
                    cursor.expect("]")?;
                    count
                }
            };
        }
        let mut init = Vec::new();
        if cursor.take("=") {
            let many = cursor.take("{");
            loop {
                let negative = cursor.take("-");
                let value = cursor.number()?;
                let value = if negative { value.wrapping_neg() } else { value };
                init.extend(&value.to_le_bytes()[..ty.bytes()]);
                if !many || !cursor.take(",") {
                    break;
                }
            }
            if many {
                cursor.expect("}")?;
            }
        }
        let bytes = ty.bytes().checked_mul(count).filter(|bytes| *bytes <= LARGEST)?;
        (init.len() <= bytes).then_some(Variable {
            name,
            bytes,
            align: align.unwrap_or(ty.bytes()),
            init,
        })
    }
}
