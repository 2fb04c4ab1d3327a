//! A kernel call with every value known.

use bytes::Bytes;

use super::value::{Absence, Value};
use a2lint_ir::contract::{Given, GivenTensor};
use a2lint_ir::{GlobalId, ParamKind, Program, TensorInit, VariableId};
use a2lint_isa::DType;
use a2lint_isa::device::Device;

/// The contents of a tensor when the kernel starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// No byte is defined.
    Undefined,
    /// These bytes, row-major and little-endian.
    Bytes(Bytes),
    /// Generated values; the number is the stream of random numbers that they are drawn from.
    Generated(TensorInit, u64),
}

impl Contents {
    /// Returns whether a launch gives the values, one by one or as integers of a range.
    pub fn is_given(&self) -> bool {
        use TensorInit::{Arange, Full, Integers, Steps};
        match self {
            Contents::Bytes(_) => true,
            Contents::Generated(init, _) => {
                matches!(init, Arange | Steps(..) | Full(_) | Integers(..))
            }
            Contents::Undefined => false,
        }
    }
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
    /// Parameters whose value was rounded to their type, with the value as given.
    pub unrounded: Vec<(VariableId, f64)>,
    /// Global tensors, workspaces included, by [`GlobalId`].
    pub globals: Vec<BoundGlobal>,
}

/// A global tensor with shape and type.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundGlobal {
    /// The name of the tensor.
    pub name: String,
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<i64>,
    /// Bytes in all.
    pub bytes: usize,
    /// The contents at the start of the run.
    pub contents: Contents,
}

impl BoundLaunch {
    /// Returns the numbers of cores and of vec lanes.
    pub fn cores_and_vec_lanes(&self) -> [u32; 2] {
        [self.cores, self.vec_lanes]
    }

    /// Returns the number of cores, in the unit (cube or vec cores) that the kernel counts.
    pub fn block_dim(&self, program: &Program) -> u32 {
        match program.counts_vec_cores() {
            true => self.vec_lanes,
            false => self.cores,
        }
    }

    /// Returns the extent of one axis of a global tensor.
    pub fn extent(&self, global: GlobalId, axis: u32) -> Value {
        match self.globals[global.index()].shape.get(axis as usize) {
            Some(&extent) => Value::Int(extent),
            None => Value::Absent(Absence::Unknown),
        }
    }

    /// Returns the names and values of the scalar parameters, in order.
    pub fn scalars(&self, program: &Program) -> Vec<(String, f64)> {
        let named = self.parameters.iter().filter_map(|(id, value)| {
            let name = program.variable(*id).name.to_string();
            Some((name, shortest(value.as_float().ok()?)))
        });
        named.collect()
    }

    /// Returns the arguments of the launch as contracts see them.
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

/// Returns the double with the fewest digits that is the same float: 0.1 rather than 0.10000000149.
fn shortest(value: f64) -> f64 {
    // Only a value that is exactly a float may be shortened: any other double was written with these digits. A whole
    // number may be an integer, all digits of which are significant.
    let float = value as f32;
    let is_float = f64::from(float) == value && value.fract() != 0.0;
    let short = is_float.then(|| float.to_string().parse().ok()).flatten();
    short.unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_shown_as_they_were_written() {
        let values = [f64::from(1e-5_f32), 0.1, 128.0, 3e300, 1_056_964_608.0];
        assert_eq!(
            values.map(shortest),
            [1e-5, 0.1, 128.0, 3e300, 1_056_964_608.0]
        );
    }
}
