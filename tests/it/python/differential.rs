//! Host programs in the evaluator and in CPython: what the evaluator claims to know is what CPython computes.
//!
//! The evaluator never starts Python. This test does, if Python is installed.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use a2lint::frontend::dsl::{HostValue, host_values};
use a2lint::text::SourceText;

use super::claims::{ELSEWHERE, FITTING, WIDE};
use super::programs::{constructs, program};
use super::snippets::SNIPPETS;

/// Default number of programs.
const PROGRAMS: usize = 300;
/// The environment variable that sets the number of programs.
const MORE: &str = "A2LINT_PYTHON_PROGRAMS";
/// Number of programs that one interpreter runs.
const BATCH: usize = 500;
/// Minimum share of CPython's plain values in percent that the evaluator has to know.
const LEAST_KNOWN: usize = 60;
/// The text that replaces values other than plain ones.
const OTHER: &str = "?";

/// A script that runs each program in its own namespace and prints its plain values.
const RUNNER: &str = r#"
import sys, json, io, struct, os, types, builtins
def show(v, depth=0):
    t = type(v)
    if depth > 6: raise RecursionError
    if v is None or t is bool: return str(v)
    if t is int: return 'i' + str(v)
    if t is float: return 'fnan' if v != v else 'f' + struct.pack('>d', v).hex()
    if t is str: return 's' + v.encode('utf-8', 'surrogatepass').hex() if not v.isascii() or "'" in v or not v.isprintable() else "'" + v + "'"
    if t is tuple: return '(' + ' '.join(show(x, depth + 1) for x in v) + ')'
    if t is list: return '[' + ' '.join(show(x, depth + 1) for x in v) + ']'
    if t is set: return '{' + ' '.join(sorted(show(x, depth + 1) for x in v)) + '}'
    if t is dict: return '{' + ' '.join(show(k, depth + 1) + ':' + show(x, depth + 1) for k, x in v.items()) + '}'
    raise TypeError
answers = []
environment = dict(os.environ)
own, python = sys.modules['__main__'], dict(vars(builtins))
for text in json.load(sys.stdin):
    module = types.ModuleType('__main__')
    space = vars(module)
    sys.modules['__main__'] = module
    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        code = compile(text, 'program', 'exec')
    except SyntaxError:
        sys.stdout = out
        answers.append(None)
        continue
    raised = ''
    try:
        exec(code, space)
    except BaseException as error:
        raised = type(error).__name__
    vars(builtins).update(python)
    sys.modules['__main__'] = own
    sys.stdout = out
    os.environ.clear(); os.environ.update(environment)
    shown = {}
    for name, value in list(space.items()):
        if name.startswith('__'): continue
        try: shown[name] = show(value)
        except Exception: shown[name] = '?'
    answers.append([raised, shown])
json.dump(answers, sys.stdout)
"#;

/// CPython's result for a program: the exception that ended it, and the values of its names.
type Answer = Option<(String, BTreeMap<String, String>)>;

