//! The functions with tiles that an evaluation finds. A step that is evaluated several times (in a loop, for several
//! callers, under several conditions of the preprocessor) is one step, with what is the same in all of them.

use a2lint_ir::tile::{
    Address, Compare, EventType, Function, Step, StepKind, Sync, Tile, TileType, Valid,
};
use a2lint_source::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of instances of one function.
const MAX_INSTANCES: usize = 64;
/// Maximum number of functions and instances that are evaluated.
pub const MAX_BODIES: usize = 4096;

/// A function, as an instance of a template or for certain numbers.
#[derive(Debug)]
pub struct Instance {
    /// The function, its steps in no order.
    pub function: Function,
    /// The whole function.
    pub span: Span,
    /// Whether it has arguments of a template, or numbers that a call passes.
    pub is_bound: bool,
    /// Whether a branch that is not decided was left out.
    pub is_cut: bool,
}

/// All functions.
#[derive(Debug, Default)]
pub struct Found {
    /// Those of the checked file.
    pub instances: Vec<Instance>,
    known: FxHashMap<(Span, String), Option<usize>>,
    /// What the present reading of the file has entered.
    entered: FxHashSet<(Span, String)>,
    counts: FxHashMap<Span, usize>,
    /// Functions with more instances than are kept.
    pub crowded: Vec<Span>,
    /// Whether functions were left out.
    pub is_unfinished: bool,
}

impl Found {
    /// Returns whether a function with this name is one of those to evaluate, and its number if it is of the file.
    pub fn enter(&mut self, make: Instance, is_own: bool) -> Option<Option<usize>> {
        let id = make.function.name_span;
        let key = (id, make.function.name.clone());
        self.entered.insert(key.clone());
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.known.len() >= MAX_BODIES {
            self.is_unfinished = true;
            return None;
        }
        let count = self.counts.entry(id).or_default();
        if make.is_bound {
            if *count >= MAX_INSTANCES {
                self.crowded.push(id);
                return None;
            }
            *count += 1;
        }
        let number = is_own.then_some(self.instances.len());
        if is_own {
            self.instances.push(make);
        }
        self.known.insert(key, number);
        Some(number)
    }

    /// Begins another reading of the file.
    pub fn begin(&mut self) {
        self.entered.clear();
    }

    /// Returns the instances of a function.
    pub fn of(&self, name: Span) -> impl Iterator<Item = &Instance> {
        let all = self.instances.iter();
        all.filter(move |it| it.function.name_span == name)
    }

    /// Returns whether a function was entered in this reading, with whatever arguments.
    pub fn has(&self, name: Span) -> bool {
        self.entered.iter().any(|(known, _)| *known == name)
    }

    /// Returns whether an instance was entered in this reading, with whatever numbers.
    pub fn has_instance(&self, name: Span, instance: &str) -> bool {
        let is_it = |text: &str| {
            let rest = text.strip_prefix(instance);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        };
        let mut all = self.entered.iter();
        all.any(|(known, text)| *known == name && is_it(text))
    }
}

impl Instance {
    /// Returns the number of a tile, which is declared here if it is new.
    pub fn tile(&mut self, tile: Tile) -> usize {
        let tiles = &mut self.function.tiles;
        let known = tiles
            .iter()
            .position(|it| it.span == tile.span && it.name == tile.name);
        let Some(at) = known else {
            tiles.push(tile);
            return tiles.len() - 1;
        };
        let before = &mut tiles[at];
        before.own |= tile.own;
        before.ty = common(&before.ty, &tile.ty);
        if tile.own && before.constructed != tile.constructed {
            before.constructed = [None, None];
        }
        at
    }

    /// Adds an event type.
    pub fn event(&mut self, event: EventType) {
        if !self.function.events.contains(&event) {
            self.function.events.push(event);
        }
    }

    /// Adds a step.
    pub fn step(&mut self, step: Step) {
        self.function.manual |= matches!(
            step.kind,
            StepKind::Assign(_) | StepKind::Sync(Sync::Set(..) | Sync::Wait(..))
        );
        let is_it = |known: &&mut Step| {
            (known.span, &known.name) == (step.span, &step.name) && is_alike(known, &step)
        };
        match self.function.steps.iter_mut().find(is_it) {
            Some(known) => join(known, step),
            None => self.function.steps.push(step),
        }
    }
}

fn is_alike(one: &Step, other: &Step) -> bool {
    let spans = |step: &Step| -> Vec<Span> { step.operands().iter().map(|it| it.span).collect() };
    std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
        && spans(one) == spans(other)
}

fn join(known: &mut Step, step: Step) {
    known.events |= step.events;
    match (&mut known.kind, &step.kind) {
        (StepKind::Compare(Compare { mode, .. }), StepKind::Compare(other))
            if *mode != other.mode =>
        {
            *mode = None;
        }
        (StepKind::Sync(sync), StepKind::Sync(other)) if *sync != *other => {
            *sync = Sync::Other;
        }
        _ => {}
    }
    for (one, other) in known.kind.operands_mut().into_iter().zip(step.operands()) {
        one.tile = one.tile.filter(|_| one.tile == other.tile);
        one.ty = match (&one.ty, &other.ty) {
            (Some(one), Some(other)) => Some(common(one, other)),
            _ => None,
        };
        for axis in [0, 1] {
            one.valid[axis] = one.valid[axis].filter(|_| one.valid[axis] == other.valid[axis]);
        }
        if one.address != other.address {
            one.address = Address::Unknown;
        }
    }
}

/// Returns what two types have in common.
fn common(one: &TileType, other: &TileType) -> TileType {
    fn both<T: PartialEq + Copy>(one: Option<T>, other: Option<T>) -> Option<T> {
        one.filter(|_| one == other)
    }
    let valid = |axis: usize| match one.valid[axis] == other.valid[axis] {
        true => one.valid[axis],
        false => Valid::Unknown,
    };
    TileType {
        span: one.span,
        memory: both(one.memory, other.memory),
        element: both(one.element, other.element),
        shape: [0, 1].map(|axis| both(one.shape[axis], other.shape[axis])),
        layout: both(one.layout, other.layout),
        boxed: both(one.boxed, other.boxed),
        fractal: both(one.fractal, other.fractal),
        valid: [valid(0), valid(1)],
        placeholder: one.placeholder || other.placeholder,
    }
}
