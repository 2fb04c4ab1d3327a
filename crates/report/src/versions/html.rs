//! The page of HTML: both versions side by side. One file without a script that loads nothing else.

use std::fmt::Write as _;

use super::headline::change;
use super::steps::Told;
use super::text::{micro, precise, standing_text};
use super::{
    Tone, VersionReport, arguments, differing, gained, headline, missing, named, near, sameness,
};
use crate::html::{COLOURS, shown};
use crate::run::float_text;
use crate::{Links, Page, concise};
use a2lint_run::coordinates;
use a2lint_run::versions::{Checked, Difference, Launched, Output, SIDES, Sameness};
use a2lint_source::spelling::count;
use similar::{ChangeTag, TextDiff};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// Number of steps that are shown of how an element was computed, of those that differ.
const STEPS: usize = 60;
/// Number of equal lines that are shown around changed ones.
const CONTEXT: usize = 4;

/// Renders the page.
pub fn page(report: &VersionReport) -> String {
    let [old, new] = [0, 1].map(|side| escaped(&report.names[side]));
    let sections = [
        answer(report),
        results(report),
        launched(report),
        proofs(report),
        findings(report),
        texts(report),
        closing(report),
    ];
    PAGE.replace("/*STYLE*/", &style())
        .replace("<!--TITLE-->", &format!("{old} and {new}"))
        .replace("<!--BODY-->", &sections.concat())
}

fn style() -> String {
    format!("{COLOURS}{STYLE}")
}

