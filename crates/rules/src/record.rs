//! The record of what was examined of each kernel, and the verdicts that follow from it.

mod contract;
mod example;

use serde::{Deserialize, Deserializer, Serialize};

use crate::remainder;
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

/// Reason why bounds are undecided.
const NO_EXTENTS: &str = "no launch gives the extents of its tensors";

/// What was examined of one kernel, from the front end to the proofs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelRecord {
    /// Name of the kernel.
    pub name: DisplayName,
    /// The language that the kernel is written in.
    pub dialect: Dialect,
    /// The name in its definition.
    pub span: Span,
    /// Code of the kernel that could not be evaluated; empty if all of it was traced.
    pub unknown: Vec<UnknownCode>,
    /// The conditions of its contract, as written.
    pub contract: Vec<String>,
    /// Every launch of the kernel, and how it ended.
    pub launches: Vec<LaunchRun>,
    /// Files around it that were not read and may contain launches, as clauses.
    pub not_read: Vec<String>,
    /// Proofs of its properties for all launches.
    pub proofs: Proofs,
    /// Preconditions that every launch within the contract satisfies.
    pub implied: Vec<Precondition>,
    /// Preconditions that some launch within the contract breaks.
    pub contract_gaps: Vec<ContractGap>,
    /// Why the kernel did not run, as a clause.
    pub unreplayed: Option<String>,
    /// The first part of the kernel that guessed launches do not cover, if all launches are guesses.
    pub shortfall: Option<Shortfall>,
    /// A launch with sizes that the checker chose, as a comment that asks for it.
    pub example: Option<String>,
    /// What begins a comment in the kernel's language.
    pub comment: String,
    /// The extents of each tensor as a contract can state them: `("z", "[tiling.totalLength]")`.
    pub extents: Vec<(String, String)>,
    /// Number of rewrites for speed that were not tried because a run takes too long.
    pub untried: u32,
    /// Findings that are not shown.
    pub hidden: Vec<Hidden>,
    /// For each property, a rule about it that is switched off.
    #[serde(deserialize_with = "names_by_property")]
    pub switched_off: [Option<Name>; Property::COUNT],
}

/// Deserializes rule names as interned names.
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
    /// The rule that reported it.
    #[serde(with = "a2lint_source::names")]
    pub rule: Name,
    /// The property that it speaks against.
    pub property: Option<Property>,
    /// The place at which it is reported.
    pub at: Span,
    /// The reason why it is hidden.
    pub by: HiddenBy,
}

/// The reason why a finding is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HiddenBy {
    /// A suppression comment.
    Comment,
    /// The baseline.
    Baseline,
    /// The limit on the number of shown findings per file.
    Limit,
}

/// A part of a kernel that was not examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The way in which the examination was incomplete.
    pub kind: GapKind,
    /// The reason, as a clause.
    pub because: String,
    /// The place, if there is one.
    pub at: Option<Span>,
}

a2lint_isa::named! {
    /// The ways in which the examination of a kernel is incomplete, the earliest step first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum GapKind {
        /// Code of it could not be evaluated.
        PartlyTraced = "not read whole",
        /// No launch ran.
        NotReplayed = "not replayed",
        /// A launch was not run to its end, or a part of its work was skipped.
        PartlyReplayed = "not replayed whole",
        /// A launch ran only at smaller sizes.
        Shrunk = "replayed at smaller sizes than asked for",
        /// No launch is known, and the guessed sizes do not cover all of the kernel.
        PartlyGuessed = "replayed in part, with guessed sizes",
        /// No launch is known; the kernel ran with guessed sizes.
        Guessed = "replayed with guessed sizes only",
    }
    /// Returns the clause that follows, in the summary, the number of kernels whose examination was incomplete in this
    /// way.
    fn clause
}

/// The preconditions of a kernel's proofs, for a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Conditions that exclude something: shapes of tensors, limits.
    pub stated: Vec<String>,
    /// Parameters that may have any size of at least one element.
    pub any_size: Vec<String>,
    /// Whether products of sizes are limited as well, by what an index can hold.
    pub fits_indices: bool,
}

impl GapKind {
    /// Returns a short label for a kernel whose examination was incomplete in this way.
    pub fn label(self) -> &'static str {
        match self {
            GapKind::Shrunk => "tested at smaller sizes",
            GapKind::PartlyGuessed => "partly tested with guessed sizes",
            GapKind::Guessed => "tested with guessed sizes",
            GapKind::PartlyTraced | GapKind::NotReplayed | GapKind::PartlyReplayed => self.clause(),
        }
    }
}

