//! Hovers of instructions: what they do, and their resolved arguments.

use unicode_width::UnicodeWidthStr;

use super::{WIDTH, picture, queues};
use crate::markdown;
use crate::requests::target::Place;
use crate::snapshot::Snapshot;
use a2lint_analysis::mask_words;
use a2lint_analysis::{footprint, view_bytes};
use a2lint_ir::{ArgSource, ArgValue, Instr, LocalView, Notation, Program, ScalarNames, View};
use a2lint_isa::{
    Dialect, INSTRUCTIONS, Instruction, MaskUse, Opcode, ParamKind, Side, Signature, Unit,
};
use a2lint_replay::view_text;
use a2lint_report::{cut, filled};
use a2lint_source::text::{Slice, Span};

/// Maximum number of lines of a signature.
const SIGNATURE_LINES: usize = 2;

/// Describes an instruction: signature, effect, operands, and the lines about time.
pub fn describe(snapshot: &Snapshot, place: &Place, time: Vec<String>) -> Vec<String> {
    let (stmt, instr) = place.first();
    let mut text = match place.program.toolchain.notation {
        Notation::Python => vec![
            signature(place.program.dialect, instr.row()),
            meaning(instr.row()),
        ],
        // The other server shows the declaration.
        Notation::Cpp => {
            let name = markdown::text(snapshot.map.text_of(instr.name_span));
            match queues::step(place.program, stmt) {
                Some(step) => vec![filled(&format!("**{name}** — {step}"), 0, WIDTH)],
                None => vec![meaning_of(&format!("**{name}** — "), instr.row())],
            }
        }
    };
    let resolved = Resolved {
        snapshot,
        program: place.program,
        names: ScalarNames::new(place.program),
        instr,
    };
    let mut lines = resolved.operands();
    lines.extend(resolved.numbers());
    lines.extend(time);
    if !lines.is_empty() {
        text.push(markdown::fence("text", &lines.join("\n")));
    }
    text.extend(resolved.mask_words());
    if place.statements.len() > 1 {
        let count = place.statements.len();
        text.push(format!(
            "*Traced {count} times from here; this is the first.*"
        ));
    }
    text
}

/// Describes the instruction that a name at an offset calls, even outside of kernels.
pub fn named(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let span = word(snapshot, offset)?;
    let name = snapshot.source().slice(span);
    let before = snapshot
        .source()
        .as_str()
        .part(..span.start as usize)
        .trim_end();
    let is_called = snapshot
        .source()
        .as_str()
        .part(span.end as usize..)
        .trim_start()
        .starts_with('(');
    let dialect = snapshot.dialect_at(offset);
    let row = match before.ends_with('.') {
        false => dialect.function(name).map(Opcode::row),
        true => INSTRUCTIONS
            .iter()
            .find(|row| row.receiver.is_some() && row.name == name),
    };
    let has_kernels = !snapshot.module().programs.is_empty() && !snapshot.has_other_server();
    let row = row.filter(|_| is_called && has_kernels)?;
    Some((vec![signature(dialect, row), meaning(row)], span))
}

/// Returns the identifier at an offset.
pub fn word(snapshot: &Snapshot, offset: u32) -> Option<Span> {
    let (source, base) = snapshot.here();
    let (text, base) = (source.as_str(), base as usize);
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    let at = (offset as usize).checked_sub(base)?;
    let before: usize = text
        .get(..at)?
        .chars()
        .rev()
        .take_while(is_part)
        .map(char::len_utf8)
        .sum();
    let behind: usize = text
        .get(at..)?
        .chars()
        .take_while(is_part)
        .map(char::len_utf8)
        .sum();
    (before + behind > 0).then(|| Span::new(base + at - before, base + at + behind))
}

