//! Proofs: for each property of a kernel, whether it holds in every launch, under which preconditions, or why that is
//! open.
//!
//! [`Proofs::of`] takes the facts of a kernel and the launches in sight and gives a [`Proof`] for each
//! `ir::verdict::Property`. A proof of one property takes others for granted where it has to (order speaks of accesses
//! that stay inside of their tensors), and says so as an [`Assumption`].
//!
//! # Modules
//! - `capacity`: sums of buffers, and what products stage into L0.
//! - `operands`: the machine is asked about each instruction (`machine::Trial`, which executes nothing), for all values
//!   that its numbers may have together; on-chip tensors are small, so these are few.
//! - `bounds`, `ownership`, `coverage`: windows of moves stay inside of their tensors; no two lanes store one element;
//!   every element of an output is stored. Linear arithmetic of `analysis::proof`, refuted case by case.
//! - `order`: the open pairs of `analysis::Order`, under every reading of `auto_sync`; `stores`: scalar stores before a
//!   barrier.
//! - `progress`: one lane of each side executed in turn is a schedule. If every wait finds its token in it, and control
//!   does not depend on a lane or on data, no schedule stops.
//! - `scalars`: no division by zero, no integer leaves its type; polynomials in parameters bound how large numbers get.
//! - `initialised`: the lanes of a core followed together. Each cell of memory has a label, the condition under which
//!   it is defined (`labels`); it builds on order and progress.
//! - `precondition`, `assumption`: what a proof asks of a launch, and what it takes for granted. `broken`: what a run
//!   shows of a property, which tests hold against proofs.
//!
//! # What it must not know
//! Rules and findings. What a verdict says in the end is decided by `rules::record`, which findings overrule.
//!
//! # Where to start reading
//! [`Proofs::of`] and `Subject::prove` in `lib.rs`; `analysis::weakest`, which tries a proof without preconditions,
//! with all, and then leaves out what is not needed; then the module of one property, each of which has a function
//! `prove`.
//!
//! # Invariants
//! - No launch inside of the preconditions breaks what is proved: every launch in sight and random programs
//!   (`launches_break_nothing_that_is_proved`, `random_programs_break_nothing_that_is_proved` in `tests/it/prove.rs`),
//!   random launches (`random_launches_break_nothing_that_is_proved` in `tests/it/prove_launches.rs`), shares of a loop
//!   (`what_is_proved_of_shares_is_so` in `tests/it/prove_shares.rs`), and the bad cases of all rules
//!   (`bad_cases_break_nothing_that_is_proved` in `tests/it/prove.rs`).
//! - Preconditions are hardly stronger than needed (`preconditions_are_hardly_stronger_than_needed` in
//!   `tests/it/prove_launches.rs`, measured on request).
//! - A precondition that leaves out launches is printed with the word "clean"
//!   (`what_leaves_out_launches_has_to_be_said`; `Precondition::is_usual`).
//! - Code that could not be evaluated, a statement that raises and `reset_cache()` leave nothing proved (`hidden` in
//!   `lib.rs`).
//!
//! # What it can miss
//! Proofs are incomplete: `Proof::Open` says why. Preconditions are scalar parameters that are at least 1 or at most a
//! number, polynomials in them, multiples, types, and extents of tensors; a kernel that needs another kind stays open.
//! Whether a tensor that a launch passes is defined, and has the type of its tiles, is assumed.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod assumption;
mod bounds;
mod broken;
mod capacity;
mod coverage;
mod initialised;
mod operands;
mod order;
mod ownership;
mod precondition;
mod progress;
mod scalars;
mod stores;

use serde::{Deserialize, Serialize};

use a2lint_analysis::{Analysis, KernelFacts, sizes};
use a2lint_ir::verdict::Property;
use a2lint_ir::{NoteKind, Program, PythonNote, StmtId, VariableId};
use a2lint_machine::{BoundLaunch, Value};
use a2lint_source::guard::{both, in_kernel};
use a2lint_source::text::Span;

pub use assumption::Assumption;
pub use broken::is_broken;
pub use precondition::{Base, Extents, Floats, Least, Limit, Precondition, Size};

/// What is known of a property in all launches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Proof {
    /// It holds in every launch that satisfies the preconditions.
    Holds {
        /// The preconditions.
        under: Vec<Precondition>,
        /// What is taken for granted.
        assuming: Vec<Assumption>,
    },
    /// Nobody knows.
    Open {
        /// Why, as a clause.
        because: String,
        /// The place, where there is one.
        at: Option<Span>,
    },
}

