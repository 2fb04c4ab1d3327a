//! Methods of tensors that change their shape.

use std::rc::Rc;

use crate::frontend::dsl::emit::{Arguments, Spanned};
use crate::frontend::dsl::tracer::{Eval, Tracer};
use crate::frontend::dsl::value::Value;
use crate::ir::LaunchTensor;

/// The axis that a number names.
pub(super) fn place(axis: i128, rank: usize) -> Option<usize> {
    let axis = if axis < 0 {
        axis.checked_add(rank as i128)?
    } else {
        axis
    };
    usize::try_from(axis).ok().filter(|&axis| axis < rank)
}

impl<'a> Tracer<'a> {
    pub(super) fn permuted(
        &mut self,
        tensor: &LaunchTensor,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let (axes, _) = self.host_shape(&arguments.positional)?;
        let shape = tensor.shape.as_ref().zip(axes).and_then(|(shape, axes)| {
            let axes = axes.into_iter().map(|axis| place(axis.into(), shape.len()));
            axes.map(|axis| Some(shape[axis?])).collect()
        });
        Ok(Value::HostTensor(Rc::new(tensor.of_shape(shape))))
    }

    /// `view(-1, 64)`
    pub(super) fn reshaped_host(
        &mut self,
        tensor: &LaunchTensor,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        if let Some(Value::DType(dtype)) = arguments.at(0) {
            let mut result = tensor.clone();
            result.dtype = Some(*dtype);
            return Ok(Value::HostTensor(Rc::new(result)));
        }
        let mut given: Vec<Spanned<'a>> = arguments.positional.clone();
        if given.is_empty() {
            let named = arguments
                .keywords
                .iter()
                .find(|(name, _, _)| name == "shape");
            given.extend(named.map(|(_, value, span)| (value.clone(), *span)));
        }
        let (mut shape, spelled) = self.host_shape(&given)?;
        if let Some(extents) = &mut shape
            && let Some(open) = extents.iter().position(|&extent| extent < 0)
        {
            let others: Vec<i64> = extents
                .iter()
                .copied()
                .filter(|&extent| extent >= 0)
                .collect();
            let whole = tensor.shape.as_ref().and_then(|shape| elements(shape));
            let rest = elements(&others).filter(|&rest| rest > 0);
            match whole
                .zip(rest)
                .filter(|_| others.len() + 1 == extents.len())
            {
                Some((whole, rest)) => extents[open] = whole / rest,
                None => shape = None,
            }
        }
        Ok(Value::HostTensor(Rc::new(LaunchTensor {
            dtype: tensor.dtype,
            shape,
            spelled,
            init: tensor.init,
        })))
    }
}

/// Elements of a shape.
pub(super) fn elements(shape: &[i64]) -> Option<i64> {
    shape
        .iter()
        .try_fold(1i64, |all, &extent| all.checked_mul(extent))
}

/// `expand(M, -1)`, `repeat(2, 1)`
pub(super) fn stretched(
    tensor: &LaunchTensor,
    factors: Option<Vec<i64>>,
    expands: bool,
) -> Option<Vec<i64>> {
    let (own, factors) = (tensor.shape.as_ref()?, factors?);
    let further = factors.len().checked_sub(own.len())?;
    let extents = factors.iter().enumerate().map(|(at, &factor)| {
        let own = at.checked_sub(further).map_or(1, |at| own[at]);
        match expands {
            true if factor < 0 => Some(own),
            true => Some(factor),
            false => own.checked_mul(factor),
        }
    });
    extents.collect()
}