/// Makes text harmless in HTML.
fn escaped(text: &str) -> String {
    shown(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn answer(report: &VersionReport) -> String {
    let class = Tone::of(report.compared.answer()).class();
    let [old, new] = [0, 1].map(|side| escaped(&report.names[side]));
    format!(
        "<h1>Two versions of a kernel</h1>\n<p>OLD <code>{old}</code><br>NEW <code>{new}</code></p>\n\
         <p class=\"answer {class}\">{}</p>\n",
        escaped(&headline(report))
    )
}

fn results(report: &VersionReport) -> String {
    let mut out = "<h2>Results</h2>\n".to_owned();
    for output in &report.compared.outputs {
        out += &result(report, output);
    }
    for (side, name) in &report.compared.matching.missing {
        let (text, tone) = missing(*side);
        let _ = writeln!(
            out,
            "<h3>{}</h3>\n<p class=\"{}\">{text}</p>",
            escaped(name),
            tone.class()
        );
    }
    out
}

fn result(report: &VersionReport, output: &Output) -> String {
    let (word, tone) = sameness(output);
    let mut out = format!(
        "<h3>{} <span class=\"{}\">{word}</span></h3>\n",
        escaped(&named(output)),
        tone.class()
    );
    if let Some(errors) = output.errors {
        let rows = [
            (
                "largest error, of the largest value",
                errors.map(|it| it.max_relative),
            ),
            (
                "mean error, in units in the last place",
                errors.map(|it| it.mean_ulp()),
            ),
        ];
        let rows = rows.map(|(what, values)| (what, values.map(float_text)));
        let title = format!("against exact arithmetic ({})", output.dtype.name());
        out += &table(&title, &rows);
    }
    out.extend(gained(output).map(paragraph));
    match &output.sameness {
        Sameness::Different(found) => out += &difference(report, output, found),
        Sameness::Unknown(found) => {
            out.extend(near(&found.elements).map(paragraph));
            out.extend(report.departures(found, Page::PLAIN).map(paragraph));
        }
        Sameness::Untried | Sameness::Bits | Sameness::Exact => {}
    }
    out
}

fn paragraph(text: String) -> String {
    format!("<p>{}</p>\n", escaped(&text))
}

fn difference(report: &VersionReport, output: &Output, difference: &Difference) -> String {
    let compared = report.compared;
    let elements = &difference.elements;
    let mut out = format!(
        "<p>{}, with <code>{}</code> ({}), {}</p>\n",
        differing(elements),
        escaped(&arguments(compared, &difference.bounds[0].launch)),
        escaped(&compared.launches[difference.launch].pair.origin),
        escaped(&difference.contents),
    );
    if let Some(first) = &elements.first {
        let shape = &difference.bounds[0].launch.globals[output.ids[0].index()].shape;
        let index = coordinates(first.flat, shape);
        let value = |value: Option<f64>| value.map_or("undefined".to_owned(), precise);
        let mut rows = vec![("value", first.values.map(value))];
        if output.dtype.is_float() {
            rows.push(("without rounding", first.exact.map(value)));
        }
        out += &table(&format!("{}{index:?}", output.names[0]), &rows);
        out += &histories(report, output, difference, &index);
    }
    out.extend(report.departures(difference, Page::PLAIN).map(paragraph));
    out
}

fn histories(
    report: &VersionReport,
    output: &Output,
    difference: &Difference,
    index: &[i64],
) -> String {
    let Some(parted) = report.parted(output, difference, index, STEPS, Page::PLAIN) else {
        return String::new();
    };
    let column = |side: usize| {
        let Told { lines, more } = &parted.sides[side];
        let mut text = lines.join("\n");
        if *more > 0 {
            let _ = write!(text, "\n… {} more, which --json has", count(*more, "step"));
        }
        format!(
            "<div><p>{}</p><pre>{}</pre></div>\n",
            SIDES[side],
            escaped(&text)
        )
    };
    let same = parted.same_text().map(|text| format!("; {text}"));
    let same = same.unwrap_or_default();
    format!(
        "<p class=\"dim\">How it came about, in the order of execution{same}</p>\n\
         <div class=\"pair\">{}{}</div>\n",
        column(0),
        column(1)
    )
}

/// Renders a table of values by version.
fn table(title: &str, rows: &[(&str, [String; 2])]) -> String {
    let rows = rows.iter().map(|(what, [old, new])| {
        let [old, new] = [old, new].map(|it| escaped(it));
        format!("<tr><td>{what}</td><td class=\"number\">{old}</td><td class=\"number\">{new}</td></tr>\n")
    });
    format!(
        "<table><tr><th>{}</th><th>OLD</th><th>NEW</th></tr>\n{}</table>\n",
        escaped(title),
        rows.collect::<String>()
    )
}

fn launched(report: &VersionReport) -> String {
    let compared = report.compared;
    let row = |launched: &Launched| {
        let what = format!(
            "<td><code>{}</code><br><span class=\"dim\">{}</span>",
            escaped(&report.arguments(launched)),
            escaped(&launched.pair.origin)
        );
        let obstacles = [0, 1].map(|side| {
            let reason = launched.obstacles[side].as_ref();
            reason.map(|it| {
                format!(
                    "<br><span class=\"bad\">{}: {}</span>",
                    SIDES[side],
                    escaped(it)
                )
            })
        });
        let obstacles: String = obstacles.into_iter().flatten().collect();
        let times = match launched
            .times
            .filter(|_| launched.obstacles == [None, None])
        {
            Some([old, new]) => format!(
                "<td class=\"number\">{} µs</td><td class=\"number\">{} µs</td><td>{}</td>",
                micro(old),
                micro(new),
                change(old, new)
            ),
            None => "<td></td><td></td><td class=\"bad\">not compared</td>".to_owned(),
        };
        format!("<tr>{what}{obstacles}</td>{times}</tr>\n")
    };
    let rows: String = compared.launches.iter().map(row).collect();
    let left = compared.left.iter().map(|left| {
        format!(
            "<tr><td>{}</td><td></td><td></td><td class=\"open\">not compared: {}</td></tr>\n",
            escaped(&left.origin),
            escaped(&left.because)
        )
    });
    format!(
        "<h2>Launches</h2>\n<div class=\"wide\"><table><tr><th>launch</th><th>OLD</th><th>NEW</th><th></th></tr>\n\
         {rows}{}</table></div>\n<p class=\"dim\">Times are those of the cost model.</p>\n",
        left.collect::<String>()
    )
}

fn proofs(report: &VersionReport) -> String {
    let mut rows = String::new();
    for (property, [old, new], (note, tone)) in report.standings() {
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td class=\"{}\">{note}{}</td></tr>",
            property.name(),
            escaped(&standing_text(old)),
            tone.class(),
            escaped(&standing_text(new))
        );
    }
    let none = "<tr><td>not compared: the check has no record of one of them</td></tr>\n";
    let rows = if rows.is_empty() { none } else { &rows };
    format!(
        "<h2>Proofs</h2>\n<table><tr><th>property</th><th>OLD</th><th>NEW</th></tr>\n{rows}</table>\n"
    )
}

fn findings(report: &VersionReport) -> String {
    let compared = report.compared;
    let [old, new] = &compared.checked;
    let list = |word: &str, checked: &Checked, findings: &[usize]| {
        let items = findings.iter().map(|&at| {
            let placed = checked.report.place(checked.finding(at));
            let line = concise::line(&placed, &Links::default(), Page::PLAIN.paint);
            format!("<li>{}</li>\n", escaped(line.trim_end()))
        });
        let items: String = items.collect();
        match items.is_empty() {
            true => String::new(),
            false => format!("<h3>{word}</h3>\n<ul>{items}</ul>\n"),
        }
    };
    let lists = list("New in NEW", new, &compared.new) + &list("Gone in NEW", old, &compared.gone);
    match lists.is_empty() {
        true => "<h2>Findings</h2>\n<p>None is new, none is gone.</p>\n".to_owned(),
        false => format!("<h2>Findings</h2>\n{lists}"),
    }
}

/// Renders both texts side by side where they differ.
fn texts(report: &VersionReport) -> String {
    let [old, new] = [0, 1].map(|side| report.compared.versions[side].target.map.own.as_str());
    let diff = TextDiff::from_lines(old, new);
    let groups = diff.grouped_ops(CONTEXT);
    if groups.is_empty() {
        return String::new();
    }
    let mut columns = [String::new(), String::new()];
    for (number, group) in groups.iter().enumerate() {
        if number > 0 {
            for column in &mut columns {
                column.push_str("<tr><td class=\"line\">…</td><td></td></tr>\n");
            }
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = escaped(change.value().trim_end_matches(['\n', '\r']));
            let mut row = |side: usize, class: &str, line: Option<usize>| {
                let line = line.map_or(0, |line| line + 1);
                let _ = writeln!(
                    columns[side],
                    "<tr class=\"{class}\"><td class=\"line\">{line}</td><td>{text}</td></tr>"
                );
            };
            match change.tag() {
                ChangeTag::Delete => row(0, "gone", change.old_index()),
                ChangeTag::Insert => row(1, "new", change.new_index()),
                ChangeTag::Equal => {
                    row(0, "", change.old_index());
                    row(1, "", change.new_index());
                }
            }
        }
    }
    let [old, new] = columns
        .map(|rows| format!("<div class=\"wide\"><table class=\"text\">{rows}</table></div>\n"));
    format!("<h2>Text</h2>\n<div class=\"pair\">{old}{new}</div>\n")
}

fn closing(report: &VersionReport) -> String {
    format!(
        "<footer>{}. What is the same is the same in these runs, which is no proof.</footer>\n",
        report.runs()
    )
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// The style is allowed by its hash, so that text of a source cannot act as one.
    #[test]
    fn the_page_allows_its_own_style_alone() {
        let digest = Sha256::digest(format!("\n{}\n", style()));
        let policy = format!(
            "content=\"default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\"",
            BASE64_STANDARD.encode(digest)
        );
        assert!(PAGE.contains(&policy), "page.html should have {policy}");
        assert!(!PAGE.contains("<script") && !STYLE.contains("://"));
    }

    #[test]
    fn what_a_browser_would_obey_is_replaced() {
        assert_eq!(escaped("<b>&\"\u{202e}"), "&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