/// Returns the signature as code of at most two lines. Parameters at the end, which have defaults, may be left out.
pub fn signature(dialect: Dialect, row: &Instruction) -> String {
    let text = dialect.signature(row.opcode).map(Signature::text);
    let text = text.unwrap_or_default();
    let indent = text.find('(').map_or(0, |at| at + 1);
    let filled = filled(&text, indent, WIDTH);
    let mut lines: Vec<String> = filled.lines().map(str::to_owned).collect();
    if lines.len() > SIGNATURE_LINES {
        lines.truncate(SIGNATURE_LINES);
        let last = &mut lines[SIGNATURE_LINES - 1];
        while last.len() + 3 > WIDTH {
            let end = last.trim_end_matches(',').rfind(", ").unwrap_or(0);
            last.truncate(end);
        }
        *last = format!("{}, …)", last.trim_end_matches([',', ' ']));
    }
    markdown::fence("python", &lines.join("\n"))
}

/// Describes meaning, unit and treatment of the mask, from the row of the table.
pub fn meaning(row: &Instruction) -> String {
    meaning_of("", row)
}

fn meaning_of(title: &str, row: &Instruction) -> String {
    let unit = format!("{}{}", unit(row), mask(row.mask));
    format!(
        // Two spaces are a line break in Markdown; some editors show the alternative, a backslash.
        "{}  \n{}",
        filled(&format!("{title}{}", row.doc), 0, WIDTH - 2),
        filled(&unit, 0, WIDTH)
    )
}

fn unit(row: &Instruction) -> String {
    let side = |side: Side| match side {
        Side::Cube => "cube lane",
        Side::Vec => "vec lanes",
        Side::Both => "every lane",
    };
    match row.unit {
        Unit::On(pipe, on) => format!("**{pipe}** pipe, {}", side(on)),
        Unit::CubeMacro => "**MTE1** and **M** pipes, cube lane".to_owned(),
        Unit::Argument => "on the pipe named by its argument".to_owned(),
    }
}

fn mask(mask: MaskUse) -> &'static str {
    match mask {
        MaskUse::Writeback => " · masked lanes keep the old destination",
        MaskUse::ZeroSource => " · masked lanes count as zero",
        MaskUse::MinusInfinity => " · masked lanes count as −∞",
        MaskUse::PlusInfinity => " · masked lanes count as +∞",
        MaskUse::Ignored => " · ignores the mask",
        MaskUse::NotVector => "",
    }
}

struct Resolved<'a> {
    snapshot: &'a Snapshot,
    program: &'a Program,
    names: ScalarNames<'a>,
    instr: &'a Instr,
}

