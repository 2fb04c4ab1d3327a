//! Reports on laws of kernels: text for people, JSON for programs.

use std::fmt::Write;
use std::time::Instant;

use serde_json::{Value, json};

use super::json::{VERSION, json_text};
use super::run::{finite, float_text, with_files};
use super::{FileReport, Page, printable};
use super::{fidelity, numerics};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Program, StmtId};
use a2lint_project::SourceMap;
use a2lint_run::laws::{Breach, Dependence, Element, Note, Place, Tested, Tried, Verdict};
use a2lint_run::target::Target;
use a2lint_source::spelling::count;
use a2lint_source::text::Slice;

/// Number of columns before the text about a law.
pub(super) const INDENT: usize = 22;

/// The results of testing laws on the kernels of a file.
pub struct LawReport<'a> {
    /// The file.
    pub file: &'a FileReport,
    /// The files that the kernels are evaluated with.
    pub map: &'a SourceMap,
    /// The results of its kernels.
    pub tested: Vec<Tested<'a>>,
    /// Whether maps of dependence are shown.
    pub shows_dependence: bool,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl<'a> LawReport<'a> {
    /// Creates the report on kernels of a target, whose tests began at `start`.
    pub fn since(start: Instant, target: &'a Target, tested: Vec<Tested<'a>>) -> LawReport<'a> {
        LawReport {
            file: &target.report,
            map: &target.map,
            tested,
            shows_dependence: false,
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

/// Renders the report as text.
pub fn text(report: &LawReport, page: Page) -> String {
    format!("{}\n{}", kernels(report, page), summary(report, page))
}

/// Renders the results of each kernel.
pub fn kernels(report: &LawReport, page: Page) -> String {
    let writer = Writer { report, page };
    let parts: Vec<String> = report.tested.iter().map(|it| writer.kernel(it)).collect();
    parts.join("\n")
}

/// Renders the closing lines.
pub fn summary(report: &LawReport, page: Page) -> String {
    Writer { report, page }.summary()
}

/// Renders the report as one JSON object.
pub fn json(report: &LawReport) -> String {
    let kernels: Vec<Value> = report.tested.iter().map(|it| kernel(report, it)).collect();
    let object = json!({
        "version": VERSION,
        "path": report.file.path,
        "kernels": kernels,
        "seconds": report.seconds,
    });
    json_text(&with_files(report.map, object))
}

pub(super) struct Writer<'a> {
    pub report: &'a LawReport<'a>,
    pub page: Page,
}

impl Writer<'_> {
    fn kernel(&self, tested: &Tested) -> String {
        let paint = self.page.paint;
        let line = self.line(tested.program.name_span.start);
        let place = format!("{}:{line}", printable(&self.report.file.path));
        let mut out = format!(
            "{}  {}\n",
            paint.bold(&tested.program.name),
            paint.dim(&place)
        );
        for tried in &tested.laws {
            out += &self.law(tested.program, tried, tested.launches.len());
        }
        if let Some(precision) = &tested.numerics {
            out += &numerics::text(self, tested.program, precision);
        }
        let fidelity = fidelity::Report::of(tested.program, None, &[]);
        for line in fidelity.lines() {
            let _ = writeln!(
                out,
                "  {}",
                paint.dim(&format!("fidelity: {}", printable(&line)))
            );
        }
        for reason in &tested.unusable {
            let _ = writeln!(out, "  a launch cannot be used: {}", printable(reason));
        }
        out
    }

    fn law(&self, program: &Program, tried: &Tried, all: usize) -> String {
        let paint = self.page.paint;
        let (word, text) = match &tried.verdict {
            Verdict::Held(what) => (paint.good("held     "), what.as_str()),
            Verdict::Violated(breach) => (
                paint.severity(Severity::Error, "violated "),
                breach.what.as_str(),
            ),
            Verdict::NotRun(why) => (paint.dim("not run  "), why.as_str()),
        };
        let mut out = format!("  {:<9} {word}  ", tried.law.name());
        out += &self.filled(
            &format!("{}{}", printable(text), launches(tried, all)),
            INDENT,
        );
        if let Verdict::Violated(breach) = &tried.verdict {
            out += &self.breach(program, breach);
        }
        for note in &tried.notes {
            let text = format!("note: {}", self.note(program, note));
            let _ = write!(out, "{:INDENT$}{}", "", self.filled(&text, INDENT + 6));
        }
        for dependence in &tried.dependence {
            out += &self.dependence(dependence);
        }
        out
    }

    fn note(&self, program: &Program, note: &Note) -> String {
        match note.stmt {
            Some(stmt) => format!("{}: {}", self.statement(program, stmt), note.text),
            None => printable(&note.text).into_owned(),
        }
    }

    fn breach(&self, program: &Program, breach: &Breach) -> String {
        let mut lines = vec![format!("launch: {}", printable(&breach.launch))];
        if let Some(element) = &breach.element {
            let name = format!("{}{:?}", element.tensor, element.at);
            let values = element.values.iter();
            lines.extend(values.map(|(run, value)| {
                let value = value.map_or("undefined".to_owned(), float_text);
                format!("{name} {run}: {value}")
            }));
        }
        for (part, place) in &breach.places {
            let statement = self.statement(program, place.stmt);
            lines.push(format!("{part}: {statement} ({})", when(place)));
        }
        let mut out = String::new();
        for line in lines {
            let _ = write!(out, "{:INDENT$}{}", "", self.filled(&line, INDENT + 2));
        }
        out
    }

    fn dependence(&self, dependence: &Dependence) -> String {
        let Dependence { input, output, .. } = dependence;
        let line = match dependence.axes {
            None => format!("`{output}` on `{input}`: {}", dependence.shape.name()),
            Some([from, to]) => format!(
                "`{output}` along axis {to} on `{input}` along axis {from}: {}",
                dependence.shape.along_axis()
            ),
        };
        let mut out = format!("{:INDENT$}{}", "", self.filled(&line, INDENT));
        if self.report.shows_dependence {
            let columns = dependence.map.first().map_or(0, Vec::len);
            for output in 0..columns {
                let cell = |row: &Vec<bool>| if row[output] { '#' } else { '.' };
                let cells: String = dependence.map.iter().map(cell).collect();
                let _ = writeln!(out, "{:INDENT$}  {cells}", "");
            }
        }
        out
    }

    fn summary(&self) -> String {
        let laws = || self.report.tested.iter().flat_map(|it| &it.laws);
        let all = |is: fn(&Verdict) -> bool| laws().filter(|it| is(&it.verdict)).count();
        let held = all(|it| matches!(it, Verdict::Held(_)));
        let violated = all(|it| matches!(it, Verdict::Violated(_)));
        let not_run = all(|it| matches!(it, Verdict::NotRun(_)));
        let runs: u64 = self.report.tested.iter().map(|it| it.runs).sum();
        let mut out = format!(
            "{}: {held} laws held, {violated} violated, {not_run} not run ({}, {:.1} s)\n",
            count(self.report.tested.len(), "kernel"),
            count(runs as usize, "run"),
            self.report.seconds
        );
        let cut = self.report.tested.iter().find_map(|it| it.cut);
        if let Some(cut) = cut {
            let _ = writeln!(out, "not everything was tried: {cut}");
        }
        if held > 0 {
            out += "held: in these runs; this is no proof\n";
        }
        out
    }

    /// Formats a statement: `line 12: dup(shift8, 0.5)`.
    pub(super) fn statement(&self, program: &Program, id: StmtId) -> String {
        let Some(stmt) = program.statement(id) else {
            return String::new();
        };
        let text = self.report.map.text_of(stmt.span);
        let text = text.lines().next().unwrap_or("").trim();
        let code = self.page.paint.code(&printable(text));
        format!("{}: {code}", self.report.map.line(stmt.span).words())
    }

    fn line(&self, offset: u32) -> usize {
        self.report.file.source.line_column(offset).line
    }

    /// Breaks a line at the width of the page, and ends it with a newline.
    pub(super) fn filled(&self, text: &str, hanging: usize) -> String {
        let columns = self.page.columns_or(usize::MAX);
        let indented = format!("{:INDENT$}{text}", "");
        let filled = match columns {
            usize::MAX => indented,
            columns => super::filled(&indented, hanging, columns),
        };
        format!("{}\n", filled.part(INDENT..).trim_end())
    }
}

