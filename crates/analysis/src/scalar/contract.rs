//! Facts about the symbols of parameters and extents, from the contract of a kernel.

use rustc_hash::FxHashMap;

use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::Linear;
use super::state::State;
use super::symbols::Meaning;
use crate::Domains;
use a2lint_ir::arithmetic::limits;
use a2lint_ir::contract::{Form, TensorForm};
use a2lint_ir::{GlobalId, ParamKind, VariableId};
use a2lint_isa::DType;

/// The expressions of the contract's names.
type Names<'c> = FxHashMap<&'c str, Linear>;

fn linear(form: &Form, names: &Names) -> Option<Linear> {
    let start = Some(Linear::constant(form.constant));
    form.terms.iter().fold(start, |sum, (name, coefficient)| {
        sum?.plus_times(names.get(name.as_str())?, *coefficient)
    })
}

impl State<'_> {
    /// Assumes the conditions that the comments above the kernel demand of its launches.
    pub(super) fn record_contract(&mut self) {
        let contract = &self.program.contract;
        if contract.is_empty() {
            return;
        }
        // A contradictory contract admits no launch, and would make everything true.
        let Some(domains) = Domains::of(contract) else {
            return;
        };
        let mut names = Names::default();
        for (name, domain) in domains.names() {
            let Some(number) = self.named(name) else {
                continue;
            };
            if let [(symbol, 1)] = number.terms[..] {
                let interval = self.bounds_of(name, domain.interval);
                self.symbols.know(symbol, interval, domain.class);
            }
            names.insert(name, number);
        }
        for bound in domains.bounds() {
            if let Some(number) = linear(bound, &names) {
                self.symbols.record_not_above(&Linear::constant(0), &number);
            }
        }
        for tensor in &contract.tensors {
            self.record_extents(tensor, &names);
        }
    }

    fn record_extents(&mut self, tensor: &TensorForm, names: &Names) {
        let Some(id) = self.global(&tensor.name) else {
            return;
        };
        let declared = self.program.global(id).shape.len();
        // A contract for another rank tells nothing of these axes.
        if declared != 0 && declared != tensor.extents.len() {
            return;
        }
        for (axis, extent) in (0..).zip(&tensor.extents) {
            if let Some(extent) = linear(extent, names) {
                self.extents.insert((id, axis), extent);
            }
        }
    }

    /// Returns a parameter, the first extent with the name, or a fresh number from which extents are
    /// computed.
    fn named(&mut self, name: &str) -> Option<Linear> {
        if let Some(variable) = self.parameter(name) {
            return self.variable(variable);
        }
        let mut tensors = self.program.contract.tensors.iter();
        let found = tensors.find_map(|tensor| {
            let mut axes = (0..).zip(&tensor.extents);
            let (axis, _) = axes.find(|(_, extent)| extent.as_name() == Some(name))?;
            Some((self.global(&tensor.name)?, axis))
        });
        Some(match found {
            Some((tensor, axis)) => self.symbols.extent(tensor, axis),
            None => self.fresh(Meaning::Some, Interval::ANY, Congruence::ANY),
        })
    }

    /// Returns an interval without the ends that lie beyond the type of a parameter.
    fn bounds_of(&self, name: &str, interval: Interval) -> Interval {
        let Some(variable) = self.parameter(name) else {
            return interval;
        };
        let dtype = self.program.variable(variable).dtype.unwrap_or(DType::Int);
        let (min, max) = limits(dtype);
        Interval {
            min: match i128::from(interval.min) > min {
                true => interval.min,
                false => i64::MIN,
            },
            max: match i128::from(interval.max) < max {
                true => interval.max,
                false => i64::MAX,
            },
        }
    }

    fn parameter(&self, name: &str) -> Option<VariableId> {
        let mut params = self.program.params.iter();
        params.find_map(|param| match param.kind {
            ParamKind::Variable(id) if param.name == name => Some(id),
            _ => None,
        })
    }

    fn global(&self, name: &str) -> Option<GlobalId> {
        let mut params = self.program.params.iter();
        params.find_map(|param| match param.kind {
            ParamKind::Global(id) if param.name == name => Some(id),
            _ => None,
        })
    }
}
