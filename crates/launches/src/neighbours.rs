//! What a size near a given launch claims: whether the extents of tensors follow from the changed scalars, and whether
//! the host may have to change other scalars with them.
//!
//! Elements that no lane stores and accesses outside of a tensor are faults only of a launch whose extents are known.
//! A variant changes scalars of a given launch, so its extents are known where each of them follows from scalars by
//! one relation that all given launches agree on.

use super::contract;
use super::expressions::Expressions;
use super::tails::common_divisor;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::{
    GlobalId, GlobalView, Launch, ParamKind, Program, Scalar, ScalarId, VariableId, View,
};

/// Sizes that are multiples of this are whole blocks, repeats and fractals in every element type.
const WHOLE: i64 = 64;

/// New values of scalars.
pub(super) type Changes = [(String, f64)];
/// Shapes by the name of the tensor.
pub(super) type Shapes = Vec<(String, Vec<i64>)>;

/// The given launches of a kernel, to compare variants with.
pub(super) struct Given<'a> {
    program: &'a Program,
    /// The first is the one that variants change.
    launches: &'a [&'a Launch],
    expressions: Expressions<'a>,
}

impl<'a> Given<'a> {
    /// Prepares the launches of a kernel, of which there is at least one.
    pub(super) fn new(program: &'a Program, launches: &'a [&'a Launch]) -> Self {
        Given {
            program,
            launches,
            expressions: Expressions::of(program),
        }
    }

    /// Returns the shapes of all tensors whose shapes neither contract nor signature gives, under changes of the first
    /// launch. `None` if an extent does not certainly follow from the scalars, or if the host may have to change other
    /// scalars as well.
    pub(super) fn shapes(&self, changes: &Changes) -> Option<Shapes> {
        let base = self.launches.first()?;
        // Host code gives the bytes of an allocation, which may be more than the kernel needs.
        if base.place.is_some() && !self.program.dialect.has_rows() {
            return None;
        }
        let is_fit = |change: &(String, f64)| {
            self.keeps_divisors(change) && self.is_within(change) && self.is_alone(change)
        };
        if !changes.iter().all(is_fit) {
            return None;
        }
        let is_global = |kind| matches!(kind, ParamKind::Global(_));
        let params = self
            .program
            .params
            .iter()
            .filter(|param| is_global(param.kind));
        let mut shapes = Shapes::new();
        for (index, param) in params.enumerate() {
            let ParamKind::Global(id) = param.kind else {
                continue;
            };
            if !self.program.uses_global(id) || self.is_declared(id, &param.name, changes) {
                continue;
            }
            shapes.push((param.name.to_string(), self.shape(id, index, changes)?));
        }
        Some(shapes)
    }

    /// Returns whether contract or signature give the shape of a tensor.
    fn is_declared(&self, id: GlobalId, name: &str, changes: &Changes) -> bool {
        let program = self.program;
        let mut numbers: Vec<(String, f64)> = changes.to_vec();
        numbers.extend(self.launches.iter().flat_map(|it| it.scalars.clone()));
        if program.contract.tensor(name).is_some() {
            return contract::gives_shape(program, name, &numbers);
        }
        let shape = &program.global(id).shape;
        let is_extent =
            |&extent: &ScalarId| matches!(program.scalars.get(extent), Scalar::Extent(..));
        program.toolchain.launches.declares_shapes
            && !shape.is_empty()
            && !shape.iter().any(is_extent)
    }

    /// Returns the shape of a tensor of the launches; `None` if an extent does not certainly follow.
    fn shape(&self, id: GlobalId, index: usize, changes: &Changes) -> Option<Vec<i64>> {
        let launch = self.launches[0];
        let base = launch.tensors.get(index)?;
        let extents = base.shape.as_ref()?.iter().enumerate();
        let shape = extents.map(|(axis, &extent)| match base.spelled.get(axis) {
            Some(Some(name)) if number(launch, name).is_some() => {
                let is_own = number(launch, name) == Some(extent);
                changed(launch, changes, name).filter(|_| is_own)
            }
            // An extent of which the kernel accesses a fixed part does not follow a scalar that happens to equal it.
            _ if !self.enters(id, axis, changes) => Some(extent),
            Some(Some(_)) => None,
            _ => self.followed((index, axis), extent, changes),
        });
        shape.collect()
    }

    /// Returns the new value of an extent that is a number: all scalars, or else all products of two scalars, that it
    /// equals in every launch have to agree.
    fn followed(&self, place: (usize, usize), extent: i64, changes: &Changes) -> Option<i64> {
        let names = self.names();
        let singles = names.iter().map(|&name| vec![name]);
        let pairs = names.iter().enumerate().flat_map(|(at, &first)| {
            let rest = names[at + 1..].iter();
            rest.map(move |&second| vec![first, second])
        });
        let holds = |form: &Vec<&str>| extent > 1 && self.holds(place, form);
        let singles: Vec<Vec<&str>> = singles.filter(holds).collect();
        let forms = match singles.is_empty() {
            true => pairs.filter(holds).collect(),
            false => singles,
        };
        let mut values = forms.iter().map(|form| {
            let mut factors = form
                .iter()
                .map(|name| changed(self.launches[0], changes, name));
            factors.try_fold(1_i64, |product, factor| product.checked_mul(factor?))
        });
        let first = values.next()?;
        first.filter(|_| values.all(|value| value == first))
    }

    /// Returns whether an extent is the product of these scalars in every launch that gives it.
    fn holds(&self, (index, axis): (usize, usize), form: &[&str]) -> bool {
        self.launches.iter().all(|launch| {
            let shape = launch
                .tensors
                .get(index)
                .and_then(|tensor| tensor.shape.as_ref());
            let Some(&extent) = shape.and_then(|shape| shape.get(axis)) else {
                return true;
            };
            let mut factors = form
                .iter()
                .map(|name| number(launch, name).filter(|&it| it > 1));
            factors.try_fold(1_i64, |product, factor| product.checked_mul(factor?)) == Some(extent)
        })
    }

    /// Returns whether a changed scalar may decide which part of an axis the kernel accesses. The counter of a loop
    /// may, as may whatever the kernel computes.
    fn enters(&self, id: GlobalId, axis: usize, changes: &Changes) -> bool {
        let program = self.program;
        let kept: Vec<VariableId> = program
            .params
            .iter()
            .filter(|param| changes.iter().all(|(name, _)| param.name != *name))
            .filter_map(|param| match param.kind {
                ParamKind::Variable(id) => Some(id),
                _ => None,
            })
            .collect();
        let instructions = program.instructions();
        let views = instructions.iter().flat_map(|(_, instr)| instr.operands());
        let mut own = views
            .filter_map(|(_, _, view)| View::global(view))
            .filter(|view| view.global == id);
        let depends = |view: &GlobalView| match view.axes.get(axis) {
            Some(window) => [window.start, window.span].into_iter().any(|scalar| {
                let read = self.expressions.read(scalar);
                read.iter().any(|id| !kept.contains(id))
            }),
            None => true,
        };
        own.any(depends)
    }

    /// Returns the integer scalars of the first launch.
    fn names(&self) -> Vec<&'a str> {
        let launch: &'a Launch = self.launches[0];
        let scalars = launch.scalars.iter();
        let whole = scalars.filter(|(_, value)| whole(*value).is_some());
        whole.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns whether a new value is not above the given ones, apart from what completes the last tile: the host may
    /// know a largest size. A contract says the limit itself.
    fn is_within(&self, (name, value): &(String, f64)) -> bool {
        let values = self
            .launches
            .iter()
            .filter_map(|launch| number(launch, name));
        let (Some(most), Some(value)) = (values.max(), whole(*value)) else {
            return false;
        };
        let tile = self.id(name).and_then(|id| {
            let tile = self.expressions.tile(id);
            let tile = tile.or_else(|| self.expressions.remainder(id));
            tile.or_else(|| self.expressions.unit(id))
        });
        let rest = tile.filter(|&tile| tile > 0).map_or(0, |tile| most % tile);
        let missing = tile.filter(|_| rest > 0).map_or(0, |tile| tile - rest);
        self.is_said(name) || value <= most.saturating_add(missing)
    }

    /// Returns whether the contract names a parameter.
    fn is_said(&self, name: &str) -> bool {
        let mut extents = self.program.contract.extents();
        extents.any(|known| known == name)
    }

    /// Returns the variable of a scalar parameter.
    fn id(&self, name: &str) -> Option<VariableId> {
        let mut params = self.program.params.iter();
        params.find_map(|param| match param.kind {
            ParamKind::Variable(id) if param.name == *name => Some(id),
            _ => None,
        })
    }

    /// Returns whether a new value is a multiple of what the given ones have in common, or the kernel moves any number
    /// of elements.
    fn keeps_divisors(&self, (name, value): &(String, f64)) -> bool {
        let id = self.id(name);
        whole(*value).is_some_and(|value| value % self.granule(name) == 0)
            || id.is_some_and(|id| !self.expressions.is_rounded(id))
    }

    /// Returns what every size of a parameter near the given ones is a multiple of: the largest power of two, up to
    /// [`WHOLE`], that divides all given values. A contract on the parameter says itself what the host may choose.
    pub(super) fn granule(&self, name: &str) -> i64 {
        if self.is_said(name) {
            return 1;
        }
        let values = self
            .launches
            .iter()
            .filter_map(|launch| number(launch, name));
        values.fold(WHOLE, common_divisor)
    }

    /// Returns whether no other scalar may have been computed from this one, so that it would have to change as well.
    fn is_alone(&self, (name, _): &(String, f64)) -> bool {
        if self.is_said(name) {
            return true;
        }
        let mut others = self.names();
        others.retain(|other| other != name);
        // Host code computes the fields of tiling data together.
        let is_field = self
            .program
            .params
            .iter()
            .any(|param| param.name == *name && param.is_tiling_field());
        if is_field {
            return false;
        }
        others.iter().all(|other| !self.may_follow(other, name))
    }

    /// Returns whether `other` is `name`, or its quotient by a number of the kernel or the launch, in every launch.
    fn may_follow(&self, other: &str, name: &str) -> bool {
        let constants = &self.program.scalars;
        let constants = (0..constants.len() as u32).filter_map(|id| constants.as_int(ScalarId(id)));
        let constants: Vec<i64> = constants.collect();
        self.launches.iter().all(|launch| {
            let (Some(other), Some(value)) = (number(launch, other), number(launch, name)) else {
                return true;
            };
            let scalars = launch.scalars.iter().filter_map(|(_, value)| whole(*value));
            let cores = launch.block_dim.or(self.program.block_dim).map(i64::from);
            let mut parts = constants.iter().copied().chain(scalars).chain(cores);
            let is_part = |part: i64| {
                if part <= 1 {
                    return false;
                }
                let rounded_up = value.checked_add(part - 1).map(|sum| sum / part);
                value / part == other || rounded_up == Some(other)
            };
            other > 1 && (other == value || parts.any(is_part))
        })
    }
}

/// Returns the integer value of a scalar of a launch.
fn number(launch: &Launch, name: &str) -> Option<i64> {
    let (_, value) = launch.scalars.iter().find(|(known, _)| known == name)?;
    whole(*value)
}

/// Returns the integer value of a scalar of a launch after changes.
fn changed(launch: &Launch, changes: &Changes, name: &str) -> Option<i64> {
    match changes.iter().find(|(known, _)| known == name) {
        Some((_, value)) => whole(*value),
        None => number(launch, name),
    }
}
