//! The check of one file, a pure function: source text in, findings out. All front ends of the program use it.

use std::path::PathBuf;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use a2lint_analysis::KernelFacts;
use a2lint_costs::Costs;
use a2lint_frontend as frontend;
use a2lint_frontend::{TraceOptions, dsl};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Verdicts};
use a2lint_ir::{MaskOperations, Module, NO_ENTRY, NotAnalysed, Program, ScalarNames, mma, tile};
use a2lint_launches::{self as launches, DEFAULT_WORK, Request};
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{BoundLaunch, Options, Outcome};
use a2lint_project::{Headers, Modules, Project, Search, SourceMap};
use a2lint_prove::Proofs;
use a2lint_replay::{self as replay, Replay, Shown};
use a2lint_rules::record::{self, HiddenBy, KernelRecord};
use a2lint_rules::suppress::Suppressions;
use a2lint_rules::{
    self as rules, Check, Comments, Facts, FileFacts, MAX_FINDINGS, MmaFacts, RULES, RecordFacts,
    Rule, Sink, TileFacts,
};
use a2lint_source::guard::{each, in_kernel, in_rule};
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::Syntax;

mod advice;
mod combinations;
mod elsewhere;
mod equal;
mod file_report;
mod grouping;
mod results;
mod shared;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use advice::{Advice, advice};
pub use file_report::{FileReport, Placed};
pub use grouping::{Group, groups};
use grouping::{once_for_each_line, once_for_instances};
pub use results::{Results, settle_headers};
pub use shared::{Shared, share_headers};
pub use vocabulary::spelled;

/// The settings of a check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether pedantic rules run.
    pub pedantic: bool,
    /// Rules (names, codes or prefixes of codes) that run instead of the default set; empty means the default set.
    pub select: Vec<String>,
    /// Rules that run in addition to the selected or default ones.
    pub extend_select: Vec<String>,
    /// Rules that do not run, even if selected.
    pub ignore: Vec<String>,
    /// Severities by name of rule. A pedantic rule with a severity runs.
    pub severities: Vec<(&'static str, Severity)>,
    /// Whether kernels are replayed in the simulator.
    pub replay: bool,
    /// Whether properties of kernels are to be proved for every launch.
    pub prove: bool,
    /// Limit of the work of all replays of a file, in the units of [`Request::work`].
    pub replay_work: u64,
    /// Values of scalars and symbolic extents, which replace those of launches.
    pub bindings: Vec<(String, f64)>,
    /// Options of tracing.
    pub trace: TraceOptions,
    /// Whether the simulator clamps half and bfloat16 to their largest finite value instead of infinity.
    pub saturate: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            pedantic: false,
            select: Vec::new(),
            extend_select: Vec::new(),
            ignore: Vec::new(),
            severities: Vec::new(),
            replay: true,
            prove: true,
            replay_work: DEFAULT_WORK,
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
    /// The traced programs of a file in the DSL; for files in any language, the parts that were not analysed.
    pub module: Module,
    /// The mask instructions of a file in another language.
    pub masks: MaskOperations,
    /// The source map of the spans.
    pub map: SourceMap,
    /// The record of what was examined in each kernel of the DSL, in source order.
    pub records: Vec<KernelRecord>,
}

impl Analysis {
    /// Returns the parts that were not analysed, with reasons.
    pub fn not_analysed(&self) -> &[NotAnalysed] {
        &self.module.not_analysed
    }

    /// Returns the verdicts on each kernel of the DSL, in the order of the records.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdicts> {
        let records = self.records.iter();
        records.map(|record| record.verdicts(&self.findings))
    }

    /// Returns the number of kernels that were analysed. A template without an instance is read, but does not count
    /// as analysed.
    pub fn kernels(&self) -> usize {
        let names = self
            .not_analysed()
            .iter()
            .filter_map(|gap| gap.kernel.as_deref());
        let in_part = names.filter(|name| self.masks.name_span(name).is_some());
        let masks = self.masks.kernels().saturating_sub(in_part.count());
        self.module.programs.len() + masks
    }
}

impl Settings {
    /// Returns whether a rule runs.
    pub fn enables(&self, rule: &Rule) -> bool {
        let is_ignored = self.ignore.iter().any(|pattern| matches(rule, pattern));
        !is_ignored && self.selects(rule)
    }

