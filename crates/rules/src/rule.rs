//! Defines rules, the facts that they examine, and how they report findings.

use std::iter::Copied;
use std::slice;

use rustc_hash::FxHashSet;

use crate::record::KernelRecord;
use crate::suppress::Suppressions;
use a2lint_analysis::{Analysis, KernelFacts};
use a2lint_costs::Costs;
use a2lint_ir::finding::{Basis, Cause, Edit, Finding, Fix, Label, Severity, Witness};
use a2lint_ir::verdict::Property;
use a2lint_ir::{
    BufferId, Instr, MemoryMap, Module, Notation, OriginId, Program, ScalarNames, Stmt, Uncalled,
    mma, tile,
};
use a2lint_replay::Replay;
use a2lint_source::text::{SourceText, Span};

/// A rule of the catalogue.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, `COV001`; never reused.
    pub code: &'static str,
    /// The name that users write, chosen to read well after "allow".
    pub name: &'static str,
    /// Severity of its findings unless the check says less.
    pub severity: Severity,
    /// The basis of its findings, unless a finding has another one.
    pub basis: Basis,
    /// The evidence for the fact that the rule relies on.
    pub evidence: Evidence,
    /// The property of a kernel that its findings speak against.
    pub property: Option<Property>,
    /// Codes of rules, and prefixes of groups, whose findings can explain a replayed finding of this rule if its
    /// data passed the place that they report.
    pub causes: &'static [&'static str],
    /// Whether it is off unless asked for.
    pub pedantic: bool,
    /// Whether it can rewrite the source.
    pub fix: FixKind,
    /// Documentation in Markdown: what it does, why it is bad, example, use instead, source.
    pub docs: &'static str,
    /// The check, by the kind of facts that it examines.
    pub check: Check,
}

/// The check of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Examines one kernel.
    Kernel(fn(&Facts, &mut Sink)),
    /// Examines everything that the front end found in one file.
    File(fn(&FileFacts, &mut Sink)),
    /// Examines the record of one kernel, after the proofs.
    Record(fn(&RecordFacts, &mut Sink)),
    /// Examines the tensor-core instructions of one PTX function.
    Mma(fn(&MmaFacts, &mut Sink)),
    /// Examines the suppression comments of a file, after they have silenced findings.
    Comments(fn(&Comments, &mut Sink)),
    /// Examines the PTO tiles of one function.
    Tiles(fn(&TileFacts, &mut Sink)),
}

/// Whether a rule can rewrite the source, and how safely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// No rewrite.
    None,
    /// A rewrite that keeps the author's meaning.
    Safe,
    /// A rewrite that the author should read.
    Unsafe,
}

a2lint_isa::named! {
    /// The evidence for the fact that a rule relies on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Evidence {
        /// A published measurement on a board.
        Measured = "measured",
        /// A statement of a manual, an official lesson or the guide of a project.
        Stated = "stated",
        /// The source of headers or of a compiler.
        Read = "read",
        /// An inference from the other kinds.
        Inferred = "inferred",
    }
    /// Returns the name in machine-readable output.
    fn name
}

impl Evidence {
    /// Returns the clause for the page of a rule.
    pub fn clause(self) -> &'static str {
        match self {
            Evidence::Measured => "measured on a board",
            Evidence::Stated => "stated by a manual or a guide",
            Evidence::Read => "read in headers or a compiler",
            Evidence::Inferred => "inferred",
        }
    }
}

/// A group of the catalogue, identified by its code prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// First three letters of the codes.
    pub prefix: &'static str,
    /// Title of the group.
    pub title: &'static str,
    /// The property of a kernel that findings of the group speak against, unless a rule names another one.
    pub property: Option<Property>,
    /// Default of [`Rule::evidence`] for the rules of the group.
    pub evidence: Evidence,
    /// Default of [`Rule::causes`] for the rules of the group.
    pub causes: &'static [&'static str],
}

/// Causes of most replayed findings: wrong coverage, masks, definedness, places or types, and integer overflow.
const CAUSES: &[&str] = &[
    "COV", "MSK", "INI", "MOV", "CAP008", "CAP009", "TYP", "DEV014",
];

