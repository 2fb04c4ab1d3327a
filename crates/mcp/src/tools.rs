//! The table of tools, and the function of each.

use std::cmp::Reverse;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};
use similar::TextDiff;

use super::answer::{Answer, MOST, USUAL};
use super::arguments::{
    CheckArguments, CompareArguments, ExplainArguments, FixArguments, RunArguments, TestArguments,
    read, schema_of,
};
use a2lint_ir::finding::Severity;
use a2lint_lint::check::matches;
use a2lint_machine::End;
use a2lint_report::agent::{self, Entry};
use a2lint_report::laws::LawReport;
use a2lint_report::programs::{CheckedFiles, Request};
use a2lint_report::run::{RunReport, cost_text, render_failure_first};
use a2lint_report::standing::Standing;
use a2lint_report::versions::VersionReport;
use a2lint_report::{self as report, Fixes, Page, Summary, printable, severity_word};
use a2lint_rules::RULES;
use a2lint_rules::fix::Applicability;
use a2lint_run::Cancel;
use a2lint_run::laws::{self, Law};
use a2lint_run::spec::{self, Occasion};
use a2lint_run::target::Target;
use a2lint_run::versions::{self, Version};
use a2lint_run::{
    Arguments, Comparison, Expected, Job, Limits, Questions, Tolerance, Which, bind, kernel,
    read_values,
};
use a2lint_source::files::{MAX_BYTES, read_regular};
use a2lint_source::language::Language;
use a2lint_source::spelling::nearest;
use a2lint_source::text::{Slice, SourceText};

/// Time limit of a run in seconds. Clients give up on calls that take much longer.
const PATIENCE: f64 = 20.0;

/// A tool.
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The description, which agents read.
    pub description: &'static str,
    /// Returns the JSON schema of the arguments.
    pub schema: fn() -> Arc<Map<String, Value>>,
    call: fn(Value, Cancel, CheckFiles) -> Result<Answer, String>,
}

/// Checks files, folders or texts with options of the command line, and computes fixes up to an applicability.
pub type CheckFiles =
    fn(&Request, &[String], Option<Applicability>) -> Result<CheckedFiles, String>;

impl Tool {
    /// Answers a call.
    pub fn call(
        &self,
        arguments: &Map<String, Value>,
        cancel: Cancel,
        check_files: CheckFiles,
    ) -> Result<Answer, String> {
        (self.call)(Value::Object(arguments.clone()), cancel, check_files)
    }
}

/// Returns the tool with a name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// All tools.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        description: "Checks a kernel file, a folder, or a source text: one line per finding with its \
            place, the reason and what to write instead; then what was not looked at. Launches in sight are \
            replayed on the embedded machine.",
        schema: schema_of::<CheckArguments>,
        call: |arguments, _, check_files| check(read(arguments)?, check_files),
    },
    Tool {
        name: "prove",
        description: "Says for each kernel which of its eight properties are proved for every launch, under \
            which preconditions, and why the others are open.",
        schema: schema_of::<CheckArguments>,
        call: |arguments, _, check_files| prove(read(arguments)?, check_files),
    },
    Tool {
        name: "run",
        description: "Runs a kernel on the embedded machine with generated inputs and shows its outputs, \
            findings and cost. Shapes come from a launch of the file, changed by `bind` and `shape`.",
        schema: schema_of::<RunArguments>,
        call: |arguments, cancel, _| run(&read(arguments)?, cancel),
    },
    Tool {
        name: "test",
        description: "Tries laws that hold whatever a kernel computes, so that no reference is needed: any number \
            of cores, any order of lanes, all results written, rows computed alike, no NaN from finite inputs. \
            Held means in the runs that were made.",
        schema: schema_of::<TestArguments>,
        call: |arguments, cancel, _| test(&read(arguments)?, cancel),
    },
    Tool {
        name: "compare",
        description: "Compares two versions of a kernel under the same launches and inputs: whether the new one \
            computes the same (bit by bit, or but for rounding), errors, proofs lost, findings, time. The first line \
            is the answer; of a difference it shows an element and how both computed it.",
        schema: schema_of::<CompareArguments>,
        call: |arguments, cancel, _| compare(read(arguments)?, cancel),
    },
    Tool {
        name: "explain",
        description: "The documentation of a rule, with wrong and right examples.",
        schema: schema_of::<ExplainArguments>,
        call: |arguments, _, _| explain(&read(arguments)?),
    },
    Tool {
        name: "fix",
        description: "The fixes of a file or a source text as a unified diff. Nothing is written.",
        schema: schema_of::<FixArguments>,
        call: |arguments, _, check_files| fix(read(arguments)?, check_files),
    },
    Tool {
        name: "cost",
        description: "What a launch takes on the device by the cost model: cycles, what limits it, how busy \
            the pipes are, the critical path and the longest stalls, by line.",
        schema: schema_of::<RunArguments>,
        call: |arguments, cancel, _| cost(&read(arguments)?, cancel),
    },
];

