//! Runs the launches of a file in order and passes results on.

use rustc_hash::FxHashMap;

use super::arguments::{Arguments, Bound, Which, bind, tensor_params};
use super::error::RunError;
use crate::target::Target;
use a2lint_ir::{Launch, Program};
use a2lint_machine::{Contents, Outcome};

/// Calls `run` for every launch of a file in order. If the file passes an output on to later launches, they get
/// the computed contents.
pub fn each_launch<E: From<RunError>>(
    target: &Target,
    arguments: &Arguments,
    limit: u64,
    run: &mut dyn FnMut(&Program, &Bound) -> Result<Outcome, E>,
) -> Result<(), E> {
    let programs = target.programs().map_err(RunError::from)?;
    let launches = &target.module.launches;
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut results: FxHashMap<(u32, usize), Contents> = FxHashMap::default();
    for launch in launches {
        let number = numbers.entry(&launch.kernel).or_default();
        *number += 1;
        let named = |program: &&&Program| program.name == launch.kernel;
        let Some(&program) = programs.iter().find(named) else {
            continue;
        };
        let arguments = Arguments {
            launch: Which::Number(*number),
            ..arguments.clone()
        };
        let mut bound = bind(target, program, &arguments, limit, false)?;
        pass(launch, program, &results, &mut bound);
        let outcome = run(program, &bound)?;
        if let Some(own) = launch.passing.number {
            keep(own, program, outcome, launches, &mut results);
        }
    }
    Ok(())
}

/// Sets the tensors of a launch that earlier launches computed.
fn pass(
    launch: &Launch,
    program: &Program,
    results: &FxHashMap<(u32, usize), Contents>,
    bound: &mut Bound,
) {
    let mut lines = Vec::new();
    for passed in &launch.passing.passed {
        let id = tensor_params(program)
            .map(|(_, id)| id)
            .nth(passed.argument);
        let contents = results.get(&(passed.launch, passed.output));
        if let (Some(id), Some(contents)) = (id, contents) {
            let global = &mut bound.launch.globals[id.index()];
            let fits = matches!(contents, Contents::Bytes(bytes) if bytes.len() == global.bytes);
            // Outputs of a launch start undefined.
            if fits && !program.outputs.contains(&id) {
                global.contents = contents.clone();
                lines.push(format!("`{}`", global.name));
            }
        }
    }
    if !lines.is_empty() {
        let lines = lines.join(", ");
        bound
            .origin
            .push_str(&format!(", {lines} from an earlier launch"));
    }
}

/// Keeps the outputs of a launch that later launches use.
fn keep(
    number: u32,
    program: &Program,
    outcome: Outcome,
    launches: &[Launch],
    results: &mut FxHashMap<(u32, usize), Contents>,
) {
    let is_wanted = |output: usize| {
        let mut passed = launches.iter().flat_map(|launch| &launch.passing.passed);
        passed.any(|passed| (passed.launch, passed.output) == (number, output))
    };
    for (output, id) in program.outputs.iter().enumerate() {
        if let Some(memory) = outcome
            .globals
            .get(id.index())
            .filter(|_| is_wanted(output))
        {
            let bytes = memory.bytes(0..memory.capacity()).to_vec();
            results.insert((number, output), Contents::Bytes(bytes.into()));
        }
    }
}
