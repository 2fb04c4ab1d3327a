//! Which parameter of one version is which of the other.

use crate::arguments::tensor_params;
use crate::error::RunError;
use a2lint_ir::{GlobalId, GlobalKind, ParamKind, Program, VariableId};

/// Parameters of two versions that stand for the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Tensors of both.
    pub tensors: Vec<[GlobalId; 2]>,
    /// Names of scalars of both.
    pub scalars: Vec<[String; 2]>,
    /// Results of either version that the other does not have: the version, and the name.
    pub missing: Vec<(usize, String)>,
}

/// The two versions, for messages.
pub const SIDES: [&str; 2] = ["OLD", "NEW"];

impl Matching {
    /// Matches parameters by the given pairs of names, and the others by equal names.
    ///
    /// # Errors
    /// A pair that names no parameter, or an input without a counterpart.
    pub fn of(programs: [&Program; 2], given: &[(String, String)]) -> Result<Matching, RunError> {
        let mut matching = Matching::default();
        for (old, new) in given {
            matching.add(programs, [old, new])?;
        }
        let [old, new] = programs;
        for (name, id) in tensor_params(old) {
            let other = tensor_params(new).find(|(other, _)| *other == name);
            if let Some((_, other)) = other.filter(|(_, other)| matching.is_free([id, *other])) {
                matching.tensors.push([id, other]);
            }
        }
        for name in scalars(old) {
            let is_open = |side: usize| matching.scalars.iter().all(|pair| pair[side] != name);
            if scalars(new).any(|other| other == name) && is_open(0) && is_open(1) {
                matching.scalars.push([name.to_owned(), name.to_owned()]);
            }
        }
        // In the order of the parameters, whichever way they were matched.
        matching.tensors.sort_unstable();
        let open = [0, 1].map(|side| matching.open(programs[side], side));
        let inputs = [0, 1].map(|side| {
            let results = programs[side].results();
            let inputs = open[side]
                .iter()
                .filter(move |(id, _)| !results.contains(id));
            inputs.map(|(_, name)| name.clone()).collect::<Vec<_>>()
        });
        if let Some(side) = [0, 1].into_iter().find(|&side| !inputs[side].is_empty()) {
            return Err(RunError::Unmatched {
                side: SIDES[side],
                names: inputs[side].join("`, `"),
                hint: hint(&open),
            });
        }
        for (side, open) in open.into_iter().enumerate() {
            let names = open.into_iter().map(|(_, name)| (side, name));
            matching.missing.extend(names);
        }
        Ok(matching)
    }

    fn add(&mut self, programs: [&Program; 2], names: [&str; 2]) -> Result<(), RunError> {
        let tensors = [0, 1].map(|side| find(programs[side], names[side]));
        let scalars = [0, 1].map(|side| scalars(programs[side]).any(|it| it == names[side]));
        match (tensors, scalars) {
            ([Some(old), Some(new)], _) if self.is_free([old, new]) => {
                self.tensors.push([old, new]);
            }
            (_, [true, true]) => self.scalars.push(names.map(str::to_owned)),
            _ => {
                return Err(RunError::NoPair {
                    old: names[0].to_owned(),
                    new: names[1].to_owned(),
                    parameters: [0, 1].map(|side| all_names(programs[side])),
                });
            }
        }
        Ok(())
    }

    fn is_free(&self, pair: [GlobalId; 2]) -> bool {
        let mut tensors = self.tensors.iter();
        tensors.all(|known| known[0] != pair[0] && known[1] != pair[1])
    }

    /// Returns the tensor parameters of a version without a counterpart.
    fn open(&self, program: &Program, side: usize) -> Vec<(GlobalId, String)> {
        let is_open = |id: GlobalId| self.tensors.iter().all(|pair| pair[side] != id);
        let open = tensor_params(program).filter(|(_, id)| is_open(*id));
        let open = open.filter(|(_, id)| program.global(*id).kind == GlobalKind::Param);
        let open = open.filter(|(_, id)| !program.workspaces.contains(id));
        open.map(|(name, id)| (id, name.to_owned())).collect()
    }

    /// Returns the tensor of the other version.
    pub fn other(&self, side: usize, id: GlobalId) -> Option<GlobalId> {
        let pair = self.tensors.iter().find(|pair| pair[side] == id)?;
        Some(pair[1 - side])
    }

    /// Returns the name of a scalar in the other version.
    pub fn other_scalar(&self, side: usize, name: &str) -> Option<&str> {
        let pair = self.scalars.iter().find(|pair| pair[side] == name)?;
        Some(&pair[1 - side])
    }

    /// Returns the tensors that both versions give as results, or one of them does: these are compared.
    pub fn results(&self, programs: [&Program; 2]) -> Vec<[GlobalId; 2]> {
        let results = programs.map(Program::results);
        let is_result = |pair: &&[GlobalId; 2]| {
            let is_scratch = |side: usize| programs[side].workspaces.contains(&pair[side]);
            let is_given = |side: usize| results[side].contains(&pair[side]);
            (is_given(0) || is_given(1)) && !is_scratch(0) && !is_scratch(1)
        };
        self.tensors.iter().filter(is_result).copied().collect()
    }
}

fn find(program: &Program, name: &str) -> Option<GlobalId> {
    let found = tensor_params(program).find(|(param, _)| *param == name);
    found.map(|(_, id)| id)
}

/// Returns the names of the scalar parameters.
pub fn scalars(program: &Program) -> impl Iterator<Item = &str> {
    let variables = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Variable(id) => Some((param.name.as_str(), id)),
        _ => None,
    });
    variables.map(|(name, _): (&str, VariableId)| name)
}

fn all_names(program: &Program) -> String {
    let names = program.params.iter().map(|param| param.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Formats the options that match what is left by position; empty if the numbers differ.
fn hint(open: &[Vec<(GlobalId, String)>; 2]) -> String {
    let [old, new] = open;
    if old.len() != new.len() {
        return "give pairs as --match OLD=NEW".to_owned();
    }
    let pairs = old.iter().zip(new);
    let pairs = pairs.map(|((_, old), (_, new))| format!("--match {old}={new}"));
    format!(
        "by position that is {}",
        pairs.collect::<Vec<_>>().join(" ")
    )
}

/// Returns the name of a tensor parameter.
pub fn tensor_name(program: &Program, id: GlobalId) -> &str {
    let found = tensor_params(program).find(|(_, known)| *known == id);
    found.map_or_else(|| program.global(id).name.as_str(), |(name, _)| name)
}
