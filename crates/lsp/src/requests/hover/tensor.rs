//! Hovers on tensors: memory, size, writers and readers.

use super::picture;
use crate::markdown;
use crate::requests::target::Place;
use crate::simulation::{self, RUN_MEMORY};
use crate::snapshot::Snapshot;
use a2lint_ir::{BufferId, GlobalId, GlobalKind, MemoryMap, Program, ScalarId, ScalarNames, View};
use a2lint_isa::bytes_text;
use a2lint_source::text::Span;

/// Maximum number of places in a list of writers or readers.
const MOST_USERS: usize = 6;

/// Returns the paragraphs on the tensor that an operand refers to.
pub fn operand(snapshot: &Snapshot, place: &Place, operand: usize) -> Option<Vec<String>> {
    let (_, instr) = place.first();
    Some(match instr.view(operand)? {
        View::Local(view) => buffer(snapshot, place.program, view.buffer),
        View::Global(view) => global(snapshot, place.program, view.global),
    })
}

/// Returns the paragraphs on an on-chip tensor.
pub fn buffer(snapshot: &Snapshot, program: &Program, id: BufferId) -> Vec<String> {
    let buffer = program.buffer(id);
    let names = ScalarNames::new(program);
    let [rows, columns] = buffer.shape.map(|extent| names.text(extent));
    let slots = match buffer.slots {
        1 => String::new(),
        slots => format!("{slots} {} of ", program.toolchain.notation.slots()),
    };
    let position = buffer.position;
    let title = format!(
        "**{}** — {slots}{} {} in {position}",
        markdown::text(buffer.label()),
        buffer.dtype,
        markdown::code(&format!("[{rows}, {columns}]")),
    );
    let map = known_memory(snapshot, program);
    let placement = map.get(id);
    let capacity = program.device.capacity(position);
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(bytes) = placement.slot_bytes {
        let total = placement.total().unwrap_or(bytes);
        let each = match placement.slots {
            1 => String::new(),
            slots => format!("{slots} × {} = ", bytes_text(bytes)),
        };
        let share = 100.0 * total as f64 / capacity as f64;
        let text = format!(
            "{each}{}, {share:.1} % of {}",
            bytes_text(total),
            bytes_text(capacity)
        );
        rows.push(("size", text));
    }
    if let (Some(start), Some(end)) = (placement.address, placement.end()) {
        let text = format!("{start:#07x} to {:#07x}", end - 1);
        rows.push(("address", text));
        let picture = picture::memory((start, end), map.known_bytes(position), capacity);
        rows.push((position.name(), picture));
    }
    let is_it = |view: &View| view.local().is_some_and(|view| view.buffer == id);
    rows.extend(users(snapshot, program, is_it));
    vec![title, picture::block(&rows)]
}

/// Returns the paragraphs on a global tensor.
pub fn global(snapshot: &Snapshot, program: &Program, id: GlobalId) -> Vec<String> {
    let global = program.global(id);
    let launches = simulation::launches(snapshot, program);
    let bound = simulation::bind(snapshot, program, launches.first().copied(), RUN_MEMORY);
    let kind = match global.kind {
        GlobalKind::Param => "parameter",
        GlobalKind::Workspace => "workspace",
    };
    let shape = match &bound {
        Ok(bound) => {
            let tensor = &bound.launch.globals[id.index()];
            format!(
                "{} {} under {}",
                tensor.dtype,
                markdown::code(&format!("{:?}", tensor.shape)),
                markdown::text(&bound.origin)
            )
        }
        Err(_) => "of unknown shape".to_owned(),
    };
    let title = format!(
        "**{}** — {kind} in GM, {shape}",
        markdown::text(&global.name)
    );
    let mut rows: Vec<(&str, String)> = Vec::new();
    let is_it = |view: &View| view.global().is_some_and(|view| view.global == id);
    rows.extend(users(snapshot, program, is_it));
    vec![title, picture::block(&rows)]
}

/// Returns the memory layout. Sizes that depend on launch scalars take their value from the first launch of the file.
fn known_memory(snapshot: &Snapshot, program: &Program) -> MemoryMap {
    let launches = simulation::launches(snapshot, program);
    let scalars = launches.first().map(|launch| launch.scalars.as_slice());
    let value = |id: ScalarId| {
        program.scalars.as_int(id).or_else(|| {
            let a2lint_ir::Scalar::Variable(variable) = program.scalars.get(id) else {
                return None;
            };
            let name = &program.variable(variable).name;
            let mut given = scalars.unwrap_or_default().iter();
            given
                .find(|(given, _)| given == name)
                .map(|(_, value)| *value as i64)
        })
    };
    MemoryMap::with(program, value)
}

/// Returns the lines that write a tensor and the lines that read it, as two rows of a block.
fn users(
    snapshot: &Snapshot,
    program: &Program,
    is_it: impl Fn(&View) -> bool,
) -> [(&'static str, String); 2] {
    let (mut writers, mut readers) = (Vec::new(), Vec::new());
    for (stmt, instr) in program.instructions() {
        for (_, operand, _) in instr.operands().filter(|(.., view)| is_it(view)) {
            if operand.access.writes() {
                writers.push(stmt.span);
            }
            if operand.access.reads() {
                readers.push(stmt.span);
            }
        }
    }
    [
        ("written", places_text(snapshot, writers)),
        ("read", places_text(snapshot, readers)),
    ]
}

/// Formats places as `lines 12, 14 and 3 more`.
pub fn places_text(snapshot: &Snapshot, mut places: Vec<Span>) -> String {
    places.sort_unstable();
    let mut places: Vec<String> = places.iter().map(|span| snapshot.place(*span)).collect();
    places.dedup();
    let shown = &places[..places.len().min(MOST_USERS)];
    let more = match places.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match shown {
        [] => "nowhere".to_owned(),
        [one] => format!("{one}{more}"),
        [first, rest @ ..] => {
            // Two or more lines share the word: `line 12, line 14` becomes `lines 12, 14`.
            let is_line = |place: &&String| place.starts_with("line ");
            let head = match shown.iter().filter(is_line).count() {
                0 | 1 => first.clone(),
                _ => first.replacen("line ", "lines ", 1),
            };
            let rest = rest
                .iter()
                .map(|place| place.strip_prefix("line ").unwrap_or(place));
            let all: Vec<&str> = std::iter::once(head.as_str()).chain(rest).collect();
            format!("{}{more}", all.join(", "))
        }
    }
}
