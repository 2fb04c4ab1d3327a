use crate::declare_rule;
use crate::operand_walks::inferred_repeat;
use crate::source_forms::types_namespace;
use crate::wording::{allocated_at, call, snippet, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_ir::finding::{Edit, Fix};
use a2lint_ir::{Instr, LocalView, OriginId, Stmt};
use a2lint_isa::{Class, DST, DType};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports `dup` on a tensor of 8-bit or 64-bit elements.
    ///
    /// ## Why is this bad?
    /// The instruction fills 16-bit and 32-bit elements only. A packed mask or a table of 64-bit
    /// values is filled through a 32-bit view of the same bytes.
    ///
    /// ## Example
    /// ```python
    /// mask = Tensor(DT.uint8, [64, 32], Position.UB)
    /// dup(mask, 0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(mask.reinterpret(DT.int), 0)
    /// ```
    ///
    /// ## Fix safety
    /// The value is rewritten so that the same bytes are stored: 0 stays 0, and a byte is repeated
    /// four times. The fix is offered for constant values and rows of whole 32-bit words, and is
    /// unsafe inside helpers, which other calls may give other types.
    ///
    /// ## Source
    /// A2 device constraints, section 5.1: fill masks through a wider integer view.
    "TYP002" "dup-dtype" Error, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class == Class::Fill
            && type_fault(facts.program, instr).is_some()
            && let Some(view) = instr.local(DST)
        {
            report(facts, stmt, instr, view, sink);
        }
    }
}

fn report(facts: &Facts, stmt: &Stmt, instr: &Instr, view: &LocalView, sink: &mut Sink) {
    let (name, dtype) = (view_text(facts, view), view.dtype);
    let message = format!(
        "{} fills {}; `{name}` is {dtype}",
        call(facts, instr),
        facts.program.dialect.fills()
    );
    let report = sink
        .report_from(stmt.origin, view.site, message)
        .label(allocated_at(facts, view), format!("{dtype} here"));
    match rewrite(facts, stmt, instr, view) {
        Some(fix) => {
            let help = format!("fill the same bytes through a 32-bit view: `{}`", fix.title);
            let title = format!("replace with `{}`", fix.title);
            report.help(help).fix(title, fix.safe, fix.edits);
        }
        None => {
            report.help(format!(
                "fill the same bytes through a 32-bit view, `{name}.reinterpret(DT.int)`, \
                 with a value that repeats the pattern"
            ));
        }
    }
}

/// Returns the rewrite, with the new call as its title.
fn rewrite(facts: &Facts, stmt: &Stmt, instr: &Instr, view: &LocalView) -> Option<Fix> {
    if instr.is_counted() || !whole_words(facts, view) {
        return None;
    }
    let given = instr.named("value")?;
    let value = word(
        view.dtype,
        facts.program.scalars.as_float(given.value.scalar()?)?,
    )?;
    let namespace = types_namespace(facts, facts.program.buffer(view.buffer))?;
    let wide = format!(".reinterpret({namespace}.{})", DType::Int);
    let value = match exact_count(facts, instr, view)? {
        Some(count) => format!("{value}, count={count}"),
        None => value.to_string(),
    };
    let end = view.site.end;
    let value_span = given.span()?;
    let title = format!(
        "{}({}{wide}, {value})",
        facts.program.call_name(instr),
        snippet(facts, view.site)
    );
    let mut edits = vec![Edit {
        span: Span { start: end, end },
        text: wide,
    }];
    if facts.source.slice(value_span) != value {
        edits.push(Edit {
            span: value_span,
            text: value,
        });
    }
    Some(Fix {
        title,
        safe: stmt.origin == OriginId(0),
        edits,
    })
}

/// Returns `count=` for the new call, in 32-bit words: `Some(None)` if the inferred repeats are right, `None` if
/// no count is.
fn exact_count(facts: &Facts, instr: &Instr, view: &LocalView) -> Option<Option<i64>> {
    if !inferred_repeat(instr) {
        return Some(None);
    }
    let scalars = &facts.program.scalars;
    let words = |elements: i64| elements * view.dtype.bits() / 32;
    let in_repeats = |words: i64| words % DType::Int.lanes() == 0;
    let (rows, row) = (
        scalars.as_int(view.span[0]),
        words(scalars.as_int(view.span[1])?),
    );
    let all = rows.and_then(|rows| rows.checked_mul(row));
    if in_repeats(all.unwrap_or(row)) {
        return Some(None);
    }
    // The inferred repeat count of the wide view would round up to whole repeats and write beyond the view.
    let is_contiguous = rows == Some(1) || view.span[1] == view.shape[1];
    all.filter(|_| is_contiguous).map(Some)
}

/// Returns whether the rows of a view and their pitch are whole 32-bit words.
fn whole_words(facts: &Facts, view: &LocalView) -> bool {
    [view.shape[1], view.offset[1], view.span[1]]
        .into_iter()
        .all(|extent| {
            let elements = facts.program.scalars.as_int(extent);
            elements.is_some_and(|elements| elements % 32 * view.dtype.bits() % 32 == 0)
        })
}

/// Returns the 32-bit integer whose copies have the same bytes as copies of `value`.
fn word(dtype: DType, value: f64) -> Option<i32> {
    let byte = match dtype {
        DType::Int8 if (-128.0..=127.0).contains(&value) => value as i8 as u8,
        DType::UInt8 | DType::Bool if (0.0..=255.0).contains(&value) => value as u8,
        DType::Int64 | DType::UInt64 | DType::Int4 if value == 0.0 => 0,
        DType::Int64 if value == -1.0 => 0xFF,
        _ => return None,
    };
    (value.fract() == 0.0).then(|| i32::from_ne_bytes([byte; 4]))
}
