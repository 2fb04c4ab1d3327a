//! What a rule is, and how it reports.

use std::iter::Copied;
use std::slice;

use rustc_hash::FxHashSet;

use crate::record::KernelRecord;
use crate::suppress::Suppressions;
use a2lint_analysis::{Analysis, KernelFacts};
use a2lint_costs::Costs;
use a2lint_ir::finding::{Basis, Edit, Finding, Fix, Label, Severity, Witness};
use a2lint_ir::verdict::Property;
use a2lint_ir::{
    BufferId, Instr, MemoryMap, Module, OriginId, Program, ScalarNames, Stmt, Uncalled, gather,
    mma, tile,
};
use a2lint_replay::Replay;
use a2lint_source::text::{SourceText, Span};

/// A rule of the catalogue.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, `COV001`; never reused.
    pub code: &'static str,
    /// Name that users write; reads after "allow".
    pub name: &'static str,
    /// Severity of its findings unless the check says less.
    pub severity: Severity,
    /// What stands behind its findings, unless one of them says otherwise.
    pub basis: Basis,
    /// The property of a kernel that its findings speak against.
    pub property: Option<Property>,
    /// Codes of rules, and prefixes of groups, whose findings explain one of its own that only a replay
    /// has shown, where the data of it has passed what they blame.
    pub causes: &'static [&'static str],
    /// Whether it is off unless asked for.
    pub pedantic: bool,
    /// Whether it can rewrite the source.
    pub fix: FixKind,
    /// Documentation in Markdown: what it does, why it is bad, example, use instead, source.
    pub docs: &'static str,
    /// What it looks at, and how.
    pub check: Check,
}

/// The check of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Looks at one kernel.
    Kernel(fn(&Facts, &mut Sink)),
    /// Looks at everything found in one file.
    File(fn(&FileFacts, &mut Sink)),
    /// Looks at what is known of one kernel once it has been proved.
    Record(fn(&RecordFacts, &mut Sink)),
    /// Looks at the tensor-core instructions of one PTX function.
    Mma(fn(&MmaFacts, &mut Sink)),
    /// Looks at the suppression comments of a file, after they have silenced findings.
    Comments(fn(&Comments, &mut Sink)),
    /// Looks at the PTO tiles of one function.
    Tiles(fn(&TileFacts, &mut Sink)),
    /// Looks at the `GatherMask` calls of one function.
    Gathers(fn(&GatherFacts, &mut Sink)),
}

/// Whether a rule can rewrite the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// No rewrite.
    None,
    /// A rewrite that keeps the author's meaning.
    Safe,
    /// A rewrite that the author should read.
    Unsafe,
}

/// The groups of the catalogue, by code prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// First three letters of the codes.
    pub prefix: &'static str,
    /// What its rules are about.
    pub title: &'static str,
    /// The property of a kernel that its rules speak for, unless a rule names another one.
    pub property: Option<Property>,
    /// What explains a replayed finding of its rules, unless a rule says otherwise; as in [`Rule`].
    pub causes: &'static [&'static str],
}

/// What explains most of what a replay shows: wrong data, wrong places, numbers that have wrapped.
const CAUSES: &[&str] = &[
    "COV", "MSK", "INI", "MOV", "CAP008", "CAP009", "TYP", "DEV014",
];

impl Group {
    /// Every group, in catalogue order.
    pub const ALL: &'static [Group] = &[
        Group {
            prefix: "CAP",
            title: "Capacity and allocation",
            property: Some(Property::Capacity),
            causes: CAUSES,
        },
        Group {
            prefix: "DEV",
            title: "What A2 does not have",
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "TYP",
            title: "Element types",
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "COV",
            title: "Coverage, strides, footprints",
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "MSK",
            title: "Vector mask, compare, select",
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "INI",
            title: "Definedness and numerics",
            property: Some(Property::Initialised),
            causes: CAUSES,
        },
        Group {
            prefix: "MOV",
            title: "GM transfers, tails, workspaces, layout",
            property: Some(Property::Operands),
            causes: CAUSES,
        },
        Group {
            prefix: "SYN",
            title: "Synchronisation",
            property: Some(Property::Order),
            causes: &["SYN", "MOV004", "DEV014"],
        },
        Group {
            prefix: "TRC",
            title: "Trace-time Python",
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "PRF",
            title: "Speed on the device",
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "PTO",
            title: "PTO tiles and assembly",
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "GMK",
            title: "AscendC GatherMask",
            property: None,
            causes: CAUSES,
        },
        Group {
            prefix: "ZCM",
            title: "PTX zero-column mask",
            property: None,
            causes: CAUSES,
        },
    ];
}

