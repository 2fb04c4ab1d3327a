//! What was looked at of each kernel, from front end to report, and which verdicts that allows.

mod contract;

use serde::{Deserialize, Deserializer, Serialize};

use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::{Property, Status, Verdict, Verdicts};
use a2lint_ir::{DisplayName, Note, NoteKind, Program, PythonNote, UnknownCode};
use a2lint_isa::Dialect;
use a2lint_launches::LaunchSource;
use a2lint_prove::{Assumption, Precondition, Proof, Proofs};
use a2lint_replay::{LaunchOutcome, LaunchRun, Replay, Shortfall};
use a2lint_source::names::Name;
use a2lint_source::text::Span;

use contract::Comparison;
pub use contract::{ContractGap, number_list};

/// Why nothing is said about bounds.
const NO_EXTENTS: &str = "no launch gives the extents of its tensors";

/// What was looked at of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelRecord {
    /// Name of the kernel.
    pub name: DisplayName,
    /// The language it is written in.
    pub dialect: Dialect,
    /// The name in its definition.
    pub span: Span,
    /// Code of it that could not be evaluated; empty if it was traced whole.
    pub unknown: Vec<UnknownCode>,
    /// What its contract demands, as it is written.
    pub contract: Vec<String>,
    /// Every launch of it, and how it ended.
    pub launches: Vec<LaunchRun>,
    /// What of the files around it was not read, as clauses: launches may stand there.
    pub not_read: Vec<String>,
    /// What is known of it in all launches.
    pub proofs: Proofs,
    /// Preconditions that every launch inside of its contract satisfies.
    pub implied: Vec<Precondition>,
    /// Preconditions that some launch inside of its contract breaks.
    pub contract_gaps: Vec<ContractGap>,
    /// Why nothing ran, as a clause.
    pub unreplayed: Option<String>,
    /// The first part of it that guessed launches do not show, where there are no others.
    pub shortfall: Option<Shortfall>,
    /// Changes for its speed that nobody tried, because runs of it take too long.
    pub untried: u32,
    /// Findings that were made and are not shown.
    pub hidden: Vec<Hidden>,
    /// For each property, a rule about it that is switched off.
    #[serde(deserialize_with = "names_by_property")]
    pub switched_off: [Option<Name>; Property::COUNT],
}

/// Reads names by property.
fn names_by_property<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<[Option<Name>; Property::COUNT], D::Error> {
    #[derive(Deserialize)]
    struct Read(#[serde(with = "a2lint_source::names")] Name);
    let names = <[Option<Read>; Property::COUNT]>::deserialize(deserializer)?;
    Ok(names.map(|name| name.map(|Read(name)| name)))
}

/// A finding that is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// The rule that made it.
    #[serde(with = "a2lint_source::names")]
    pub rule: Name,
    /// The property that it speaks against.
    pub property: Option<Property>,
    /// Its place.
    pub at: Span,
    /// Who hides it.
    pub by: HiddenBy,
}

/// Who hides a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HiddenBy {
    /// A comment.
    Comment,
    /// The baseline.
    Baseline,
    /// The number of findings of a file that are shown.
    Limit,
}

/// Something of a kernel that nobody looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What was not done.
    pub kind: GapKind,
    /// Why, as a clause.
    pub because: String,
    /// The place, where there is one.
    pub at: Option<Span>,
}

/// What was not done with a kernel, the earliest step first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// Code of it could not be evaluated.
    PartlyTraced,
    /// Nothing ran.
    NotReplayed,
    /// A launch did not come to its end, or not everything of it was done.
    PartlyReplayed,
    /// A launch ran at smaller sizes only.
    Shrunk,
    /// Nobody launches it, and no size that the checker chose shows all of it.
    PartlyGuessed,
    /// Nobody launches it; it ran with sizes that the checker chose.
    Guessed,
}

impl GapKind {
    /// Every kind, in the order of reports.
    pub const ALL: [GapKind; 6] = [
        GapKind::PartlyTraced,
        GapKind::NotReplayed,
        GapKind::PartlyReplayed,
        GapKind::Shrunk,
        GapKind::PartlyGuessed,
        GapKind::Guessed,
    ];

