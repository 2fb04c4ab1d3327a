//! The one pure function behind command line and editors: source text in, findings out.

use crate::analysis::Analysis as ProgramAnalysis;
use crate::device::Device;
use crate::finding::{Finding, Severity};
use crate::frontend::{self, easyasc, easyasc::TraceOptions};
use crate::guard::{in_kernel, in_rule};
use crate::hazards::Hazard;
use crate::ir::{
    MaskOperations, MemoryMap, Module, NotAnalysed, Program, ScalarNames, gather, mma, tile,
};
use crate::language::Language;
use crate::machine::{BoundLaunch, Options, Outcome};
use crate::replay::{self, Replay, Request};
use crate::rules::{
    self, Check, Comments, Facts, GatherFacts, MmaFacts, RULES, Rule, Sink, TileFacts,
};
use crate::suppress::Suppressions;
use crate::text::SourceText;

/// Findings of one file that are kept; what goes beyond says nothing new, and is counted.
pub const MAX_FINDINGS: usize = 2_000;

/// What the user decides about a check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The device that kernels are checked for.
    pub device: Device,
    /// Whether pedantic rules run.
    pub pedantic: bool,
    /// Rules (names, codes or prefixes) that alone run; empty means the default set.
    pub select: Vec<String>,
    /// Rules that run besides the selected or default ones.
    pub extend_select: Vec<String>,
    /// Rules that do not run.
    pub ignore: Vec<String>,
    /// Severities by name of rule; a pedantic rule with one runs.
    pub severities: Vec<(&'static str, Severity)>,
    /// Whether kernels are replayed on the machine.
    pub replay: bool,
    /// Values of scalars and symbolic extents, in place of those that launches give.
    pub bindings: Vec<(String, f64)>,
    /// What tracing needs to know beside the text.
    pub trace: TraceOptions,
    /// Whether the machine clamps half and bfloat16 to their largest finite value.
    pub saturate: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            device: Device::default(),
            pedantic: false,
            select: Vec::new(),
            extend_select: Vec::new(),
            ignore: Vec::new(),
            severities: Vec::new(),
            replay: true,
            bindings: Vec::new(),
            trace: TraceOptions::default(),
            saturate: false,
        }
    }
}

/// The outcome of checking one file.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Findings in source order.
    pub findings: Vec<Finding>,
    /// What was traced, of a file in the DSL; what was not analysed, of any file.
    pub module: Module,
    /// Mask instructions of a file in another language.
    pub masks: MaskOperations,
    /// Kernels that were analysed and not replayed.
    pub not_replayed: Vec<NotAnalysed>,
}

impl Analysis {
    /// What could not be analysed, with reasons.
    pub fn not_analysed(&self) -> &[NotAnalysed] {
        &self.module.not_analysed
    }

    /// Number of kernels that were analysed.
    pub fn kernels(&self) -> usize {
        self.module.programs.len() + self.masks.kernels()
    }
}

impl Settings {
    /// Whether a rule runs.
    pub fn enables(&self, rule: &Rule) -> bool {
        let named = |list: &[String]| list.iter().any(|pattern| matches(rule, pattern));
        if named(&self.ignore) {
            return false;
        }
        if named(&self.extend_select) {
            return true;
        }
        if !self.select.is_empty() {
            return named(&self.select);
        }
        !rule.pedantic || self.pedantic || self.severity(rule.name).is_some()
    }

    /// The severity that findings of a rule are given.
    fn severity(&self, name: &str) -> Option<Severity> {
        let set = self.severities.iter().find(|(rule, _)| *rule == name);
        set.map(|(_, severity)| *severity)
    }

    /// The rules that run.
    pub fn rules(&self) -> Vec<&'static Rule> {
        let all = RULES.iter().copied();
        all.filter(|rule| self.enables(rule)).collect()
    }

    /// What replays of a kernel show.
    fn replay(&self, program: &Program, module: &Module) -> Replay {
        self.replay_unless(&|| false, program, module)
            .unwrap_or_default()
    }

    /// What replays of a kernel show; `None` where they were taken back.
    pub fn replay_unless(
        &self,
        is_cancelled: &dyn Fn() -> bool,
        program: &Program,
        module: &Module,
    ) -> Option<Replay> {
        let request = Request {
            device: self.device,
            bindings: &self.bindings,
            saturate: self.saturate,
            work: replay::DEFAULT_WORK,
        };
        match self.replay {
            true => Replay::unless(is_cancelled, program, module, &request),
            false => Some(Replay::default()),
        }
    }
}

