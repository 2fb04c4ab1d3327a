//! What is known of one version of a document. Requests are answered from snapshots alone.

use std::sync::{Arc, OnceLock};

use tower_lsp::ls_types::{Position, Range, Uri};
use tree_sitter::Tree;

use super::cache::{self, Kept};
use super::cancel::Cancel;
use super::document::Document;
use super::settings::{self, Holding, Settings};
use super::text::Text;
use crate::check::{self, Analysis, file_findings, finish, kernel_findings};
use crate::config::ConfigError;
use crate::frontend::easyasc;
use crate::ir::{Module, Program};
use crate::language::Language;
use crate::replay::Replay;
use crate::report::FileReport;
use crate::syntax::python::scopes::Scopes;
use crate::syntax::python::{ast, lower, parse_tree};
use crate::text::{SourceText, Span};

/// A document at one version, analysed.
#[derive(Debug)]
pub struct Snapshot {
    /// The document.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text as editors see it.
    pub text: Text,
    /// Its tree; `None` where the parser gave up.
    pub tree: Option<Tree>,
    /// Its text as the checker sees it, and what the checker found.
    pub file: FileReport,
    /// The settings it was found under.
    pub settings: Arc<Settings>,
    /// What they, and the configuration, say about this document.
    pub check: check::Settings,
    /// Why the configuration could not be used.
    pub misconfigured: Option<ConfigError>,
    /// What the analysis of the next version can use.
    kept: Option<Kept>,
    syntax: OnceLock<ast::File>,
    scopes: OnceLock<Scopes>,
}

/// Everything that an analysis needs.
pub struct Assignment {
    uri: Uri,
    language: Language,
    version: i32,
    text: Text,
    tree: Option<Tree>,
    settings: Arc<Settings>,
    cancel: Cancel,
    /// The latest finished analysis.
    before: Option<Arc<Snapshot>>,
}

impl Assignment {
    /// The analysis of a document as it is now.
    pub fn of(document: &Document, settings: Arc<Settings>, cancel: Cancel) -> Assignment {
        Assignment {
            uri: document.uri.clone(),
            language: document.language,
            version: document.version,
            text: document.text.clone(),
            tree: document.tree.clone(),
            settings,
            cancel,
            before: document.snapshot.clone(),
        }
    }

    /// Does the work; `None` where it was taken back.
    pub fn run(&self) -> Option<Snapshot> {
        let source = SourceText::new(self.text.contents());
        let (holding, misconfigured) = match self.settings.of(&self.uri) {
            Ok(holding) => (holding, None),
            Err(error) => (Holding::default(), Some(error)),
        };
        let mut snapshot = match self.language {
            Language::Easyasc => self.trace(source, &holding.check)?,
            language => {
                let analysis = check::check(&source, language, &holding.check);
                self.snapshot(source, None, analysis)
            }
        };
        if holding.is_excluded {
            snapshot.file.analysis.findings.clear();
        }
        Some(Snapshot {
            check: holding.check,
            misconfigured,
            ..snapshot
        })
    }

    /// Traces and checks a file in the DSL.
    fn trace(&self, source: SourceText, settings: &check::Settings) -> Option<Snapshot> {
        let tree = self.parse(&source);
        if self.cancel.is_cancelled() {
            return None;
        }
        let module = easyasc::trace_tree(&source, tree.as_ref(), &settings.trace);
        let rules = settings.rules();
        let before = self.before.as_ref().and_then(|it| it.kept.as_ref());
        let check = |program: &Program| match self.cancel.is_cancelled() {
            true => Vec::new(),
            // What is kept of a kernel is told by its text alone, and a replay also depends on the
            // launches of the file.
            false => kernel_findings(&source, &module, program, &rules, &Replay::default()),
        };
        let programs = &module.programs;
        let (mut findings, kept) =
            cache::findings(&source, programs, &self.settings, before, check);
        if self.cancel.is_cancelled() {
            return None;
        }
        findings.extend(file_findings(&module, &rules));
        let analysis = Analysis {
            findings,
            module,
            ..Analysis::default()
        };
        let analysis = finish(&source, Language::Easyasc, settings, analysis);
        Some(Snapshot {
            kept,
            ..self.snapshot(source, tree, analysis)
        })
    }

    /// The same document with nothing found: what a panic leaves.
    pub fn empty(&self) -> Snapshot {
        let source = SourceText::new(self.text.contents());
        self.snapshot(source, None, Analysis::default())
    }

    /// What it could be taken back with.
    pub fn into_cancel(self) -> Cancel {
        self.cancel
    }

    fn snapshot(&self, source: SourceText, tree: Option<Tree>, analysis: Analysis) -> Snapshot {
        Snapshot {
            uri: self.uri.clone(),
            version: self.version,
            text: self.text.clone(),
            file: FileReport {
                path: path_of(&self.uri),
                source,
                analysis,
            },
            tree,
            settings: self.settings.clone(),
            check: check::Settings::default(),
            misconfigured: None,
            kept: None,
            syntax: OnceLock::new(),
            scopes: OnceLock::new(),
        }
    }

    /// The tree of the text, from that of the text before. Where something does not parse, the
    /// parser's way out depends on what it has seen before; then it starts afresh, so that equal
    /// texts have equal findings.
    fn parse(&self, source: &SourceText) -> Option<Tree> {
        let tree = parse_tree(source.as_str(), self.tree.as_ref())?;
        match self.tree.is_some() && tree.root_node().has_error() {
            true => parse_tree(source.as_str(), None),
            false => Some(tree),
        }
    }
}

impl Snapshot {
    /// The text as the checker sees it.
    pub fn source(&self) -> &SourceText {
        &self.file.source
    }

    /// What was traced; nothing where the language has no kernels.
    pub fn module(&self) -> &Module {
        &self.file.analysis.module
    }

    /// The typed syntax.
    pub fn syntax(&self) -> &ast::File {
        self.syntax.get_or_init(|| match &self.tree {
            Some(tree) => lower(tree, self.source()),
            None => ast::File::default(),
        })
    }

    /// What names refer to.
    pub fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::of(self.syntax()))
    }

    /// The byte offset of a position.
    pub fn offset(&self, position: Position) -> u32 {
        self.text.offset(position) as u32
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Range {
        self.text.range(span)
    }

    /// 1-based number of the line that an offset stands on.
    pub fn line(&self, offset: u32) -> usize {
        self.source().line_index(offset) + 1
    }
}

/// The path of a file, or the whole name of something else.
fn path_of(uri: &Uri) -> String {
    match settings::path(uri) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => uri.as_str().to_owned(),
    }
}
