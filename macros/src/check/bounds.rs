//! How each access is covered: by its loop's domain, by one comparison before the loop, or by a check in place.

use std::collections::{HashMap, HashSet};

use super::access::{Found, Position};
use crate::hir::{Axis, Block, Check, Cover, Extent, Func, LocalId, Stmt};

/// `split` tells of a parallel loop, by its number, whether its index set may be split: then what the user asks of each position is not asked of
/// all in front of the loop, where it mostly does not hold.
pub fn decide(func: &mut Func, accesses: &[Found], split: impl Fn(usize) -> bool) {
    let offset: HashSet<LocalId> = func.params.iter().filter(|p| p.is_offset()).map(|p| p.local).collect();
    let summed: HashSet<usize> = func
        .loops()
        .filter(|p| !p.reductions.is_empty())
        .map(|p| p.number)
        .collect();
    let mut compared: HashMap<usize, Compared> = HashMap::new();
    let mut hoisted = Vec::new();
    for found in accesses {
        let info = &mut func.accesses[found.id.0];
        (info.behind_condition, info.conditional) = (false, false);
        let check = &mut info.check;
        if *check == Check::Unchecked {
            continue;
        }
        *check = Check::InKernel;
        let (covers, whole) = covers(found, &offset);
        if found.guarded && !covers.is_empty() && found.parallel.is_some_and(&split) {
            continue;
        }
        info.behind_condition = whole && found.behind_condition;
        let compared = found.parallel.map(|number| compared.entry(number).or_default());
        let all = match compared {
            _ if whole && covers.is_empty() => {
                *check = Check::Proven;
                continue;
            }
            Some(compared) if whole => {
                *check = Check::Hoisted;
                hoisted.push((found, covers.clone()));
                match found.certain || !found.parallel.is_some_and(|number| summed.contains(&number)) {
                    true => &mut compared.hoisted,
                    false => &mut compared.conditional,
                }
            }
            Some(compared) => &mut compared.likely,
            None => continue,
        };
        for cover in covers {
            if !all.contains(&cover) {
                all.push(cover);
            }
        }
    }
    for (found, covers) in hoisted {
        let certain = found.parallel.and_then(|number| compared.get(&number));
        let certain = certain.is_some_and(|compared| covers.iter().all(|cover| compared.hoisted.contains(cover)));
        func.accesses[found.id.0].conditional = !certain;
    }
    attach(&mut func.body, &mut compared);
}

/// Conditions of a parallel loop.
#[derive(Default)]
struct Compared {
    hoisted: Vec<Cover>,
    conditional: Vec<Cover>,
    likely: Vec<Cover>,
}

fn attach(block: &mut Block, compared: &mut HashMap<usize, Compared>) {
    for stmt in &mut block.stmts {
        if let Stmt::ParFor(p) = stmt {
            let Compared {
                hoisted,
                mut conditional,
                mut likely,
            } = compared.remove(&p.number).unwrap_or_default();
            conditional.retain(|cover| !hoisted.contains(cover));
            likely.retain(|cover| !hoisted.contains(cover) && !conditional.contains(cover));
            (p.hoisted, p.conditional, p.likely) = (hoisted, conditional, likely);
        }
    }
}

/// The conditions under which an access is in bounds on some axes, and whether that is all of them.
fn covers(found: &Found, offset: &HashSet<LocalId>) -> (Vec<Cover>, bool) {
    let single = found.index.len() == 1;
    let mut covers = Vec::new();
    let mut whole = true;
    for (axis, position) in found.index.iter().enumerate() {
        let Some((extent, by, certain)) = limit(position) else {
            whole = false;
            continue;
        };
        // A number that is below an extent is no position of an offset field, nor is a position of one a number below an extent.
        if offset.contains(&found.field) != matches!(extent, Extent::Range(..) | Extent::Ranges(_)) {
            return (Vec::new(), false);
        }
        let itself = match extent {
            Extent::All(field) | Extent::Ranges(field) => {
                // All positions at once: the index must be nothing else.
                if !single {
                    return (Vec::new(), false);
                }
                *field == found.field
            }
            // Beside itself a range does not hold all of itself: that check stays in place, and others may be hoisted.
            Extent::Range(field, k) if by != 0 && *field == found.field && *k == axis => return (Vec::new(), false),
            Extent::Shape(field, k) | Extent::Range(field, k) => *field == found.field && *k == axis,
            Extent::Len(field) => *field == found.field && single,
            Extent::Local(_) | Extent::Literal(_) => false,
        };
        whole &= certain;
        if !itself {
            let axis = if matches!(extent, Extent::All(_) | Extent::Ranges(_)) {
                Axis::All
            } else {
                Axis::One(axis)
            };
            covers.push(Cover {
                extent: extent.clone(),
                field: found.field,
                axis,
                by,
            });
        }
    }
    (covers, whole)
}

/// What a position is below, the number that is added to it, and whether that is certain.
fn limit(position: &Position) -> Option<(&Extent, i64, bool)> {
    match position {
        Position::Moved { extent, by, .. } => Some((extent, *by, true)),
        Position::Own {
            extent: Some(extent),
            exact: true,
            ..
        }
        | Position::Below(extent) => Some((extent, 0, true)),
        Position::Within(extent) => Some((extent, 0, false)),
        Position::Own { .. } | Position::Affine(_) | Position::Other => None,
    }
}
