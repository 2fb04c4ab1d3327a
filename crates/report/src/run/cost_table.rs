//! Tables of estimated times: by statement, and by variant.

use rustc_hash::FxHashMap;

use super::RunReport;
use super::cost::{self, place};
use super::text::{findings, header, render_failure};
use crate::Page;
use a2lint_isa::Pipe;
use a2lint_lint::check::Advice;
use a2lint_machine::StatementCost;
use a2lint_source::text::Span;

/// Maximum width of a table in columns.
const COLUMNS: usize = 120;
/// Number of statements that are listed.
const MOST_STATEMENTS: usize = 20;

/// What the columns of the statements mean, for below the last table.
pub const LEGEND: &str = "\
path: of the critical path, waiting for its result included; busy, waits: of
the time of its pipe, on the lane with most; shared: of the time, because
other lanes use global memory at the same time
";

/// A run in a comparison.
pub struct Row {
    /// The variant, or its sizes.
    pub label: String,
    /// Time in microseconds.
    pub time: f64,
    /// Time in cycles.
    pub cycles: i64,
    /// The resource that limits it.
    pub bound: String,
    /// The ratio of its time to that of the run it is compared with.
    pub ratio: Option<f64>,
    /// The reason why the numbers are unreliable or not comparable.
    pub remark: Option<String>,
}

/// Renders everything about the cost of one run; faults of the run come first.
pub fn render(report: &RunReport, advice: &Advice, page: Page) -> String {
    let mut parts = vec![header(report, page)];
    if !report.is_clean() {
        parts.push(render_failure(report, page));
    }
    parts.push(format!("{}\n{}\n", cost::text(report), roofline(report)));
    parts.push(statements(report, page));
    parts.push(advised(report, advice, page));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Renders advice on speed, and how much was not measured.
fn advised(report: &RunReport, advice: &Advice, page: Page) -> String {
    let found = RunReport {
        findings: &advice.findings,
        outputs: Vec::new(),
        origin: String::new(),
        ..*report
    };
    let untried = match advice.untried {
        0 => String::new(),
        1 => "1 change was not tried: runs of this launch take too long\n".to_owned(),
        n => format!("{n} changes were not tried: runs of this launch take too long\n"),
    };
    findings(&found, page) + &untried
}

/// Renders the roofline: the ratio of computation to memory traffic, which of the two limits the kernel, and the
/// share of the device's peak that it reaches.
fn roofline(report: &RunReport) -> String {
    let estimate = report.estimate;
    let seconds = estimate.microseconds() * 1e-6;
    let rate = |amount: i64| amount as f64 / seconds * 1e-9;
    let memory = format!(
        "{:.0} GB/s, {:.0} % of the way to global memory",
        rate(estimate.moved),
        100.0 * estimate.memory
    );
    let Some(roofline) = estimate.roofline() else {
        return format!("  roofline: {memory}");
    };
    let roof = match roofline.is_below_ridge() {
        true => "global memory is the lower roof",
        false => "the unit is the lower roof",
    };
    format!(
        "  roofline: {} operations per byte of global memory, equal at {}: {roof}\n  \
         {memory}; {:.0} Gop/s, {} {:.0} %",
        significant(roofline.intensity),
        significant(roofline.ridge),
        rate(estimate.operations),
        roofline.unit,
        100.0 * roofline.share
    )
}

/// Formats a number with two or three significant digits.
fn significant(value: f64) -> String {
    match value {
        _ if value < 1.0 => format!("{value:.2}"),
        _ if value < 10.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The executions of statements with the same span: an unrolled loop makes several statements of one.
struct Line<'a> {
    span: Span,
    first: &'a StatementCost,
    executions: u64,
    path: i64,
    busy: i64,
    shared: i64,
    waiting: i64,
}

/// Returns the lines of the table, by their share of the critical path, then by the load of their pipe.
fn sorted_lines<'a>(report: &'a RunReport) -> Vec<Line<'a>> {
    let estimate = report.estimate;
    let mut lines: Vec<Line> = Vec::new();
    let mut known: FxHashMap<(Span, Pipe), usize> = FxHashMap::default();
    for cost in &estimate.statements {
        let Some(stmt) = report.program.statement(cost.stmt) else {
            continue;
        };
        let index = *known.entry((stmt.span, cost.pipe)).or_insert(lines.len());
        if index == lines.len() {
            lines.push(Line {
                span: stmt.span,
                first: cost,
                executions: 0,
                path: 0,
                busy: 0,
                shared: 0,
                waiting: 0,
            });
        }
        let line = &mut lines[index];
        let shares = estimate.path.iter();
        let mut on_path = shares.filter(|it| (it.stmt, it.pipe) == (cost.stmt, cost.pipe));
        line.executions += cost.executions;
        line.path += on_path.next().map_or(0, |share| share.cycles);
        line.busy += cost.busy;
        line.shared += cost.shared;
        line.waiting += cost.waiting;
    }
    lines.retain(|line| line.path + line.busy + line.waiting > 0);
    lines.sort_by_key(|line| std::cmp::Reverse((line.path, line.busy, line.waiting)));
    lines
}