    /// A few words about a kernel with such a gap.
    pub fn label(self) -> &'static str {
        match self {
            GapKind::Shrunk => "tested at smaller sizes",
            GapKind::PartlyGuessed => "partly tested with guessed sizes",
            GapKind::Guessed => "tested with guessed sizes",
            GapKind::PartlyTraced | GapKind::NotReplayed | GapKind::PartlyReplayed => self.clause(),
        }
    }

    /// What is said of a kernel with such a gap, after the number of kernels.
    pub fn clause(self) -> &'static str {
        match self {
            GapKind::PartlyTraced => "not read whole",
            GapKind::NotReplayed => "not replayed",
            GapKind::PartlyReplayed => "not replayed whole",
            GapKind::Shrunk => "replayed at smaller sizes than asked for",
            GapKind::PartlyGuessed => "replayed in part, with guessed sizes",
            GapKind::Guessed => "replayed with guessed sizes only",
        }
    }
}

impl KernelRecord {
    /// What was looked at of a kernel: `replay` is what ran, or why nothing did.
    pub fn of(program: &Program, proofs: Proofs, replay: Result<&Replay, &str>) -> KernelRecord {
        let (launches, unreplayed, shortfall) = match replay {
            Ok(replay) => {
                let reason = replay.reason.clone();
                (replay.launches.clone(), reason, replay.shortfall)
            }
            Err(reason) => (Vec::new(), Some(reason.to_owned()), None),
        };
        let Comparison { implied, gaps } = Comparison::of(program, &proofs);
        KernelRecord {
            name: program.name.clone(),
            dialect: program.dialect,
            span: program.name_span,
            unknown: unknown(program),
            contract: program.contract.texts().map(str::to_owned).collect(),
            launches,
            not_read: Vec::new(),
            proofs,
            implied,
            contract_gaps: gaps,
            unreplayed,
            shortfall,
            untried: 0,
            hidden: Vec::new(),
            switched_off: [None; Property::COUNT],
        }
    }

    /// The first thing of it that nobody looked at.
    pub fn gap(&self) -> Option<Gap> {
        if let Some(code) = self.unknown.first() {
            return Some(Gap {
                kind: GapKind::PartlyTraced,
                because: code.what.clone(),
                at: Some(code.span),
            });
        }
        if let Some(because) = &self.unreplayed {
            return Some(Gap {
                kind: GapKind::NotReplayed,
                because: because.clone(),
                at: None,
            });
        }
        match self.launches.iter().any(is_asked) {
            true => self.asked_gap(),
            false => Some(self.invented_gap()),
        }
    }

    /// What is open of the launches that somebody asks for: of those that did not come to their end,
    /// then of those that did.
    fn asked_gap(&self) -> Option<Gap> {
        let asked = || self.launches.iter().filter(|run| is_asked(run));
        let is_finished = |run: &LaunchRun| run.outcome == LaunchOutcome::Finished;
        let run = asked()
            .find(|run| !is_finished(run))
            .or_else(|| asked().find(|run| !run.is_shrunk && run.reason.is_some()))
            .or_else(|| asked().find(|run| run.reason.is_some()))?;
        Some(Gap {
            kind: match self.launches.iter().any(is_finished) {
                false => GapKind::NotReplayed,
                true if is_finished(run) && run.is_shrunk => GapKind::Shrunk,
                true => GapKind::PartlyReplayed,
            },
            because: ending(run),
            at: run.span,
        })
    }

    /// What is open of a kernel that nobody launches: its launches at least.
    fn invented_gap(&self) -> Gap {
        let ended = |outcome| move |run: &&LaunchRun| run.outcome == outcome;
        let refused = || self.launches.iter().find(ended(LaunchOutcome::Refused));
        let mut finished = self.launches.iter().filter(ended(LaunchOutcome::Finished));
        let is_replayed = finished.clone().next().is_some();
        // Sizes are not the only thing that was guessed.
        let doubtful = finished.find(|run| run.reason.is_some());
        let (kind, because) = match refused().or(doubtful) {
            Some(run) if is_replayed => (GapKind::PartlyReplayed, ending(run)),
            None if is_replayed => match self.shortfall {
                Some(left) => {
                    return Gap {
                        kind: GapKind::PartlyGuessed,
                        because: left.clause().to_owned(),
                        at: Some(left.span()),
                    };
                }
                None => (GapKind::Guessed, self.guessed_because()),
            },
            run => {
                let run = run.or(self.launches.first());
                let because = run.map_or_else(|| "nothing launches it".to_owned(), ending);
                (GapKind::NotReplayed, because)
            }
        };
        Gap {
            kind,
            because,
            at: None,
        }
    }