impl Group {
    /// All groups, in catalogue order.
    pub const ALL: &'static [Group] = &[
        Group {
            prefix: "CAP",
            title: "Capacity and allocation",
            evidence: Evidence::Stated,
            property: Some(Property::Capacity),
            causes: CAUSES,
        },
        Group {
            prefix: "DEV",
            title: "What A2 does not have",
            evidence: Evidence::Stated,
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "TYP",
            title: "Element types",
            evidence: Evidence::Stated,
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "COV",
            title: "Coverage, strides, footprints",
            evidence: Evidence::Stated,
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "MSK",
            title: "Vector mask, compare, select",
            evidence: Evidence::Stated,
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "INI",
            title: "Definedness and numerics",
            evidence: Evidence::Stated,
            property: Some(Property::Initialised),
            causes: CAUSES,
        },
        Group {
            prefix: "MOV",
            title: "GM transfers, tails, workspaces, layout",
            evidence: Evidence::Stated,
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "SYN",
            title: "Synchronisation",
            evidence: Evidence::Stated,
            property: Some(Property::Order),
            causes: &["SYN", "MOV004", "DEV014"],
        },
        Group {
            prefix: "TRC",
            title: "Trace-time Python",
            evidence: Evidence::Stated,
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "PRF",
            title: "Speed on the device",
            evidence: Evidence::Measured,
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "PTO",
            title: "PTO tiles and assembly",
            evidence: Evidence::Stated,
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "ZCM",
            title: "PTX zero-column mask",
            evidence: Evidence::Stated,
            property: None,
            causes: CAUSES,
        },
    ];
}

impl Group {
    /// Returns the group of a code.
    pub const fn of(code: &str) -> &'static Group {
        let mut at = 0;
        while at < Group::ALL.len() {
            let (code, prefix) = (code.as_bytes(), Group::ALL[at].prefix.as_bytes());
            if code[0] == prefix[0] && code[1] == prefix[1] && code[2] == prefix[2] {
                return &Group::ALL[at];
            }
            at += 1;
        }
        panic!("every code starts with the prefix of a group")
    }
}

impl Rule {
    /// Returns the group that its code belongs to.
    pub fn group(&self) -> &'static Group {
        Group::of(self.code)
    }

    /// Returns the documentation without the space that doc comments have before every line.
    pub fn markdown(&self) -> String {
        let lines = self.docs.lines();
        let lines: Vec<&str> = lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .collect();
        lines.join("\n").trim().to_owned()
    }

    /// Returns the first paragraph of "What it does", for tables.
    pub fn summary(&self) -> &'static str {
        let body = self
            .docs
            .split("## What it does")
            .nth(1)
            .unwrap_or(self.docs);
        body.trim().split("\n\n").next().unwrap_or("").trim()
    }
}

/// Declares `RULE`, the one public item of a rule file. The doc comment is the documentation.
#[macro_export]
#[doc(hidden)]
macro_rules! declare_rule {
    ($(#[doc = $doc:literal])* $code:literal $name:literal $severity:ident, basis = $basis:ident
     $(, evidence = $evidence:ident)? $(, property = $property:ident)? $(, causes = $causes:expr)?
     $(, pedantic = $pedantic:literal)? $(, fix = $fix:ident)? $(, scope = $scope:ident)?) => {
        $(#[doc = $doc])*
        pub static RULE: $crate::Rule = $crate::Rule {
            code: $code,
            name: $name,
            severity: ::a2lint_ir::finding::Severity::$severity,
            basis: ::a2lint_ir::finding::Basis::$basis,
            evidence: $crate::declare_rule!(@evidence $code $($evidence)?),
            property: $crate::declare_rule!(@property $code $($property)?),
            causes: $crate::declare_rule!(@causes $code $($causes)?),
            pedantic: false $(|| $pedantic)?,
            fix: {
                #[allow(unused_variables)]
                const FIX: $crate::FixKind = $crate::declare_rule!(@fix $($fix)?);
                FIX
            },
            docs: concat!($($doc, "\n"),*),
            check: $crate::declare_rule!(@check check $($scope)?),
        };
    };
    (@evidence $code:literal) => { $crate::Group::of($code).evidence };
    (@evidence $code:literal $evidence:ident) => { $crate::Evidence::$evidence };
    (@property $code:literal) => { $crate::Group::of($code).property };
    (@property $code:literal None) => { None };
    (@property $code:literal $property:ident) => { Some(::a2lint_ir::verdict::Property::$property) };
    (@causes $code:literal) => { $crate::Group::of($code).causes };
    (@causes $code:literal $causes:expr) => { &$causes };
    (@check $check:ident) => { $crate::Check::Kernel($check) };
    (@check $check:ident $scope:ident) => { $crate::Check::$scope($check) };
    (@fix) => { $crate::FixKind::None };
    (@fix $fix:ident) => { $crate::FixKind::$fix };
}

/// The facts that a rule about one kernel examines.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything that the front end found in the file.
    pub module: &'a Module,
    /// All facts about the kernel, for rules that pass them on.
    pub kernel: &'a KernelFacts<'a>,
    /// The kernel.
    pub program: &'a Program,
    /// Facts that hold for any launch.
    pub analysis: &'a Analysis<'a>,
    /// The placement of the kernel's buffers.
    pub memory: &'a MemoryMap,
    /// Text of scalar expressions.
    pub names: &'a ScalarNames<'a>,
    /// What the runs of the kernel showed; empty if it did not run.
    pub replay: &'a Replay,
    /// The cost of the kernel on the device, unchanged and rewritten.
    pub costs: &'a Costs<'a>,
}

impl<'a> Facts<'a> {
    /// Iterates over the instructions of the kernel with their statements, in program order.
    pub fn instructions(&self) -> Copied<slice::Iter<'a, (&'a Stmt, &'a Instr)>> {
        self.analysis.instructions.iter().copied()
    }
}