/// Formats an occasion: `core 0 vec0, iteration [2]`.
fn when(place: &Place) -> String {
    let lane = format!("core {} {}", place.lane.core, place.lane.kind.name());
    match place.iterations.is_empty() {
        true => lane,
        false => format!("{lane}, iteration {:?}", place.iterations),
    }
}

pub(super) fn number(launches: usize) -> String {
    match launches {
        1 => "1 launch".to_owned(),
        count => format!("{count} launches"),
    }
}

/// Formats the number of launches: ` (2 launches)`.
fn launches(tried: &Tried, all: usize) -> String {
    let number = |count: usize| match count == all {
        true => number(count),
        false => format!("{count} of {}", number(all)),
    };
    let held = matches!(tried.verdict, Verdict::Held(_));
    match &tried.left_out {
        Some((others, why)) if held => format!(
            " ({}; not on {others} more: {})",
            number(tried.launches),
            printable(why)
        ),
        _ if held && all > 1 => format!(" ({})", number(tried.launches)),
        _ => String::new(),
    }
}

fn kernel(report: &LawReport, tested: &Tested) -> Value {
    let laws: Vec<Value> = tested
        .laws
        .iter()
        .map(|it| law(report, tested, it))
        .collect();
    let launches = tested.launches.iter();
    let launches: Vec<Value> = launches
        .map(|(arguments, origin)| json!({ "arguments": arguments, "origin": origin }))
        .collect();
    json!({
        "kernel": tested.program.name,
        "launches": launches,
        "unusable": tested.unusable,
        "runs": tested.runs,
        "cut": tested.cut.map(|cut| cut.to_string()),
        "laws": laws,
        "fidelity": fidelity::Report::of(tested.program, None, &[]).json(),
        "numerics": tested
            .numerics
            .as_ref()
            .map(|it| numerics::json(tested.program, it, |stmt| line(report, tested.program, stmt))),
    })
}