fn most(asked: Option<usize>) -> usize {
    // With fewer than 200 bytes there is no room for a finding next to the line that counts what is left out.
    asked.unwrap_or(USUAL).clamp(200, MOST)
}

fn request(path: Option<PathBuf>, source: Option<String>) -> Result<Request, String> {
    match (path, source) {
        (path, Some(text)) => {
            let path = path.unwrap_or_else(|| PathBuf::from(Language::file_of_text(&text)));
            Ok(Request::Text(path, text))
        }
        (Some(path), None) => Ok(Request::Path(path)),
        (None, None) => Err("give a path or a source".to_owned()),
    }
}

fn checked(
    arguments: CheckArguments,
    check_files: CheckFiles,
) -> Result<(CheckedFiles, usize), String> {
    let mut options = Vec::new();
    for (option, values) in [("select", &arguments.select), ("ignore", &arguments.ignore)] {
        options.extend(values.iter().map(|value| format!("--{option}={value}")));
    }
    options.extend(
        arguments
            .device
            .iter()
            .map(|device| format!("--device={device}")),
    );
    let bound = arguments.bind.iter();
    options.extend(bound.map(|(name, value)| format!("--bind={name}={}", plain(value))));
    let request = request(arguments.path, arguments.source)?;
    let files = readable(check_files(&request, &options, None)?)?;
    Ok((files, most(arguments.max_bytes)))
}

/// Returns the files, or an error if none of them could be read.
fn readable(files: CheckedFiles) -> Result<CheckedFiles, String> {
    match files.reports.is_empty() && !files.complaints.is_empty() {
        true => Err(files.complaints.join("\n")),
        false => Ok(files),
    }
}

/// Formats a value as an option of the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn check(arguments: CheckArguments, check_files: CheckFiles) -> Result<Answer, String> {
    let (files, most) = checked(arguments, check_files)?;
    let parts = files.agent_parts();
    // Where the findings leave room, what is open takes it.
    let counts = format!(
        "{}{}\n{}",
        parts.counts,
        repairs(parts.fixes),
        unread(&files)
    );
    let room = most.saturating_sub(counts.len());
    let least = parts.open.len().min(room / 3);
    let mut body = agent::fitted(&parts.findings, room - least);
    for (lines, about) in [
        (&parts.open, "kernels that are open or not analysed"),
        (&parts.rest, "launches that proofs hold for"),
    ] {
        body += &some_lines(lines, room.saturating_sub(body.len()), about);
    }
    Ok(Answer {
        body,
        end: counts,
        findings: listed(&parts.findings, most / 2),
        summary: counted(&files),
        most,
    })
}

/// Says which findings the tool `fix` repairs.
fn repairs(fixes: Fixes) -> String {
    let parts = [
        (fixes.safe, "repairs", ""),
        (
            fixes.not_safe,
            "repairs",
            " with `unsafe`, to be read first",
        ),
        (fixes.searched, "searches for repairs of", ""),
    ];
    let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, verb, how)| format!("{verb} {number}{how}"))
        .collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(" (`fix` {})", parts.join(", ")),
    }
}

/// Lists findings for structured content, errors first, in at most about `room` bytes.
fn listed(findings: &[Entry], room: usize) -> Vec<Value> {
    let mut sorted: Vec<&Entry> = findings.iter().collect();
    sorted.sort_by_key(|entry| Reverse(entry.severity));
    let values = sorted.into_iter().map(|entry| {
        json!({
            "path": entry.path,
            "line": entry.line,
            "column": entry.column,
            "severity": severity_word(entry.severity),
            "rule": entry.rule,
            "fix": entry.option,
        })
    });
    let mut used = 0;
    values
        .take_while(|value| {
            used += value.to_string().len();
            used <= room
        })
        .collect()
}

/// Returns the leading lines that fit into `room` bytes, and how many others there are `about` something.
fn some_lines(text: &str, room: usize, about: &str) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let kept = cut(text, room.saturating_sub(100));
    let left = text.lines().count() - kept.lines().count();
    format!("{kept}… {left} more lines about {about}; ask for one file\n")
}

