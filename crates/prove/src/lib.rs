//! Proves properties of a kernel: each holds in every launch, holds under preconditions, or stays open with a
//! reason.
//!
//! [`Proofs::of`] takes the facts of a kernel and the known launches and returns a [`Proof`] for each
//! `ir::verdict::Property`. A proof may rely on another property (order is about accesses that stay inside of
//! their tensors); if that is not proved of all launches, the proof names it as an [`Assumption`].
//!
//! # Modules
//! - `capacity`: sums of buffers, and what products stage into L0.
//! - `operands`: asks the machine about each instruction (`machine::Trial`, which executes nothing), for every
//!   combination of values that its numbers may have; on-chip tensors are small, so these are few.
//! - `one_row`: operands and definedness where a launch gives the sizes of on-chip tensors.
//! - `bounds`, `ownership`, `coverage`: windows of moves stay inside of their tensors; no two lanes store one
//!   element; every element of an output is stored. They use linear arithmetic of `analysis::proof`, refuted case
//!   by case.
//! - `order`: the open pairs of `analysis::Order`, under every reading of `auto_sync`; `stores`: scalar stores before a
//!   barrier.
//! - `progress`: one lane of each side executed in turn is a schedule. If every wait finds its token in it, and control
//!   does not depend on a lane or on data, no schedule stops. `bridges`: that schedule where the sides are written
//!   apart.
//! - `scalars`: no division by zero, no integer leaves its type; polynomials in parameters bound how large numbers get.
//! - `initialised`: follows the lanes of a core together. Each cell of memory has a label, the condition under
//!   which it is defined (`labels`); it relies on order and progress.
//! - `demands`: tries again what is open, for launches that keep sums of parameters from being negative, as
//!   `tail <= tile`.
//! - `whole_tiles`: proofs for sizes that are multiples of the tiles they are cut into.
//! - `legal`: instructions with legal operands, which later attempts leave out.
//! - `precondition`, `assumption`: what a proof requires of a launch, and what it assumes. `broken`: which
//!   properties a run refutes; tests compare that with proofs.
//!
//! # What it must not know
//! Rules and findings. The verdict is decided by `rules::record`, where findings overrule proofs.
//!
//! # Where to start reading
//! [`Proofs::of`] and `Subject::prove` in `lib.rs`; `analysis::weakest_precondition`, which tries a proof without
//! preconditions, with all of them, and then drops those that are not needed; then the module of a property, each
//! of which has a function `prove`.
//!
//! # Invariants
//! - No launch inside of the preconditions breaks what is proved: every known launch and random programs
//!   (`launches_break_nothing_that_is_proved`, `random_programs_break_nothing_that_is_proved` in `tests/it/prove.rs`),
//!   random launches (`random_launches_break_nothing_that_is_proved` in `tests/it/prove_launches.rs`,
//!   `random_launches_of_ascendc_break_nothing_that_is_proved` in `tests/it/ascendc_proofs.rs`), shares of a loop
//!   (`what_is_proved_of_shares_is_so` in `tests/it/prove_shares.rs`), and the bad cases of all rules
//!   (`bad_cases_break_nothing_that_is_proved` in `tests/it/prove.rs`).
//! - Preconditions are hardly stronger than needed (`preconditions_are_hardly_stronger_than_needed` in
//!   `tests/it/prove_launches.rs`, measured on request).
//! - A precondition that leaves out launches is printed with the word "clean"
//!   (`what_leaves_out_launches_has_to_be_said`; `Precondition::is_usual`).
//! - Code that could not be evaluated and a statement that raises leave nothing proved (`hidden` in `lib.rs`); after
//!   `reset_cache()`, nothing is proved of on-chip memory (`Subject::prove`).
//!
//! # What it can miss
//! Proofs are incomplete: `Proof::Open` says why. Preconditions are scalar parameters that are at least 1 or at most a
//! number, polynomials in them, multiples, sums that are not negative, types, one lane, and extents of tensors, in one
//! parameter or as a sum of products; a kernel that needs another kind stays open.
//! Whether a tensor that a launch passes is defined, and has the type of its tiles, is assumed.