    /// Why guessed sizes are not what somebody asks for.
    fn guessed_because(&self) -> String {
        match self.has_extents() {
            true => "no launch of it is in sight, only its contract".to_owned(),
            false => NO_EXTENTS.to_owned(),
        }
    }

    /// Whether somebody gives the extents of its tensors: a launch, or the contract.
    fn has_extents(&self) -> bool {
        let gives = |run: &LaunchRun| is_asked(run) || !self.contract.is_empty();
        self.launches
            .iter()
            .any(|run| run.has_extents && gives(run))
    }

    /// What is known of each property; `findings` are those of the file that are shown.
    pub fn verdicts(&self, findings: &[Finding]) -> Verdicts {
        let gap = self.gap();
        Property::ALL.map(|property| Verdict {
            property,
            status: self.status(property, findings, gap.as_ref()),
        })
    }

    fn status(&self, property: Property, findings: &[Finding], gap: Option<&Gap>) -> Status {
        let against: Vec<usize> = (0..findings.len())
            .filter(|&at| findings[at].is_in(&self.name))
            .filter(|&at| crate::property_of(&findings[at]) == Some(property))
            .collect();
        let is_proof = |&&at: &&usize| findings[at].basis.is_proof();
        let refuting: Vec<usize> = against.iter().filter(is_proof).copied().collect();
        if !refuting.is_empty() {
            return Status::Refuted { findings: refuting };
        }
        let undecided = |because: String, at| Status::Undecided { because, at };
        let is_tested = |gap: &&Gap| {
            use GapKind::{Guessed, PartlyGuessed, Shrunk};
            matches!(gap.kind, Shrunk | PartlyGuessed | Guessed)
        };
        if let Some(proved) = self.proved(property, against.is_empty()) {
            return proved;
        }
        if let Some(gap) = gap.filter(|gap| !is_tested(gap)) {
            return undecided(gap.because.clone(), gap.at);
        }
        if let Some(&at) = against.first() {
            let finding = &findings[at];
            let because = format!("`{}` reports what may break it", finding.name);
            return undecided(because, Some(finding.span));
        }
        let mut hidden = self.hidden.iter();
        if let Some(hidden) = hidden.find(|it| it.property == Some(property)) {
            let by = match hidden.by {
                HiddenBy::Comment => "silenced by a comment",
                HiddenBy::Baseline => "hidden by the baseline",
                HiddenBy::Limit => "one finding too many to be shown",
            };
            return undecided(format!("`{}` is {by}", hidden.rule), Some(hidden.at));
        }
        if let Some(rule) = self.switched_off[property as usize] {
            return undecided(format!("`{rule}` is switched off"), None);
        }
        if let Some(because) = self.beyond_proof(property) {
            return undecided(because, None);
        }
        // A launch that ends in a deadlock is no test that a kernel has passed.
        let mut runs = self.launches.iter();
        let deadlock = runs.find(|run| run.outcome == LaunchOutcome::Deadlock);
        if let Some(run) = deadlock.filter(|_| property == Property::Progress) {
            return undecided(ending(run), run.span);
        }
        if let Some(shortfall) = self.shortfall.filter(|it| it.concerns(property)) {
            return undecided(shortfall.clause().to_owned(), Some(shortfall.span()));
        }
        match (property, self.proofs.get(property)) {
            (Property::Bounds, _) if !self.has_extents() => undecided(NO_EXTENTS.to_owned(), None),
            // What sizes that the checker chose leave unstored is not looked at.
            (Property::Ownership, Proof::Open { because, at }) if !self.has_extents() => {
                undecided(because.clone(), *at)
            }
            _ => Status::Tested,
        }
    }