fn statements(report: &RunReport, page: Page) -> String {
    let all = sorted_lines(report);
    if all.is_empty() {
        return String::new();
    }
    let total: i64 = report.estimate.path.iter().map(|share| share.cycles).sum();
    let percent = |cycles: i64, all: i64| 100.0 * cycles as f64 / all.max(1) as f64;
    let of_time = |cycles: i64| percent(cycles, report.estimate.cycles);
    let heading = "  path  pipe   count   busy shared  waits  statement";
    let mut lines = vec![page.paint.bold(heading)];
    for line in all.iter().take(MOST_STATEMENTS) {
        let numbers = format!(
            "{:>4.0} %  {:<4} {:>7} {:>4.0} % {:>4.0} % {:>4.0} %  ",
            percent(line.path, total),
            line.first.pipe.name(),
            line.executions,
            of_time(line.busy),
            of_time(line.shared),
            of_time(line.waiting)
        );
        let room = page
            .columns_or(COLUMNS)
            .saturating_sub(numbers.chars().count());
        lines.push(format!("{numbers}{}", shown(report, line, room)));
    }
    if all.len() > MOST_STATEMENTS {
        lines.push(format!("  and {} more", all.len() - MOST_STATEMENTS));
    }
    lines.join("\n") + "\n"
}

/// Formats a statement, `line 12: add(z, x, y)`, cut to `room` characters.
fn shown(report: &RunReport, line: &Line, room: usize) -> String {
    let place = place(report, line.first.stmt);
    let text = report.map.text_of(line.span);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = format!("{place}: {}", words.join(" "));
    match text.chars().count() > room {
        true => text
            .chars()
            .take(room.saturating_sub(1))
            .chain(['…'])
            .collect(),
        false => text,
    }
}

/// Renders a table of runs.
pub fn rows(rows: &[Row], page: Page) -> String {
    let widest = rows.iter().map(|row| row.label.chars().count()).max();
    let width = widest.unwrap_or(0).clamp(7, page.columns_or(COLUMNS) / 2);
    let heading = format!(
        "{:<width$}  {:>10}  {:>11}  {:>6}  limited by",
        "variant", "µs", "cycles", "ratio"
    );
    let mut lines = vec![page.paint.bold(&heading)];
    for row in rows {
        let ratio = row
            .ratio
            .map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        lines.push(format!(
            "{:<width$}  {:>10.1}  {:>11}  {ratio:>6}  {}",
            row.label, row.time, row.cycles, row.bound
        ));
        lines.extend(row.remark.iter().map(|remark| format!("  {remark}")));
    }
    lines.join("\n") + "\n"
}
