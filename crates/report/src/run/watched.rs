//! Text about watched statements and dumped values.

use super::history::place_text;
use super::statistics::Statistics;
use super::table::{self, Cell, Legend, MAX_ROWS};
use super::text::{Writer, indented};
use crate::printable;
use a2lint_ir::finding::{Mark, Severity};
use a2lint_ir::{StmtId, StmtKind};
use a2lint_machine::{LaneId, Snapshot};
use a2lint_replay::{OperandValues, Step};
use a2lint_run::{Dump, Unseen};

/// Number of rows that are shown of a dumped value.
const DUMP_ROWS: usize = 16;

impl Writer<'_> {
    /// Renders a watched statement with its operands.
    pub(super) fn step(&self, step: &Step) -> String {
        let mut occasion = self.occasion(step.stmt, step.lane, &step.iterations);
        if step.execution > 0 {
            occasion.push_str(&format!(", execution {}", step.execution));
        }
        let mut out = format!(
            "{}\n  {}\n",
            self.statement(step.stmt),
            self.page.paint.dim(&occasion)
        );
        if !step.masked.is_empty() {
            let text = format!(
                "mask: {} of 128 lanes off, {}",
                step.masked.len(),
                runs(&step.masked)
            );
            out.push_str(&format!(
                "  {}\n",
                self.page.paint.severity(Severity::Warning, &text)
            ));
        }
        let mut legend = Legend::default();
        for operand in &step.operands {
            out.push_str(&self.operand(operand, &mut legend));
        }
        if let Some(text) = legend.text() {
            out.push_str(&format!("\n  {}\n", self.page.paint.dim(&text)));
        }
        out
    }

    /// Formats an occasion: `add on core 0, vec0, iteration 0, 1`.
    fn occasion(&self, stmt: StmtId, lane: LaneId, iterations: &[i64]) -> String {
        let stmt = self.report.program.statement(stmt);
        let name = match stmt.map(|stmt| &stmt.kind) {
            Some(StmtKind::Instr(instr)) => self.report.program.call_name(instr),
            _ => "",
        };
        format!("{name} on {}", place_text(lane, iterations))
    }

    fn operand(&self, operand: &OperandValues, legend: &mut Legend) -> String {
        let name = format!(
            "{} {}",
            operand.parameter,
            self.page.paint.bold(&printable(&operand.text))
        );
        let Some(shown) = operand.shown() else {
            return format!("\n  {name}  its extents are not known or leave the memory\n");
        };
        let mut out = String::new();
        let [rows, columns] = shown.shape;
        let shape = format!("{} [{rows}, {columns}]", shown.dtype);
        let masked = |index| match operand.is_masked(index) {
            true => Mark::Masked,
            false => Mark::None,
        };
        let accumulates = operand.access.reads() && operand.access.writes();
        if let Some(before) = operand.before.as_ref().filter(|_| accumulates) {
            let head = format!("\n  {name} before  {shape}\n");
            out.push_str(&(head + &self.snapshot(before, masked, legend)));
        }
        let note = self.operand_note(operand, shown);
        let when = if operand.access.writes() {
            " after"
        } else {
            ""
        };
        out.push_str(&format!("\n  {name}{when}  {shape}{note}\n"));
        let mark = |index| match operand.is_changed(index) {
            true => Mark::Changed,
            false => masked(index),
        };
        out + &self.snapshot(shown, mark, legend)
    }

    /// Formats the counts of an operand: `  64 of 512 changed  32 masked off from row 0, column 32  448 undefined
    /// from …`.
    fn operand_note(&self, operand: &OperandValues, shown: &Snapshot) -> String {
        let mut note = String::new();
        let elements = shown.values.len();
        if operand.access.writes() {
            note.push_str(&format!("  {} of {elements} changed", operand.changed()));
        }
        let counted = [
            (operand.masked_off(), "masked off"),
            (operand.undefined(), "undefined"),
        ];
        for ((count, first), noun) in counted {
            let Some(first) = first else { continue };
            let [row, column] = [first / shown.shape[1], first % shown.shape[1]];
            let text = format!("{count} {noun} from row {row}, column {column}");
            note.push_str(&format!(
                "  {}",
                self.page.paint.severity(Severity::Warning, &text)
            ));
        }
        note
    }

    fn snapshot(
        &self,
        snapshot: &Snapshot,
        mark: impl Fn(usize) -> Mark,
        legend: &mut Legend,
    ) -> String {
        self.rows(snapshot, MAX_ROWS, mark, legend)
    }

    fn rows(
        &self,
        snapshot: &Snapshot,
        rows: usize,
        mark: impl Fn(usize) -> Mark,
        legend: &mut Legend,
    ) -> String {
        let columns = snapshot.shape[1];
        let cell = |row: usize, column: usize| {
            let index = row * columns + column;
            Cell {
                value: snapshot.defined[index].then_some(snapshot.values[index]),
                mark: mark(index),
            }
        };
        legend.note(snapshot.shape, rows, cell);
        let lines = table::corner(snapshot.shape, rows, snapshot.dtype, cell, self.page);
        indented(&lines)
    }

    /// Renders a watched statement that was not executed.
    pub(super) fn unseen(&self, unseen: &Unseen) -> String {
        let text = format!(
            "not executed where it was watched: {}",
            unseen.missed.text()
        );
        let text = self.page.paint.severity(Severity::Warning, &text);
        format!("{}\n  {text}\n", self.statement(unseen.stmt))
    }

    /// Renders a dumped value.
    pub(super) fn dump(&self, dump: &Dump) -> String {
        let name = self.page.paint.bold(&printable(&dump.name));
        let mut out = format!("{name} after {}\n", self.statement(dump.stmt));
        let Some(seen) = &dump.seen else {
            let missed = dump.missed.text();
            let text = match dump.execution {
                0 => format!("not executed where it was watched: {missed}"),
                execution => format!("no lane came to execution {execution}: {missed}"),
            };
            return format!(
                "{out}  {}\n",
                self.page.paint.severity(Severity::Warning, &text)
            );
        };
        let occasion = self.occasion(dump.stmt, seen.lane, &seen.iterations);
        let occasion = format!("{occasion}, execution {}", dump.execution);
        out.push_str(&format!("  {}\n", self.page.paint.dim(&occasion)));
        let Some(values) = &seen.values else {
            return out + "  its extents are not known or leave the memory\n";
        };
        let [rows, columns] = values.shape;
        let statistics = Statistics::of_elements(values.elements());
        let numbers = self.numbers(&statistics, values.dtype);
        out.push_str(&format!(
            "  {} [{rows}, {columns}]  {numbers}\n",
            values.dtype
        ));
        out + &self.rows(values, DUMP_ROWS, |_| Mark::None, &mut Legend::default())
    }
}

/// Formats ascending numbers as inclusive ranges: `0..=63, 70`.
pub fn runs(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == number => run.1 = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |&(first, last): &(usize, usize)| match first == last {
        true => format!("{first}"),
        false => format!("{first}..={last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_lanes_are_named_in_runs() {
        assert_eq!(runs(&[0, 1, 2, 7, 9, 10]), "0..=2, 7, 9..=10");
    }
}
