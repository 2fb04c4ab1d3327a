//! What is known of one version of a document. Requests are answered from snapshots alone.

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
use a2lint_rules::Rule;
use a2lint_rules::record::{self, HiddenBy, KernelRecord};
use a2lint_run::Cancel;
use a2lint_source::guard::in_kernel;
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::Syntax;
use a2lint_syntax::python::scopes::Scopes;
use repairs::Repairs;
use timings::Timings;

/// A document at one version, analysed.
#[derive(Debug)]
pub struct Snapshot {
    /// The document.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text as editors see it.
    pub text: Text,
    /// Its syntax, if it is in the DSL.
    pub syntax: Syntax,
    /// The files of its project that it was read with.
    pub map: SourceMap,
    /// Whether other files now find another text here than before.
    pub is_news: bool,
    /// Its text as the checker sees it, with those files after it, and what the checker found without
    /// running anything that has changed.
    pub file: FileReport,
    /// What it was traced into, if it is in the DSL.
    module: Module,
    /// Its mask instructions, if it is in another language.
    pub masks: MaskOperations,
    /// The settings it was found under.
    pub settings: Arc<Settings>,
    /// What they, and the configuration, say about this document.
    pub check: check::Settings,
    /// Why the configuration could not be used.
    pub misconfigured: Option<ConfigError>,
    /// Where the documentation of rules is published.
    pub docs_url: Option<String>,
    /// What the client does with links.
    pub links: Links,
    /// What is known of each kernel, in the order of the programs.
    kernels: Vec<Kernel>,
    /// Its language.
    language: Language,
    /// The project that it was evaluated in.
    project: Option<Project>,
    /// Repairs that were looked for.
    pub repairs: Repairs,
    /// What kernels take on the device.
    pub timings: Timings,
    /// What a baseline hides.
    known: Option<Known>,
    /// What was found in the end, once every kernel was replayed.
    settled: OnceLock<Conclusion>,
    cache: Arc<Cache>,
    scopes: OnceLock<Scopes>,
}

/// What is known of a kernel.
#[derive(Debug)]
struct Kernel {
    /// What the cache knows it by.
    identity: Option<Identity>,
    /// What was found in it, before comments have their say.
    findings: Vec<Finding>,
    /// What the replay showed, if there was one.
    replay: Option<Arc<Replay>>,
    /// What was proved after it.
    proofs: Proofs,
    /// Whether it is still to be replayed.
    is_waiting: bool,
}

impl Kernel {
    fn check(&self, map: &SourceMap, program: &Program, settings: &check::Settings) -> KernelCheck {
        let (findings, replay) = (self.findings.clone(), self.replay.as_deref());
        let proofs = self.proofs.clone();
        KernelCheck::of(map, program, settings, findings, replay, proofs)
    }
}

/// Everything that an analysis needs.
pub struct Assignment {
    pub(super) uri: Uri,
    pub(super) language: Language,
    pub(super) version: i32,
    pub(super) text: Text,
    /// What is known of a version before.
    pub(super) before: Option<Arc<Snapshot>>,
    pub(super) settings: Arc<Settings>,
    pub(super) cancel: Cancel,
    pub(super) cache: Arc<Cache>,
    pub(super) project: Option<Project>,
    pub(super) links: Links,
}

impl Assignment {
    /// Does the work; `None` where it was taken back.
    pub fn run(&self) -> Option<Snapshot> {
        let source = SourceText::new(self.text.contents());
        let holding = self.settings.of(&self.uri);
        let mut snapshot = match self.language {
            Language::Easyasc => self.trace(source, &holding)?,
            language => {
                let project = self.project.as_ref();
                let is_news = project.is_some_and(|it| it.files.put_text(&it.path, &source));
                let mut settings = holding.check.clone();
                settings.trace.project = self.project.clone();
                let mut analysis = check::check(&source, language, &settings);
                let map = std::mem::take(&mut analysis.map);
                Snapshot {
                    is_news,
                    ..self.snapshot(map, analysis)
                }
            }
        };
        if holding.is_excluded {
            snapshot.file.analysis.findings.clear();
        }
        snapshot.check = holding.check;
        snapshot.known = holding.known;
        snapshot.docs_url = holding.docs_url;
        snapshot.misconfigured = holding.misconfigured;
        snapshot.hide_known();
        Some(snapshot)
    }

