use crate::declare_rule;
use crate::device::wrong_side;
use crate::observations::{nearby, witnessed, writers};
use crate::wording::{call, coordinates, counted, lane_text};
use crate::{Facts, Sink};
use a2lint_ir::{GlobalId, Note, NoteKind, PythonNote, Stmt};
use a2lint_isa::BLOCK_BYTES;
use a2lint_replay::{Event, LastStore, Source};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a returned tensor with elements that no lane stored under a launch of the file, or under sizes near one
    /// that the kernel cuts into tiles. The latter is a warning that names the size: the host may exclude it.
    ///
    /// ## Why is this bad?
    /// What a kernel returns is undefined before it starts, whatever the caller's tensor held.
    /// Elements that no core stores stay undefined.
    ///
    /// ## Example
    /// ```python
    /// tiles = var_div(M, TILE_M)          # the last, partial tile is lost
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     ...
    ///     y[row0:row0 + TILE_M, 0:N] <<= y_out
    /// ```
    ///
    /// ```cpp
    /// uint32_t mine = rows / GetBlockNum();         // the rest of the division is lost
    /// for (uint32_t r = GetBlockIdx() * mine; r < (GetBlockIdx() + 1) * mine; r++) { Row(r); }
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// tiles = CeilDiv(M, TILE_M)
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     rows = Min(TILE_M, M - row0)
    ///     ...
    ///     y[row0:row0 + rows, 0:N] <<= y_out[0:rows, 0:N]
    /// ```
    ///
    /// ```cpp
    /// for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) { Row(r); }
    /// ```
    ///
    /// ## Source
    /// Outputs hold nothing at launch.
    "INI004" "output-hole" Error, basis = Replayed, property = Ownership,
    causes = ["DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    // Instructions on the wrong side and statements that raise are not executed, so the holes follow from that mistake.
    let raises = |note: &Note| matches!(note.kind, NoteKind::Python(PythonNote::TraceError { .. }));
    if wrong_side::has_any(facts) || facts.program.notes.iter().any(raises) {
        return;
    }
    for observation in &facts.replay.observations {
        let Event::Hole {
            global,
            first,
            elements,
            last,
        } = observation.event
        else {
            continue;
        };
        let name = &facts.program.global(global).name;
        let bound = &facts.replay.execution(observation).bound.globals[global.index()];
        let total: i64 = bound.shape.iter().product();
        let (near, shape) = (nearby(facts, observation), &bound.shape);
        let verb = if elements == 1 { "is" } else { "are" };
        let message = match elements == total {
            true => format!("{near}no element of `{name}` {shape:?} is ever stored"),
            false => format!(
                "{near}{elements} of the {total} elements of `{name}` {shape:?} {verb} never stored, the first at {:?}",
                coordinates(first, shape)
            ),
        };
        // The only store is the place to mend it.
        let place = only_store(facts, global)
            .map_or_else(|| facts.program.global(global).span, |store| store.span);
        let report = sink.report(place, message);
        let report = match last.and_then(|last| explained(facts, last)) {
            Some(Explained { span, text, is_cut }) => {
                report.label(span, text).advice(advice(is_cut))
            }
            None => report.advice(advice(false)),
        };
        witnessed(report, facts, observation);
    }
}

/// Returns the store to a tensor, if there is only one.
fn only_store<'a>(facts: &Facts<'a>, global: GlobalId) -> Option<&'a Stmt> {
    let stores = writers(facts, Source::Global(global));
    let first = stores.first()?;
    let is_one_place = stores.iter().all(|store| store.span == first.span);
    is_one_place.then_some(*first)
}

/// The store before a hole, as a label.
struct Explained {
    span: Span,
    text: String,
    is_cut: bool,
}

/// Says what the store that ends where a hole begins has stored.
fn explained(facts: &Facts, last: LastStore) -> Option<Explained> {
    let stmt = facts.program.statement(last.stmt)?;
    let instr = stmt.kind.instr()?;
    let name = call(facts, instr);
    let text = match last.cut {
        Some([asked, 0]) => format!(
            "{name} stores nothing of the {} asked for: it moves whole blocks of {BLOCK_BYTES} bytes",
            counted(asked, "element")
        ),
        Some([asked, stored]) => format!(
            "{name} stores {stored} of the {} asked for: it moves whole blocks of {BLOCK_BYTES} bytes",
            counted(asked, "element")
        ),
        None => format!(
            "{name} on {} stores up to the hole",
            lane_text(facts, last.lane)
        ),
    };
    Some(Explained {
        span: stmt.span,
        text,
        is_cut: last.cut.is_some(),
    })
}

/// Returns what to change.
fn advice(is_cut: bool) -> &'static str {
    match is_cut {
        true => "store any number of elements with `DataCopyPad`, whose length is in bytes",
        false => {
            "let every tile be taken by a core, and every valid row and column of it be stored"
        }
    }
}
