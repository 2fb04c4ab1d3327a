//! The first line of the report: the answer in one sentence.

use super::{VersionReport, launches};
use crate::run::float_text;
use a2lint_ir::finding::Severity;
use a2lint_run::versions::{Compared, OWN, Output, Sameness};
use a2lint_source::spelling::count;

/// Change of a time below which two versions are as fast: the cost model is no better.
const SAME_TIME: f64 = 0.02;

/// Formats the answer: `same results up to rounding, 1.3 times faster, 1 proof lost`.
pub fn headline(report: &VersionReport) -> String {
    let compared = report.compared;
    let mut parts = vec![results(report)];
    parts.extend(accuracy(compared));
    // Without a launch whose results were compared, the times are those of different work.
    let is_compared = compared
        .launches
        .iter()
        .any(|it| it.obstacles == [None, None]);
    parts.extend(speed(compared).filter(|_| is_compared));
    let lost = compared.lost();
    if !lost.is_empty() {
        let names: Vec<&str> = lost.iter().map(|property| property.name()).collect();
        parts.push(format!(
            "{} lost ({})",
            count(lost.len(), "proof"),
            names.join(", ")
        ));
    }
    let won = compared.won().len();
    if won > 0 {
        parts.push(format!("{} won", count(won, "proof")));
    }
    for (severity, noun) in [
        (Severity::Error, "new error"),
        (Severity::Warning, "new warning"),
    ] {
        let number = compared.checked[1].count(&compared.new, severity);
        if number > 0 {
            parts.push(count(number, noun));
        }
    }
    let gone = compared.checked[0].count(&compared.gone, Severity::Error);
    if gone > 0 {
        parts.push(format!("{} gone", count(gone, "error")));
    }
    let left = compared.left.len() + compared.incomparable().count();
    if left > 0 {
        parts.push(format!("{} not compared", launches(left)));
    }
    if compared.cut.is_some() {
        let (tried, planned) = (compared.tried, compared.planned);
        parts.push(format!("{tried} of {planned} inputs tried"));
    }
    parts.join(", ")
}

fn results(report: &VersionReport) -> String {
    let compared = report.compared;
    let named = |outputs: &[&Output]| {
        let names: Vec<String> = outputs
            .iter()
            .map(|it| format!("`{}`", it.names[0]))
            .collect();
        names.join(", ")
    };
    let all = |is: fn(&Sameness) -> bool| -> Vec<&Output> {
        compared
            .outputs
            .iter()
            .filter(|it| is(&it.sameness))
            .collect()
    };
    let different = all(|it| matches!(it, Sameness::Different(_)));
    let unknown = all(|it| matches!(it, Sameness::Unknown(_)));
    let untried = all(|it| matches!(it, Sameness::Untried));
    if let [first, ..] = different[..] {
        let Sameness::Different(difference) = &first.sameness else {
            return String::new();
        };
        let elements = &difference.elements;
        let launched = &compared.launches[difference.launch];
        let mut when = match launched.pair.is_given {
            true => String::new(),
            false => format!(" with {}, which no file launches", launched.pair.origin),
        };
        if difference.contents != OWN {
            when += &format!(" for {}", difference.contents);
        }
        return format!(
            "different results: {} ({} of {} elements){when}",
            named(&different),
            elements.differing,
            elements.all
        );
    }
    if let Some(broken) = compared.broken().next() {
        let reason = broken.obstacles[1].as_deref().unwrap_or_default();
        return format!("NEW does not run as OLD does: {reason}");
    }
    let missing: Vec<&str> = compared.missing().collect();
    if !missing.is_empty() {
        return format!("NEW has no result `{}`", missing.join("`, `"));
    }
    if !unknown.is_empty() {
        return format!(
            "not known whether {} is the same: near, and exact values are lost",
            named(&unknown)
        );
    }
    if compared.outputs.is_empty() {
        return "nothing compared: no result that both versions have".to_owned();
    }
    if !untried.is_empty() {
        return format!(
            "nothing compared: no launch that both versions run gives {}",
            named(&untried)
        );
    }
    match compared
        .outputs
        .iter()
        .all(|it| matches!(it.sameness, Sameness::Bits))
    {
        true => "same results, bit by bit".to_owned(),
        false => "same results up to rounding".to_owned(),
    }
}

fn accuracy(compared: &Compared) -> Option<String> {
    let ratio = |output: &Output, from: usize| {
        let errors = output.errors?;
        let [one, other] = [errors[from].mean_ulp(), errors[1 - from].mean_ulp()];
        Some(match one > 0.0 {
            true => format!("{} times", float_text(other / one)),
            false => "no errors before, now".to_owned(),
        })
    };
    let is_same = |it: &&Output| matches!(it.sameness, Sameness::Bits | Sameness::Exact);
    let mut outputs = compared.outputs.iter().filter(is_same);
    if let Some(worse) = outputs.clone().find(|it| it.is_less_accurate()) {
        return Some(format!(
            "less accurate (errors {} as large)",
            ratio(worse, 0)?
        ));
    }
    let better = outputs.find(|it| it.is_more_accurate())?;
    Some(match ratio(better, 1)?.strip_suffix(" times") {
        Some(factor) => format!("{factor} times more accurate"),
        None => "exact".to_owned(),
    })
}

fn speed(compared: &Compared) -> Option<String> {
    let [old, new] = compared.times()?;
    Some(change(old, new))
}

/// Formats the change of a time: `1.3 times faster`.
pub(super) fn change(old: f64, new: f64) -> String {
    let factor = |factor: f64| {
        let text = format!("{factor:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match new / old {
        ratio if (ratio - 1.0).abs() < SAME_TIME => "as fast".to_owned(),
        ratio if ratio < 1.0 => format!("{} times faster", factor(old / new)),
        ratio => format!("{} times slower", factor(ratio)),
    }
}
