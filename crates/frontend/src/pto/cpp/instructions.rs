//! Calls of instructions, read as steps.

use a2lint_cpp::eval::{Constant, Eval, Kind, Operand, Place, TemplateArg, Value};
use a2lint_cpp::library::{Call, Evaluated};
use a2lint_ir::tile::{Address, Compare, CompareMode, Select, StepKind, Sync, TilePipe};
use a2lint_source::text::Span;

use super::library::{Data, Held, Tiles};
use super::types;
use crate::pto::names::{is_tile_instruction, makes_view, takes_from_pipe};

/// Returns whether a name is an instruction.
pub fn is_known(name: &str) -> bool {
    is_tile_instruction(name)
        || matches!(
            name,
            "set_flag" | "wait_flag" | "pipe_barrier" | "PipeBarrier"
        )
}

/// Records a call of an instruction.
pub fn call(tiles: &Tiles<'_>, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<()> {
    let operands = call.operands;
    let events = operands.iter().any(is_event);
    let mut each = Vec::new();
    for operand in operands {
        each.push(tiles.operand(eval, operand)?);
    }
    let kind = match (call.name, each.as_slice()) {
        ("TSEL", [dst, mask, src0, src1, rest @ ..]) => {
            // The older form has events in the place of the scratch tile.
            let tmp = rest.first().filter(|_| !is_event(&operands[4]));
            Some(StepKind::Select(Select {
                dst: dst.clone(),
                mask: mask.clone(),
                src0: src0.clone(),
                src1: src1.clone(),
                tmp: tmp.cloned(),
            }))
        }
        ("TSELS", [dst, mask, src, tmp, _, ..]) => Some(StepKind::SelectScalar {
            dst: dst.clone(),
            mask: mask.clone(),
            src: src.clone(),
            tmp: Some(tmp.clone()),
        }),
        // The older form selects between two tiles by a scalar; the newer one has a mask.
        ("TSELS", [dst, mask, src, scalar])
            if is_packed_mask(mask, src) && scalar.tile.is_none() =>
        {
            Some(StepKind::SelectScalar {
                dst: dst.clone(),
                mask: mask.clone(),
                src: src.clone(),
                tmp: None,
            })
        }
        ("TCMP" | "TCMPS", [dst, src0, other, ..]) => {
            let mode = operands.get(3);
            let mode = match mode {
                Some(mode) => compare_mode(tiles, eval, mode)?.map(|it| (it, mode.span)),
                None => None,
            };
            Some(StepKind::Compare(Compare {
                dst: dst.clone(),
                src0: src0.clone(),
                src1: (call.name == "TCMP").then(|| other.clone()),
                mode,
            }))
        }
        ("TLOAD", [tile, ..]) => Some(StepKind::Load(tile.clone())),
        ("TSTORE" | "TSTORE_FP", [_, tile, ..]) => Some(StepKind::Store(tile.clone())),
        ("TASSIGN", [tile, ..]) => match place(tiles, eval, call)? {
            Some(address) => {
                tiles.change(eval, &operands[0], |held| held.address = address)?;
                let mut tile = tile.clone();
                tile.address = address;
                Some(StepKind::Assign(tile))
            }
            None => None,
        },
        ("TSYNC", _) => Some(StepKind::Sync(Sync::Other)),
        ("set_flag" | "wait_flag", _) => Some(flag(tiles, eval, call)?),
        ("pipe_barrier" | "PipeBarrier", _) => Some(barrier(tiles, eval, call)?),
        // With too few arguments the code does not compile, so there is nothing to report.
        ("TSEL" | "TCMP" | "TCMPS" | "TLOAD" | "TSTORE" | "TSTORE_FP" | "TASSIGN", _) => None,
        (name, _) => {
            let moved = match name {
                _ if takes_from_pipe(name) => operands,
                _ if makes_view(name) => &operands[..operands.len().min(1)],
                _ => &[],
            };
            for operand in moved {
                tiles.forget(eval, operand)?;
            }
            let used = each
                .into_iter()
                .zip(operands)
                .filter(|(it, _)| it.tile.is_some());
            let mut used: Vec<_> = used.map(|(it, _)| it).collect();
            if !moved.is_empty() {
                let mut again = Vec::new();
                for operand in operands {
                    again.push(tiles.operand(eval, operand)?);
                }
                used = again.into_iter().filter(|it| it.tile.is_some()).collect();
            }
            Some(StepKind::Other(used))
        }
    };
    if let Some(kind) = kind {
        tiles.step(call.name, kind, events, (call.name_span, call.span));
    }
    Ok(())
}