/// Lists the files that could not be read, one per line.
fn unread(files: &CheckedFiles) -> String {
    let lines = files.complaints.iter();
    lines
        .map(|complaint| format!("not read: {}\n", printable(complaint)))
        .collect()
}

/// Returns the counts of a check.
fn counted(files: &CheckedFiles) -> Value {
    let summary = Summary::of(&files.reports);
    json!({
        "files": summary.files,
        "files_not_read": files.complaints.len(),
        "kernels": summary.kernels,
        "kernels_analysed": summary.analysed,
        "wrong": summary.number(Standing::Wrong),
        "clean": summary.number(Standing::Clean),
        "open": summary.number(Standing::Open),
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notes": summary.notes,
    })
}

/// Returns the longest prefix of whole lines that fits into `room` bytes.
fn cut(text: &str, room: usize) -> &str {
    let fits = text.match_indices('\n').map(|(at, _)| at + 1);
    let last = fits.take_while(|&at| at <= room).last().unwrap_or(0);
    text.part(..last)
}

fn prove(arguments: CheckArguments, check_files: CheckFiles) -> Result<Answer, String> {
    let (files, most) = checked(arguments, check_files)?;
    let counts = files.agent_parts().counts + "\n";
    let body = match files.reports.is_empty() {
        true => String::new(),
        false => files.proofs(),
    };
    Ok(Answer {
        body,
        end: counts + &unread(&files),
        findings: Vec::new(),
        summary: counted(&files),
        most,
    })
}

fn explain(arguments: &ExplainArguments) -> Result<Answer, String> {
    let mut rules = RULES.iter().filter(|rule| matches(rule, &arguments.rule));
    let Some(rule) = rules.next() else {
        let near = nearest(&arguments.rule, RULES.iter().map(|rule| rule.name));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(format!("no rule is called `{}`{near}", arguments.rule));
    };
    let others = rules.map(|rule| rule.name).collect::<Vec<_>>().join(", ");
    let end = match others.is_empty() {
        true => String::new(),
        false => format!("also: {others}\n"),
    };
    Ok(Answer {
        body: format!("{} ({})\n\n{}\n", rule.name, rule.code, rule.markdown()),
        end,
        findings: Vec::new(),
        summary: json!({"rule": rule.name, "code": rule.code}),
        most: most(arguments.max_bytes),
    })
}

fn fix(arguments: FixArguments, check_files: CheckFiles) -> Result<Answer, String> {
    let applicability = match arguments.is_unsafe {
        true => Applicability::Unsafe,
        false => Applicability::Safe,
    };
    let request = request(arguments.path, arguments.source)?;
    let files = readable(check_files(&request, &[], Some(applicability))?)?;
    let mut body = String::new();
    let mut fixes = 0;
    for file in &files.fixed {
        let name = file.path.display().to_string();
        let diff = TextDiff::from_lines(&file.before, &file.after);
        let _ = write!(body, "{}", diff.unified_diff().header(&name, &name));
        fixes += file.fixes;
    }
    let parts = files.agent_parts();
    // Files that were not examined have no fixes either; the counts keep an empty diff from being read as an
    // all-clear.
    let others = match arguments.is_unsafe {
        false if fixes == 0 && parts.fixes.not_safe > 0 => {
            format!(" that is safe; `unsafe` has {}", parts.fixes.not_safe)
        }
        _ => String::new(),
    };
    let end = format!(
        "{fixes} {}{others}; nothing was written. Before: {}\n{}{}",
        if fixes == 1 { "fix" } else { "fixes" },
        parts.counts,
        some_lines(
            &parts.open,
            most(arguments.max_bytes) / 4,
            "kernels that are open or not analysed"
        ),
        unread(&files)
    );
    let mut summary = counted(&files);
    summary["fixes"] = fixes.into();
    Ok(Answer {
        body,
        end,
        findings: Vec::new(),
        summary,
        most: most(arguments.max_bytes),
    })
}

/// Opens the file or the text that the arguments name.
fn target(
    path: Option<&str>,
    source: Option<&str>,
    kernel: Option<String>,
) -> Result<Target, String> {
    let source = match (source, path) {
        (Some(text), _) if text.len() as u64 > MAX_BYTES => {
            return Err(format!("a text of {} MiB is too large", text.len() >> 20));
        }
        (Some(text), _) => SourceText::new(text),
        (None, Some(path)) => read_regular(path.as_ref()).map_err(|error| error.to_string())?,
        (None, None) => return Err("give a path or a source".to_owned()),
    };
    let path = path.unwrap_or_else(|| Language::file_of_text(source.as_str()));
    Target::of(path, &source, kernel).map_err(|error| error.to_string())
}