/// What proofs assume where bounds are not proved.
const STAYS_IN_GLOBALS: &str = "accesses to global tensors stay inside of them";

/// What bounds assume where operands are not proved.
const LEGAL: &str = "operands are legal";

/// What is known of each property of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proofs([Proof; Property::COUNT]);

/// What all proofs look at.
struct Subject<'p> {
    kernel: &'p KernelFacts<'p>,
    program: &'p Program,
    analysis: &'p Analysis<'p>,
    launches: Vec<&'p BoundLaunch>,
}

impl<'p> Subject<'p> {
    fn new(kernel: &'p KernelFacts<'p>, launches: Vec<&'p BoundLaunch>) -> Subject<'p> {
        Subject {
            kernel,
            program: kernel.program(),
            analysis: kernel.analysis(),
            launches,
        }
    }
}

impl Default for Proofs {
    /// Nobody has looked.
    fn default() -> Self {
        Proofs(Property::ALL.map(|_| Proof::open("nobody has tried to prove it")))
    }
}

impl Proofs {
    /// Of a kernel; `launches` are those that somebody asks for.
    pub fn of<'l>(kernel: &KernelFacts, launches: impl Iterator<Item = &'l BoundLaunch>) -> Proofs {
        let subject = Subject::new(kernel, launches.collect());
        let program = subject.program;
        if let Some(open) = hidden(program) {
            return Proofs(Property::ALL.map(|_| open.clone()));
        }
        let mut proofs = Proofs::default();
        let alone = [
            Property::Capacity,
            Property::Ownership,
            Property::Scalars,
            Property::Bounds,
        ];
        let beside = |property| (property, subject.prove(property));
        let (others, ()) = both(
            || in_kernel(&program.name, || alone.map(beside)),
            || {
                for property in [Property::Operands, Property::Order, Property::Progress] {
                    proofs.0[property as usize] = subject.prove(property);
                }
                proofs.0[Property::Initialised as usize] = initialised::prove(&subject, &proofs);
            },
        );
        for (property, proof) in others {
            proofs.0[property as usize] = proof;
        }
        proofs.add_what_bounds_need();
        proofs.say_what_is_assumed();
        proofs
    }

    /// What is loaded from outside of a tensor is not what was taken to be defined: what bounds need is needed
    /// there, too.
    fn add_what_bounds_need(&mut self) {
        let (shapes, others) = match self.get(Property::Bounds) {
            Proof::Holds { under, assuming } => {
                let shapes = under.iter().filter(|it| it.extents().is_some());
                (shapes.cloned().collect(), assuming.clone())
            }
            Proof::Open { .. } => (Vec::new(), vec![Assumption::other(STAYS_IN_GLOBALS)]),
        };
        if let Proof::Holds { under, assuming } = &mut self.0[Property::Initialised as usize] {
            under.extend(shapes);
            assuming.extend(others);
            assuming.sort_unstable();
            assuming.dedup();
        }
    }

    /// Order and ownership are proved of accesses that stay inside of their tensors, and bounds of moves that the
    /// device does as they are written: of a length below 0 it moves another one. What is not proved of all
    /// launches is assumed.
    fn say_what_is_assumed(&mut self) {
        // Types of parameters decide about no place.
        let is_float = |condition: &Precondition| matches!(condition, Precondition::Float(_));
        let always = |property: Property| match self.get(property) {
            Proof::Holds { under, assuming } => {
                under.iter().all(is_float) && assuming.iter().all(|it| it.shape().is_none())
            }
            Proof::Open { .. } => false,
        };
        let (fits, stays_inside) = (always(Property::Operands), always(Property::Bounds));
        let mut assume = |property: Property, what: &str| {
            if let Proof::Holds { assuming, .. } = &mut self.0[property as usize] {
                assuming.push(Assumption::other(what));
            }
        };
        match (fits, stays_inside) {
            (true, true) => {}
            (true, false) => assume(Property::Order, STAYS_IN_GLOBALS),
            (false, _) => assume(Property::Order, "accesses stay inside of their tensors"),
        }
        if !fits {
            assume(Property::Bounds, LEGAL);
        }
        if !(fits && stays_inside) {
            assume(Property::Ownership, STAYS_IN_GLOBALS);
        }
    }

