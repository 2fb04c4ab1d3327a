//! Sources in any language, from the text to every report.

use std::collections::HashSet;

use a2lint::baseline::Baseline;
use a2lint::check::{self, Analysis, Settings};
use a2lint::finding::Finding;
use a2lint::fix;
use a2lint::frontend::syntax_errors;
use a2lint::language::Language;
use a2lint::report::{self, FileReport, Page, Paint, Run};
use a2lint::suppress::ignore_edits;
use a2lint::text::{SourceText, Span};

/// Checks a source and makes sure that what comes of it can be shown, fixed, silenced and kept.
pub fn check(data: &[u8], language: Language, replay: bool) {
    let Ok(source) = SourceText::decode(data.to_vec()) else {
        return;
    };
    let settings = Settings {
        pedantic: true,
        replay,
        prove: replay,
        ..Settings::default()
    };
    let analysis = check::check(&source, language, &settings);
    for finding in &analysis.findings {
        lies_inside(&source, finding);
    }
    let findings = &analysis.findings;
    assert_eq!(
        &check::in_order(findings.clone()),
        findings,
        "findings come in order and once"
    );
    fix_each(&source, language, findings);
    silence_all(&source, language, &settings, findings);
    hide_all(&source, findings);
    show(source, analysis);
}

fn lies_inside(source: &SourceText, finding: &Finding) {
    let fixes = finding.fix.iter().flat_map(|fix| &fix.edits);
    let spans = [finding.span]
        .into_iter()
        .chain(finding.labels.iter().map(|label| label.span))
        .chain(finding.witness.iter().flat_map(|it| it.trail.clone()))
        .chain(fixes.map(|edit| edit.span));
    for span in spans {
        assert!(is_inside(source, span), "{span:?} of {finding:?}");
    }
}

fn is_inside(source: &SourceText, span: Span) -> bool {
    source.as_str().get(span.range()).is_some()
}

/// Every fix can be applied, and what it leaves can be read.
fn fix_each(source: &SourceText, language: Language, findings: &[Finding]) {
    let mut titles = HashSet::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        if titles.insert(&fix.title) && titles.len() <= 4 {
            let fixed = fix::apply(source.as_str(), &fix.edits);
            syntax_errors(&SourceText::new(fixed), language);
        }
    }
}

/// Comments that silence findings can be written anywhere.
fn silence_all(source: &SourceText, language: Language, settings: &Settings, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    let edits = ignore_edits(source, language, findings, "known");
    let silenced = SourceText::new(fix::apply(source.as_str(), &edits));
    let settings = Settings {
        replay: false,
        ..settings.clone()
    };
    // What a comment silences, and what it lands on, is for other tests: half a string is a place.
    check::check(&silenced, language, &settings);
}

/// A baseline of findings hides them.
fn hide_all(source: &SourceText, findings: &[Finding]) {
    let mut baseline = Baseline::default();
    baseline.record("k", source, findings);
    let baseline = Baseline::parse(&baseline.render()).expect("what we wrote");
    let mut left = findings.to_vec();
    baseline.hide("k", source, &mut left);
    assert!(left.is_empty(), "a baseline leaves {left:?}");
}

fn show(source: SourceText, analysis: Analysis) {
    let run = Run::default();
    let reports = [FileReport {
        path: "k".to_owned(),
        source,
        analysis: analysis.into(),
    }];
    let json = report::json::render(&reports, &run);
    serde_json::from_str::<serde_json::Value>(&json).expect("JSON");
    let sarif = report::sarif::render(&reports, &run);
    serde_json::from_str::<serde_json::Value>(&sarif).expect("JSON");
    let gitlab = report::gitlab::render(&reports);
    serde_json::from_str::<serde_json::Value>(&gitlab).expect("JSON");
    report::full::render(
        &reports,
        &run,
        Page {
            paint: Paint::Coloured,
            columns: Some(80),
        },
    );
    report::concise::render(&reports, &run, Page::PLAIN);
    report::agent::render(&reports);
    report::github::render(&reports);
    report::junit::render(&reports, &run);
}