fn is_event(operand: &Operand) -> bool {
    matches!(&operand.ty.kind, Kind::Library(of) if &*of.name == "Event")
}

/// Returns whether a tile is a packed mask for another one: bytes for wider elements.
fn is_packed_mask(mask: &a2lint_ir::tile::Operand, data: &a2lint_ir::tile::Operand) -> bool {
    let bytes = |it: &a2lint_ir::tile::Operand| Some(it.element()?.bytes());
    bytes(mask) == Some(1) && bytes(data).is_some_and(|bytes| bytes > 1)
}

fn compare_mode(
    tiles: &Tiles<'_>,
    eval: &mut Eval<'_>,
    operand: &Operand,
) -> Evaluated<Option<CompareMode>> {
    let name = enumerator(tiles, eval, operand)?;
    Ok(CompareMode::from_name(&name))
}

/// Returns the name of the enumerator that an operand is.
fn enumerator(tiles: &Tiles<'_>, eval: &mut Eval<'_>, operand: &Operand) -> Evaluated<String> {
    if let (Kind::Enum(_), Some(value)) = (&operand.ty.kind, eval.value_of(operand)?.known_int()) {
        let ty = operand.ty.clone().unqualified();
        return Ok(eval.argument_name(&TemplateArg::Value(ty, Constant::Int(value))));
    }
    let written = tiles.text_of(operand.span);
    Ok(written
        .rsplit("::")
        .next()
        .unwrap_or(written)
        .trim()
        .to_owned())
}

/// Returns where a `TASSIGN` places its tile; `None` if it lacks an address.
fn place(tiles: &Tiles<'_>, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<Option<Address>> {
    if let Some(argument) = call.template.first() {
        let span = argument_span(tiles, call);
        return Ok(Some(match argument {
            TemplateArg::Value(_, Constant::Int(at)) => {
                i64::try_from(*at).map_or(Address::Unknown, |at| Address::At(at, span))
            }
            _ => Address::Unknown,
        }));
    }
    let Some(address) = call.operands.get(1) else {
        return Ok(None);
    };
    if let Some(at) = types::number(eval, address)? {
        return Ok(Some(Address::At(at, address.span)));
    }
    // `x.data()` is the address of `x`.
    if let Place::Remote(Value::Library(data)) = &address.place
        && let Some(Data(cell)) = data.as_any().downcast_ref()
    {
        let operand = Operand::cell(eval.cell_type(*cell), *cell, address.span);
        let copied = tiles.tile(eval, &operand)?;
        if let Some((
            _,
            Held {
                address: Address::At(at, _),
                ..
            },
            _,
        )) = copied
        {
            return Ok(Some(Address::At(at, address.span)));
        }
    }
    Ok(Some(Address::Unknown))
}

/// Returns the place of the template arguments of a call.
fn argument_span(tiles: &Tiles<'_>, call: &Call<'_>) -> Span {
    let rest = Span {
        start: call.name_span.end,
        end: call.span.end,
    };
    let text = tiles.text_of(rest);
    let open = text.find('<').map_or(0, |at| at + 1);
    let close = text.find(">(").unwrap_or(open).max(open);
    Span {
        start: rest.start + open as u32,
        end: rest.start + close as u32,
    }
}

fn pipe_of(
    tiles: &Tiles<'_>,
    eval: &mut Eval<'_>,
    call: &Call<'_>,
    at: usize,
) -> Evaluated<Option<TilePipe>> {
    let Some(operand) = call.operands.get(at) else {
        return Ok(None);
    };
    let name = enumerator(tiles, eval, operand)?;
    Ok(TilePipe::from_name(&name))
}

fn flag(tiles: &Tiles<'_>, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<StepKind> {
    let source = pipe_of(tiles, eval, call, 0)?;
    let destination = pipe_of(tiles, eval, call, 1)?;
    Ok(StepKind::Sync(match (source, destination) {
        (Some(source), Some(destination)) if call.name == "set_flag" => {
            Sync::Set(source, destination)
        }
        (Some(source), Some(destination)) => Sync::Wait(source, destination),
        _ => Sync::Other,
    }))
}

fn barrier(tiles: &Tiles<'_>, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<StepKind> {
    let pipe = match call.template.first() {
        Some(argument) => TilePipe::from_name(&eval.argument_name(argument)),
        None => pipe_of(tiles, eval, call, 0)?,
    };
    Ok(StepKind::Sync(pipe.map_or(Sync::Other, Sync::Barrier)))
}
