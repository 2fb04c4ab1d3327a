//! The page of text.

use unicode_width::UnicodeWidthStr;

use super::headline::change;
use super::steps::Told;
use super::{
    Tone, VersionReport, arguments, differing, gained, headline, missing, named, near, sameness,
};
use crate::run::float_text;
use crate::{Links, Page, concise, number_text, printable};
use a2lint_ir::finding::Severity;
use a2lint_run::coordinates;
use a2lint_run::versions::{
    Checked, Difference, Errors, Launched, Output, Rank, SIDES, Sameness, Standing,
};
use a2lint_source::spelling::count;

/// Number of launches that are shown.
const LAUNCHES: usize = 8;
/// Number of steps that are shown of how an element was computed, of those that differ.
const STEPS: usize = 6;
/// Number of findings of each kind that are shown.
const FINDINGS: usize = 8;

/// Renders the report.
pub fn render(report: &VersionReport, page: Page) -> String {
    let writer = Writer { report, page };
    let answer = Tone::of(report.compared.answer()).painted(&headline(report), page.paint);
    let names =
        [0, 1].map(|side| format!("  {}  {}\n", SIDES[side], printable(&report.names[side])));
    let mut parts = vec![format!("{answer}\n{}", names.concat())];
    parts.push(writer.results());
    parts.push(writer.launches());
    parts.push(writer.proofs());
    parts.push(writer.findings());
    parts.push(writer.closing());
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

struct Writer<'a> {
    report: &'a VersionReport<'a>,
    page: Page,
}

impl Writer<'_> {
    fn results(&self) -> String {
        let compared = self.report.compared;
        let mut out = self.title("results");
        for output in &compared.outputs {
            out += &self.output(output);
        }
        for (side, name) in &compared.matching.missing {
            let (text, tone) = missing(*side);
            out += &format!("  {name}  {}\n", tone.painted(text, self.page.paint));
        }
        out
    }

    fn output(&self, output: &Output) -> String {
        let paint = self.page.paint;
        let (word, tone) = sameness(output);
        let mut out = format!(
            "  {}  {}\n",
            paint.bold(&named(output)),
            tone.painted(word, paint)
        );
        out.extend(output.errors.map(|errors| errors_text(output, errors)));
        out.extend(gained(output).map(indented));
        match &output.sameness {
            Sameness::Unknown(found) => {
                out.extend(near(&found.elements).map(indented));
                out.extend(self.report.departures(found, self.page).map(indented));
            }
            Sameness::Different(found) => out += &self.difference(output, found),
            Sameness::Untried | Sameness::Bits | Sameness::Exact => {}
        }
        out
    }

    fn difference(&self, output: &Output, difference: &Difference) -> String {
        let compared = self.report.compared;
        let launched = &compared.launches[difference.launch];
        let elements = &difference.elements;
        let mut out = format!(
            "    {}, with {} ({}), {}\n",
            differing(elements),
            arguments(compared, &difference.bounds[0].launch),
            launched.pair.origin,
            difference.contents,
        );
        if let Some(first) = &elements.first {
            let shape = &difference.bounds[0].launch.globals[output.ids[0].index()].shape;
            let index = coordinates(first.flat, shape);
            let value = |value: Option<f64>| value.map_or("undefined".to_owned(), precise);
            out += &format!(
                "    {}{index:?} is {} in OLD and {} in NEW{}\n",
                output.names[0],
                value(first.values[0]),
                value(first.values[1]),
                match output.dtype.is_float() {
                    true => format!(
                        " (without rounding {} and {})",
                        value(first.exact[0]),
                        value(first.exact[1])
                    ),
                    false => String::new(),
                }
            );
            out += &self.histories(output, difference, &index);
        }
        out.extend(self.report.departures(difference, self.page).map(indented));
        out
    }

    /// Describes how both versions computed an element, without what they do alike.
    fn histories(&self, output: &Output, difference: &Difference, index: &[i64]) -> String {
        let parted = self
            .report
            .parted(output, difference, index, STEPS, self.page);
        let Some(parted) = parted else {
            return String::new();
        };
        let same = parted.same_text();
        let mut out = same.map_or_else(String::new, |text| format!("    {text}\n"));
        for (side, Told { lines, more }) in parted.sides.iter().enumerate() {
            out += &format!("    {}\n", self.page.paint.bold(SIDES[side]));
            out.extend(lines.iter().map(|line| format!("      {line}\n")));
            if *more > 0 {
                let more = count(*more, "step");
                out += &format!("      … {more} more, which --json has\n");
            }
        }
        out
    }

    fn launches(&self) -> String {
        let compared = self.report.compared;
        let mut out = self.title("launches");
        let is_shown = |it: &&Launched| it.pair.is_given || it.obstacles != [None, None];
        let (shown, near): (Vec<_>, Vec<_>) = compared.launches.iter().partition(is_shown);
        for launched in shown.iter().take(LAUNCHES) {
            out += &self.launched(launched);
        }
        if shown.len() > LAUNCHES {
            out += &format!("  … {} more\n", shown.len() - LAUNCHES);
        }
        if !near.is_empty() {
            let near = near.iter().map(|it| it.pair.origin.as_str());
            let near = near.collect::<Vec<_>>().join("; ");
            out += &format!("  and sizes near them that no file launches: {near}\n");
        }
        for left in &compared.left {
            let word = self.page.paint.severity(Severity::Warning, "not compared");
            out += &format!(
                "  {}: {word}: {}\n",
                printable(&left.origin),
                printable(&left.because)
            );
        }
        out
    }

    fn launched(&self, launched: &Launched) -> String {
        let arguments = self.report.arguments(launched);
        let mut out = format!(
            "  {arguments}  {}\n",
            self.page.paint.dim(&format!("({})", launched.pair.origin))
        );
        for side in [0, 1] {
            if let Some(reason) = &launched.obstacles[side] {
                let word = self.page.paint.severity(Severity::Error, "not compared");
                out += &format!("    {word}: {}: {}\n", SIDES[side], printable(reason));
            }
        }
        if let Some([old, new]) = launched
            .times
            .filter(|_| launched.obstacles == [None, None])
        {
            out += &format!(
                "    OLD {} µs, NEW {} µs: {}\n",
                micro(old),
                micro(new),
                change(old, new)
            );
        }
        out
    }

    fn proofs(&self) -> String {
        let compared = self.report.compared;
        let mut out = self.title("proofs");
        let checked = &compared.checked;
        if let Some(side) = [0, 1]
            .into_iter()
            .find(|&side| checked[side].standings.is_empty())
        {
            return out
                + &format!(
                    "  not compared: the check has no record of {}\n",
                    SIDES[side]
                );
        }
        let mut same: Vec<(&str, Vec<&str>)> = Vec::new();
        for (property, [old, new], (note, tone)) in self.report.standings() {
            if old == new {
                match same.iter_mut().find(|(word, _)| *word == old.rank.word()) {
                    Some((_, names)) => names.push(property.name()),
                    None => same.push((old.rank.word(), vec![property.name()])),
                }
                continue;
            }
            let text = format!(
                "{}{} in OLD, {} in NEW",
                tone.painted(note, self.page.paint),
                standing_text(old),
                standing_text(new)
            );
            out += &format!("  {:<12} {text}\n", property.name());
        }
        for (word, names) in same {
            out += &format!("  {word} in both: {}\n", names.join(", "));
        }
        out
    }

    fn findings(&self) -> String {
        let compared = self.report.compared;
        let [old, new] = &compared.checked;
        let mut out = String::new();
        for (word, checked, findings) in
            [("new", new, &compared.new), ("gone", old, &compared.gone)]
        {
            for &at in findings.iter().take(FINDINGS) {
                out += &format!("  {word}: {}", self.finding(checked, at));
            }
            if findings.len() > FINDINGS {
                out += &format!("  … {} more are {word}\n", findings.len() - FINDINGS);
            }
        }
        match out.is_empty() {
            true => out,
            false => self.title("findings") + &out,
        }
    }

    fn finding(&self, checked: &Checked, at: usize) -> String {
        let placed = checked.report.place(checked.finding(at));
        concise::line(&placed, &Links::default(), self.page.paint)
    }

    fn closing(&self) -> String {
        let compared = self.report.compared;
        let is_same = |output: &Output| matches!(output.sameness, Sameness::Bits | Sameness::Exact);
        let what = match compared.outputs.iter().any(is_same) {
            true => "the same: in these runs; this is no proof. Times are those of the cost model",
            false => "Times are those of the cost model",
        };
        format!(
            "{}, {:.1} s\n{}\n",
            self.report.runs(),
            self.report.seconds,
            self.page.paint.dim(what)
        )
    }

    fn title(&self, title: &str) -> String {
        format!("{}\n", self.page.paint.bold(title))
    }
}

