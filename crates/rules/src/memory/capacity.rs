//! Compares the sizes of buffers with the capacity of their memory.

use crate::observations::witnessed;
use crate::{Facts, Report, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Buffer, Granule, Program, ScalarId, View};
use a2lint_isa::{Position, sizes_text};
use a2lint_replay::Event;
use a2lint_source::text::Span;

/// Upper bound on the labels of a finding.
const LABELS: usize = 4;
/// Upper bound on the buffers that a finding lists.
const LISTED: usize = 8;

/// A buffer with the size of all its slots in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    pub buffer: &'a Buffer,
    pub bytes: i64,
}

/// Buffers of one memory that do not fit into it.
pub(crate) struct Overflow<'a> {
    pub position: Position,
    /// Capacity for buffers in bytes: usable size less what the toolchain reserves.
    room: i64,
    /// The buffer to report: larger than the capacity by itself, or else the first one that ends beyond it.
    pub culprit: Share<'a>,
    /// The other buffers, largest first; empty if the culprit alone is too large.
    pub others: Vec<Share<'a>>,
}

/// Returns what exceeds the capacity of a memory. Buffers of unknown size count as empty, so a sum is a lower
/// bound.
pub(crate) fn overflows<'a>(facts: &Facts<'a>, position: Position) -> Vec<Overflow<'a>> {
    let buffers = shares(facts, position);
    let room = facts.program.usable(position) - facts.memory.reserved(position);
    let alone: Vec<Overflow> = buffers
        .iter()
        .filter(|one| one.bytes > room)
        .map(|&culprit| Overflow {
            position,
            room,
            culprit,
            others: Vec::new(),
        })
        .collect();
    // After a rewind of the allocator, buffers may share addresses, so that their sum proves nothing.
    if !alone.is_empty() || facts.program.rewinds_memory {
        return alone;
    }
    in_sum(buffers, position, room).into_iter().collect()
}

/// Warns about buffers that fill the end of a memory, which the library keeps for itself in kernels on cube and vec
/// cores.
pub(crate) fn report_reserved(facts: &Facts, position: Position, sink: &mut Sink) {
    let program = facts.program;
    let tail = program.toolchain.memory.mixed_tail;
    let room = program.usable(position) - facts.memory.reserved(position);
    let is_mixed = !program.vec_only && !program.cube_only;
    if tail == 0 || program.rewinds_memory || !is_mixed {
        return;
    }
    // A buffer of the whole memory stands for tensors with addresses of their own.
    let buffers = shares(facts, position);
    if buffers.iter().any(|one| one.bytes == room) {
        return;
    }
    let Some(overflow) = in_sum(buffers, position, room - tail) else {
        return;
    };
    if overflow.total() > room {
        return;
    }
    let message = format!(
        "buffers fill {} of {room} bytes of {}, of which a kernel on cube and vec cores keeps the last {tail}",
        overflow.total(),
        position.name()
    );
    // What the library keeps in L1 serves Matmul objects: published kernels without one fill L1 to the end.
    let severity = match position != Position::L1 || uses_objects(program) {
        true => Severity::Warning,
        false => Severity::Info,
    };
    sink.report(overflow.span(), message)
        .severity(severity)
        .advice(format!("leave the last {tail} bytes free of buffers"));
}

/// Returns whether a kernel multiplies in global memory, as Matmul objects do.
fn uses_objects(program: &Program) -> bool {
    let instructions = program.instructions();
    instructions.iter().any(|(_, instr)| {
        let product = instr.row().is_product();
        product
            && instr
                .operands()
                .any(|(_, _, view)| View::global(view).is_some())
    })
}

fn shares<'a>(facts: &Facts<'a>, position: Position) -> Vec<Share<'a>> {
    facts
        .memory
        .in_position(position)
        .filter_map(|placement| {
            Some(Share {
                buffer: facts.program.buffer(placement.buffer),
                bytes: placement.total()?,
            })
        })
        .collect()
}

fn in_sum(mut buffers: Vec<Share>, position: Position, room: i64) -> Option<Overflow> {
    let mut end = 0_i64;
    let crossing = buffers.iter().position(|one| {
        end = end.saturating_add(one.bytes);
        end > room
    })?;
    let culprit = buffers.remove(crossing);
    buffers.sort_by_key(|one| std::cmp::Reverse(one.bytes));
    Some(Overflow {
        position,
        room,
        culprit,
        others: buffers,
    })
}

