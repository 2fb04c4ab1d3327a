//! Inputs of a launch whose contents can be changed.

use bytes::Bytes;

use crate::Job;
use a2lint_ir::{GlobalId, GlobalKind, TensorInit};
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{BoundLaunch, Contents, generate, number, push};

/// A float input whose contents are generated.
#[derive(Clone, Debug)]
pub struct Input {
    /// The tensor.
    pub id: GlobalId,
    /// The type of the tensor.
    pub dtype: DType,
    /// Rows: all axes but the last one.
    pub rows: usize,
    /// Columns: the last axis.
    pub columns: usize,
    /// How its contents are generated.
    pub init: TensorInit,
    /// The elements of the tensor.
    pub values: Vec<f64>,
}

/// Returns rows and columns of a shape. A vector is one row.
pub fn rows_of(shape: &[i64]) -> (usize, usize) {
    let columns = shape.last().copied().unwrap_or(1).max(0) as usize;
    let rows = shape
        .iter()
        .rev()
        .skip(1)
        .map(|&extent| extent.max(0) as usize);
    (rows.product(), columns)
}

/// Returns the float inputs of a launch whose contents are generated.
pub fn inputs(job: &Job) -> Vec<Input> {
    let program = job.program;
    let results = program.results();
    let all = (0..program.globals.len() as u32).map(GlobalId);
    let given =
        all.filter(|&id| program.global(id).kind == GlobalKind::Param && !results.contains(&id));
    let float = given.filter_map(|id| {
        let global = &job.bound.launch.globals[id.index()];
        let Contents::Generated(init, stream) = global.contents else {
            return None;
        };
        let (rows, columns) = rows_of(&global.shape);
        let is_drawn = global.dtype.is_float() && init != TensorInit::Empty;
        is_drawn.then(|| Input {
            id,
            dtype: global.dtype,
            rows,
            columns,
            init,
            values: values(init, stream, global.dtype, rows * columns),
        })
    });
    float.collect()
}

/// Returns whether a launch passes integer tensors, which may be sizes, offsets or masks.
pub fn has_integers(job: &Job) -> bool {
    let program = job.program;
    let mut globals = program.globals.iter().enumerate();
    globals.any(|(index, global)| {
        let bound = &job.bound.launch.globals[index];
        let is_given = bound.contents != Contents::Undefined;
        global.kind == GlobalKind::Param && is_given && !bound.dtype.is_float()
    })
}

fn values(init: TensorInit, stream: u64, dtype: DType, elements: usize) -> Vec<f64> {
    let memory = Memory::from_bytes(generate(init, stream, dtype, elements));
    let size = dtype.bytes_of(1) as usize;
    let at = |index: usize| number(&memory, dtype, index * size, 0);
    (0..elements).map(at).collect()
}

impl Input {
    /// Changes its elements: `value` maps index and old value to the new value.
    pub fn change(&self, launch: &mut BoundLaunch, value: impl Fn(usize, f64) -> f64) {
        let mut bytes = Vec::with_capacity(self.values.len() * 4);
        for (index, &old) in self.values.iter().enumerate() {
            push(&mut bytes, self.dtype, value(index, old));
        }
        launch.globals[self.id.index()].contents = Contents::Bytes(Bytes::from(bytes));
    }
}