/// Whether a name, code or code prefix selects a rule.
pub fn matches(rule: &Rule, pattern: &str) -> bool {
    rule.name == pattern
        || (!pattern.is_empty() && rule.code.starts_with(&pattern.to_ascii_uppercase()))
}

/// The candidate that `text` most likely means, if one is near enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&text, &candidate.to_lowercase());
    candidates
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Checks one file.
pub fn check(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
    match language {
        Language::Easyasc => {
            let module = easyasc::trace_with(source, &settings.trace);
            check_traced(source, module, settings)
        }
        _ => check_masks(source, language, settings),
    }
}

/// Checks what a file in the DSL was traced into.
pub fn check_traced(source: &SourceText, module: Module, settings: &Settings) -> Analysis {
    let rules = settings.rules();
    let mut findings = file_findings(&module, &rules);
    let mut not_replayed = Vec::new();
    for program in &module.programs {
        let replay = in_kernel(&program.name, || settings.replay(program, &module));
        not_replayed.extend(replay.reason.clone().map(|reason| NotAnalysed {
            kernel: Some(program.name.clone()),
            reason,
        }));
        findings.extend(kernel_findings(source, &module, program, &rules, &replay));
    }
    let analysis = Analysis {
        findings,
        module,
        not_replayed,
        ..Analysis::default()
    };
    finish(source, Language::Easyasc, settings, analysis)
}

/// What rules find in a file as a whole.
pub fn file_findings(module: &Module, rules: &[&'static Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules {
        if let Check::File(check) = rule.check {
            let mut sink = Sink::new(rule, &mut findings);
            in_rule(rule.name, || check(module, &mut sink));
        }
    }
    findings
}

/// What rules find in one kernel of a file.
pub fn kernel_findings(
    source: &SourceText,
    module: &Module,
    program: &Program,
    rules: &[&'static Rule],
    replay: &Replay,
) -> Vec<Finding> {
    kernel_findings_again(source, module, program, rules, replay, &[])
}

/// What rules find in one kernel of a file. `before` is what they found with the same replay when the
/// kernel stood on other lines: the numbers of findings are those, and need not be looked for.
pub fn kernel_findings_again(
    source: &SourceText,
    module: &Module,
    program: &Program,
    rules: &[&'static Rule],
    replay: &Replay,
    before: &[Finding],
) -> Vec<Finding> {
    in_kernel(&program.name, || {
        let mut findings = Vec::new();
        let facts = Facts {
            source,
            module,
            program,
            analysis: &ProgramAnalysis::of(program),
            memory: &MemoryMap::of(program),
            names: &ScalarNames::new(program),
            replay,
        };
        for rule in rules {
            if let Check::Kernel(check) = rule.check {
                let mut sink = Sink::new(rule, &mut findings);
                in_rule(rule.name, || check(&facts, &mut sink.in_kernel(program)));
            }
        }
        rules::reconcile(&mut findings, replay.is_guessed);
        let codes = findings.iter().map(|finding| finding.code);
        match codes.eq(before.iter().map(|finding| finding.code)) {
            true => {
                for (finding, before) in findings.iter_mut().zip(before) {
                    finding.numbers.clone_from(&before.numbers);
                }
            }
            false => replay::illustrate(source, program, facts.memory, replay, &mut findings),
        }
        findings
    })
}

/// Leaves the findings that comments do not silence, with the severities of the settings, in order.
fn finish(
    source: &SourceText,
    language: Language,
    settings: &Settings,
    mut analysis: Analysis,
) -> Analysis {
    // Where something was not analysed, or not replayed, nobody knows what comments would silence.
    let is_complete = analysis.not_analysed().is_empty() && settings.replay;
    let findings = std::mem::take(&mut analysis.findings);
    analysis.findings = conclude(source, language, settings, findings, is_complete);
    cut(&mut analysis);
    analysis
}

/// Leaves the first findings, and says that there were more.
fn cut(analysis: &mut Analysis) {
    let found = analysis.findings.len();
    if found > MAX_FINDINGS {
        analysis.findings.truncate(MAX_FINDINGS);
        analysis.module.not_analysed.push(NotAnalysed {
            kernel: None,
            reason: format!("{found} findings; the first {MAX_FINDINGS} are shown"),
        });
    }
}

/// What findings come to once comments and settings have had their say, in order. Comments that
/// silence nothing are reported where everything is known that they could silence.
pub fn conclude(
    source: &SourceText,
    language: Language,
    settings: &Settings,
    mut findings: Vec<Finding>,
    is_complete: bool,
) -> Vec<Finding> {
    let rules = settings.rules();
    let mut suppressions = Suppressions::of(source, language);
    findings.retain(|finding| !suppressions.silences(finding));
    let comments = Comments {
        source,
        suppressions: &suppressions,
        ran: if is_complete { &rules } else { &[] },
    };
    let mut own = Vec::new();
    for rule in &rules {
        if let Check::Comments(check) = rule.check {
            let mut sink = Sink::new(rule, &mut own);
            in_rule(rule.name, || check(&comments, &mut sink));
        }
    }
    own.retain(|finding| !suppressions.silences(finding));
    findings.append(&mut own);
    for finding in &mut findings {
        if let Some(severity) = settings.severity(finding.name) {
            finding.severity = severity;
        }
    }
    in_order(findings)
}

/// What one run of a kernel showed, in the words of the rules.
pub fn findings_of_run(
    source: &SourceText,
    module: &Module,
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    outcome: &Outcome,
    hazards: Vec<Hazard>,
) -> Vec<Finding> {
    let replay = Replay::of_run(program, bound, options, outcome, hazards);
    let rules = Settings::default().rules();
    let mut findings = kernel_findings(source, module, program, &rules, &replay);
    findings.retain(|finding| finding.witness.is_some());
    in_order(findings)
}

/// Findings as they are shown: by place, the worse first, each once.
pub fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| {
        (
            finding.span,
            std::cmp::Reverse(finding.severity),
            finding.code,
        )
    });
    findings.dedup();
    findings
}