// String slices at unchecked positions panic inside of a character; `text::Slice` accepts any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod assumption;
mod bounds;
mod bridges;
mod broken;
mod capacity;
mod coverage;
mod demands;
mod initialised;
mod legal;
mod one_row;
mod operands;
mod order;
mod ownership;
mod precondition;
mod progress;
mod scalars;
mod stores;
mod whole_tiles;

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use a2lint_analysis::{Analysis, KernelFacts, relies_on_types, sizes};
use a2lint_ir::verdict::Property;
use a2lint_ir::{NoteKind, Program, PythonNote, StmtId, VariableId};
use a2lint_machine::{BoundLaunch, Value};
use a2lint_source::guard::{both, in_kernel};
use a2lint_source::text::Span;

use legal::Legal;

pub use assumption::Assumption;
pub use broken::is_broken;
pub use precondition::{Base, Extents, Floats, Least, Limit, NamedSum, Precondition, Size};

/// The result of trying to prove a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Proof {
    /// The property holds in every launch that satisfies the preconditions.
    Holds {
        /// The preconditions.
        under: Vec<Precondition>,
        /// The assumptions.
        assuming: Vec<Assumption>,
    },
    /// The property is not proved.
    Open {
        /// The reason, as a clause.
        because: String,
        /// The place of the obstacle, if it has one.
        at: Option<Span>,
    },
}

/// Assumption of proofs about global memory if bounds are not proved of all launches.
const STAYS_IN_GLOBALS: &str = "accesses to global tensors stay inside of them";

/// Assumption of proofs that use scalars if these are not proved.
const KEEPS_TYPES: &str = "integers stay inside of their types";

/// The reason why nothing is proved of on-chip memory if tensors share addresses.
const OVERLAPS: &str =
    "on-chip memory is allocated a second time, so that buffers may share addresses";

/// Assumption of bounds if operands are not proved of all launches.
const LEGAL: &str = "operands are legal";

/// The proof of each property of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proofs(
    [Proof; Property::COUNT],
    /// The preconditions on tensors or lanes that all known launches satisfy.
    Vec<Precondition>,
);

/// The facts that all proofs use.
struct Subject<'p> {
    kernel: &'p KernelFacts<'p>,
    program: &'p Program,
    analysis: &'p Analysis<'p>,
    launches: Vec<&'p BoundLaunch>,
    /// The instructions with legal operands, as far as attempts have shown.
    legal: Mutex<Legal>,
}

impl<'p> Subject<'p> {
    fn new(kernel: &'p KernelFacts<'p>, launches: Vec<&'p BoundLaunch>) -> Subject<'p> {
        Subject {
            kernel,
            program: kernel.program(),
            analysis: kernel.analysis(),
            launches,
            legal: Mutex::default(),
        }
    }

    /// Creates the subject of further attempts, whose launches satisfy more demands.
    fn demanding(&self, kernel: &'p KernelFacts<'p>) -> Subject<'p> {
        Subject {
            legal: Mutex::new(self.legal()),
            ..Subject::new(kernel, self.launches.clone())
        }
    }

    /// Returns a copy of what attempts have shown of operands.
    fn legal(&self) -> Legal {
        self.legal.lock().map(|it| it.clone()).unwrap_or_default()
    }
}

impl Default for Proofs {
    /// Returns proofs in which every property is open, since none was tried.
    fn default() -> Self {
        let open = || Proof::open("no proof was tried");
        Proofs(Property::ALL.map(|_| open()), Vec::new())
    }
}