    /// Returns whether a rule runs, apart from `ignore`.
    fn selects(&self, rule: &Rule) -> bool {
        let named = |list: &[String]| list.iter().any(|pattern| matches(rule, pattern));
        if named(&self.extend_select) {
            return true;
        }
        if !self.select.is_empty() {
            return named(&self.select);
        }
        !rule.pedantic || self.pedantic || self.severity(rule.name).is_some()
    }

    /// Returns the severity that is set for a rule.
    fn severity(&self, name: &str) -> Option<Severity> {
        let set = self.severities.iter().find(|(rule, _)| *rule == name);
        set.map(|(_, severity)| *severity)
    }

    /// Returns the rules that run.
    pub fn rules(&self) -> Vec<&'static Rule> {
        let all = RULES.iter().copied();
        all.filter(|rule| self.enables(rule)).collect()
    }

    /// Returns the rules that examine kernels: those that run, and those that only `ignore` excludes. Findings of
    /// ignored rules are dropped later; they are needed because they explain observations of the replay, which would
    /// otherwise be reported under another name. Those of pedantic rules explain none.
    pub fn kernel_rules(&self) -> Vec<&'static Rule> {
        let all = RULES.iter().copied();
        let looks = |rule: &&Rule| self.selects(rule) && (!rule.pedantic || self.enables(rule));
        all.filter(looks).collect()
    }

    /// Returns, for each property, a default rule about it that does not run.
    fn switched_off(&self) -> [Option<&'static str>; Property::COUNT] {
        Property::ALL.map(|property| {
            let mut rules = RULES.iter().filter(|rule| rule.property == Some(property));
            let off = rules.find(|rule| !rule.pedantic && !self.enables(rule));
            off.map(|rule| rule.name)
        })
    }

    /// Proves properties of a kernel for the known launches of the replay. Then settles the replay: guessed
    /// launches count only if they satisfy the preconditions of the proofs.
    pub fn prove(&self, kernel: &KernelFacts, replay: &mut Replay) -> Proofs {
        let name = &kernel.program().name;
        let proofs = match self.prove {
            true => in_kernel(name, || Proofs::of(kernel, replay.in_sight())),
            false => Proofs::default(),
        };
        replay.settle(|launch| proofs.admit(launch));
        proofs
    }

    /// Replays a kernel and proves its properties; `None` if cancelled. Proofs come first where the launches in sight
    /// are known without runs: what they show of a launch need not be looked for in its run.
    pub fn replay_and_prove(
        &self,
        is_cancelled: &dyn Fn() -> bool,
        kernel: &KernelFacts,
        module: &Module,
    ) -> Option<(Replay, Proofs)> {
        let program = kernel.program();
        let request = self.request(program, module);
        let given = match self.replay && self.prove {
            true => launches::given(program, module, &request, launches::Shapes::Measured),
            false => Vec::new(),
        };
        // A kernel whose sizes are fixed has one launch, which its runs find.
        let is_found = || launches::is_determined(program, &request);
        let is_unseen = launches::in_sight(program, &given).next().is_none();
        if !self.replay || !self.prove || is_unseen && is_found() {
            let mut replay = self.replay_unless(is_cancelled, program, module)?;
            let proofs = self.prove(kernel, &mut replay);
            return Some((replay, proofs));
        }
        let in_sight = launches::in_sight(program, &given);
        let proofs = in_kernel(&program.name, || Proofs::of(kernel, in_sight));
        let is_whole = program.unknown.is_empty();
        let shown = |property, launch: &BoundLaunch| is_whole && proofs.covers(property, launch);
        let shown = Shown(&shown);
        let replay = Replay::of_given(is_cancelled, program, module, &request, given, shown)?;
        let mut replay = self.with_setting(replay);
        replay.settle(|launch| proofs.admit(launch));
        Some((replay, proofs))
    }

    /// Returns the work limit for the replays of a kernel. The definitions of a file share its limit equally, with a
    /// minimum that suffices for small launches. The instances of a definition (element types, tiling keys) share the
    /// limit of the definition.
    fn work_of_kernel(&self, program: &Program, module: &Module) -> u64 {
        let all = module.programs.iter().map(|program| program.span);
        let instances = all.clone().filter(|span| *span == program.span).count() as u64;
        let definitions = all.collect::<FxHashSet<Span>>().len() as u64;
        let definitions = definitions.max(1);
        let least = replay::LEAST_WORK.min(replay::LEAST_WORK_OF_FILE / definitions);
        let work = (self.replay_work / definitions).max(least.min(self.replay_work));
        work / instances.max(1)
    }

    /// Replays a kernel; `None` if cancelled.
    pub fn replay_unless(
        &self,
        is_cancelled: &dyn Fn() -> bool,
        program: &Program,
        module: &Module,
    ) -> Option<Replay> {
        let request = self.request(program, module);
        let replay = match self.replay {
            true => Replay::unless(is_cancelled, program, module, &request)?,
            false => Replay::without_runs(program, module, &request, "replay is switched off"),
        };
        Some(self.with_setting(replay))
    }

    /// Returns the request for the launches of a kernel.
    fn request(&self, program: &Program, module: &Module) -> Request<'_> {
        Request {
            device: self.trace.device,
            bindings: &self.bindings,
            saturate: self.saturate,
            work: self.work_of_kernel(program, module),
        }
    }

    /// Adds the settings of its launches to a replay.
    fn with_setting(&self, mut replay: Replay) -> Replay {
        replay.device = self.trace.device;
        replay.bindings.clone_from(&self.bindings);
        replay
    }
}