/// Sources in other languages are read for their mask instructions.
fn check_masks(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
    let (masks, not_analysed) = frontend::mask_operations(source, language);
    let mut findings = Vec::new();
    let rules = settings.rules();
    check_mma(source, &masks.mma, &rules, &mut findings);
    check_tiles(source, &masks.tiles, &rules, &mut findings);
    check_gathers(source, &masks.gathers, &rules, &mut findings);
    let analysis = Analysis {
        findings,
        module: Module {
            not_analysed,
            ..Module::default()
        },
        masks,
        ..Analysis::default()
    };
    finish(source, language, settings, analysis)
}

fn check_mma(
    source: &SourceText,
    unit: &mma::Unit,
    rules: &[&'static Rule],
    findings: &mut Vec<Finding>,
) {
    for kernel in &unit.kernels {
        let facts = MmaFacts {
            source,
            unit,
            kernel,
        };
        for rule in rules {
            if let Check::Mma(check) = rule.check {
                let mut sink = Sink::new(rule, findings);
                let mut sink = sink.in_function(&kernel.name);
                in_rule(rule.name, || check(&facts, &mut sink));
            }
        }
    }
}

fn check_tiles(
    source: &SourceText,
    unit: &tile::Unit,
    rules: &[&'static Rule],
    findings: &mut Vec<Finding>,
) {
    for function in &unit.functions {
        let facts = TileFacts {
            source,
            unit,
            function,
        };
        for rule in rules {
            if let Check::Tiles(check) = rule.check {
                let mut sink = Sink::new(rule, findings);
                let mut sink = sink.in_function(&function.name);
                in_rule(rule.name, || check(&facts, &mut sink));
            }
        }
    }
}

fn check_gathers(
    source: &SourceText,
    unit: &gather::Unit,
    rules: &[&'static Rule],
    findings: &mut Vec<Finding>,
) {
    for function in &unit.functions {
        let facts = GatherFacts {
            source,
            unit,
            function,
        };
        for rule in rules {
            if let Check::Gathers(check) = rule.check {
                let mut sink = Sink::new(rule, findings);
                let mut sink = sink.in_function(&function.name);
                in_rule(rule.name, || check(&facts, &mut sink));
            }
        }
    }
}

/// The highest severity among findings.
pub fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).max()
}