fn indented(line: String) -> String {
    format!("    {line}\n")
}

fn errors_text(output: &Output, [old, new]: [Errors; 2]) -> String {
    let text = |errors: Errors| {
        format!(
            "at most {} of the largest value, on average {} ULP",
            float_text(errors.max_relative),
            float_text(errors.mean_ulp())
        )
    };
    let dtype = output.dtype.name();
    match old == new {
        true => format!(
            "    error against exact arithmetic ({dtype}): {} in both\n",
            text(old)
        ),
        false => format!(
            "    error against exact arithmetic ({dtype}): OLD {}; NEW {}\n",
            text(old),
            text(new)
        ),
    }
}

pub(super) fn standing_text(standing: &Standing) -> String {
    let word = standing.rank.word();
    let detail = printable(&standing.detail);
    match (standing.rank, detail.width()) {
        (_, 0) => word.to_owned(),
        (Rank::ProvedIf, _) => format!("{word} {detail}"),
        _ => format!("{word} ({detail})"),
    }
}

pub(super) fn micro(time: f64) -> String {
    number_text((time * 10.0).round() / 10.0)
}

/// Formats a number with as many digits as tell floats apart.
pub(super) fn precise(value: f64) -> String {
    let single = value as f32;
    let is_single = f64::from(single) == value || !value.is_finite();
    let is_plain = value == 0.0 || !value.is_finite() || (1e-3..1e6).contains(&value.abs());
    match (is_single, is_plain) {
        (true, true) => format!("{single}").to_lowercase(),
        (true, false) => format!("{single:e}"),
        (false, true) => format!("{value:.9}"),
        (false, false) => format!("{value:.9e}"),
    }
}