impl KernelRecord {
    /// Records a kernel. `replay` is its runs, or the reason why there are none.
    pub fn of(program: &Program, proofs: Proofs, replay: Result<&Replay, &str>) -> KernelRecord {
        let proofs = with_divisions(program, proofs);
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
            example: replay.ok().and_then(|replay| example::of(program, replay)),
            comment: program.toolchain.notation.comment().to_owned(),
            extents: replay.map_or_else(|_| Vec::new(), |replay| example::extents(program, replay)),
            untried: 0,
            hidden: Vec::new(),
            switched_off: [None; Property::COUNT],
        }
    }

    /// Returns the first part of the examination of the kernel that was left out, if any.
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

    /// Returns why the replay of the requested launches was incomplete, if it was: a launch that did not finish comes
    /// before one that finished with reservations.
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

    /// Returns why the replay of a kernel without requested launches was incomplete. It always was: its sizes are
    /// guesses.
    fn invented_gap(&self) -> Gap {
        let ended = |outcome| move |run: &&LaunchRun| run.outcome == outcome;
        let refused = || self.launches.iter().find(ended(LaunchOutcome::Refused));
        let mut finished = self.launches.iter().filter(ended(LaunchOutcome::Finished));
        let is_replayed = finished.clone().next().is_some();
        // A finished launch has a reason if its run is doubtful for more than its guessed sizes.
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

    /// Returns why guessed sizes do not count as requested ones.
    fn guessed_because(&self) -> String {
        match self.has_extents() {
            true => "no launch of it is in sight, only its contract".to_owned(),
            false => NO_EXTENTS.to_owned(),
        }
    }

    /// Returns whether the extents of its tensors are given, by a launch or by the contract.
    fn has_extents(&self) -> bool {
        let gives = |run: &LaunchRun| is_asked(run) || !self.contract.is_empty();
        self.launches
            .iter()
            .any(|run| run.has_extents && gives(run))
    }

    /// Returns the verdict on each property; `findings` are the shown findings of the file.
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
        // A deadlocked launch says nothing for progress: its run did not pass.
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
            // Elements that guessed sizes leave unstored are not examined, so the runs are no test of ownership.
            (Property::Ownership, Proof::Open { because, at }) if !self.has_extents() => {
                undecided(because.clone(), *at)
            }
            _ => Status::Tested,
        }
    }

    /// Returns the status that proofs give a property, unless a finding, unread code, a requested launch or the
    /// contract contradicts the proof.
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
                    assuming.iter().partition(|it| it.condition().is_some());
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

    /// Returns the first requested launch that a precondition excludes or does not decide, with that
    /// precondition. Preconditions may be stronger than needed: such a launch is not an error, but the proof says
    /// nothing about it.
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
                // Preconditions on extents cannot be evaluated with scalars alone. A launch that gives extents
                // may break them.
                None if self.proofs.holds_in_sight(condition) => false,
                None => run.has_extents || condition.extents().is_none(),
            }
        })
    }

    /// Returns the first of the known breaches of preconditions by launches within the contract that concerns one of
    /// these preconditions.
    fn contract_gap(&self, under: &[Precondition]) -> Option<&ContractGap> {
        let mut gaps = self.contract_gaps.iter();
        gaps.find(|gap| gap.conditions.iter().any(|it| under.contains(it)))
    }

    /// Returns why the proof of a property does not cover all launches that the contract allows.
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

    /// Iterates over the proofs that verdicts rely on: their preconditions and assumptions.
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

    /// Returns the preconditions of proved properties that have to be named beside "clean" because they are not
    /// usual ([`Precondition::is_usual`]) and do not follow from the contract.
    pub fn restrictions(&self, verdicts: &[Verdict]) -> Vec<String> {
        let used = self.used(verdicts).flat_map(|(under, _)| under);
        let narrow = used.filter(|it| !it.is_usual() && !self.implied.contains(it));
        let together = Precondition::together(narrow);
        together.iter().map(Precondition::restriction).collect()
    }

    /// Returns all preconditions of proved properties, without repetitions.
    pub fn preconditions(&self, verdicts: &[Verdict]) -> Vec<String> {
        let (shapes, together) = self.shapes_and_preconditions(verdicts, |_| true);
        let shapes = shapes.into_iter().map(str::to_owned);
        shapes
            .chain(together.iter().map(Precondition::to_string))
            .collect()
    }

    /// Returns the preconditions of proved properties for a sentence, without those that the contract implies: sizes
    /// without a limit are listed by name.
    pub fn conditions(&self, verdicts: &[Verdict]) -> Conditions {
        let is_new = |it: &&Precondition| {
            let is_any = matches!(it, Precondition::Size(size) if size.is_any());
            is_any || !self.implied.contains(it)
        };
        let (shapes, together) = self.shapes_and_preconditions(verdicts, is_new);
        let mut conditions = Conditions {
            stated: shapes.into_iter().map(str::to_owned).collect(),
            ..Conditions::default()
        };
        for precondition in &together {
            match precondition {
                Precondition::Size(size) if size.is_any() => {
                    conditions.any_size.push(size.name.clone());
                }
                Precondition::Reach(_) if precondition.is_usual() => conditions.fits_indices = true,
                others => conditions.stated.push(others.to_string()),
            }
        }
        conditions
    }

    /// Returns the assumptions that belong beside the preconditions of proved properties, such as shapes, and those
    /// preconditions that are wanted, without repetitions.
    fn shapes_and_preconditions<'r>(
        &'r self,
        verdicts: &'r [Verdict],
        is_wanted: impl Fn(&&'r Precondition) -> bool,
    ) -> (Vec<&'r str>, Vec<Precondition>) {
        let used: Vec<_> = self.used(verdicts).collect();
        let assuming = used.iter().flat_map(|(_, assuming)| assuming.iter());
        let mut shapes: Vec<&str> = assuming.filter_map(Assumption::condition).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let under = used.iter().flat_map(|(under, _)| under.iter());
        let under = under.filter(is_wanted);
        (shapes, Precondition::together(under))
    }

    /// Returns whether a property is proved for some launches, although a requested launch may not be among them.
    pub fn has_proof(&self, property: Property) -> bool {
        matches!(self.proofs.get(property), Proof::Holds { .. })
    }

    /// Returns why a property that was tested is not proved, and where.
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

    /// Records launches of comments and the configuration that cannot be used.
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
                    unstored: Vec::new(),
                });
            }
        }
    }

    /// Records that launches of the file were not read; `kernels` names the kernels that have some.
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
                unstored: Vec::new(),
            });
        }
    }

    /// Records a finding that is not shown.
    pub fn hide(&mut self, finding: &Finding, by: HiddenBy) {
        self.hidden.push(Hidden {
            rule: finding.name,
            property: crate::property_of(finding),
            at: finding.span,
            by,
        });
    }
}

