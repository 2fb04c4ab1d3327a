//! The report of `prove`: a table of kernels and properties, and the details of each kernel.

use unicode_width::UnicodeWidthStr;

use super::{FileReport, Page, Run, Summary, examined};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::{Property, Status, Verdicts};
use a2lint_rules::record::KernelRecord;

/// Maximum width of the column of kernel names; a longer name gets a line of its own.
const NAMES: usize = 28;

/// Renders the table.
pub fn table(reports: &[FileReport], page: Page) -> String {
    let paint = page.paint;
    let cells: usize = Property::ALL.iter().map(|it| it.name().len() + 2).sum();
    let room = page.columns_or(NAMES + cells).saturating_sub(cells);
    let rows: Vec<(String, Verdicts)> = kernels(reports)
        .map(|(report, record)| {
            let verdicts = record.verdicts(&report.analysis.findings);
            (examined::kernel(report, record), verdicts)
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let longest = rows.iter().map(|(name, _)| name.width());
    let width = longest.filter(|&it| it <= room).max().unwrap_or(0);
    let mut out = format!("{:width$}", "");
    for property in Property::ALL {
        out += &format!("  {}", paint.bold(property.name()));
    }
    out.push('\n');
    for (name, verdicts) in rows {
        match name.width() > width {
            true => out += &format!("{name}\n{:width$}", ""),
            false => out += &format!("{name}{}", " ".repeat(width - name.width())),
        }
        for property in Property::ALL {
            let verdict = verdicts.iter().find(|verdict| verdict.property == property);
            let (word, severity) = verdict.map_or(("", None), |verdict| word(&verdict.status));
            let padded = format!("{word:<cell$}", cell = property.name().len());
            let painted = match severity {
                Some(severity) => paint.severity(severity, &padded),
                None if word == "proved" => paint.good(&padded),
                None => padded,
            };
            out += &format!("  {painted}");
        }
        out = out.trim_end_matches(' ').to_owned();
        out.push('\n');
    }
    out
}

/// Returns the word for a status in a cell of the table.
fn word(status: &Status) -> (&'static str, Option<Severity>) {
    match status {
        Status::Proved { under, .. } if under.is_empty() => ("proved", None),
        Status::Proved { .. } => ("if", None),
        Status::Tested => ("test", Some(Severity::Warning)),
        Status::Undecided { .. } => ("open", Some(Severity::Warning)),
        Status::Refuted { .. } => ("no", Some(Severity::Error)),
    }
}

/// Renders the details of each kernel: preconditions, assumptions, and why properties are not proved.
pub fn details(reports: &[FileReport]) -> String {
    let mut out = String::new();
    for report in reports {
        let tables = examined::tables(report);
        if !tables.is_empty() {
            out += &format!("\n{tables}");
        }
    }
    out
}

/// Renders the closing lines: those of `check`, and the meaning of the words in the table.
pub fn summary(reports: &[FileReport], run: &Run, page: Page) -> String {
    let summary = Summary::of(reports).text(reports, run, page.paint);
    if kernels(reports).next().is_none() {
        return summary;
    }
    format!(
        "\n{summary}proved: for every launch; if: for launches that satisfy the preconditions; \
         test: only tested; open: not known; no: a finding shows that it does not hold\n"
    )
}

fn kernels(reports: &[FileReport]) -> impl Iterator<Item = (&FileReport, &KernelRecord)> {
    reports
        .iter()
        .flat_map(|report| report.analysis.records.iter().map(move |it| (report, it)))
}