/// Returns the laws to try, and the limits on runs. The kernels of a file share the time.
fn law_request(arguments: &TestArguments, kernels: usize) -> Result<laws::Request, String> {
    let mut request = laws::Request {
        seed: arguments.seed,
        numerics: arguments.numerics,
        limits: Limits {
            seconds: PATIENCE / kernels.max(1) as f64,
            ..Limits::default()
        },
        ..laws::Request::default()
    };
    if !arguments.laws.is_empty() {
        let named = arguments.laws.iter().map(|name| {
            let law = Law::ALL.into_iter().find(|law| law.name() == name);
            law.ok_or_else(|| format!("no law is called `{name}`"))
        });
        request.laws = named.collect::<Result<_, _>>()?;
    }
    Ok(request)
}

/// Tries the laws on the kernels of a file.
fn test(arguments: &TestArguments, mut cancel: Cancel) -> Result<Answer, String> {
    let start = Instant::now();
    let target = target(
        arguments.path.as_deref(),
        arguments.source.as_deref(),
        arguments.kernel.clone(),
    )?;
    let programs = target.programs().map_err(|error| error.to_string())?;
    let request = law_request(arguments, programs.len())?;
    let all = Arguments {
        launch: Which::All,
        ..Arguments::default()
    };
    let tested = laws::test_all(&target, &all, &request, &mut cancel);
    let tested = tested.map_err(|error| error.to_string())?;
    let report = LawReport::since(start, &target, tested);
    Ok(Answer {
        body: target
            .map
            .in_words(&report::laws::kernels(&report, Page::PLAIN)),
        end: report::laws::summary(&report, Page::PLAIN),
        findings: Vec::new(),
        summary: json!({"kernels": programs.len()}),
        most: most(arguments.max_bytes),
    })
}

/// Compares two versions of a kernel.
fn compare(arguments: CompareArguments, mut cancel: Cancel) -> Result<Answer, String> {
    let start = Instant::now();
    let text = |error: &dyn ToString| error.to_string();
    let (old, new) = (arguments.old, arguments.new);
    let open = |named: &str, source: Option<&str>| {
        let (path, kernel) = match named.rsplit_once("::") {
            Some((path, kernel)) => (path, Some(kernel.to_owned())),
            None => (named, None),
        };
        target(Some(path), source, kernel)
    };
    let targets = [open(&old, None)?, open(&new, arguments.source.as_deref())?];
    let version = |target| -> Result<Version, String> {
        let program = kernel(target).map_err(|error| text(&error))?;
        Ok(Version { target, program })
    };
    let both = [version(&targets[0])?, version(&targets[1])?];
    let given = given(&RunArguments {
        bind: arguments.bind,
        shape: arguments.shape,
        dtype: arguments.dtype,
        cores: arguments.cores,
        ..RunArguments::default()
    })?;
    let request = versions::Request {
        arguments: given,
        matches: arguments.matches.into_iter().collect(),
        only: arguments.only,
        seeds: arguments.seeds.unwrap_or(20).clamp(1, 1000),
        limits: Limits {
            seconds: PATIENCE,
            ..Limits::default()
        },
    };
    let compared = versions::versions(both, &request, &mut cancel).map_err(|error| text(&error))?;
    let report = VersionReport {
        compared: &compared,
        names: [old, new],
        seconds: start.elapsed().as_secs_f64(),
    };
    let lost: Vec<&str> = compared.lost().into_iter().map(|it| it.name()).collect();
    Ok(Answer {
        body: report::versions::render(&report, Page::PLAIN),
        end: String::new(),
        findings: Vec::new(),
        summary: json!({
            "answer": match compared.answer() {
                versions::Answer::AsGood => "as-good",
                versions::Answer::Open => "open",
                versions::Answer::Worse => "worse",
            },
            "proofs_lost": lost,
            "speedup": compared.times().map(|[old, new]| old / new),
            "errors": compared.new_errors(),
        }),
        most: most(arguments.max_bytes),
    })
}

