//! The text of a run.

use unicode_width::UnicodeWidthStr;

use super::history::Narrator;
use super::statistics::{Statistics, element};
use super::table::{self, Cell, float_text};
use super::{RunReport, cost, shape_text};
use crate::{Links, Page, full, number_text, printable};
use a2lint_ir::finding::{Mark, Severity};
use a2lint_ir::{GlobalId, StmtId};
use a2lint_isa::DType;
use a2lint_machine::{Budget, Deadlock, End, Refusal};
use a2lint_source::spelling::count;

/// Number of rows that are shown of an output.
const OUTPUT_ROWS: usize = 4;
/// Number of columns before the arguments of a launch.
const LAUNCH: usize = 10;
/// Number of findings that are shown.
const MAX_FINDINGS: usize = 20;
/// Number of lanes of a deadlock that are shown.
const MAX_LANES: usize = 12;

/// Renders the report as text.
pub fn render(report: &RunReport, page: Page) -> String {
    let writer = Writer { report, page };
    let mut parts = writer.values();
    parts.extend(
        report
            .comparisons
            .iter()
            .map(|comparison| writer.comparison(comparison)),
    );
    parts.push(writer.findings());
    parts.push(writer.fidelity());
    parts.push(writer.end());
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Renders a run as [`render`] does, what went wrong first.
pub fn render_failure_first(report: &RunReport, page: Page) -> String {
    let failure = render_failure(report, page);
    if failure.is_empty() {
        return render(report, page);
    }
    let writer = Writer { report, page };
    let mut parts = vec![failure];
    parts.extend(writer.values());
    let agreeing = report.comparisons.iter().filter(|it| it.agrees());
    parts.extend(agreeing.map(|comparison| writer.comparison(comparison)));
    parts.push(writer.fidelity());
    if matches!(report.outcome.end, End::Finished) {
        parts.push(writer.end());
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Renders what went wrong in a run: differences, findings, and an irregular end.
pub fn render_failure(report: &RunReport, page: Page) -> String {
    let writer = Writer { report, page };
    let wrong = report
        .comparisons
        .iter()
        .filter(|comparison| !comparison.agrees());
    let mut parts: Vec<String> = wrong
        .map(|comparison| writer.comparison(comparison))
        .collect();
    parts.push(writer.findings());
    if !matches!(report.outcome.end, End::Finished) {
        parts.push(writer.end());
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Renders how a run ended, and in a deadlock what each lane waits for.
pub fn render_end(report: &RunReport, page: Page) -> String {
    Writer { report, page }.end()
}

/// Renders the findings.
pub fn findings(report: &RunReport, page: Page) -> String {
    Writer { report, page }.findings()
}

/// Renders kernel, place, launch and device.
pub fn header(report: &RunReport, page: Page) -> String {
    Writer { report, page }.header()
}

/// Renders the parts of a report.
pub(super) struct Writer<'a> {
    pub(super) report: &'a RunReport<'a>,
    pub(super) page: Page,
}

impl Writer<'_> {
    /// Renders kernel and launch, and the values that the run shows.
    fn values(&self) -> Vec<String> {
        let report = self.report;
        let mut parts = vec![self.header()];
        parts.extend(report.steps.iter().map(|step| self.step(step)));
        parts.extend(report.unseen.iter().map(|unseen| self.unseen(unseen)));
        parts.extend(report.dumps.iter().map(|dump| self.dump(dump)));
        if report.outcome.end != End::Stopped {
            parts.extend(report.outputs.iter().filter_map(|&id| self.output(id)));
        }
        parts
    }

    /// Renders kernel, place, launch and device.
    fn header(&self) -> String {
        let report = self.report;
        let line = self.line(report.program.name_span.start);
        let place = format!("{}:{line}", printable(&report.file.path));
        let name = self.page.paint.bold(&report.program.name);
        let device = report.device.name;
        let cores = count(report.bound.cores as usize, "core");
        format!(
            "{name}  {}\n  launch  {}\n  device  {device}, {cores}\n{}",
            self.page.paint.dim(&place),
            self.launch(),
            self.caution(),
        )
    }

    /// Renders the reason not to trust differences from a reference, before they are shown.
    fn caution(&self) -> String {
        let differs = self.report.comparisons.iter().any(|it| !it.agrees());
        let doubt = self.report.outcome.doubt().filter(|_| differs);
        doubt.map_or(String::new(), |doubt| {
            format!(
                "  caution {}: differences may come from that\n",
                printable(&doubt)
            )
        })
    }

    /// Formats the launch, `M=128  x half [128, 64]  (the launch on line 41)`, breaking lines only between arguments.
    fn launch(&self) -> String {
        let scalars = self.report.scalars();
        let scalars = scalars
            .iter()
            .map(|(name, value)| format!("{name}={}", number_text(*value)));
        let globals = self.report.bound.globals.iter();
        let tensors = globals.map(|global| {
            format!(
                "{} {} {}",
                global.name,
                global.dtype,
                shape_text(&global.shape)
            )
        });
        let mut parts: Vec<String> = scalars.chain(tensors).collect();
        if parts.is_empty() {
            parts.push("without arguments".to_owned());
        }
        parts.push(format!("({})", self.report.origin));
        let last = parts.len() - 1;
        let (mut out, mut column) = (String::new(), LAUNCH);
        for (at, part) in parts.iter().enumerate() {
            let end = column + part.width() + 2;
            if column > LAUNCH && self.page.columns.is_some_and(|columns| end > columns) {
                out.push_str(&format!("\n{:LAUNCH$}", ""));
                column = LAUNCH;
            } else if at > 0 {
                out.push_str("  ");
                column += 2;
            }
            column += part.width();
            match at == last {
                true => out.push_str(&self.page.paint.dim(part)),
                false => out.push_str(part),
            }
        }
        out
    }

    fn line(&self, offset: u32) -> usize {
        self.report.file.source.line_column(offset).line
    }

    /// Returns what describes statements.
    pub(super) fn narrator(&self) -> Narrator<'_> {
        Narrator {
            program: self.report.program,
            map: self.report.map,
            page: self.page,
        }
    }

    pub(super) fn statement(&self, id: StmtId) -> String {
        self.narrator().statement(id)
    }

    fn output(&self, id: GlobalId) -> Option<String> {
        let global = &self.report.bound.globals[id.index()];
        let memory = self.report.outcome.globals.get(id.index())?;
        let statistics = Statistics::of(global, memory);
        let head = format!(
            "{}  {} {}",
            self.page.paint.bold(&global.name),
            global.dtype,
            shape_text(&global.shape)
        );
        let columns = global.shape.last().copied().unwrap_or(1) as usize;
        let rows = statistics.elements.checked_div(columns).unwrap_or(0);
        let cell = |row: usize, column: usize| Cell {
            value: element(memory, global.dtype, row * columns + column),
            mark: Mark::None,
        };
        let lines = table::corner([rows, columns], OUTPUT_ROWS, global.dtype, cell, self.page);
        Some(format!(
            "{head}\n  {}\n{}",
            self.numbers(&statistics, global.dtype),
            indented(&lines)
        ))
    }

    /// Formats statistics: `min -1.0  max 2.0  mean 0.1  2 NaN  3 undefined`.
    pub(super) fn numbers(&self, statistics: &Statistics, dtype: DType) -> String {
        let named = |name: &str, value: Option<f64>, text: fn(f64, DType) -> String| {
            value.map(|value| format!("{name} {}", text(value, dtype)))
        };
        let mean: fn(f64, DType) -> String = |value, _| float_text(value);
        let mut parts: Vec<String> = [
            named("min", statistics.min, table::value_text),
            named("max", statistics.max, table::value_text),
            named("mean", statistics.mean, mean),
        ]
        .into_iter()
        .flatten()
        .collect();
        for (count, noun) in [(statistics.nan, "NaN"), (statistics.undefined, "undefined")] {
            let text = format!("{count} {noun}");
            parts.push(match count {
                0 => self.page.paint.dim(&text),
                _ => self.page.paint.severity(Severity::Warning, &text),
            });
        }
        parts.join("  ")
    }

    fn findings(&self) -> String {
        let findings = &self.report.findings;
        let file = self.report.file;
        let shown = findings.iter().take(MAX_FINDINGS);
        let mut out: String = shown
            .map(|finding| full::finding_text(&file.place(finding), &Links::default(), self.page))
            .collect();
        if findings.len() > MAX_FINDINGS {
            out.push_str(&format!(
                "… {} more findings\n",
                findings.len() - MAX_FINDINGS
            ));
        }
        // The parts of the report are joined by an empty line.
        match out.ends_with("\n\n") {
            true => out.trim_end().to_owned() + "\n",
            false => out,
        }
    }

    /// Renders the fidelity of the run's model of the device.
    fn fidelity(&self) -> String {
        let fidelity = self.report.fidelity();
        let lines = fidelity.lines();
        let lines = lines.iter().map(|line| printable(line).into_owned());
        let dim = |line: String| format!("  {}\n", self.page.paint.dim(&line));
        format!("fidelity\n{}", lines.map(dim).collect::<String>())
    }

    /// Renders how the run ended, with counts and times.
    fn end(&self) -> String {
        let outcome = self.report.outcome;
        let bad = |text: &str| self.page.paint.severity(Severity::Error, text);
        let (head, details) = match &outcome.end {
            End::Finished if self.report.is_clean() => {
                (self.page.paint.good("finished"), String::new())
            }
            End::Finished => ("finished".to_owned(), String::new()),
            End::Stopped => (
                "stopped after the last watched statement".to_owned(),
                String::new(),
            ),
            End::Cancelled => (bad("cancelled"), String::new()),
            End::Deadlock(deadlock) => (bad("deadlock"), self.deadlock(deadlock)),
            End::BudgetExhausted(budget) => (bad(budget_text(*budget)), String::new()),
            End::Refused(refusal) => (bad("cannot be executed"), self.refusal(refusal)),
        };
        let mut totals = vec![format!("{} instructions", outcome.instructions)];
        totals.push(format!("{:.3} s", self.report.seconds));
        if !self.report.findings.is_empty() {
            totals.push(counted(self.report.findings.len(), "finding"));
        }
        let totals = totals.join(", ");
        format!("{head}: {totals}{}\n{details}{}", self.doubt(), self.cost())
    }

    /// Renders the estimated time on the device.
    fn cost(&self) -> String {
        let report = self.report;
        match report.estimate.cycles == 0 || report.outcome.end == End::Stopped {
            true => String::new(),
            false => format!("{}\n", self.page.paint.dim(&cost::text(report))),
        }
    }

    /// Describes why the values may differ from those of the device.
    fn doubt(&self) -> String {
        let outcome = self.report.outcome;
        let doubt = outcome.doubt().filter(|_| outcome.illegal.is_empty());
        doubt.map_or(String::new(), |doubt| format!("; {}", printable(&doubt)))
    }

    fn deadlock(&self, deadlock: &Deadlock) -> String {
        let lines = deadlock.lines(self.report.program);
        let placed =
            deadlock
                .lanes
                .iter()
                .zip(lines)
                .map(|(blocked, line)| match blocked.waits_at() {
                    Some(stmt) => format!("{line}, at {}", self.statement(stmt)),
                    None => format!("{line}, at the end of the kernel"),
                });
        let mut lines: Vec<String> = placed.take(MAX_LANES).collect();
        if deadlock.lanes.len() > MAX_LANES {
            lines.push(format!("… {} more lanes", deadlock.lanes.len() - MAX_LANES));
        }
        indented(&lines)
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        let mut lines = vec![printable(&refusal.reason).into_owned()];
        if let Some(stmt) = refusal.stmt {
            lines.push(self.statement(stmt));
        }
        if let Some(lane) = refusal.lane {
            lines.push(format!("core {}, {}", lane.core, lane.kind.name()));
        }
        indented(&lines)
    }
}

/// Describes the limit that was reached, with its option.
pub fn budget_text(budget: Budget) -> &'static str {
    match budget {
        Budget::Instructions => {
            "stopped after the most instructions it may take (--max-instructions)"
        }
        Budget::Work => "stopped after the most work it may do",
        Budget::Memory => "stopped at the most memory it may take (--max-memory)",
        Budget::Time => "stopped after the longest time it may take (--max-seconds)",
    }
}

/// Formats a count with its noun: `1 finding`, `3 findings`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

pub(super) fn indented(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("    {}\n", line.trim_end()))
        .collect()
}
