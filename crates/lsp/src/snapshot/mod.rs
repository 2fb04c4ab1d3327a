//! The analysis of one version of a document. Requests are answered from snapshots alone.

pub mod repairs;
pub mod timings;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tower_lsp::ls_types::{Position, Range, Uri};

use super::cache::{Cache, Identity};
use super::known::Known;
use super::parts::Parts;
use super::session::Links;
use super::settings::{self, Holding, Settings};
use super::text::Text;
use a2lint_analysis::KernelFacts;
use a2lint_ir::finding::Finding;
use a2lint_ir::{MaskOperations, Module, Program};
use a2lint_isa::Dialect;
use a2lint_lint::check::{
    self, Analysis, Conclusion, KernelCheck, conclude_kernels, kernel_findings,
    kernel_findings_again,
};
use a2lint_lint::config::ConfigError;
use a2lint_project::{Modules, Project, PythonText, SourceMap};
use a2lint_prove::Proofs;
use a2lint_replay::Replay;
use a2lint_report::FileReport;
use a2lint_report::standing::Found;
use a2lint_rules::Rule;
use a2lint_rules::record::{self, HiddenBy, KernelRecord};
use a2lint_run::Cancel;
use a2lint_source::guard::{each, in_kernel};
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::Syntax;
use a2lint_syntax::python::scopes::Scopes;
use repairs::Repairs;
use timings::Timings;

/// An analysed version of a document.
#[derive(Debug)]
pub struct Snapshot {
    /// The document.
    pub uri: Uri,
    /// The version number of the protocol.
    pub version: i32,
    /// The text with positions as the editor counts them.
    pub text: Text,
    /// The syntax tree; empty unless the document is in the DSL.
    pub syntax: Syntax,
    /// The text of the document and of the project files that it was evaluated with.
    pub map: SourceMap,
    /// The text of the document and the offset of its spans, if it is a header: the file that is checked includes it.
    header: Option<(SourceText, u32)>,
    /// Whether the text differs from the one that other documents were evaluated with before.
    pub is_changed: bool,
    /// The text as the checker sees it (with those of the other files after it), and the findings that need no new
    /// replay.
    pub file: FileReport,
    /// The trace of the document; empty unless it is in the DSL.
    module: Module,
    /// The mask instructions; empty if the document is in the DSL.
    pub masks: MaskOperations,
    /// The server settings at the time of the analysis.
    pub settings: Arc<Settings>,
    /// The checker settings for this document.
    pub check: check::Settings,
    /// The error in the configuration, if it could not be used.
    pub misconfigured: Option<ConfigError>,
    /// Base URL of the published documentation of rules.
    pub docs_url: Option<String>,
    /// The links that the client supports.
    pub links: Links,
    /// The state of each kernel, in the order of the programs.
    kernels: Vec<Kernel>,
    /// The language of the document.
    language: Language,
    /// The project that it was evaluated in.
    project: Option<Project>,
    /// Fixes that have been computed so far.
    pub repairs: Repairs,
    /// Time estimates of kernels that have been computed so far.
    pub timings: Timings,
    /// The findings that a baseline hides.
    known: Option<Known>,
    /// The final result, once every kernel has been replayed.
    settled: OnceLock<Conclusion>,
    cache: Arc<Cache>,
    scopes: OnceLock<Scopes>,
}

/// The state of a kernel's analysis.
#[derive(Debug)]
struct Kernel {
    /// The key of the kernel in the cache; `None` if it cannot be cached.
    identity: Option<Identity>,
    /// The findings before suppression comments are applied.
    findings: Vec<Finding>,
    /// The replay, if there has been one.
    replay: Option<Arc<Replay>>,
    /// The proofs that were made after the replay.
    proofs: Proofs,
    /// Whether the replay is still to be done.
    is_waiting: bool,
}

impl Kernel {
    fn check(&self, map: &SourceMap, program: &Program, settings: &check::Settings) -> KernelCheck {
        let (findings, replay) = (self.findings.clone(), self.replay.as_deref());
        let proofs = self.proofs.clone();
        KernelCheck::of(map, program, settings, findings, replay, proofs)
    }
}