/// Records findings that are not shown in the kernels that they are about.
pub fn hide(kernels: &mut [KernelRecord], findings: &[Finding], by: HiddenBy) {
    for finding in findings {
        let kernels = kernels.iter_mut();
        let about = kernels.filter(|kernel| finding.is_in(&kernel.name));
        about.for_each(|kernel| kernel.hide(finding, by));
    }
}

/// Says where a division leaves its rest out, if that keeps an output from being proved whole.
fn with_divisions(program: &Program, mut proofs: Proofs) -> Proofs {
    for (because, at) in proofs.open_mut() {
        let name = because.strip_prefix("not shown: that every element of `");
        let Some(name) = name.and_then(|rest| rest.split('`').next()) else {
            continue;
        };
        let mut outputs = program.outputs.iter().copied();
        let output = outputs.find(|id| program.global(*id).name.as_str() == name);
        let stores = output.map(|id| remainder::stores(program, id));
        let place = stores.and_then(|stores| remainder::dropped(program, &stores));
        if let Some(place) = place {
            because.push_str(": a division leaves its rest out, unless it comes out even");
            *at = Some(place);
        }
    }
    proofs
}

/// Returns whether a launch was requested, rather than chosen by the checker.
fn is_asked(run: &LaunchRun) -> bool {
    !matches!(run.source, LaunchSource::Guess | LaunchSource::Variant)
}

/// Formats how a launch ended: `launch(M=64, N=32) was cut: it takes more work than the budget allows`.
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

/// Formats a launch: `launch(M=64, N=32)`.
pub fn launch_text(run: &LaunchRun) -> String {
    let arguments = run.arguments.iter();
    let arguments: Vec<String> = arguments
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("launch({})", arguments.join(", "))
}

/// Returns the code of a kernel that was not evaluated. Statements that raise are part of it: what would have
/// followed is unknown.
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
            unknown.push(UnknownCode {
                span,
                what,
                is_follower: false,
            });
        }
    }
    unknown
}
