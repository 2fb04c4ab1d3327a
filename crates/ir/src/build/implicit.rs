//! Resolves parameters that only extents name.

use rustc_hash::FxHashSet;

use crate::{ExtentName, GlobalId, ParamKind, Program, Scalar, ScalarId, VariableId};

/// Replaces each symbol that the kernel never names, that is one extent of a tensor and part of no other
/// extent, by that extent. No launch has to give it a value then.
pub(super) fn settle(program: &mut Program, named: &FxHashSet<VariableId>) {
    for id in std::mem::take(&mut program.implicit) {
        let symbol = program.scalars.intern(Scalar::Variable(id));
        let place = match named.contains(&id) {
            true => None,
            false => only_place(program, symbol, id),
        };
        match place {
            Some(extent) => {
                program.scalars.become_extent(symbol, extent);
                program.extent_names.push(ExtentName {
                    name: program.variables[id.index()].name.to_string(),
                    global: extent.0,
                    axis: extent.1 as usize,
                });
                program
                    .params
                    .retain(|param| param.kind != ParamKind::Variable(id));
            }
            None => program.implicit.push(id),
        }
    }
}

/// Returns the extent that equals a symbol; `None` if the symbol is part of another extent, or of the number
/// of cores.
fn only_place(program: &Program, symbol: ScalarId, id: VariableId) -> Option<(GlobalId, u32)> {
    let mut place = None;
    for (index, global) in program.globals.iter().enumerate() {
        for (axis, &extent) in global.shape.iter().enumerate() {
            if !program.scalars.mentions(extent, id) {
                continue;
            }
            // An extent such as `N * 2`, or a second extent `N`, relates the symbol to others, so it remains
            // a symbol.
            if extent != symbol || place.is_some() {
                return None;
            }
            place = Some((GlobalId(index as u32), axis as u32));
        }
    }
    let is_cores = |cores: ScalarId| program.scalars.mentions(cores, id);
    place.filter(|_| !program.block_dim_scalar.is_some_and(is_cores))
}
