//! Replaces products of floats by products of halves.

use super::each_view;
use a2lint_ir::{ArgValue, BufferId, GlobalId, GlobalKind, Instr, Program, TensorInit, View};
use a2lint_isa::{Class, DType, FACTORS, Opcode, SRC};
use a2lint_machine::{BoundLaunch, Contents};

/// A kernel whose products take halves, and a launch that passes halves.
pub struct Halved {
    /// The changed program.
    pub program: Program,
    /// The changed launch.
    pub launch: BoundLaunch,
    /// Tensors that hold halves instead of floats.
    pub globals: Vec<GlobalId>,
}

/// The buffers and tensors that the factors of products pass through.
#[derive(Default)]
struct Operands {
    buffers: Vec<BufferId>,
    globals: Vec<GlobalId>,
}

/// Returns the program with halves instead of floats in all factors of products, starting from the tensors of the
/// launch. `None` if there are none, or if the factors are computed, or used in another way.
pub fn halved(program: &Program, launch: &BoundLaunch) -> Option<Halved> {
    let operands = operands(program, launch)?;
    let (mut program, mut launch) = (program.clone(), launch.clone());
    for id in &operands.buffers {
        program.buffers[id.index()].dtype = DType::Half;
    }
    each_view(program.body.change(), &mut |view| match view {
        View::Local(view) if operands.buffers.contains(&view.buffer) => view.dtype = DType::Half,
        _ => {}
    });
    for id in &operands.globals {
        program.globals[id.index()].dtype = Some(DType::Half);
        let tensor = &mut launch.globals[id.index()];
        tensor.dtype = DType::Half;
        tensor.bytes /= 2;
        // Given bytes are floats; the time does not depend on values.
        if let Contents::Bytes(_) = tensor.contents {
            tensor.contents = Contents::Generated(TensorInit::Full(0.0), 0);
        }
    }
    Some(Halved {
        program,
        launch,
        globals: operands.globals,
    })
}

fn operands(program: &Program, launch: &BoundLaunch) -> Option<Operands> {
    let instructions = program.instructions();
    let is_product = |instr: &Instr| instr.row().is_product();
    // In HF32 mode, products of floats are as fast as those of halves, so that halving them gains nothing.
    if instructions
        .iter()
        .any(|(_, instr)| instr.opcode == Opcode::SetHf32)
    {
        return None;
    }
    let mut found = Operands::default();
    for (_, product) in instructions.iter().filter(|(_, instr)| is_product(instr)) {
        for view in FACTORS.map(|index| product.local(index)) {
            let view = view.filter(|view| view.dtype == DType::Float)?;
            found.add(view.buffer);
        }
    }
    // Follows moves backwards from the products to global memory.
    let mut next = 0;
    while let Some(&buffer) = found.buffers.get(next) {
        next += 1;
        for (_, filled) in instructions
            .iter()
            .filter(|(_, instr)| instr.writes(buffer))
        {
            match filled
                .view(SRC)
                .filter(|_| filled.row().class == Class::Move)?
            {
                View::Local(view) => found.add(view.buffer),
                View::Global(view) => found.globals.push(view.global),
            }
        }
    }
    found.globals.sort();
    found.globals.dedup();
    let is_float = |id: &GlobalId| {
        program.global(*id).kind == GlobalKind::Param
            && launch.globals[id.index()].dtype == DType::Float
    };
    let all_float = found.globals.iter().all(is_float);
    let none_else = instructions
        .iter()
        .all(|(_, instr)| found.leaves_alone(instr, is_product(instr)));
    (!found.globals.is_empty() && all_float && none_else).then_some(found)
}

impl Operands {
    fn add(&mut self, buffer: BufferId) {
        if !self.buffers.contains(&buffer) {
            self.buffers.push(buffer);
        }
    }

    /// Returns whether an instruction touches the operands only as a factor of a product or in a move between two of
    /// them.
    fn leaves_alone(&self, instr: &Instr, is_product: bool) -> bool {
        let is_own = |view: &View| match view {
            View::Local(view) => self.buffers.contains(&view.buffer),
            View::Global(view) => self.globals.contains(&view.global),
        };
        let mut given = instr.args.iter().enumerate();
        match is_product {
            true => given.all(|(index, arg)| match &arg.value {
                ArgValue::View(view) => is_own(view) == FACTORS.contains(&index),
                _ => true,
            }),
            false => {
                let owned: Vec<bool> = instr.operands().map(|(_, _, view)| is_own(view)).collect();
                let is_load = instr.row().class == Class::Move;
                !owned.contains(&true) || is_load && !owned.contains(&false)
            }
        }
    }
}