    /// What is proved of a property, where nothing that was found speaks against it.
    fn proved(&self, property: Property, is_unopposed: bool) -> Option<Status> {
        let mut hidden = self.hidden.iter();
        let is_hidden = hidden.any(|hidden| hidden.property == Some(property));
        match self.proofs.get(property) {
            Proof::Holds { under, assuming }
                if is_unopposed
                    && !is_hidden
                    && self.unknown.is_empty()
                    && self.excluded(under).is_none()
                    && self.contract_gap(under).is_none() =>
            {
                let (shapes, others): (Vec<_>, Vec<_>) =
                    assuming.iter().partition(|it| it.shape().is_some());
                let under = under.iter().map(Precondition::to_string);
                Some(Status::Proved {
                    under: shapes
                        .into_iter()
                        .map(Assumption::to_string)
                        .chain(under)
                        .collect(),
                    assuming: others.into_iter().map(Assumption::to_string).collect(),
                })
            }
            _ => None,
        }
    }

    /// The first launch that somebody asks for and that preconditions exclude, or are not known to hold in, and
    /// by which. They may be stronger than needed, so the launch itself shows what is right; nothing is proved of it.
    fn excluded<'r>(
        &'r self,
        under: &'r [Precondition],
    ) -> Option<(&'r LaunchRun, &'r Precondition)> {
        let asked = self.launches.iter().filter(|run| is_asked(run));
        let mut pairs = asked.flat_map(|run| under.iter().map(move |condition| (run, condition)));
        pairs.find(|(run, condition)| {
            let argument = |wanted: &str| {
                let mut arguments = run.arguments.iter();
                let given = arguments.find(|(name, _)| name == wanted);
                given.map(|(_, value)| *value as i64)
            };
            match condition.holds_of(argument) {
                Some(holds) => !holds,
                // Where extents are asked for, proofs have seen no launch: not this one either.
                None => run.has_extents,
            }
        })
    }

    /// The first of some preconditions that a launch inside of the contract breaks.
    fn contract_gap(&self, under: &[Precondition]) -> Option<&ContractGap> {
        let mut gaps = self.contract_gaps.iter();
        gaps.find(|gap| gap.conditions.iter().any(|it| under.contains(it)))
    }

    /// Why the proof of a property does not speak of all launches that the contract allows.
    fn beyond_proof(&self, property: Property) -> Option<String> {
        let Proof::Holds { under, .. } = self.proofs.get(property) else {
            return None;
        };
        let gap = self.contract_gap(under)?;
        let condition = gap.text();
        Some(match &gap.launch {
            Some(launch) => format!(
                "it is proved if {condition}, and the contract also allows {}",
                number_list(launch)
            ),
            None => format!("it is proved if {condition}, which the contract contradicts"),
        })
    }

    /// The proofs that verdicts rest on: preconditions and assumptions.
    fn used<'r>(
        &'r self,
        verdicts: &'r [Verdict],
    ) -> impl Iterator<Item = (&'r Vec<Precondition>, &'r Vec<Assumption>)> {
        verdicts.iter().filter_map(|verdict| {
            let is_proved = matches!(verdict.status, Status::Proved { .. });
            match self.proofs.get(verdict.property) {
                Proof::Holds { under, assuming } if is_proved => Some((under, assuming)),
                _ => None,
            }
        })
    }

    /// The preconditions of all that is proved of it that may not stand beside the word "clean"
    /// ([`Precondition::is_usual`]) and do not follow from its contract: all that it holds for.
    pub fn restrictions(&self, verdicts: &[Verdict]) -> Vec<String> {
        let used = self.used(verdicts).flat_map(|(under, _)| under);
        let narrow = used.filter(|it| !it.is_usual() && !self.implied.contains(it));
        let together = Precondition::together(narrow);
        together.iter().map(Precondition::restriction).collect()
    }

    /// What launches have to satisfy for all that is proved of it, each thing once.
    pub fn preconditions(&self, verdicts: &[Verdict]) -> Vec<String> {
        let (under, assuming): (Vec<_>, Vec<_>) = self.used(verdicts).unzip();
        let mut shapes: Vec<&str> = assuming
            .into_iter()
            .flatten()
            .filter_map(Assumption::shape)
            .collect();
        shapes.sort_unstable();
        shapes.dedup();
        let together = Precondition::together(under.into_iter().flatten());
        let shapes = shapes.into_iter().map(str::to_owned);
        shapes
            .chain(together.iter().map(Precondition::to_string))
            .collect()
    }

    /// Why a property that was tested is not proved, and where.
    pub fn unproved(&self, property: Property) -> Option<(String, Option<Span>)> {
        match self.proofs.get(property) {
            Proof::Open { because, at } => Some((because.clone(), *at)),
            Proof::Holds { under, .. } => {
                if let Some(because) = self.beyond_proof(property) {
                    return Some((because, None));
                }
                let (run, condition) = self.excluded(under)?;
                let launch = launch_text(run);
                let how = match condition.extents() {
                    Some(_) => "was not compared with",
                    None => "excludes",
                };
                let because = format!("it is proved if {condition}, which {how} {launch}");
                Some((because, run.span))
            }
        }
    }

    /// Takes note of the launches that somebody gives and that cannot be used.
    pub fn take_unusable(&mut self, notes: &[Note]) {
        for note in notes {
            let NoteKind::UnusableLaunch {
                kernel,
                is_configured,
                ..
            } = &note.kind
            else {
                continue;
            };
            if kernel.as_deref() == Some(self.name.as_str()) {
                self.launches.push(LaunchRun {
                    source: match is_configured {
                        true => LaunchSource::Configuration,
                        false => LaunchSource::Comment,
                    },
                    arguments: Vec::new(),
                    span: (!is_configured).then_some(note.span),
                    place: None,
                    has_extents: false,
                    is_shrunk: false,
                    outcome: LaunchOutcome::Unusable,
                    reason: Some("its arguments do not fit".to_owned()),
                });
            }
        }
    }

    /// Takes note of launches that nobody read; `kernels` are those that have some.
    pub fn take_unread(&mut self, kernels: &[String]) {
        if kernels.iter().any(|kernel| self.name == *kernel) {
            self.launches.push(LaunchRun {
                source: LaunchSource::File,
                arguments: Vec::new(),
                span: None,
                place: None,
                has_extents: false,
                is_shrunk: false,
                outcome: LaunchOutcome::Skipped,
                reason: Some("the file has more launches than are read".to_owned()),
            });
        }
    }

    /// Takes note of a finding that is not shown.
    pub fn hide(&mut self, finding: &Finding, by: HiddenBy) {
        self.hidden.push(Hidden {
            rule: finding.name,
            property: crate::property_of(finding),
            at: finding.span,
            by,
        });
    }
}