impl Group {
    /// The group of a code.
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
    /// The group its code belongs to.
    pub fn group(&self) -> &'static Group {
        Group::of(self.code)
    }

    /// The documentation without the space that doc comments put before every line.
    pub fn markdown(&self) -> String {
        let lines = self.docs.lines();
        let lines: Vec<&str> = lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .collect();
        lines.join("\n").trim().to_owned()
    }

    /// First sentence of the documentation: what the rule does, for tables.
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
     $(, property = $property:ident)? $(, causes = $causes:expr)?
     $(, pedantic = $pedantic:literal)? $(, fix = $fix:ident)? $(, scope = $scope:ident)?) => {
        $(#[doc = $doc])*
        pub static RULE: $crate::Rule = $crate::Rule {
            code: $code,
            name: $name,
            severity: ::a2lint_ir::finding::Severity::$severity,
            basis: ::a2lint_ir::finding::Basis::$basis,
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

/// What a rule looks at.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything found in the file.
    pub module: &'a Module,
    /// What is known of the kernel, for whoever takes all of it.
    pub kernel: &'a KernelFacts<'a>,
    /// The kernel.
    pub program: &'a Program,
    /// What holds of the kernel for any launch.
    pub analysis: &'a Analysis<'a>,
    /// Where the kernel's buffers lie.
    pub memory: &'a MemoryMap,
    /// Text of scalar expressions.
    pub names: &'a ScalarNames<'a>,
    /// What the machine showed of the kernel; nothing where it did not run.
    pub replay: &'a Replay,
    /// What it takes on the device, as it stands and changed.
    pub costs: &'a Costs<'a>,
}

impl<'a> Facts<'a> {
    /// Every instruction of the kernel with its statement, in program order.
    pub fn instructions(&self) -> Copied<slice::Iter<'a, (&'a Stmt, &'a Instr)>> {
        self.analysis.instructions.iter().copied()
    }
}

/// What a rule over the record of a kernel looks at.
#[derive(Clone, Copy)]
pub struct RecordFacts<'a> {
    /// The kernel.
    pub program: &'a Program,
    /// What was looked at of it, and what is proved.
    pub record: &'a KernelRecord,
    /// What other rules have found in it.
    pub findings: &'a [Finding],
}

/// What a rule over a whole file looks at.
#[derive(Clone, Copy)]
pub struct FileFacts<'a> {
    /// Everything found in the file.
    pub module: &'a Module,
    /// Values that the user gives scalars and symbolic extents.
    pub bindings: &'a [(String, f64)],
}

/// What a rule over tensor-core instructions looks at.
#[derive(Clone, Copy)]
pub struct MmaFacts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything found in the file.
    pub unit: &'a mma::Unit,
    /// The function.
    pub kernel: &'a mma::Kernel,
}

/// What a rule about suppression comments looks at.
#[derive(Clone, Copy)]
pub struct Comments<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// The suppressions, those that were of use marked.
    pub suppressions: &'a Suppressions,
    /// The rules that looked at all of the file: only what silences one of these can be idle.
    pub ran: &'a [&'static Rule],
    /// Functions that only kernels of other files may call, which these rules did not look at.
    pub uncalled: &'a [Uncalled],
    /// Whether the file has kernels of its own.
    pub has_kernels: bool,
}

/// What a rule over PTO tiles looks at.
#[derive(Clone, Copy)]
pub struct TileFacts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything found in the file.
    pub unit: &'a tile::Unit,
    /// The function.
    pub function: &'a tile::Function,
}