impl Proofs {
    /// Proves the properties of a kernel; `launches` are the requested ones.
    pub fn of<'l>(kernel: &KernelFacts, launches: impl Iterator<Item = &'l BoundLaunch>) -> Proofs {
        let subject = Subject::new(kernel, launches.collect());
        let program = subject.program;
        if let Some(open) = hidden(program) {
            return Proofs(Property::ALL.map(|_| open.clone()), Vec::new());
        }
        let mut proofs = Proofs::default();
        // These need no other proof and run on a second thread. Initialised needs operands, order and progress.
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
                proofs.0[Property::Initialised as usize] = subject.prove_initialised(&proofs);
            },
        );
        for (property, proof) in others {
            proofs.0[property as usize] = proof;
        }
        demands::add(&subject, &mut proofs);
        proofs.rely_on_types(program);
        // In this order: initialised is proved only with legal operands, so it must not copy that assumption of
        // bounds.
        proofs.add_what_bounds_need();
        proofs.say_what_is_assumed();
        proofs.join_preconditions();
        proofs.withdraw_what_no_launch_satisfies();
        proofs.compare_with(&subject.launches);
        proofs
    }

    /// Joins the preconditions of each proof, which come from several attempts.
    fn join_preconditions(&mut self) {
        for proof in &mut self.0 {
            if let Proof::Holds { under, .. } = proof {
                *under = Precondition::together(under.iter());
            }
        }
    }

    /// Withdraws the proof of ownership if its limit on the length of an output contradicts the one that bounds
    /// requires: it would hold vacuously, because no launch satisfies both.
    fn withdraw_what_no_launch_satisfies(&mut self) {
        let extents = |property| match self.get(property) {
            Proof::Holds { under, .. } => &under[..],
            Proof::Open { .. } => &[],
        };
        let needed = extents(Property::Bounds)
            .iter()
            .filter_map(Precondition::extents);
        let under = extents(Property::Ownership);
        let contradicts = |most: &Extents| {
            let mut needed = needed.clone();
            needed.any(|least| demands::contradicts(most, least, under))
        };
        let mut covered = under.iter();
        let shorter = covered.find_map(|it| it.extents().filter(|most| contradicts(most)));
        if let Some(shorter) = shorter {
            let because = format!(
                "it is shown that all of `{}` is stored only if it is shorter than accesses reach",
                shorter.name
            );
            self.0[Property::Ownership as usize] = Proof::open(because);
        }
    }

    /// Returns whether a property is proved of a launch.
    pub fn covers(&self, property: Property, launch: &BoundLaunch) -> bool {
        match self.get(property) {
            Proof::Holds { under, .. } => under.iter().all(|it| it.holds_in(launch)),
            Proof::Open { .. } => false,
        }
    }

    /// Records the preconditions on tensors or lanes that all known launches satisfy.
    fn compare_with(&mut self, launches: &[&BoundLaunch]) {
        let held = self.0.iter().flat_map(|proof| match proof {
            Proof::Holds { under, .. } => &under[..],
            Proof::Open { .. } => &[],
        });
        let is_held = |it: &&Precondition| {
            let is_other = it.extents().is_some() || it.concerns_lanes();
            is_other && launches.iter().all(|launch| it.holds_in(launch))
        };
        self.1 = held.filter(is_held).cloned().collect();
    }

    /// Returns whether all known launches satisfy a precondition on more than scalars.
    pub fn holds_in_sight(&self, condition: &Precondition) -> bool {
        self.1.contains(condition)
    }

    /// Returns what the proofs ask for that definedness relies on; `Err` where one of them is open.
    fn before_definedness(&self) -> Result<(Vec<Precondition>, Vec<Assumption>), Proof> {
        let (mut under, mut assuming) = (Vec::new(), Vec::new());
        for property in [Property::Operands, Property::Order, Property::Progress] {
            match self.get(property) {
                Proof::Open { because, at } => {
                    let because = format!("{} is not proved: {because}", property.name());
                    return Err(Proof::open_at(because, *at));
                }
                Proof::Holds {
                    under: more,
                    assuming: others,
                } => {
                    under.extend_from_slice(more);
                    assuming.extend_from_slice(others);
                }
            }
        }
        Ok((under, assuming))
    }

    /// Adds to the proofs that take integers to stay inside of their types what `scalars` needs for that. Limits that
    /// only its proof has are not repeated in the others: these assume the property instead.
    fn rely_on_types(&mut self, program: &Program) {
        if !relies_on_types(program) {
            return;
        }
        let (conditions, assumptions) = match self.get(Property::Scalars) {
            Proof::Holds { under, assuming } => {
                let (shown, needed): (Vec<_>, Vec<_>) =
                    under.iter().cloned().partition(Precondition::is_shown);
                let mut assuming = assuming.clone();
                assuming.extend((!shown.is_empty()).then(|| Assumption::other(KEEPS_TYPES)));
                (needed, assuming)
            }
            Proof::Open { .. } => (Vec::new(), vec![Assumption::other(KEEPS_TYPES)]),
        };
        for property in Property::ALL {
            if let Proof::Holds { under, assuming } = &mut self.0[property as usize]
                && relies(property)
            {
                under.extend(conditions.iter().cloned());
                assuming.extend(assumptions.iter().cloned());
                assuming.sort_unstable();
                assuming.dedup();
            }
        }
    }

    /// Adds the shapes that bounds require to the proof of initialised: data loaded from outside of a tensor
    /// would be undefined.
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

    /// Adds assumptions for what is not proved of all launches. Order and ownership are proved for accesses that
    /// stay inside of their tensors. Bounds are proved for moves with legal lengths: with a negative length, the
    /// device moves something else.
    fn say_what_is_assumed(&mut self) {
        // A precondition on the type of a parameter does not concern places.
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

    /// Iterates over the reasons and places of open properties.
    pub fn open_mut(&mut self) -> impl Iterator<Item = (&mut String, &mut Option<Span>)> {
        self.0.iter_mut().filter_map(|proof| match proof {
            Proof::Open { because, at } => Some((because, at)),
            Proof::Holds { .. } => None,
        })
    }

    /// Moves the places of open properties; a place that no longer exists is dropped.
    pub fn move_places(&mut self, moved: impl Fn(Span) -> Option<Span>) {
        for proof in &mut self.0 {
            if let Proof::Open { at, .. } = proof {
                *at = at.and_then(&moved);
            }
        }
    }

    /// Returns whether a launch with invented extents satisfies all preconditions. Those on extents are skipped,
    /// because its tensors are not given by the user.
    pub fn admit(&self, launch: &BoundLaunch) -> bool {
        self.0.iter().all(|proof| match proof {
            Proof::Holds { under, .. } => under
                .iter()
                .all(|condition| condition.extents().is_some() || condition.holds_in(launch)),
            Proof::Open { .. } => true,
        })
    }

    /// Returns the proof of a property.
    pub fn get(&self, property: Property) -> &Proof {
        &self.0[property as usize]
    }
}

