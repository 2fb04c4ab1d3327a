//! Pages about kernels.

use a2lint::check::{self, Conclusion, Settings};
use a2lint::language::Language;
use a2lint::report::html;
use a2lint::run::{Arguments, Job, Limits, Questions, bind, kernel};
use a2lint::target::Target;
use a2lint::text::SourceText;

/// Bytes of the tensors of a launch.
const MOST_BYTES: u64 = 1 << 22;
/// Bytes of a page.
const LARGEST: usize = 64 << 20;

/// Writes the page about a kernel; no text of the source may end the element that contains it.
pub fn write(data: &[u8]) {
    let Ok(source) = SourceText::decode(data.to_vec()) else {
        return;
    };
    let Ok(target) = Target::of("fuzzed-kernel.py", &source, None) else {
        return;
    };
    let Ok(program) = kernel(&target) else { return };
    let arguments = Arguments::default();
    let Ok(bound) = bind(&target, program, &arguments, MOST_BYTES, false) else {
        return;
    };
    let settings = Settings {
        replay_work: 20_000,
        ..target.settings.clone()
    };
    let analysis = check::check(&source, Language::Easyasc, &settings);
    let known = Conclusion {
        findings: analysis.findings,
        records: analysis.records,
        excess: 0,
    };
    let questions = Questions::default();
    let limits = Limits {
        instructions: 20_000,
        seconds: 5.0,
        memory: MOST_BYTES,
    };
    let job = Job::of(&target, program, &bound, &questions, limits);
    let page = html::page(&job, &known, None, &mut ());
    assert!(page.len() < LARGEST, "{} bytes", page.len());
    let (_, data) = page.split_once(OPENS).expect("the page has its data");
    let (data, rest) = data.split_once("</script>").expect("which end");
    serde_json::from_str::<serde_json::Value>(data).expect("JSON");
    assert!(!data.contains('<'), "{data}");
    assert!(!rest.contains(OPENS), "there is one object of data");
}

/// Where the data of a page begins.
const OPENS: &str = r#"<script type="application/json" id="data">"#;