/// The input of an analysis.
pub struct Assignment {
    pub(super) uri: Uri,
    pub(super) language: Language,
    pub(super) version: i32,
    pub(super) text: Text,
    /// The latest snapshot of an earlier version, whose syntax tree is updated.
    pub(super) before: Option<Arc<Snapshot>>,
    pub(super) settings: Arc<Settings>,
    pub(super) cancel: Cancel,
    pub(super) cache: Arc<Cache>,
    pub(super) project: Option<Project>,
    pub(super) links: Links,
    /// Whether a header is shown with the kernels of a file that includes it. A search of the workspace checks that
    /// file anyway.
    pub(super) follows_headers: bool,
}

impl Assignment {
    /// Analyses the document; `None` if the analysis was cancelled.
    pub fn run(&self) -> Option<Snapshot> {
        let source = SourceText::new(self.text.contents());
        let holding = self.settings.of(&self.uri);
        let mut snapshot = match self.language {
            Language::Easyasc => self.trace(source, &holding)?,
            language => self.read(&source, language, &holding)?,
        };
        if holding.is_excluded {
            snapshot.file.analysis.findings.clear();
        }
        snapshot.check = holding.check;
        snapshot.known = holding.known;
        snapshot.docs_url = holding.docs_url;
        snapshot.misconfigured = holding.misconfigured;
        snapshot.hide_known();
        if let Some((_, base)) = snapshot.header {
            let path = snapshot.project.as_ref().map(|it| it.path.clone());
            let findings = std::mem::take(&mut snapshot.file.analysis.findings);
            snapshot.file.analysis.findings = in_header(findings, path.as_deref(), base);
        }
        Some(snapshot)
    }

    /// Checks a file in another language.
    fn read(&self, source: &SourceText, language: Language, holding: &Holding) -> Option<Snapshot> {
        let project = self.project.as_ref();
        let is_changed = project.is_some_and(|it| it.files.put_text(&it.path, source));
        let mut settings = holding.check.clone();
        settings.trace.project = self.project.clone();
        let snapshot = match check::trace_cpp(source, language, &settings) {
            Some((module, map)) => self.whole(map, module, holding)?,
            None => match self
                .follows_headers
                .then(|| check::trace_header(source, language, &settings))
                .flatten()
            {
                Some((module, map)) => self.header(map, module, holding)?,
                None => {
                    let mut analysis = check::check(source, language, &settings);
                    let map = std::mem::take(&mut analysis.map);
                    self.snapshot(map, analysis)
                }
            },
        };
        Some(Snapshot {
            is_changed,
            ..snapshot
        })
    }

    /// Checks kernels that depend on the whole text.
    fn whole(&self, map: SourceMap, module: Module, holding: &Holding) -> Option<Snapshot> {
        let programs = module.programs.iter();
        let identities = programs.map(|it| Some(Identity::of_text(&map, &module, it)));
        let identities = identities.collect();
        self.kernels(map, module, identities, holding)
    }

    /// Checks the kernels of the file that includes the document.
    fn header(&self, map: SourceMap, module: Module, holding: &Holding) -> Option<Snapshot> {
        let path = self.project.as_ref().map(|it| it.path.clone())?;
        let (text, base) = map.other(&path)?;
        let header = Some((text.clone(), u32::try_from(base).ok()?));
        let snapshot = self.whole(map, module, holding)?;
        Some(Snapshot { header, ..snapshot })
    }