/// Reports buffers that are too large for a memory only with the sizes of a launch. Constant sizes are reported
/// without one.
pub(crate) fn report_launched(facts: &Facts, position: Position, sink: &mut Sink) {
    if !overflows(facts, position).is_empty() {
        return;
    }
    for observation in &facts.replay.observations {
        let Event::Overflow {
            position: seen,
            needed,
            buffer,
        } = observation.event
        else {
            continue;
        };
        if seen != position {
            continue;
        }
        let buffer = facts.program.buffer(buffer);
        let [needed, limit] = sizes_text([needed, facts.program.usable(position)]);
        let message = format!(
            "the buffers up to `{}` need {needed} in a launch; {position} has {limit}",
            buffer.label()
        );
        let report = sink.report(buffer.span, message);
        witnessed(report, facts, observation)
            .help("work on parts of a constant size, or say how large it may be: `# a2lint: assume(...)`")
            .in_cpp("work on parts of a constant size, or say how large it may be: `// a2lint: assume(...)`");
    }
}

impl Overflow<'_> {
    /// Returns the size of all buffers in bytes.
    pub fn total(&self) -> i64 {
        self.culprit.bytes.saturating_add(bytes(&self.others))
    }

    /// Returns where the overflow is reported.
    pub fn span(&self) -> Span {
        self.culprit.buffer.span
    }

    /// Formats the message, with the numbers.
    pub fn message(&self, facts: &Facts) -> String {
        let (name, position) = (self.culprit.buffer.label(), self.position);
        let limit = self.room;
        if limit < facts.program.usable(position) {
            let [total, limit] = sizes_text([self.total(), limit]);
            return format!(
                "`{name}` needs {total} of {position}, and matmul() leaves {limit}: the compiler loads its \
                 operands there"
            );
        }
        if self.others.is_empty() {
            let formula = formula(facts, self.culprit.buffer);
            let [bytes, limit] = sizes_text([self.culprit.bytes, limit]);
            return format!("`{name}` needs {bytes}; {position} has {limit} ({formula})");
        }
        let [total, limit] = sizes_text([self.total(), limit]);
        let count = self.others.len() + 1;
        format!(
            "{count} buffers need {total}; {position} has {limit}, and `{name}` reaches past its end"
        )
    }

    /// Formats every buffer with its size, largest first.
    pub fn list(&self) -> String {
        let mut all = self.others.clone();
        let at = all.partition_point(|one| one.bytes >= self.culprit.bytes);
        all.insert(at, self.culprit);
        let mut items: Vec<String> = all
            .iter()
            .take(LISTED)
            .map(|one| format!("`{}` {}", one.buffer.label(), size_text(one.bytes)))
            .collect();
        if all.len() > LISTED {
            let rest = bytes(&all[LISTED..]);
            items.push(format!("{} more {}", all.len() - LISTED, size_text(rest)));
        }
        items.join(", ")
    }

    /// Labels the largest other buffers.
    pub fn label<'r>(&self, mut report: Report<'r>) -> Report<'r> {
        let mut seen = vec![self.span()];
        for one in &self.others {
            if seen.len() > LABELS {
                break;
            }
            if !seen.contains(&one.buffer.span) {
                seen.push(one.buffer.span);
                let message = format!("`{}` takes {}", one.buffer.label(), size_text(one.bytes));
                report = report.label(one.buffer.span, message);
            }
        }
        report
    }

    /// Returns how many bytes the other buffers leave for the reported one; negative if they alone exceed the capacity.
    pub fn room(&self) -> i64 {
        self.room.saturating_sub(bytes(&self.others))
    }
}

fn bytes(shares: &[Share]) -> i64 {
    shares
        .iter()
        .map(|one| one.bytes)
        .fold(0, i64::saturating_add)
}

/// Formats one size in bytes or kilobytes.
fn size_text(bytes: i64) -> String {
    let [text] = sizes_text([bytes]);
    text
}

/// Formats the size of a buffer: `2 slots x 128 x 256 x 4`, with padded extents.
fn formula(facts: &Facts, buffer: &Buffer) -> String {
    let granule = Granule::of(facts.program.toolchain, buffer);
    let rows = padded(facts, buffer.shape[0], granule.rows);
    let columns = padded(facts, buffer.shape[1], granule.columns);
    let size = match granule.bits {
        4 => "1/2".to_owned(),
        bits => (bits / 8).to_string(),
    };
    match buffer.slots {
        1 => format!("{rows} x {columns} x {size}"),
        slots => format!("{slots} slots x {rows} x {columns} x {size}"),
    }
}

fn padded(facts: &Facts, extent: ScalarId, granule: i64) -> String {
    match facts.program.scalars.as_int(extent) {
        Some(value) => ((value + granule - 1) / granule * granule).to_string(),
        None => facts.names.text(extent),
    }
}
