//! How each access is covered: by its loop's domain, by one comparison before the loop, or by a check in place.

use std::collections::{HashMap, HashSet};

use super::access::{Found, Position};
use crate::hir::{Axis, Block, Check, Cover, Extent, Func, LocalId, Stmt};

pub fn decide(func: &mut Func, accesses: &[Found]) {
    let offset: HashSet<LocalId> = func.params.iter().filter(|p| p.is_offset()).map(|p| p.local).collect();
    let mut hoisted: HashMap<usize, Vec<Cover>> = HashMap::new();
    for found in accesses {
        let check = &mut func.accesses[found.id.0].check;
        if *check == Check::Unchecked {
            continue;
        }
        *check = Check::InKernel;
        let Some(covers) = covers(found, &offset) else { continue };
        if covers.is_empty() {
            *check = Check::Proven;
        } else if let Some(parallel) = found.parallel {
            *check = Check::Hoisted;
            let all = hoisted.entry(parallel).or_default();
            for cover in covers {
                if !all.contains(&cover) {
                    all.push(cover);
                }
            }
        }
    }
    attach(&mut func.body, &mut hoisted);
}

fn attach(block: &mut Block, hoisted: &mut HashMap<usize, Vec<Cover>>) {
    for stmt in &mut block.stmts {
        if let Stmt::ParFor(p) = stmt {
            p.hoisted = hoisted.remove(&p.number).unwrap_or_default();
        }
    }
}

/// The conditions under which an access is in bounds; `None` if no such conditions are known.
fn covers(found: &Found, offset: &HashSet<LocalId>) -> Option<Vec<Cover>> {
    let single = found.index.len() == 1;
    let mut covers = Vec::new();
    for (axis, position) in found.index.iter().enumerate() {
        let (extent, by) = match position {
            Position::Moved { extent, by, .. } => (extent, *by),
            Position::Own {
                extent: Some(extent),
                exact: true,
                ..
            }
            | Position::Below(extent) => (extent, 0),
            _ => return None,
        };
        // A number that is below an extent is no position of an offset field, nor is a position of one a number below an extent.
        if offset.contains(&found.field) != matches!(extent, Extent::Range(..) | Extent::Ranges(_)) {
            return None;
        }
        let itself = match extent {
            Extent::All(field) | Extent::Ranges(field) => {
                // All positions at once: the index must be nothing else.
                if !single {
                    return None;
                }
                *field == found.field
            }
            // Beside itself a range does not hold all of itself: that check stays in place, and others may be hoisted.
            Extent::Range(field, k) if by != 0 && *field == found.field && *k == axis => return None,
            Extent::Shape(field, k) | Extent::Range(field, k) => *field == found.field && *k == axis,
            Extent::Len(field) => *field == found.field && single,
            Extent::Local(_) | Extent::Literal(_) => false,
        };
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
    Some(covers)
}