/// Returns whether a pattern (a name, a code or a prefix of codes) selects a rule.
pub fn matches(rule: &Rule, pattern: &str) -> bool {
    rule.name == pattern
        || (!pattern.is_empty() && rule.code.starts_with(&pattern.to_ascii_uppercase()))
}

/// Checks one file.
pub fn check(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
    match language {
        Language::Easyasc => {
            let (modules, own) = Modules::read(source, settings.trace.project.as_ref());
            let module = trace(&modules, own.syntax(), settings);
            check_kernels(modules.map, module, Language::Easyasc, settings, Vec::new())
        }
        Language::Cpp if a2lint_ascendc::concerns(source.as_str()) => {
            check_ascendc(source, language, settings)
        }
        _ => check_masks(source, language, settings),
    }
}

/// Traces a file in the DSL with the files of its project; `syntax` is that of the file. Spans of the result belong
/// to the source map of `modules`.
pub fn trace(modules: &Modules, syntax: &Syntax, settings: &Settings) -> Module {
    dsl::trace_in(modules, syntax, &settings.trace)
}

/// Checks the traced programs of a file without other files of its project.
pub fn check_traced(source: &SourceText, module: Module, settings: &Settings) -> Analysis {
    check_kernels(
        SourceMap::alone(source),
        module,
        Language::Easyasc,
        settings,
        Vec::new(),
    )
}

/// Traces the kernels of a file in C++ with the headers of its project. Places of the module may be in any text of the
/// map.
pub fn trace_ascendc(source: &SourceText, settings: &Settings) -> (Module, SourceMap) {
    let project = settings.trace.project.as_ref();
    let search = Search {
        most_files: 256,
        most_bytes: 4 << 20,
        is_searched: Some(&a2lint_ascendc::is_of_project),
        left_out: a2lint_ascendc::KERNELS,
    };
    let headers = Headers::found(source, project, false, search);
    let module = a2lint_ascendc::trace(&headers, source, project, &settings.trace.launches);
    (module, headers.map)
}

/// Returns the file that shows what a header does, with its text: the first that includes it and has kernels. `None` if
/// the module of the file says that it is no header of AscendC.
pub fn kernels_of_header(module: &Module, settings: &Settings) -> Option<(PathBuf, SourceText)> {
    let is_header = module.not_analysed.iter().any(|it| it.reason == NO_ENTRY);
    let project = settings.trace.project.as_ref().filter(|_| is_header)?;
    let mut users = a2lint_project::including(project).into_iter();
    users.find(|(_, text)| {
        let text = text.as_str();
        a2lint_ascendc::concerns(text) && a2lint_ascendc::may_have_kernels(std::iter::once(text))
    })
}

/// Traces the kernels that show what a header does: those of the first file that includes it. The source map is that of
/// this file. `None` for any other file.
pub fn trace_header(
    source: &SourceText,
    language: Language,
    settings: &Settings,
) -> Option<(Module, SourceMap)> {
    if language != Language::Cpp || !a2lint_ascendc::concerns(source.as_str()) {
        return None;
    }
    let (module, _) = trace_ascendc(source, settings);
    let (path, text) = kernels_of_header(&module, settings)?;
    let project = settings.trace.project.as_ref()?;
    let mut settings = settings.clone();
    let header = project.path.clone();
    settings.trace.project = Some(Project {
        path,
        ..project.clone()
    });
    let (module, map) = trace_ascendc(&text, &settings);
    (!module.programs.is_empty() && map.holds(&header)).then_some((module, map))
}