/// Takes note of findings that are not shown, each with its kernel.
pub fn hide(kernels: &mut [KernelRecord], findings: &[Finding], by: HiddenBy) {
    for finding in findings {
        let kernels = kernels.iter_mut();
        let about = kernels.filter(|kernel| finding.is_in(&kernel.name));
        about.for_each(|kernel| kernel.hide(finding, by));
    }
}

/// Whether somebody other than the checker asks for a launch.
fn is_asked(run: &LaunchRun) -> bool {
    !matches!(run.source, LaunchSource::Guess | LaunchSource::Variant)
}

/// `launch(M=64, N=32) was cut: it takes more work than the budget allows`.
fn ending(run: &LaunchRun) -> String {
    let what = match run.outcome {
        LaunchOutcome::Finished => "",
        LaunchOutcome::Cut => " was cut",
        LaunchOutcome::Refused => " cannot run",
        LaunchOutcome::Deadlock => " waits for ever",
        LaunchOutcome::Unusable => " cannot be used",
        LaunchOutcome::Skipped => " was not started",
    };
    let reason = run.reason.as_ref().map(|reason| format!(": {reason}"));
    let launch = match run.arguments.is_empty() {
        true => "the launch".to_owned(),
        false => launch_text(run),
    };
    format!("{launch}{what}{}", reason.unwrap_or_default())
}

/// `launch(M=64, N=32)`.
pub fn launch_text(run: &LaunchRun) -> String {
    let arguments = run.arguments.iter();
    let arguments: Vec<String> = arguments
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("launch({})", arguments.join(", "))
}

/// What of a kernel was not evaluated, statements that raise included: nobody knows what they
/// would have done.
fn unknown(program: &Program) -> Vec<UnknownCode> {
    let mut unknown = program.unknown.clone();
    for note in &program.notes {
        let what = match &note.kind {
            NoteKind::Python(PythonNote::TraceError { exception, .. }) => {
                format!("it raises {exception}")
            }
            NoteKind::Python(PythonNote::NestedKernel { name }) => {
                format!("it calls the kernel `{name}`")
            }
            _ => continue,
        };
        let span = note.span;
        if unknown.iter().all(|code| code.span != span) {
            unknown.push(UnknownCode { span, what });
        }
    }
    unknown
}
