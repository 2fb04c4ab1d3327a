//! A kernel call with every value known.

use bytes::Bytes;

use super::value::{Absence, Value};
use a2lint_ir::contract::{Given, GivenTensor};
use a2lint_ir::{GlobalId, ParamKind, Program, TensorInit, VariableId};
use a2lint_isa::DType;
use a2lint_isa::device::Device;

/// What a tensor holds at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Nothing that was ever written.
    Undefined,
    /// These bytes, row-major and little-endian.
    Bytes(Bytes),
    /// Generated values; the number tells one stream of random values from another.
    Generated(TensorInit, u64),
}

/// A kernel call with every value known.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundLaunch {
    /// The device that it runs on.
    pub device: Device,
    /// Number of cube cores.
    pub cores: u32,
    /// Number of vec lanes: two a core, unless the launch counts vec cores and their number is odd.
    pub vec_lanes: u32,
    /// Scalar parameters.
    pub parameters: Vec<(VariableId, Value)>,
    /// Those that their type rounds, as they were given.
    pub unrounded: Vec<(VariableId, f64)>,
    /// Global tensors, workspaces included, by [`GlobalId`].
    pub globals: Vec<BoundGlobal>,
}

/// A global tensor with shape and type.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundGlobal {
    /// Its name.
    pub name: String,
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<i64>,
    /// Bytes in all.
    pub bytes: usize,
    /// What it holds at the start.
    pub contents: Contents,
}

impl BoundLaunch {
    /// How many cores it runs on, counted as its kernel counts them.
    pub fn block_dim(&self, program: &Program) -> u32 {
        match program.counts_vec_cores() {
            true => self.vec_lanes,
            false => self.cores,
        }
    }

    /// The extent of one axis of a global tensor.
    pub fn extent(&self, global: GlobalId, axis: u32) -> Value {
        match self.globals[global.index()].shape.get(axis as usize) {
            Some(&extent) => Value::Int(extent),
            None => Value::Absent(Absence::Unknown),
        }
    }

    /// Values of the scalar parameters, in order.
    pub fn scalars(&self, program: &Program) -> Vec<(String, f64)> {
        let named = self.parameters.iter().filter_map(|(id, value)| {
            let name = program.variable(*id).name.to_string();
            Some((name, shortest(value.as_float().ok()?)))
        });
        named.collect()
    }

    /// What it gives the parameters of the kernel.
    pub fn given(&self, program: &Program) -> Given {
        let tensors = program.params.iter().filter_map(|param| match param.kind {
            ParamKind::Global(id) => {
                let global = &self.globals[id.index()];
                Some(GivenTensor {
                    name: param.name.to_string(),
                    dtype: Some(global.dtype),
                    shape: Some(global.shape.clone()),
                })
            }
            _ => None,
        });
        Given {
            numbers: self.scalars(program),
            tensors: tensors.collect(),
        }
    }
}

/// The double with the fewest digits that is the same float: 0.1 rather than 0.10000000149.
fn shortest(value: f64) -> f64 {
    let float = value as f32;
    let is_float = f64::from(float) == value;
    let short = is_float.then(|| float.to_string().parse().ok()).flatten();
    short.unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_shown_as_they_were_written() {
        let values = [f64::from(1e-5_f32), 0.1, 128.0, 3e300];
        assert_eq!(values.map(shortest), [1e-5, 0.1, 128.0, 3e300]);
    }
}
