use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{GlobalId, Launch, LaunchOrigin, ParamKind, Program};

declare_rule! {
    /// ## What it does
    /// Reports a tensor that a launch comment or the contract describes and that the kernel neither loads nor stores.
    ///
    /// Only tensors after a loaded one are reported: an input that is not needed does no harm. A tensor whose name
    /// contains `workspace` or `tiling`, or begins with an underscore, is not reported either: kernels receive those
    /// whether they need them or not. Neither is `x` where the kernel uses `x_ref`: the build gives both one memory.
    ///
    /// ## Why is this bad?
    /// An output that is never stored keeps whatever it held. No other check speaks of it: there is no access to
    /// examine.
    ///
    /// ## Example
    /// ```cpp
    /// // a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
    /// extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
    /// {
    ///     // loads `x` and stores to `x`
    /// }
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// gy.SetGlobalBuffer((__gm__ float*)y);
    /// DataCopy(gy, b, 1024);
    /// ```
    ///
    /// ## Source
    /// A lint of this project.
    "TRC018" "unused-tensor" Warning, basis = AnyLaunch, evidence = Inferred, property = Ownership
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    // What is wrong in the text may be the reason why a store is missing.
    let is_wrong = !program.notes.is_empty();
    let is_whole = program.unknown.is_empty() && !program.hides_instructions() && !is_wrong;
    // Before the first instruction is written, every tensor is unused.
    if !is_whole || program.instructions().is_empty() {
        return;
    }
    let mut follows_load = false;
    for param in &program.params {
        let ParamKind::Global(id) = param.kind else {
            continue;
        };
        follows_load |= is_loaded(facts, id);
        // Inputs come first: one that is not needed does no harm.
        if !follows_load {
            continue;
        }
        let name = param.name.as_str();
        let is_tiling = name.to_ascii_lowercase().contains("tiling");
        let is_passed = is_tiling || program.is_scratch(id);
        let is_used = program.uses_global(id) || is_updated(program, name);
        if is_passed || name.starts_with('_') || is_used {
            continue;
        }
        let Some(place) = described(facts, name) else {
            continue;
        };
        let message = format!("`{name}` is {place}, and the kernel neither loads nor stores it");
        sink.report(param.span, message)
            .help("store the results to it, or leave it out");
    }
}

/// Returns whether the kernel uses an input under the name that the build gives to it as an output.
fn is_updated(program: &Program, name: &str) -> bool {
    program.params.iter().any(|param| match param.kind {
        ParamKind::Global(id) => {
            param.name.as_str().strip_suffix("_ref") == Some(name) && program.uses_global(id)
        }
        _ => false,
    })
}

/// Returns whether an instruction loads a tensor.
fn is_loaded(facts: &Facts, global: GlobalId) -> bool {
    facts.instructions().any(|(_, instr)| {
        let mut operands = instr.operands();
        operands.any(|(_, operand, view)| {
            operand.access.reads() && view.global().is_some_and(|view| view.global == global)
        })
    })
}

/// Returns where a tensor is described, as a clause.
fn described(facts: &Facts, name: &str) -> Option<&'static str> {
    let program = facts.program;
    if program.contract.tensor(name).is_some() {
        return Some("in the contract");
    }
    let is_global = |kind| matches!(kind, ParamKind::Global(_));
    let mut globals = program.params.iter().filter(|param| is_global(param.kind));
    let index = globals.position(|param| param.name == *name)?;
    let is_written = |launch: &&Launch| {
        let is_comment = launch.origin == LaunchOrigin::Comment;
        is_comment && launch.kernel == program.name
    };
    let mut launches = facts.module.launches.iter().filter(is_written);
    let has_shape = |launch: &Launch| {
        let tensor = launch.tensors.get(index);
        tensor.is_some_and(|tensor| tensor.shape.is_some())
    };
    launches.any(has_shape).then_some("in the launch comment")
}