    /// Traces and checks a file in the DSL.
    fn trace(&self, source: SourceText, holding: &Holding) -> Option<Snapshot> {
        let settings = &holding.check;
        let syntax = match &self.before {
            Some(before) => before.syntax.again(&before.map.own, &source),
            None => Syntax::of(&source),
        };
        let is_changed = self.project.as_ref().is_some_and(|project| {
            let own = PythonText::with(source.clone(), syntax.clone());
            project.files.put(&project.path, Arc::new(own))
        });
        if self.cancel.is_cancelled() {
            return None;
        }
        let modules = Modules::of(&source, &syntax, self.project.as_ref());
        let module = check::trace(&modules, &syntax, settings);
        let scopes = Scopes::of(&syntax.file);
        let parts = Parts::of(&source, &syntax.file, &scopes);
        let programs = module.programs.iter();
        let identities = programs.map(|it| Identity::of(&modules, &module, it, &parts));
        let identities = identities.collect();
        let snapshot = self.kernels(modules.map, module, identities, holding)?;
        Some(Snapshot {
            syntax,
            is_changed,
            scopes: OnceLock::from(scopes),
            ..snapshot
        })
    }

    /// Checks traced kernels. Those that are not in the cache are checked without a replay.
    fn kernels(
        &self,
        map: SourceMap,
        module: Module,
        identities: Vec<Option<Identity>>,
        holding: &Holding,
    ) -> Option<Snapshot> {
        let settings = &holding.check;
        let rules = settings.kernel_rules();
        let parts: Vec<_> = module.programs.iter().zip(identities).collect();
        let kernels = each(&parts, |(program, identity)| {
            if self.cancel.is_cancelled() {
                return None;
            }
            let known = identity.as_ref().map(|it| self.cache.get(it));
            let known = known.unwrap_or_default();
            let is_waiting = settings.replay && !holding.is_excluded && known.replay.is_none();
            let findings = known.findings.unwrap_or_else(|| {
                let nothing = Replay::default();
                let replay = known.replay.as_deref().unwrap_or(&nothing);
                let before = &known.former;
                let facts = in_kernel(&program.name, || KernelFacts::of(program));
                let found = kernel_findings_again(&map, &module, &facts, &rules, replay, before);
                if let Some(identity) = identity {
                    let (replay, proofs) = (known.replay.clone(), known.proofs.clone());
                    self.cache.put(identity, &found, replay, proofs);
                }
                found
            });
            Some(Kernel {
                identity: identity.clone(),
                findings,
                replay: known.replay,
                proofs: known.proofs,
                is_waiting,
            })
        });
        let kernels: Vec<Kernel> = kernels.into_iter().collect::<Option<_>>()?;
        self.cache.trim(kernels.len());
        let checks = kernels
            .iter()
            .zip(&module.programs)
            .map(|(kernel, program)| kernel.check(&map, program, settings));
        let checks = checks.collect();
        let conclusion =
            conclude_kernels(&map, &module, self.language, settings, checks, Vec::new());
        let mut analysis = Analysis {
            module,
            ..Analysis::default()
        };
        conclusion.into_analysis(&mut analysis);
        Some(Snapshot {
            kernels,
            ..self.snapshot(map, analysis)
        })
    }

    /// Returns a snapshot without findings, for an analysis that panicked.
    pub fn empty(&self) -> Snapshot {
        let source = SourceText::new(self.text.contents());
        self.snapshot(SourceMap::alone(&source), Analysis::default())
    }

    /// Returns the cancellation token, which identifies the analysis.
    pub fn into_cancel(self) -> Cancel {
        self.cancel
    }

    fn snapshot(&self, map: SourceMap, analysis: Analysis) -> Snapshot {
        let (analysis, module, masks) = analysis.into_parts();
        Snapshot {
            uri: self.uri.clone(),
            version: self.version,
            text: self.text.clone(),
            header: None,
            is_changed: false,
            file: FileReport {
                path: path_of(&self.uri),
                source: map.source.clone(),
                analysis,
            },
            map,
            module,
            masks,
            syntax: Syntax::default(),
            settings: self.settings.clone(),
            check: check::Settings::default(),
            misconfigured: None,
            docs_url: None,
            links: self.links,
            kernels: Vec::new(),
            language: self.language,
            project: self.project.clone(),
            repairs: Repairs::default(),
            timings: Timings::default(),
            known: None,
            settled: OnceLock::new(),
            cache: self.cache.clone(),
            scopes: OnceLock::new(),
        }
    }
}