/// Runs a kernel, and returns what `show` makes of the report.
fn simulated<T>(
    arguments: &RunArguments,
    mut cancel: Cancel,
    show: impl FnOnce(&RunReport, &Target) -> T,
) -> Result<T, String> {
    let target = target(
        arguments.path.as_deref(),
        arguments.source.as_deref(),
        arguments.kernel.clone(),
    )?;
    let program = kernel(&target).map_err(|error| error.to_string())?;
    let given = given(arguments)?;
    let dumps: Result<_, String> = arguments.dump.iter().map(|text| spec::dump(text)).collect();
    let questions = Questions {
        dumps: dumps?,
        occasion: Occasion::default(),
        is_exact: arguments.exact,
        ..Questions::default()
    };
    let limits = Limits {
        seconds: PATIENCE,
        ..Limits::default()
    };
    let bound = bind(&target, program, &given, limits.memory, false);
    let bound = bound.map_err(|error| error.to_string())?;
    if arguments.exact && arguments.expect.is_empty() {
        return Err("`exact` needs `expect`: the references to compare with".to_owned());
    }
    let expected = expected(arguments, limits.memory)?;
    let job = Job::of(&target, program, &bound, &questions, limits);
    let ran = job.run(&mut cancel).map_err(|error| error.to_string())?;
    let mut comparisons = Vec::new();
    for expected in expected {
        let compared = job.compared(&ran, expected, Tolerance::default(), &mut cancel);
        comparisons.push(compared.map_err(|error| error.to_string())?);
    }
    let report = RunReport::of(&job, &ran, &comparisons);
    Ok(show(&report, &target))
}

/// Reads the references that results are compared with, before anything runs.
fn expected(arguments: &RunArguments, limit: u64) -> Result<Vec<Expected>, String> {
    let read = |(name, path): (&String, &PathBuf)| {
        let values = read_values(path, name, limit).map_err(|error| error.to_string())?;
        let (shape, values) = values;
        Ok(Expected {
            name: name.clone(),
            source: path.display().to_string(),
            shape,
            values,
        })
    };
    arguments.expect.iter().map(read).collect()
}

fn given(arguments: &RunArguments) -> Result<Arguments, String> {
    let mut given = Arguments {
        cores: arguments.cores,
        ..Arguments::default()
    };
    if let Some(number) = arguments.launch {
        given.launch = spec::launch(&number.to_string())?;
    }
    for (name, value) in &arguments.bind {
        given
            .scalars
            .push(spec::binding(&format!("{name}={}", plain(value)))?);
    }
    for (name, shape) in &arguments.shape {
        if shape.iter().any(|&extent| extent < 0) {
            return Err(format!("the shape of `{name}` has an extent below 0"));
        }
        given.shapes.push((name.clone(), shape.clone()));
    }
    for (name, contents) in &arguments.input {
        given
            .contents
            .push(spec::input(&format!("{name}={contents}"))?);
    }
    for (name, dtype) in &arguments.dtype {
        given.dtypes.push(spec::dtype(&format!("{name}={dtype}"))?);
    }
    Ok(given)
}

fn run(arguments: &RunArguments, cancel: Cancel) -> Result<Answer, String> {
    simulated(arguments, cancel, |report, target| {
        // Failures come first, so that a shortened answer keeps them.
        let body = render_failure_first(report, Page::PLAIN);
        Answer {
            body: target.map.in_words(&body),
            end: doubts(report),
            findings: Vec::new(),
            summary: ended(report),
            most: most(arguments.max_bytes),
        }
    })
}

fn cost(arguments: &RunArguments, cancel: Cancel) -> Result<Answer, String> {
    simulated(arguments, cancel, |report, target| Answer {
        body: target.map.in_words(&cost_text(report)) + "\n",
        end: format!(
            "{}, {}\n{}",
            report.program.name,
            report.origin,
            doubts(report)
        ),
        findings: Vec::new(),
        summary: ended(report),
        most: most(arguments.max_bytes),
    })
}

/// Returns the result of a run in numbers.
fn ended(report: &RunReport) -> Value {
    let count = |severity| {
        let findings = report.findings.iter();
        findings.filter(|it| it.severity == severity).count()
    };
    let comparisons = report.comparisons;
    let agrees = (!comparisons.is_empty()).then(|| comparisons.iter().all(Comparison::agrees));
    json!({
        "finished": matches!(report.outcome.end, End::Finished),
        "certain": report.outcome.doubt().is_none(),
        "agrees": agrees,
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "notes": count(Severity::Info),
    })
}

/// Returns a line that says why the values may differ from those of the device, or an empty text.
fn doubts(report: &RunReport) -> String {
    let doubt = report.outcome.doubt();
    doubt.map_or(String::new(), |doubt| format!("not looked at: {doubt}\n"))
}
