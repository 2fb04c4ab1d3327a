//! How each launch of a kernel ended, and which parts of the kernel guesses do not cover.

use serde::{Deserialize, Serialize};

use a2lint_ir::verdict::Property;
use a2lint_launches::{Candidate, LaunchSource};
use a2lint_machine::{Budget, Doubt, End};
use a2lint_source::text::Span;

/// A launch of a kernel, whether it ran or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchRun {
    /// Where the launch comes from.
    pub source: LaunchSource,
    /// The arguments of the launch: scalars and symbolic extents, in the order of the parameters.
    pub arguments: Vec<(String, f64)>,
    /// The place of the launch in the file; `None` if it is not written there.
    pub span: Option<Span>,
    /// The place of the launch in another file of the project: `tests/test_rows.py:12`.
    pub place: Option<String>,
    /// Whether the extents of its tensors are given. Otherwise they are as large as what the kernel accesses, and
    /// say nothing about bounds.
    pub has_extents: bool,
    /// Whether only smaller sizes ran.
    pub is_shrunk: bool,
    /// How it ended.
    pub outcome: LaunchOutcome,
    /// Why it did not finish, or what was changed or left out, as a clause.
    pub reason: Option<String>,
    /// Ends of outputs that it does not store, such as `` `z`[8192:16384] ``: the host may allocate more than it needs.
    pub unstored: Vec<String>,
}

impl LaunchRun {
    /// Records how a candidate ended.
    pub(super) fn of(
        candidate: &Candidate,
        outcome: LaunchOutcome,
        reason: Option<String>,
    ) -> LaunchRun {
        LaunchRun {
            source: candidate.source,
            arguments: candidate.arguments.clone(),
            span: candidate.span,
            place: candidate.place().map(str::to_owned),
            has_extents: candidate.has_extents,
            is_shrunk: false,
            outcome,
            reason,
            unstored: Vec::new(),
        }
    }
}

a2lint_isa::named! {
    /// How a launch ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum LaunchOutcome {
        /// Every lane finished.
        Finished = "finished",
        /// The budget was exhausted.
        Cut = "cut",
        /// The machine cannot execute it.
        Refused = "refused",
        /// Every remaining lane waits for ever.
        Deadlock = "deadlock",
        /// The arguments of the launch do not fit the kernel.
        Unusable = "unusable",
        /// The launch was not started.
        Skipped = "skipped",
    }
    /// Returns its name in reports.
    fn name
}

impl LaunchOutcome {
    /// Returns how a run ended, and the reason if it did not finish.
    pub(super) fn of(end: &End) -> (LaunchOutcome, Option<String>) {
        match end {
            End::Finished => (LaunchOutcome::Finished, None),
            End::Deadlock(_) => {
                let reason = "every lane that was left waited";
                (LaunchOutcome::Deadlock, Some(reason.to_owned()))
            }
            End::BudgetExhausted(budget) => {
                let reason = match budget {
                    Budget::Instructions => "it executes more statements than the budget allows",
                    Budget::Work => "it takes more work than the budget allows",
                    Budget::Memory => "its cores wait for one another and take too much memory",
                    Budget::Time => "it takes too long",
                };
                (LaunchOutcome::Cut, Some(reason.to_owned()))
            }
            End::Stopped | End::Cancelled => {
                (LaunchOutcome::Cut, Some("it was stopped".to_owned()))
            }
            End::Refused(refusal) => (LaunchOutcome::Refused, Some(refusal.reason.clone())),
        }
    }
}

/// Returns which statements a run did not execute as written, as a clause.
pub(super) fn doubted(doubts: &[Doubt]) -> Option<String> {
    let first = doubts.first()?;
    Some(match doubts.len() - 1 {
        0 => format!("one statement was not run as it stands: {}", first.reason),
        more => format!(
            "{} statements were not run as they stand: {}, …",
            more + 1,
            first.reason
        ),
    })
}

/// A part of a kernel that guessed launches do not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shortfall {
    /// An instruction that no launch executes.
    NotExecuted(Span),
    /// A loop with too few iterations on every lane for its buffers to be used again.
    NotRepeated(Span),
    /// An instruction that takes indices from data, all of which were 0.
    Picked(Span),
    /// An instruction that fails with guessed sizes which the host may never combine.
    HiddenRelations(Span),
    /// A statement with a fault that other contents of tensors may not show.
    Contents(Span),
    /// An instruction that no launch executes, because of contents of tensors that no launch gives.
    Unreached(Span),
    /// A loop whose number of iterations follows from contents of tensors that no launch gives.
    Turns(Span),
}

impl Shortfall {
    /// Returns its place.
    pub fn span(mut self) -> Span {
        *self.span_mut()
    }

    /// Returns its place, for updates.
    pub fn span_mut(&mut self) -> &mut Span {
        match self {
            Shortfall::NotExecuted(span)
            | Shortfall::NotRepeated(span)
            | Shortfall::Picked(span)
            | Shortfall::HiddenRelations(span)
            | Shortfall::Contents(span)
            | Shortfall::Unreached(span)
            | Shortfall::Turns(span) => span,
        }
    }

    /// Formats the reason why the part is not covered, as a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Shortfall::NotExecuted(_) => "no guessed launch executes it",
            Shortfall::NotRepeated(_) => {
                "with guessed sizes no lane iterates this loop often enough to use a buffer again"
            }
            Shortfall::Picked(_) => "it takes indices from data, and all of them were 0",
            Shortfall::HiddenRelations(_) => {
                "guessed sizes break it, which the host may never compute together"
            }
            Shortfall::Contents(_) => {
                "what it does here depends on the values in tensors, which no launch gives"
            }
            Shortfall::Unreached(_) => {
                "no launch executes it: contents of tensors decide, and no launch gives them"
            }
            Shortfall::Turns(_) => {
                "contents of tensors decide how often this loop runs, and no launch gives them"
            }
        }
    }

    /// Returns whether a property cannot be called tested because of this shortfall.
    pub fn concerns(self, property: Property) -> bool {
        match self {
            Shortfall::NotExecuted(_)
            | Shortfall::Picked(_)
            | Shortfall::Contents(_)
            | Shortfall::Unreached(_) => property != Property::Capacity,
            Shortfall::HiddenRelations(_) => property != Property::Order,
            Shortfall::NotRepeated(_) | Shortfall::Turns(_) => {
                matches!(property, Property::Order | Property::Progress)
            }
        }
    }
}
