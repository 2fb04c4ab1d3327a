//! The JSON of a comparison: one object, with the same version as that of `check`.

use serde_json::{Value, json};

use super::{VersionReport, arguments, headline};
use crate::Page;
use crate::json::{self, VERSION, json_text};
use crate::run::{finite, history_json};
use a2lint_ir::verdict::Property;
use a2lint_run::coordinates;
use a2lint_run::versions::{
    Answer, Checked, Difference, Errors, Launched, Output, SIDES, Sameness,
};

/// Renders the comparison.
pub fn render(report: &VersionReport) -> String {
    let compared = report.compared;
    let side = |side: usize| {
        let version = compared.versions[side];
        json!({ "path": version.target.report.path, "kernel": version.program.name })
    };
    let lost = compared.lost();
    let [old, new] = &compared.checked;
    let object = json!({
        "version": VERSION,
        "answer": match compared.answer() {
            Answer::AsGood => "as-good",
            Answer::Open => "open",
            Answer::Worse => "worse",
        },
        "text": headline(report),
        "old": side(0),
        "new": side(1),
        "results": compared.outputs.iter().map(|it| output(report, it)).collect::<Vec<_>>(),
        "missing": compared.matching.missing.iter().map(|(side, name)| json!({
            "name": name,
            "only_in": SIDES[*side].to_lowercase(),
        })).collect::<Vec<_>>(),
        "launches": compared.launches.iter().map(|it| launched(report, it)).collect::<Vec<_>>(),
        "launches_not_compared": compared.left.iter().map(|it| json!({
            "origin": it.origin,
            "reason": it.because,
        })).collect::<Vec<_>>(),
        "speedup": compared.times().map(|[old, new]| finite(old / new)),
        "proofs": Property::ALL.iter().filter_map(|&property| {
            let [old, new] = [0, 1].map(|side| compared.checked[side].standing(property));
            let (old, new) = (old?, new?);
            Some(json!({
                "property": property.name(),
                "old": old.rank.word(),
                "old_detail": old.detail,
                "new": new.rank.word(),
                "new_detail": new.detail,
                "lost": lost.contains(&property),
            }))
        }).collect::<Vec<_>>(),
        "new_findings": findings(new, &compared.new),
        "gone_findings": findings(old, &compared.gone),
        "inputs_tried": compared.tried,
        "inputs_planned": compared.planned,
        "cut": compared.cut.map(|cut| cut.to_string()),
        "seconds": report.seconds,
    });
    json_text(&object)
}

fn findings(checked: &Checked, findings: &[usize]) -> Vec<Value> {
    let findings = findings
        .iter()
        .map(|&at| checked.report.place(checked.finding(at)));
    let written = findings.map(|placed| serde_json::to_value(json::Finding::new(&placed)));
    written
        .map(|it| it.expect("every key is a string"))
        .collect()
}

fn launched(report: &VersionReport, launched: &Launched) -> Value {
    json!({
        "arguments": report.arguments(launched),
        "origin": launched.pair.origin,
        "given": launched.pair.is_given,
        "microseconds": launched.times,
        "obstacles": launched.obstacles,
    })
}

fn output(report: &VersionReport, output: &Output) -> Value {
    let errors = |errors: Errors| {
        json!({
            "elements": errors.elements,
            "max_ulp": finite(errors.max_ulp),
            "mean_ulp": finite(errors.mean_ulp()),
            "max_relative": finite(errors.max_relative),
        })
    };
    let (word, found) = match &output.sameness {
        Sameness::Untried => ("not-compared", None),
        Sameness::Bits => ("same-bits", None),
        Sameness::Exact => ("same-exactly", None),
        Sameness::Unknown(found) => ("unknown", Some(found)),
        Sameness::Different(found) => ("different", Some(found)),
    };
    json!({
        "name": output.names[0],
        "new_name": output.names[1],
        "dtype": output.dtype.name(),
        "verdict": word,
        "errors": output.errors.map(|all| all.map(errors)),
        "less_accurate": output.is_less_accurate(),
        "numbers_gained": output.gained,
        "difference": found.map(|it| difference(report, output, it)),
    })
}

fn difference(report: &VersionReport, output: &Output, found: &Difference) -> Value {
    let compared = report.compared;
    let shape = &found.bounds[0].launch.globals[output.ids[0].index()].shape;
    let first = found.elements.first.as_ref().map(|first| {
        json!({
            "index": coordinates(first.flat, shape),
            "values": first.values.map(|it| it.map(finite)),
            "exact": first.exact.map(|it| it.map(finite)),
        })
    });
    let departures =
        [0, 1].map(|side| found.departures[side].map(|it| report.departure(side, it, Page::PLAIN)));
    let histories = [0, 1].map(|side| {
        let history = found.histories[side].as_ref();
        history.map(|it| history_json(&report.narrator(side, Page::PLAIN), it))
    });
    json!({
        "launch": found.launch,
        "arguments": arguments(compared, &found.bounds[0].launch),
        "contents": found.contents,
        "elements": found.elements.all,
        "differing": found.elements.differing,
        "first": first,
        "exact_values_part": departures,
        "histories": histories,
    })
}