/// The facts that a rule about the record of a kernel examines.
#[derive(Clone, Copy)]
pub struct RecordFacts<'a> {
    /// The kernel.
    pub program: &'a Program,
    /// What was examined of the kernel, and what is proved.
    pub record: &'a KernelRecord,
    /// Findings of other rules in the kernel.
    pub findings: &'a [Finding],
}

/// The facts that a rule about a file examines.
#[derive(Clone, Copy)]
pub struct FileFacts<'a> {
    /// Everything that the front end found in the file.
    pub module: &'a Module,
    /// Values that the user gives scalars and symbolic extents.
    pub bindings: &'a [(String, f64)],
}

/// The facts that a rule about tensor-core instructions examines.
#[derive(Clone, Copy)]
pub struct MmaFacts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything that the front end found in the file.
    pub unit: &'a mma::Unit,
    /// The function.
    pub kernel: &'a mma::Kernel,
}

/// The facts that a rule about suppression comments examines.
#[derive(Clone, Copy)]
pub struct Comments<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// The suppressions; those that silenced a finding are marked.
    pub suppressions: &'a Suppressions,
    /// The rules that examined all of the file. A suppression of another rule is never reported as unused.
    pub ran: &'a [&'static Rule],
    /// Functions that only kernels of other files may call, which these rules did not examine.
    pub uncalled: &'a [Uncalled],
    /// Whether the file has kernels of its own.
    pub has_kernels: bool,
}

/// The facts that a rule about PTO tiles examines.
#[derive(Clone, Copy)]
pub struct TileFacts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything that the front end found in the file.
    pub unit: &'a tile::Unit,
    /// The function.
    pub function: &'a tile::Function,
}

/// Collects the findings of one rule.
pub struct Sink<'a> {
    rule: &'static Rule,
    kernel: Option<&'a Program>,
    /// Name of the kernel or function that findings are in.
    kernel_name: Option<&'a str>,
    findings: &'a mut Vec<Finding>,
    /// Places that `report_from` and `report_once` have already reported.
    reported: FxHashSet<Span>,
}

impl<'a> Sink<'a> {
    /// Creates a sink for the findings of one rule in one file.
    pub fn new(rule: &'static Rule, findings: &'a mut Vec<Finding>) -> Self {
        Self {
            rule,
            kernel: None,
            kernel_name: None,
            findings,
            reported: FxHashSet::default(),
        }
    }

    /// Creates a sink for findings in one kernel of the file.
    pub fn in_kernel<'b>(&'b mut self, program: &'b Program) -> Sink<'b> {
        Sink {
            rule: self.rule,
            kernel: Some(program),
            kernel_name: Some(&program.name),
            findings: self.findings,
            reported: FxHashSet::default(),
        }
    }

    /// Creates a sink for findings in one function of a file in another language.
    pub fn in_function<'b>(&'b mut self, name: &'b str) -> Sink<'b> {
        Sink {
            rule: self.rule,
            kernel: None,
            kernel_name: Some(name),
            findings: self.findings,
            reported: FxHashSet::default(),
        }
    }