/// Traces a file that holds kernels and nothing else to check. `None` for Python, which is traced from its syntax, and
/// for other files.
pub fn trace_cpp(
    source: &SourceText,
    language: Language,
    settings: &Settings,
) -> Option<(Module, SourceMap)> {
    let is_ascendc = language == Language::Cpp && a2lint_ascendc::concerns(source.as_str());
    if !is_ascendc || Masks::of(source, language, settings).holds_something() {
        return None;
    }
    let (module, map) = trace_ascendc(source, settings);
    (!module.programs.is_empty()).then_some((module, map))
}

/// Checks a file in C++ that calls AscendC: its kernels, and the mask instructions and tiles in it.
fn check_ascendc(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
    let (module, map) = trace_ascendc(source, settings);
    let masks = Masks::of(source, language, settings);
    // Without a kernel and a mistake there is nothing to conclude about.
    if module.programs.is_empty() && module.notes.is_empty() {
        let is_read = masks.operations.kernels() > 0;
        let mut analysis = masks.into_analysis(source, language, settings);
        // Functions with mask instructions are looked into by themselves.
        let gaps = module.not_analysed.into_iter().filter(|_| !is_read);
        analysis.module.not_analysed.extend(gaps);
        analysis.module.other_products = module.other_products;
        return analysis;
    }
    let mut analysis = check_kernels(map, module, language, settings, masks.findings);
    analysis.masks = masks.operations;
    analysis.module.not_analysed.extend(masks.not_analysed);
    analysis
}

/// Checks the programs that a file was traced into together with other files of its project; `others` are findings
/// outside of kernels.
fn check_kernels(
    map: SourceMap,
    module: Module,
    language: Language,
    settings: &Settings,
    others: Vec<Finding>,
) -> Analysis {
    let rules = settings.kernel_rules();
    let groups = equal::groups(&module);
    let kernels = each(&groups, |group| {
        let mut known: Option<(Replay, Proofs)> = None;
        let check = |&at: &usize| {
            let program = &module.programs[at];
            let facts = in_kernel(&program.name, || KernelFacts::of(program));
            let looked = || settings.replay_and_prove(&|| false, &facts, &module);
            let looked = || in_kernel(&program.name, looked).unwrap_or_default();
            let (replay, proofs) = known.get_or_insert_with(looked);
            let (findings, untried) =
                findings_and_untried(&map, &module, &facts, &rules, replay, &[]);
            let proofs = proofs.clone();
            let mut check =
                KernelCheck::of(&map, program, settings, findings, Some(replay), proofs);
            check.record.untried = untried;
            (at, check)
        };
        group.iter().map(check).collect::<Vec<_>>()
    });
    let mut kernels: Vec<(usize, KernelCheck)> = kernels.into_iter().flatten().collect();
    kernels.sort_by_key(|(at, _)| *at);
    let kernels = kernels.into_iter().map(|(_, check)| check).collect();
    let conclusion = conclude_kernels(&map, &module, language, settings, kernels, others);
    let mut analysis = Analysis {
        module,
        map,
        ..Analysis::default()
    };
    conclusion.into_analysis(&mut analysis);
    analysis
}

/// The result of checking one kernel.
#[derive(Debug)]
pub struct KernelCheck {
    findings: Vec<Finding>,
    record: KernelRecord,
    /// Whether the replay is done, so that no findings can be added.
    is_final: bool,
}

impl KernelCheck {
    /// Creates the result from the findings of rules. `replay` is `None` if it has not been done yet.
    pub fn of(
        map: &SourceMap,
        program: &Program,
        settings: &Settings,
        mut findings: Vec<Finding>,
        replay: Option<&Replay>,
        proofs: Proofs,
    ) -> KernelCheck {
        findings.retain(|finding| rules::find(finding.code).is_none_or(|it| settings.enables(it)));
        let looked = match replay {
            Some(replay) => Ok(replay),
            None if !settings.replay => Err("replay is switched off"),
            None => Err("it is being replayed"),
        };
        let mut record = KernelRecord::of(program, proofs, looked);
        let mut later = record_findings(program, &record, &findings, &settings.rules());
        elsewhere::move_to_call(map, program, &mut later);
        findings.append(&mut later);
        elsewhere::move_record_to_kernel(map, &mut record);
        KernelCheck {
            findings,
            record,
            is_final: looked.is_ok(),
        }
    }
}