impl Subject<'_> {
    /// Proves a property that needs no other proof.
    fn prove(&self, property: Property) -> Proof {
        match property {
            Property::Capacity | Property::Order | Property::Operands
                if self.program.rewinds_memory =>
            {
                Proof::open(OVERLAPS)
            }
            Property::Capacity => capacity::prove(self),
            Property::Order => order::prove(self),
            Property::Progress => progress::prove(self),
            Property::Ownership => ownership::prove(self),
            Property::Scalars => scalars::prove(self),
            Property::Bounds => bounds::prove(self),
            Property::Operands => operands::prove(self),
            // `Proofs::of` proves it once the others are known.
            Property::Initialised => Proof::open("no proof was tried"),
        }
    }

    /// Proves that no undefined data is used, given the proofs of the other properties.
    fn prove_initialised(&self, proofs: &Proofs) -> Proof {
        if self.program.rewinds_memory {
            return Proof::open(OVERLAPS);
        }
        match one_row::concerns(self.program) {
            true => one_row::initialised(self, proofs),
            false => initialised::prove(self, proofs),
        }
    }

    /// Returns the span of a statement.
    fn span(&self, id: StmtId) -> Option<Span> {
        Some(self.program.statement(id)?.span)
    }

    /// Returns the sizes that a known launch gives as 0 or less. Only for these is it worth an attempt whether
    /// they have to be positive, because it decides whether the launch is covered.
    fn below_one(&self) -> Vec<VariableId> {
        let values = self.launches.iter().flat_map(|bound| &bound.parameters);
        let is_below = |id: VariableId| {
            let mut values = values.clone();
            values.any(|(other, value)| *other == id && matches!(value, Value::Int(..=0)))
        };
        let sizes = self.sizes().into_iter();
        sizes.filter(|&id| is_below(id)).collect()
    }

    /// Returns the parameters that may be integers: no known launch gives them as a float.
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
    /// Creates a proof without preconditions.
    fn holds() -> Proof {
        Proof::Holds {
            under: Vec::new(),
            assuming: Vec::new(),
        }
    }

    /// Creates a proof for launches that give some parameters at least 1.
    fn holds_under(program: &Program, positive: &[VariableId]) -> Proof {
        let under = positive.iter();
        Proof::Holds {
            under: under
                .map(|&id| Precondition::positive(program, id))
                .collect(),
            assuming: Vec::new(),
        }
    }

    /// Returns the proof with further assumptions.
    fn assuming(mut self, more: impl IntoIterator<Item = Assumption>) -> Proof {
        if let Proof::Holds { assuming, .. } = &mut self {
            assuming.extend(more);
        }
        self
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

/// Returns whether the proof of a property uses the values of scalars. Progress executes lanes, and its own analysis of
/// control does not trust types.
fn relies(property: Property) -> bool {
    !matches!(property, Property::Scalars | Property::Progress)
}

/// Returns why nothing can be proved of a kernel: parts of it are unknown.
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
    program
        .hides_instructions()
        .then(|| Proof::open("it has code that could not be evaluated"))
}