    /// Starts a finding at a statement, with a label at each helper call that led to it. A place that has already
    /// been reported is skipped: it comes from another call of the helper, or from another iteration of an
    /// unrolled loop.
    pub fn report_from(
        &mut self,
        origin: OriginId,
        span: Span,
        message: impl Into<String>,
    ) -> Report<'_> {
        let first = self.reported.insert(span);
        let mut report = self.report_seen(origin, span, message);
        if !first {
            report.finding = None;
        }
        report
    }

    /// Same as `report_from` for an observation, without skipping: `reconcile` merges it with other findings.
    pub fn report_seen(
        &mut self,
        origin: OriginId,
        span: Span,
        message: impl Into<String>,
    ) -> Report<'_> {
        let calls = self.kernel.map(|program| program.call_chain(origin));
        let mut report = self.report(span, message);
        report.calls = calls.unwrap_or_default();
        report
    }

    /// Same as `report`, for the first finding at a place: several calls may share its statement.
    pub fn report_once(&mut self, span: Span, message: impl Into<String>) -> Report<'_> {
        let first = self.reported.insert(span);
        let mut report = self.report(span, message);
        if !first {
            report.finding = None;
        }
        report
    }

    /// Starts a finding, which is recorded when the returned report is dropped.
    pub fn report(&mut self, span: Span, message: impl Into<String>) -> Report<'_> {
        Report {
            finding: Some(Finding {
                code: self.rule.code,
                name: self.rule.name,
                severity: self.rule.severity,
                basis: self.rule.basis,
                message: message.into(),
                kernel: self.kernel_name.map(str::to_owned),
                span,
                labels: Vec::new(),
                help: None,
                fix: None,
                witness: None,
                ring: None,
                numbers: None,
                elsewhere: None,
                cause: None,
                also_in: Vec::new(),
            }),
            notation: self
                .kernel
                .map_or(Notation::Python, |kernel| kernel.toolchain.notation),
            calls: Vec::new(),
            findings: self.findings,
        }
    }
}

/// Label of the calls that lead to the line of a helper.
pub const CALLED: &str = "called from here";

/// A finding under construction.
pub struct Report<'a> {
    finding: Option<Finding>,
    /// The language of the kernel.
    notation: Notation,
    /// Helper calls that led to the finding, innermost first. They become its last labels.
    calls: Vec<Span>,
    findings: &'a mut Vec<Finding>,
}

impl Report<'_> {
    fn with(mut self, change: impl FnOnce(&mut Finding)) -> Self {
        if let Some(finding) = &mut self.finding {
            change(finding);
        }
        self
    }

    /// Adds a label at another place that takes part.
    pub fn label(self, span: Span, message: impl Into<String>) -> Self {
        self.with(|finding| {
            finding.labels.push(Label {
                span,
                message: message.into(),
            })
        })
    }

    /// Sets the help for kernels in Python: what to write instead.
    pub fn help(self, help: impl Into<String>) -> Self {
        match self.notation {
            Notation::Python => self.advice(help),
            Notation::Cpp => self,
        }
    }

    /// Sets the help for kernels in C++.
    pub fn in_cpp(self, help: impl Into<String>) -> Self {
        match self.notation {
            Notation::Python => self,
            Notation::Cpp => self.advice(help),
        }
    }

    /// Sets the help, whose text is right in every language of kernels.
    pub fn advice(self, help: impl Into<String>) -> Self {
        self.with(|finding| finding.help = Some(help.into()))
    }

    /// Sets the mistake that the finding has in common with others.
    pub fn cause(self, cause: Cause) -> Self {
        self.with(|finding| finding.cause = Some(cause))
    }

    /// Sets the severity of this finding.
    pub fn severity(self, severity: Severity) -> Self {
        self.with(|finding| finding.severity = severity)
    }

    /// Sets the basis of this finding, if it differs from that of the rule.
    pub fn basis(self, basis: Basis) -> Self {
        self.with(|finding| finding.basis = basis)
    }

    /// Marks the finding as one that holds under an assumption, which makes it a warning.
    pub fn possible(self) -> Self {
        self.with(|finding| {
            finding.severity = Severity::Warning;
            finding.basis = Basis::Assumption;
        })
    }

    /// Marks the finding as advice about how the slots of a ring are picked.
    pub fn ring(self, ring: BufferId) -> Self {
        self.with(|finding| finding.ring = Some(ring))
    }

    /// Attaches the execution that shows the finding.
    pub fn witness(self, witness: Witness) -> Self {
        self.with(|finding| {
            finding.basis = Basis::Replayed;
            finding.witness = Some(witness);
        })
    }

    /// Attaches a rewrite of a kernel in Python.
    pub fn fix(self, title: impl Into<String>, safe: bool, edits: Vec<Edit>) -> Self {
        if self.notation != Notation::Python {
            return self;
        }
        self.with(|finding| {
            finding.fix = Some(Fix {
                title: title.into(),
                safe,
                edits,
            })
        })
    }
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        let Some(mut finding) = self.finding.take() else {
            return;
        };
        finding
            .labels
            .extend(self.calls.drain(..).map(|span| Label {
                span,
                message: CALLED.to_owned(),
            }));
        self.findings.push(finding);
    }
}