    /// Why properties are open, and where, for those that have a place.
    pub fn open_mut(&mut self) -> impl Iterator<Item = (&mut String, &mut Span)> {
        self.0.iter_mut().filter_map(|proof| match proof {
            Proof::Open { because, at } => Some((because, at.as_mut()?)),
            Proof::Holds { .. } => None,
        })
    }

    /// Moves the places of open properties; one that has gone is left out.
    pub fn move_places(&mut self, moved: impl Fn(Span) -> Option<Span>) {
        for proof in &mut self.0 {
            if let Proof::Open { at, .. } = proof {
                *at = at.and_then(&moved);
            }
        }
    }

    /// Whether a launch whose extents were invented satisfies all preconditions: those of extents speak of
    /// tensors that nobody has given.
    pub fn admit(&self, launch: &BoundLaunch) -> bool {
        self.0.iter().all(|proof| match proof {
            Proof::Holds { under, .. } => under
                .iter()
                .all(|condition| condition.extents().is_some() || condition.holds_in(launch)),
            Proof::Open { .. } => true,
        })
    }

    /// Of a property.
    pub fn get(&self, property: Property) -> &Proof {
        &self.0[property as usize]
    }
}

impl Subject<'_> {
    fn prove(&self, property: Property) -> Proof {
        match property {
            Property::Capacity => capacity::prove(self),
            Property::Order => order::prove(self),
            Property::Progress => progress::prove(self),
            Property::Ownership => ownership::prove(self),
            Property::Scalars => scalars::prove(self),
            Property::Bounds => bounds::prove(self),
            Property::Operands => operands::prove(self),
            // With the others, once they are made.
            Property::Initialised => Proof::open("nobody has tried to prove it"),
        }
    }

    /// Where a statement is.
    fn span(&self, id: StmtId) -> Option<Span> {
        Some(self.program.statement(id)?.span)
    }

    /// The sizes that some launch in sight gives as 0 or less: whether they need to be positive decides
    /// about that launch, and is worth an attempt.
    fn below_one(&self) -> Vec<VariableId> {
        let values = self.launches.iter().flat_map(|bound| &bound.parameters);
        let is_below = |id: VariableId| {
            let mut values = values.clone();
            values.any(|(other, value)| *other == id && matches!(value, Value::Int(..=0)))
        };
        let sizes = self.sizes().into_iter();
        sizes.filter(|&id| is_below(id)).collect()
    }

    /// The parameters that may be integers: no launch in sight gives them as a float.
    fn sizes(&self) -> Vec<VariableId> {
        let is_float = |id: VariableId| {
            let mut values = self.launches.iter().flat_map(|bound| &bound.parameters);
            values.any(|(other, value)| *other == id && matches!(value, Value::Float(_)))
        };
        let sizes = sizes(self.program).into_iter();
        sizes.filter(|&id| !is_float(id)).collect()
    }
}

impl Proof {
    /// It holds in every launch.
    fn holds() -> Proof {
        Proof::Holds {
            under: Vec::new(),
            assuming: Vec::new(),
        }
    }

    /// It holds in every launch that gives some parameters at least 1.
    fn holds_under(program: &Program, positive: &[VariableId]) -> Proof {
        let under = positive.iter();
        Proof::Holds {
            under: under
                .map(|&id| Precondition::positive(program, id))
                .collect(),
            assuming: Vec::new(),
        }
    }

    fn open(because: impl Into<String>) -> Proof {
        Proof::Open {
            because: because.into(),
            at: None,
        }
    }

    fn open_at(because: impl Into<String>, at: Option<Span>) -> Proof {
        Proof::Open {
            because: because.into(),
            at,
        }
    }
}

/// Why nothing can be proved of a kernel: parts of it are not known.
fn hidden(program: &Program) -> Option<Proof> {
    if let Some(code) = program.unknown.first() {
        return Some(Proof::open_at(code.what.clone(), Some(code.span)));
    }
    let raises = |kind: &NoteKind| {
        matches!(
            kind,
            NoteKind::Python(PythonNote::TraceError { .. } | PythonNote::NestedKernel { .. })
        )
    };
    if let Some(note) = program.notes.iter().find(|note| raises(&note.kind)) {
        return Some(Proof::open_at("a statement of it raises", Some(note.span)));
    }
    if program.hides_instructions() {
        return Some(Proof::open("it has code that could not be evaluated"));
    }
    program
        .rewinds_memory
        .then(|| Proof::open("`reset_cache()` puts buffers over each other"))
}