impl Resolved<'_> {
    /// Formats numeric arguments that belong to no operand, without defaults: `repeat 1 (inferred)`.
    fn numbers(&self) -> Option<String> {
        let signature = self.program.signature(self.instr.opcode);
        let mut parts = Vec::new();
        for spelled in signature.params() {
            let (param, arg) = (&spelled.param, &self.instr.args[spelled.at]);
            let belongs = matches!(
                param.kind,
                ParamKind::BlockStride(_) | ParamKind::RepeatStride(_)
            );
            let Some(text) = self.value(&arg.value).filter(|_| !belongs) else {
                continue;
            };
            match arg.source {
                ArgSource::Given(_) => parts.push(format!("{} {text}", param.name)),
                ArgSource::Inferred => parts.push(format!("{} {text} (inferred)", param.name)),
                ArgSource::Default => {}
            }
        }
        (!parts.is_empty()).then(|| cut(&parts.join("   "), WIDTH))
    }

    fn value(&self, value: &ArgValue) -> Option<String> {
        Some(match value {
            ArgValue::Scalar(id) => self.names.text(*id),
            ArgValue::Bool(is) => (if *is { "True" } else { "False" }).to_owned(),
            ArgValue::Round(mode) => mode.to_string(),
            ArgValue::Compare(mode) => mode.to_string(),
            ArgValue::Select(mode) => mode.to_string(),
            ArgValue::Pipe(pipe) => pipe.to_string(),
            ArgValue::Unknown => "not known".to_owned(),
            _ => return None,
        })
    }

    /// Returns a line for each operand: its tensor, unusual strides, and how much of it is accessed. The first one
    /// that is not accessed completely is followed by a picture.
    fn operands(&self) -> Vec<String> {
        let mut rows = Vec::new();
        let mut picture = None;
        for (index, _, view) in self.instr.operands() {
            let name = self.instr.row().param(index).map_or("", |param| param.name);
            let (touches, drawn) = match view {
                View::Local(view) => self.touched(index, view).unwrap_or_default(),
                View::Global(_) => Default::default(),
            };
            if picture.is_none() && !drawn.is_empty() {
                picture = Some((rows.len(), drawn));
            }
            rows.push([
                name.to_owned(),
                self.tensor(view),
                self.strides(index),
                touches,
            ]);
        }
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].width());
            cells.max().unwrap_or(0)
        };
        let widths = [0, 1, 2].map(width);
        let line = |row: &[String; 4]| {
            let cells = row.iter().zip(widths.iter().chain(&[0]));
            let cells = cells.map(|(cell, &width)| {
                format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))
            });
            let cells: Vec<String> = cells.collect();
            cut(cells.join("  ").trim_end(), WIDTH)
        };
        let mut lines: Vec<String> = rows.iter().map(line).collect();
        if let Some((row, drawn)) = picture {
            lines.insert(row + 1, format!("{:1$}  {drawn}", "", widths[0]));
        }
        lines
    }

    fn tensor(&self, view: &View) -> String {
        let source = view_text(self.snapshot.source(), self.program, view);
        match view {
            View::Local(view) => {
                let [rows, columns] = view.span.map(|extent| self.names.text(extent));
                let position = self.program.buffer(view.buffer).position;
                format!("{source}  {} [{rows}, {columns}] {position}", view.dtype)
            }
            View::Global(_) => format!("{source}  GM"),
        }
    }

    /// Formats the strides of an operand: `block stride 1, repeat stride 8`.
    fn strides(&self, operand: usize) -> String {
        let number = |kind: ParamKind, what: &str| {
            let arg = self.instr.arg(kind)?;
            let id = arg.value.scalar()?;
            Some(format!("{what} stride {}", self.names.text(id)))
        };
        let parts = [
            number(ParamKind::BlockStride(operand), "block"),
            number(ParamKind::RepeatStride(operand), "repeat"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }

    /// Formats how many elements of a view are accessed, with a picture if those are not all.
    fn touched(&self, operand: usize, view: &LocalView) -> Option<(String, String)> {
        let touched = footprint(self.program, self.instr, operand)?;
        let own = view_bytes(self.program, view)?;
        let inside = own.intersection(&touched);
        let elements = |bytes: i64| bytes * 8 / view.dtype.bits();
        let mut text = format!(
            "{} of {} elements",
            elements(inside.len()),
            elements(own.len())
        );
        let outside = touched.minus(&own).len();
        if outside > 0 {
            text.push_str(&format!(", plus {} outside", elements(outside)));
        }
        let picture = match inside.len() == own.len() {
            true => String::new(),
            false => picture::coverage(&touched, own.hull()?),
        };
        Some((text, picture))
    }

    /// Describes the lanes that a `set_mask` call switches on, if both of its words are constants.
    fn mask_words(&self) -> Option<String> {
        if !self.instr.row().sets_mask() {
            return None;
        }
        let [Some(high), Some(low)] = mask_words(self.program, self.instr) else {
            return None;
        };
        let bits = |word: u64| -> String {
            let bit = |at: u32| if word >> at & 1 == 1 { '█' } else { '·' };
            (0..64).map(bit).collect()
        };
        let on = high.count_ones() + low.count_ones();
        Some(format!(
            "{on} of 128 lanes are on (lane 0 first):\n\n{}",
            markdown::fence("text", &format!("  0 {}\n 64 {}", bits(low), bits(high)))
        ))
    }
}