/// The conclusion about a file in the DSL.
#[derive(Debug, Default)]
pub struct Conclusion {
    /// The findings to be shown, in order.
    pub findings: Vec<Finding>,
    /// The record of each kernel.
    pub records: Vec<KernelRecord>,
    /// The number of findings beyond the limit, which are not shown.
    pub excess: usize,
}

impl Conclusion {
    /// Moves the conclusion into an analysis.
    pub fn into_analysis(self, analysis: &mut Analysis) {
        analysis.findings = self.findings;
        analysis.records = self.records;
        analysis
            .module
            .not_analysed
            .extend(excess_text(self.excess));
    }
}

/// Combines the results of the kernels and the findings about the whole file: applies comments, settings and the
/// limit. `others` are findings outside of kernels. Command line and editors both use it.
pub fn conclude_kernels(
    map: &SourceMap,
    module: &Module,
    language: Language,
    settings: &Settings,
    kernels: Vec<KernelCheck>,
    others: Vec<Finding>,
) -> Conclusion {
    // Only after a complete check is it known which comments silence nothing.
    let is_complete = module.not_analysed.is_empty() && kernels.iter().all(|it| it.is_final);
    let is_complete = is_complete && settings.replay;
    let facts = FileFacts {
        module,
        bindings: &settings.bindings,
    };
    let mut findings = file_findings(&facts, &settings.rules());
    findings.extend(others);
    let switched_off = settings.switched_off();
    let mut records = Vec::new();
    for mut kernel in kernels {
        kernel.record.take_unusable(&module.notes);
        kernel.record.take_unread(&module.unread_launches);
        kernel.record.not_read.clone_from(&module.not_read);
        findings.append(&mut kernel.findings);
        kernel.record.switched_off = switched_off;
        records.push(kernel.record);
    }
    let (mut findings, silenced) = conclude(
        &map.own,
        language,
        settings,
        findings,
        is_complete.then_some(module),
    );
    // After suppression, since a fix may only be dropped here, not its finding.
    vocabulary::spell_fixes(&map.own, &mut findings);
    record::hide(&mut records, &silenced, HiddenBy::Comment);
    let beyond = findings.split_off(findings.len().min(MAX_FINDINGS));
    record::hide(&mut records, &beyond, HiddenBy::Limit);
    Conclusion {
        findings,
        records,
        excess: beyond.len(),
    }
}