    /// Traces a file in the DSL and checks it without running what the cache does not know.
    fn trace(&self, source: SourceText, holding: &Holding) -> Option<Snapshot> {
        let settings = &holding.check;
        let syntax = match &self.before {
            Some(before) => before.syntax.again(&before.map.own, &source),
            None => Syntax::of(&source),
        };
        let is_news = self.project.as_ref().is_some_and(|project| {
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
        let rules = settings.kernel_rules();
        let mut kernels = Vec::new();
        for program in &module.programs {
            if self.cancel.is_cancelled() {
                return None;
            }
            let identity = Identity::of(&modules, &module, program, &parts);
            let known = identity.as_ref().map(|it| self.cache.get(it));
            let known = known.unwrap_or_default();
            let is_waiting = settings.replay && !holding.is_excluded && known.replay.is_none();
            let findings = known.findings.unwrap_or_else(|| {
                let nothing = Replay::default();
                let replay = known.replay.as_deref().unwrap_or(&nothing);
                let before = &known.former;
                let facts = in_kernel(&program.name, || KernelFacts::of(program));
                let found =
                    kernel_findings_again(&modules.map, &module, &facts, &rules, replay, before);
                if let Some(identity) = &identity {
                    let (replay, proofs) = (known.replay.clone(), known.proofs.clone());
                    self.cache.put(identity, &found, replay, proofs);
                }
                found
            });
            kernels.push(Kernel {
                identity,
                findings,
                replay: known.replay,
                proofs: known.proofs,
                is_waiting,
            });
        }
        self.cache.trim(kernels.len());
        let checks = kernels
            .iter()
            .zip(&module.programs)
            .map(|(kernel, program)| kernel.check(&modules.map, program, settings));
        let conclusion = conclude_kernels(&modules.map, &module, settings, checks.collect());
        let mut analysis = Analysis {
            module,
            ..Analysis::default()
        };
        conclusion.into_analysis(&mut analysis);
        Some(Snapshot {
            kernels,
            syntax,
            is_news,
            scopes: OnceLock::from(scopes),
            ..self.snapshot(modules.map, analysis)
        })
    }

    /// The same document with nothing found: what a panic leaves.
    pub fn empty(&self) -> Snapshot {
        let source = SourceText::new(self.text.contents());
        self.snapshot(SourceMap::alone(&source), Analysis::default())
    }

    /// What it could be taken back with.
    pub fn into_cancel(self) -> Cancel {
        self.cancel
    }

    fn snapshot(&self, map: SourceMap, analysis: Analysis) -> Snapshot {
        let (analysis, module, masks) = analysis.into_parts();
        Snapshot {
            uri: self.uri.clone(),
            version: self.version,
            text: self.text.clone(),
            is_news: false,
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
    /// The language of the document.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What a check of another text of the document comes to, replays and proofs included.
    pub fn check_text(&self, source: &SourceText) -> Analysis {
        check::check(source, self.language, &self.settings_of_text())
    }

    /// The settings of such a check.
    pub fn settings_of_text(&self) -> check::Settings {
        let mut settings = self.check.clone();
        settings.trace.project.clone_from(&self.project);
        settings
    }

    /// What is known to be wrong by now.
    pub fn findings(&self) -> &[Finding] {
        match self.settled.get() {
            Some(settled) => &settled.findings,
            None => &self.file.analysis.findings,
        }
    }

    /// What the document comes to if nothing more is found.
    pub fn known_by_now(&self) -> Conclusion {
        Conclusion {
            findings: self.findings().to_vec(),
            records: self.records().to_vec(),
            excess: 0,
        }
    }

    /// What was looked at of each kernel by now, in the order of the programs.
    pub fn records(&self) -> &[KernelRecord] {
        match self.settled.get() {
            Some(settled) => &settled.records,
            None => &self.file.analysis.records,
        }
    }

    /// Whether nothing more will be found.
    pub fn is_settled(&self) -> bool {
        self.settled.get().is_some() || self.kernels.iter().all(|kernel| !kernel.is_waiting)
    }

    /// Replays the kernels that are still to be replayed; everything that is found then, or
    /// `None` where the work was taken back. What was replayed by then is not lost.
    pub fn replay(&self, cancel: &Cancel) -> Option<Conclusion> {
        let rules = self.check.kernel_rules();
        let mut checks = Vec::new();
        for (kernel, program) in self.kernels.iter().zip(&self.module().programs) {
            checks.push(match kernel.is_waiting {
                true => self.replay_kernel(kernel, program, &rules, cancel)?,
                false => kernel.check(&self.map, program, &self.check),
            });
        }
        let mut conclusion = conclude_kernels(&self.map, self.module(), &self.check, checks);
        if let Some(known) = &self.known {
            let hidden = known.hide(self.source(), &mut conclusion.findings);
            record::hide(&mut conclusion.records, &hidden, HiddenBy::Baseline);
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
        let mut replay = self
            .check
            .replay_unless(&is_cancelled, program, self.module())?;
        let facts = in_kernel(&program.name, || KernelFacts::of(program));
        let proofs = self.check.prove(&facts, &mut replay);
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

    /// Takes in what the replays came to.
    pub fn settle(&self, conclusion: Conclusion) {
        // There is one replay of a snapshot.
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

    /// Whether it was found with the text of another file.
    pub fn holds(&self, path: &Path) -> bool {
        self.map.holds(path)
    }

    /// The other files that it was found with.
    pub fn around(&self) -> Vec<PathBuf> {
        self.map.others().map(Path::to_owned).collect()
    }

    /// The text as the checker sees it, with those of other files after it.
    pub fn source(&self) -> &SourceText {
        &self.file.source
    }

    /// The dialect of the kernel at a place, or of the file's first.
    pub fn dialect_at(&self, offset: u32) -> Dialect {
        let programs = &self.module().programs;
        let is_around =
            |program: &&Program| (program.span.start..=program.span.end).contains(&offset);
        let around = programs.iter().find(is_around).or(programs.first());
        around.map_or_else(Dialect::default, |program| program.dialect)
    }

    /// What was traced; nothing where the language has no kernels.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// What names refer to.
    pub fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::of(&self.syntax.file))
    }

    /// The byte offset of a position.
    pub fn offset(&self, position: Position) -> u32 {
        self.text.offset(position) as u32
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Range {
        self.text.range(span)
    }

    /// Where a place is, in words: `line 12`, `common/tiles.py:12`.
    pub fn place(&self, span: Span) -> String {
        let other = self.map.place(span).filter(|_| !self.map.is_own(span));
        other.unwrap_or_else(|| format!("line {}", self.source().line_index(span.start) + 1))
    }
}

/// The path of a file, or the whole name of something else.
fn path_of(uri: &Uri) -> String {
    match settings::path(uri) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => uri.as_str().to_owned(),
    }
}