impl Snapshot {
    /// Returns the language of the document.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns whether another server completes, colours and renames what is in the document, as clangd does for C++.
    pub fn has_other_server(&self) -> bool {
        matches!(self.language, Language::Cpp | Language::Cuda)
    }

    /// Checks another text of the document, with replays and proofs.
    pub fn check_text(&self, source: &SourceText) -> Analysis {
        check::check(source, self.language, &self.settings_of_text())
    }

    /// Returns the settings for [`check_text`](Self::check_text), which include the project.
    pub fn settings_of_text(&self) -> check::Settings {
        let mut settings = self.check.clone();
        settings.trace.project.clone_from(&self.project);
        settings
    }

    /// Returns the findings so far.
    pub fn findings(&self) -> &[Finding] {
        match self.settled.get() {
            Some(settled) => &settled.findings,
            None => &self.file.analysis.findings,
        }
    }

    /// Returns what the check has found so far, without the records.
    pub fn found(&self) -> Found<'_> {
        Found {
            source: self.source(),
            findings: self.findings(),
            gaps: &self.file.analysis.not_analysed,
        }
    }

    /// Returns the findings and records so far as the result of a check.
    pub fn known_by_now(&self) -> Conclusion {
        Conclusion {
            findings: self.findings().to_vec(),
            records: self.records().to_vec(),
            excess: 0,
        }
    }

    /// Returns the record of what was checked in each kernel so far, in the order of the programs.
    pub fn records(&self) -> &[KernelRecord] {
        match self.settled.get() {
            Some(settled) => &settled.records,
            None => &self.file.analysis.records,
        }
    }

    /// Returns whether every kernel has been replayed, so that the findings are final.
    pub fn is_settled(&self) -> bool {
        self.settled.get().is_some() || self.kernels.iter().all(|kernel| !kernel.is_waiting)
    }

    /// Replays the kernels that have not been replayed, and returns the final result, or `None` if the work was
    /// cancelled. The cache keeps the replays that were finished before.
    pub fn replay(&self, cancel: &Cancel) -> Option<Conclusion> {
        let rules = self.check.kernel_rules();
        let mut checks = Vec::new();
        for (kernel, program) in self.kernels.iter().zip(&self.module().programs) {
            checks.push(match kernel.is_waiting {
                true => self.replay_kernel(kernel, program, &rules, cancel)?,
                false => kernel.check(&self.map, program, &self.check),
            });
        }
        let mut conclusion = conclude_kernels(
            &self.map,
            self.module(),
            self.language,
            &self.check,
            checks,
            Vec::new(),
        );
        if let Some(known) = &self.known {
            let hidden = known.hide(self.source(), &mut conclusion.findings);
            record::hide(&mut conclusion.records, &hidden, HiddenBy::Baseline);
        }
        if let Some((_, base)) = self.header {
            let path = self.project.as_ref().map(|it| it.path.as_path());
            conclusion.findings = in_header(conclusion.findings, path, base);
        }
        Some(conclusion)
    }

    fn replay_kernel(
        &self,
        kernel: &Kernel,
        program: &Program,
        rules: &[&'static Rule],
        cancel: &Cancel,
    ) -> Option<KernelCheck> {
        let is_cancelled = || cancel.is_cancelled();
        let facts = in_kernel(&program.name, || KernelFacts::of(program));
        let (replay, proofs) = self
            .check
            .replay_and_prove(&is_cancelled, &facts, self.module())?;
        let replay = Arc::new(replay);
        let found = kernel_findings(&self.map, self.module(), &facts, rules, &replay);
        if let Some(identity) = &kernel.identity {
            let replay = Some(replay.clone());
            self.cache.put(identity, &found, replay, proofs.clone());
        }
        Some(KernelCheck::of(
            &self.map,
            program,
            &self.check,
            found,
            Some(&replay),
            proofs,
        ))
    }

    /// Stores the final result.
    pub fn settle(&self, conclusion: Conclusion) {
        // A snapshot is replayed once, so the cell is empty.
        let _ = self.settled.set(conclusion);
    }

    fn hide_known(&mut self) {
        let FileReport {
            source, analysis, ..
        } = &mut self.file;
        if let Some(known) = &self.known {
            let hidden = known.hide(source, &mut analysis.findings);
            record::hide(&mut analysis.records, &hidden, HiddenBy::Baseline);
        }
    }

    /// Returns whether the document was evaluated with the text of the file at `path`.
    pub fn holds(&self, path: &Path) -> bool {
        self.map.holds(path) || (self.is_header() && self.map.path() == Some(path))
    }

    /// Returns whether the document is a header, whose kernels are those of a file that includes it.
    pub fn is_header(&self) -> bool {
        self.header.is_some()
    }

    /// Returns the text of the document, and the offset at which its spans start.
    pub fn here(&self) -> (&SourceText, u32) {
        match &self.header {
            Some((text, base)) => (text, *base),
            None => (&self.map.source, 0),
        }
    }

    /// Returns whether a span lies in the document.
    pub fn is_here(&self, span: Span) -> bool {
        let (text, base) = self.here();
        base <= span.start && span.end as usize <= base as usize + text.as_str().len()
    }

    /// Returns the paths of the other files that the document was evaluated with.
    pub fn around(&self) -> Vec<PathBuf> {
        let includer = self.map.path().filter(|_| self.is_header());
        let others = self.map.others().chain(includer);
        others.map(Path::to_owned).collect()
    }

    /// Returns the text as the checker sees it, with those of other files after it.
    pub fn source(&self) -> &SourceText {
        &self.file.source
    }

    /// Returns the dialect of the kernel at an offset, or that of the first kernel.
    pub fn dialect_at(&self, offset: u32) -> Dialect {
        let programs = &self.module().programs;
        let is_around =
            |program: &&Program| (program.span.start..=program.span.end).contains(&offset);
        let around = programs.iter().find(is_around).or(programs.first());
        around.map_or_else(Dialect::default, |program| program.dialect)
    }

    /// Returns the trace, which is empty if the language has no kernels.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the scopes of the document's names.
    pub fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::of(&self.syntax.file))
    }

    /// Returns the byte offset of a position.
    pub fn offset(&self, position: Position) -> u32 {
        self.here().1 + self.text.offset(position) as u32
    }

    /// Returns the span of a range.
    pub fn span(&self, range: Range) -> Span {
        let (span, base) = (self.text.span(range), self.here().1);
        Span {
            start: base + span.start,
            end: base + span.end,
        }
    }

    /// Returns the range of a span; the start of a header for a span in the file that includes it.
    pub fn range(&self, span: Span) -> Range {
        let base = self.here().1;
        match self.is_header() && !self.is_here(span) {
            true => Range::default(),
            false => self.text.range(Span {
                start: span.start - base,
                end: span.end - base,
            }),
        }
    }

    /// Describes a place as `line 12` or `common/tiles.py:12`.
    pub fn place(&self, span: Span) -> String {
        let other = self.map.place(span).filter(|_| !self.map.is_own(span));
        other.unwrap_or_else(|| format!("line {}", self.source().line_index(span.start) + 1))
    }
}

/// Returns the findings of a kernel that are in the header that it includes, at their places in the header.
fn in_header(findings: Vec<Finding>, header: Option<&Path>, base: u32) -> Vec<Finding> {
    let moved = |span: Span| Span {
        start: base + span.start,
        end: base + span.end,
    };
    let moved = findings.into_iter().filter_map(|mut finding| {
        let place = finding.elsewhere.take()?;
        finding.span = moved(place.span);
        finding.labels = place.labels;
        for label in &mut finding.labels {
            label.span = moved(label.span);
        }
        (Some(place.path.as_path()) == header).then_some(finding)
    });
    moved.collect()
}

/// Returns the path of a file, or the URI of a document that is no file.
fn path_of(uri: &Uri) -> String {
    match settings::path(uri) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => uri.as_str().to_owned(),
    }
}