/// Runs the rules about whole files.
pub fn file_findings(facts: &FileFacts, rules: &[&'static Rule]) -> Vec<Finding> {
    findings_of(rules, |check, sink| {
        if let Check::File(check) = check {
            check(facts, sink);
        }
    })
}

/// Runs the rules. `run` gives a check what it looks at; it passes over checks of other kinds.
fn findings_of(rules: &[&'static Rule], run: impl Fn(&Check, &mut Sink)) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules {
        let mut sink = Sink::new(rule, &mut findings);
        in_rule(rule.name, || run(&rule.check, &mut sink));
    }
    findings
}

/// Runs the rules about the record of a kernel; `findings` are those of other rules.
fn record_findings(
    program: &Program,
    record: &KernelRecord,
    findings: &[Finding],
    rules: &[&'static Rule],
) -> Vec<Finding> {
    let facts = RecordFacts {
        program,
        record,
        findings,
    };
    findings_of(rules, |check, sink| {
        if let Check::Record(check) = check {
            check(&facts, &mut sink.in_kernel(program));
        }
    })
}

/// Runs the rules about kernels on one kernel.
pub fn kernel_findings(
    map: &SourceMap,
    module: &Module,
    kernel: &KernelFacts,
    rules: &[&'static Rule],
    replay: &Replay,
) -> Vec<Finding> {
    kernel_findings_again(map, module, kernel, rules, replay, &[])
}

/// As [`kernel_findings`], for a kernel that has only moved. `before` are its findings with the same replay: if the
/// codes agree, numbers are copied from them instead of being computed again.
pub fn kernel_findings_again(
    map: &SourceMap,
    module: &Module,
    kernel: &KernelFacts,
    rules: &[&'static Rule],
    replay: &Replay,
    before: &[Finding],
) -> Vec<Finding> {
    findings_and_untried(map, module, kernel, rules, replay, before).0
}

/// As [`kernel_findings_again`], with the number of speed-ups that were not measured.
fn findings_and_untried(
    map: &SourceMap,
    module: &Module,
    kernel: &KernelFacts,
    rules: &[&'static Rule],
    replay: &Replay,
    before: &[Finding],
) -> (Vec<Finding>, u32) {
    let program = kernel.program();
    in_kernel(&program.name, || {
        let source = &map.source;
        let costs = Costs::of(program, replay, module.programs.len());
        let facts = Facts {
            source,
            module,
            kernel,
            program,
            analysis: kernel.analysis(),
            memory: kernel.memory(),
            names: &ScalarNames::new(program),
            replay,
            costs: &costs,
        };
        let mut findings = rule_findings(&facts, rules);
        rules::reconcile(&mut findings, replay);
        let codes = findings.iter().map(|finding| finding.code);
        match codes.eq(before.iter().map(|finding| finding.code)) {
            true => {
                for (finding, before) in findings.iter_mut().zip(before) {
                    finding.numbers.clone_from(&before.numbers);
                }
            }
            false => replay::illustrate(source, program, facts.memory, replay, &mut findings),
        }
        elsewhere::move_to_call(map, program, &mut findings);
        (findings, costs.untried())
    })
}

/// Runs each of the rules about kernels.
fn rule_findings(facts: &Facts, rules: &[&'static Rule]) -> Vec<Finding> {
    findings_of(rules, |check, sink| {
        if let Check::Kernel(check) = check {
            check(facts, &mut sink.in_kernel(facts.program));
        }
    })
}

/// Returns the note that there are more findings than shown.
fn excess_text(excess: usize) -> Option<NotAnalysed> {
    let found = MAX_FINDINGS + excess;
    (excess > 0).then(|| NotAnalysed {
        kernel: None,
        reason: format!("{found} findings; the first {MAX_FINDINGS} are shown"),
    })
}

/// Applies comments and settings to findings. Returns the findings in order, and those that comments silence.
/// Comments that silence nothing are reported only if `examined`, the traced module, is given: the check must be
/// complete.
fn conclude(
    source: &SourceText,
    language: Language,
    settings: &Settings,
    findings: Vec<Finding>,
    examined: Option<&Module>,
) -> (Vec<Finding>, Vec<Finding>) {
    let rules = settings.rules();
    let mut suppressions = Suppressions::of(source, language);
    let mut others = elsewhere::Silence::default();
    let silences = |finding: &Finding| others.silences(finding) || suppressions.silences(finding);
    let (silenced, mut findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(silences);
    once_for_each_line(&mut findings, language);
    if let Some(module) = examined {
        combinations::doubt_pairs(&mut findings, module);
    }
    let comments = Comments {
        source,
        suppressions: &suppressions,
        ran: if examined.is_some() { &rules } else { &[] },
        uncalled: examined.map_or(&[], |module| &module.uncalled),
        has_kernels: examined.is_none_or(|module| !module.programs.is_empty()),
    };
    let mut own = findings_of(&rules, |check, sink| {
        if let Check::Comments(check) = check {
            check(&comments, sink);
        }
    });
    // A comment may silence the report about another comment.
    own.retain(|finding| !suppressions.silences(finding));
    findings.append(&mut own);
    for finding in &mut findings {
        if let Some(severity) = settings.severity(finding.name) {
            finding.severity = severity;
        }
    }
    (in_order(findings), silenced)
}

/// Returns what one run of a kernel showed, as findings of rules, and errors about instructions that it executed.
/// Sets `spotless` if neither the run nor the rules have found anything; the rules are then not applied to later runs
/// without observations.
#[allow(clippy::too_many_arguments)]
pub fn findings_of_run(
    map: &SourceMap,
    module: &Module,
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    outcome: &Outcome,
    hazards: Vec<Hazard>,
    spotless: &OnceLock<()>,
) -> Vec<Finding> {
    let replay = Replay::of_run(program, bound, options, outcome, hazards);
    let rules = Settings::default().rules();
    let shows_nothing = replay.observations.is_empty();
    if shows_nothing && spotless.get().is_some() {
        return Vec::new();
    }
    let kernel = in_kernel(&program.name, || KernelFacts::of(program));
    let mut findings = kernel_findings(map, module, &kernel, &rules, &replay);
    findings.retain(is_told_of_runs);
    if shows_nothing && findings.is_empty() {
        let _ = spotless.set(());
    }
    findings_of_executed(program, outcome, findings)
}

/// Returns whether a finding is reported for a run: observations, and errors.
fn is_told_of_runs(finding: &Finding) -> bool {
    finding.witness.is_some() || finding.severity == Severity::Error
}

/// Keeps findings with a witness, and errors about executed instructions.
fn findings_of_executed(
    program: &Program,
    outcome: &Outcome,
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    if findings.is_empty() {
        return findings;
    }
    let executed = executed_spans(program, outcome);
    findings.retain(|finding| {
        let is_inside = |span: &Span| span.to(finding.span) == *span;
        finding.witness.is_some() || executed.iter().any(is_inside)
    });
    in_order(findings)
}

/// Returns the spans of the instructions that a run has executed.
fn executed_spans(program: &Program, outcome: &Outcome) -> Vec<Span> {
    let instructions = program.instructions().into_iter();
    let executed = instructions.filter(|(stmt, _)| outcome.executed[stmt.id.index()]);
    executed.map(|(stmt, _)| stmt.span).collect()
}

/// Sorts findings by place, then by falling severity, and removes duplicates.
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

/// The mask instructions of a file in another language than the DSL, and the findings about them.
struct Masks {
    operations: MaskOperations,
    map: SourceMap,
    not_analysed: Vec<NotAnalysed>,
    findings: Vec<Finding>,
}

impl Masks {
    /// Reads a source in another language than the DSL for its mask instructions.
    fn of(source: &SourceText, language: Language, settings: &Settings) -> Masks {
        let project = settings.trace.project.as_ref();
        let (operations, map, not_analysed) = frontend::mask_operations(source, language, project);
        let rules = settings.rules();
        let of_mma = mma_findings(source, &operations.mma, &rules);
        let of_tiles = tile_findings(source, &operations.tiles, &rules);
        let mut findings: Vec<Finding> = of_mma.chain(of_tiles).collect();
        elsewhere::bring_masks_home(&map, &operations, &mut findings);
        once_for_instances(&mut findings);
        Masks {
            operations,
            map,
            not_analysed,
            findings,
        }
    }

    /// Returns whether the file has mask instructions, or text that could not be analysed and may have some.
    fn holds_something(&self) -> bool {
        self.operations.kernels() > 0 || !self.not_analysed.is_empty()
    }

    /// Returns the analysis of a file that has mask instructions but no kernels.
    fn into_analysis(
        self,
        source: &SourceText,
        language: Language,
        settings: &Settings,
    ) -> Analysis {
        let is_complete = self.not_analysed.is_empty() && settings.replay;
        let module = Module::default();
        let examined = is_complete.then_some(&module);
        let (mut findings, _) = conclude(source, language, settings, self.findings, examined);
        let excess = findings.len().saturating_sub(MAX_FINDINGS);
        findings.truncate(MAX_FINDINGS);
        let not_analysed = self.not_analysed.into_iter().chain(excess_text(excess));
        Analysis {
            findings,
            module: Module {
                not_analysed: not_analysed.collect(),
                ..Module::default()
            },
            masks: self.operations,
            map: self.map,
            ..Analysis::default()
        }
    }
}

/// Checks the mask instructions of a source in another language than the DSL.
fn check_masks(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
    Masks::of(source, language, settings).into_analysis(source, language, settings)
}

fn mma_findings(
    source: &SourceText,
    unit: &mma::Unit,
    rules: &[&'static Rule],
) -> impl Iterator<Item = Finding> {
    unit.kernels.iter().flat_map(move |kernel| {
        let facts = MmaFacts {
            source,
            unit,
            kernel,
        };
        findings_of(rules, |check, sink| {
            if let Check::Mma(check) = check {
                check(&facts, &mut sink.in_function(&kernel.name));
            }
        })
    })
}

fn tile_findings(
    source: &SourceText,
    unit: &tile::Unit,
    rules: &[&'static Rule],
) -> impl Iterator<Item = Finding> {
    unit.functions.iter().flat_map(move |function| {
        let facts = TileFacts {
            source,
            unit,
            function,
        };
        findings_of(rules, |check, sink| {
            if let Check::Tiles(check) = check {
                check(&facts, &mut sink.in_function(&function.name));
            }
        })
    })
}

/// Returns the highest severity of the findings.
pub fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).max()
}