fn law(report: &LawReport, tested: &Tested, tried: &Tried) -> Value {
    let (result, text) = match &tried.verdict {
        Verdict::Held(what) => ("held", what),
        Verdict::Violated(breach) => ("violated", &breach.what),
        Verdict::NotRun(why) => ("not-run", why),
    };
    let violation = match &tried.verdict {
        Verdict::Violated(breach) => Some(violation(report, tested.program, breach)),
        _ => None,
    };
    let line = |stmt: StmtId| line(report, tested.program, stmt);
    let notes: Vec<Value> = tried
        .notes
        .iter()
        .map(|note| json!({ "message": note.text, "line": note.stmt.and_then(line) }))
        .collect();
    let dependence: Vec<Value> = tried.dependence.iter().map(dependence).collect();
    let left_out = tried.left_out.as_ref();
    json!({
        "law": tried.law.name(),
        "result": result,
        "message": text,
        "launches": tried.launches,
        "notRun": left_out.map(|(count, why)| json!({ "launches": count, "reason": why })),
        "violation": violation,
        "notes": notes,
        "dependence": dependence,
    })
}

fn dependence(dependence: &Dependence) -> Value {
    json!({
        "input": dependence.input,
        "output": dependence.output,
        "axes": dependence.axes,
        "shape": dependence.shape.name(),
        "map": dependence.map,
    })
}

fn violation(report: &LawReport, program: &Program, breach: &Breach) -> Value {
    let places = breach.places.iter().map(|(part, place)| {
        json!({
            "part": part,
            "line": line(report, program, place.stmt),
            "core": place.lane.core,
            "lane": place.lane.kind.name(),
            "iteration": place.iterations,
        })
    });
    json!({
        "launch": breach.launch,
        "element": breach.element.as_ref().map(element),
        "places": places.collect::<Vec<_>>(),
    })
}

fn element(element: &Element) -> Value {
    let values = element.values.iter();
    let values = values.map(|(run, value)| json!({ "run": run, "value": value.map(finite) }));
    json!({
        "tensor": element.tensor,
        "dtype": element.dtype.name(),
        "at": element.at,
        "values": values.collect::<Vec<_>>(),
    })
}

fn line(report: &LawReport, program: &Program, id: StmtId) -> Option<usize> {
    let stmt = program.statement(id)?;
    Some(report.file.source.line_column(stmt.span.start).line)
}