/// What a rule over `GatherMask` looks at.
#[derive(Clone, Copy)]
pub struct GatherFacts<'a> {
    /// The file's text.
    pub source: &'a SourceText,
    /// Everything found in the file.
    pub unit: &'a gather::Unit,
    /// The function.
    pub function: &'a gather::Function,
}

/// Where a rule reports to.
pub struct Sink<'a> {
    rule: &'static Rule,
    kernel: Option<&'a Program>,
    /// Name of the kernel that findings are in.
    kernel_name: Option<&'a str>,
    findings: &'a mut Vec<Finding>,
    /// Places that `report_from` and `report_once` have reported.
    reported: FxHashSet<Span>,
}

impl<'a> Sink<'a> {
    /// A sink for the findings of one rule in one file.
    pub fn new(rule: &'static Rule, findings: &'a mut Vec<Finding>) -> Self {
        Self {
            rule,
            kernel: None,
            kernel_name: None,
            findings,
            reported: FxHashSet::default(),
        }
    }

    /// A sink for findings in one kernel of the file.
    pub fn in_kernel<'b>(&'b mut self, program: &'b Program) -> Sink<'b> {
        Sink {
            rule: self.rule,
            kernel: Some(program),
            kernel_name: Some(&program.name),
            findings: self.findings,
            reported: FxHashSet::default(),
        }
    }

    /// A sink for findings in one function of a file in another language.
    pub fn in_function<'b>(&'b mut self, name: &'b str) -> Sink<'b> {
        Sink {
            rule: self.rule,
            kernel: None,
            kernel_name: Some(name),
            findings: self.findings,
            reported: FxHashSet::default(),
        }
    }

    /// Starts a finding at a statement that helper calls led to; each call is labelled. A place
    /// that has been reported so already (from another call of the helper, or another turn of an
    /// unrolled loop) is not reported again.
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

    /// As `report_from` for what a replay saw: `reconcile` joins it with what is reported already.
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

    /// As `report`, for the first finding at a place: several calls may share what stands there.
    pub fn report_once(&mut self, span: Span, message: impl Into<String>) -> Report<'_> {
        let first = self.reported.insert(span);
        let mut report = self.report(span, message);
        if !first {
            report.finding = None;
        }
        report
    }

    /// Starts a finding; it is recorded when the returned report is dropped.
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
                also_in: Vec::new(),
            }),
            calls: Vec::new(),
            findings: self.findings,
        }
    }
}

/// What labels the calls that lead to a helper's line.
pub const CALLED: &str = "called from here";

/// A finding that is being put together.
pub struct Report<'a> {
    finding: Option<Finding>,
    /// Helper calls that led to it, innermost first: its last labels.
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

    /// Names another place that takes part.
    pub fn label(self, span: Span, message: impl Into<String>) -> Self {
        self.with(|finding| {
            finding.labels.push(Label {
                span,
                message: message.into(),
            })
        })
    }

    /// Says what to write instead.
    pub fn help(self, help: impl Into<String>) -> Self {
        self.with(|finding| finding.help = Some(help.into()))
    }

    /// Lowers or raises the severity for this finding.
    pub fn severity(self, severity: Severity) -> Self {
        self.with(|finding| finding.severity = severity)
    }

    /// Says what this finding stands on, where that is not what the rule's do.
    pub fn basis(self, basis: Basis) -> Self {
        self.with(|finding| finding.basis = basis)
    }

    /// Marks a finding that holds under an assumption: a warning.
    pub fn possible(self) -> Self {
        self.with(|finding| {
            finding.severity = Severity::Warning;
            finding.basis = Basis::Assumption;
        })
    }

    /// Makes it advice about how the slots of a ring are picked.
    pub fn ring(self, ring: BufferId) -> Self {
        self.with(|finding| finding.ring = Some(ring))
    }

    /// Gives a finding the execution that shows it.
    pub fn witness(self, witness: Witness) -> Self {
        self.with(|finding| {
            finding.basis = Basis::Replayed;
            finding.witness = Some(witness);
        })
    }

    /// Offers a rewrite.
    pub fn fix(self, title: impl Into<String>, safe: bool, edits: Vec<Edit>) -> Self {
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