#[test]
fn what_the_evaluator_knows_is_what_python_computes() {
    if !has_python() {
        eprintln!("skipped: there is no python3 of version 3.8 or later");
        return;
    }
    assert!(constructs() >= 150);
    let wanted = std::env::var(MORE).ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(PROGRAMS);
    // Programs beyond those with a single construct are sampled in the same proportion by every run.
    let numbers: Vec<usize> = match wanted > PROGRAMS {
        true => (0..wanted).collect(),
        false => (0..wanted).map(|at| at * 7 / 2).collect(),
    };
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    for batch in numbers.chunks(BATCH) {
        let texts: Vec<String> = batch.iter().map(|&number| program(number)).collect();
        for ((number, text), answer) in batch.iter().zip(&texts).zip(run(&texts)) {
            let Some((raised, names)) = answer else {
                continue;
            };
            counts.programs += 1;
            if let Some(difference) = compare(text, &raised, &names, &mut counts) {
                differences.push(format!("program {number}, {raised}\n{difference}\n{text}"));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} programs differ:\n{}",
        differences.len(),
        counts.programs,
        differences
            .iter()
            .take(40)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
    let known = counts.known * 100 / counts.all.max(1);
    eprintln!(
        "{} programs, {known} % of {} values known",
        counts.programs, counts.all
    );
    assert!(known >= LEAST_KNOWN, "{known} % of the values are known");
}

/// The environment variable that names a file of additional programs, separated by lines of `---`.
const FURTHER: &str = "A2LINT_PYTHON_SNIPPETS";

#[test]
fn what_it_knows_of_snippets_is_what_python_computes() {
    if !has_python() {
        eprintln!("skipped: there is no python3 of version 3.8 or later");
        return;
    }
    let further = std::env::var_os(FURTHER).map(|path| {
        std::fs::read_to_string(path).expect("the file of further programs can be read")
    });
    let further = further.unwrap_or_default();
    let snippets = SNIPPETS.iter().copied().flatten();
    let own = snippets
        .chain(WIDE)
        .chain(ELSEWHERE)
        .chain(FITTING)
        .copied();
    let texts = own.chain(further.split("\n---\n"));
    let texts: Vec<String> = texts.map(str::to_owned).collect();
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    for (text, answer) in texts.iter().zip(run(&texts)) {
        let Some((raised, names)) = answer else {
            differences.push(format!("CPython does not parse\n{text}"));
            continue;
        };
        if let Some(difference) = compare(text, &raised, &names, &mut counts) {
            differences.push(format!("{raised}\n{difference}\n{text}\n"));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {}:\n{}",
        differences.len(),
        texts.len(),
        differences.join("\n")
    );
    let known = counts.known * 100 / counts.all.max(1);
    eprintln!("{known} % of {} values known", counts.all);
    assert!(known >= LEAST_KNOWN, "{known} % of the values are known");
}

#[derive(Default)]
struct Counts {
    programs: usize,
    all: usize,
    known: usize,
}

/// Returns the names about which the evaluator makes a wrong claim.
fn compare(
    text: &str,
    raised: &str,
    names: &BTreeMap<String, String>,
    counts: &mut Counts,
) -> Option<String> {
    let known = host_values(&SourceText::new(text.to_owned()));
    // Claims hold under the condition that no unknown operation raises.
    if !raised.is_empty() && known.may_have_raised {
        return None;
    }
    let claimed = known.values.into_iter();
    let claimed: BTreeMap<String, String> =
        claimed.map(|(name, value)| (name, show(&value))).collect();
    let plain = names.iter().filter(|(_, value)| *value != OTHER);
    let mut unknown = Vec::new();
    for (name, _) in plain {
        counts.all += 1;
        match claimed.contains_key(name) {
            true => counts.known += 1,
            false => unknown.push(name.as_str()),
        }
    }
    if std::env::var("A2LINT_PYTHON_UNKNOWN").is_ok() && !unknown.is_empty() {
        eprintln!("unknown: {}\n{text}", unknown.join(" "));
    }
    let wrong = claimed
        .iter()
        .filter(|(name, value)| names.get(*name) != Some(value));
    let wrong = wrong.map(|(name, value)| {
        let real = names.get(name).map_or("nothing", String::as_str);
        format!("  {name}: evaluator {value}, CPython {real}")
    });
    let wrong: Vec<String> = wrong.collect();
    (!wrong.is_empty()).then(|| wrong.join("\n"))
}

fn show(value: &HostValue) -> String {
    let all = |items: &[HostValue]| items.iter().map(show).collect::<Vec<_>>();
    match value {
        HostValue::None => "None".to_owned(),
        HostValue::Bool(true) => "True".to_owned(),
        HostValue::Bool(false) => "False".to_owned(),
        HostValue::Int(value) => format!("i{value}"),
        HostValue::Float(value) if value.is_nan() => "fnan".to_owned(),
        HostValue::Float(value) => format!("f{:016x}", value.to_bits()),
        HostValue::Str(text) => {
            let is_plain = text.chars().all(|c| matches!(c, ' '..='~') && c != '\'');
            match is_plain {
                true => format!("'{text}'"),
                false => {
                    let bytes = text.bytes().map(|byte| format!("{byte:02x}"));
                    format!("s{}", bytes.collect::<String>())
                }
            }
        }
        HostValue::Tuple(items) => format!("({})", all(items).join(" ")),
        HostValue::List(items) => format!("[{}]", all(items).join(" ")),
        HostValue::Set(items) => {
            let mut items = all(items);
            items.sort();
            format!("{{{}}}", items.join(" "))
        }
        HostValue::Dict(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, value)| format!("{}:{}", show(key), show(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
        }
    }
}

fn has_python() -> bool {
    let test = "import sys; sys.exit(sys.version_info < (3, 8))";
    let mut command = Command::new("python3");
    command
        .args(["-c", test])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn run(texts: &[String]) -> Vec<Answer> {
    let mut command = Command::new("python3");
    command.args(["-I", "-W", "ignore", "-c", RUNNER]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("python3 runs");
    let mut input = child.stdin.take().expect("its input is piped");
    let text = serde_json::to_vec(texts).expect("texts are JSON");
    let writer = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output().expect("python3 ends");
    writer
        .join()
        .expect("the writer ends")
        .expect("python3 reads");
    serde_json::from_slice(&output.stdout).expect("python3 answers in JSON")
}
