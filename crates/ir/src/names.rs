//! Finds the declarations that a name of the source refers to.

use super::{BufferId, GlobalId, Number, Program, VariableId};

/// The declarations of a name. Helpers that are called several times declare several buffers and variables of
/// one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// On-chip buffers, in the order of their declarations.
    Buffers(Vec<BufferId>),
    /// A global tensor.
    Global(GlobalId),
    /// Scalar variables, in the order of their declarations.
    Variables(Vec<VariableId>),
}

impl Named {
    /// Returns the declarations of a name; `None` where there are none.
    pub fn of(program: &Program, name: &str) -> Option<Named> {
        let buffers = ids(program.buffers.iter().map(|it| it.name == name)).map(BufferId);
        let buffers: Vec<BufferId> = buffers.collect();
        if !buffers.is_empty() {
            return Some(Named::Buffers(buffers));
        }
        let mut globals = ids(program.globals.iter().map(|it| it.name == name)).map(GlobalId);
        if let Some(global) = globals.next() {
            return Some(Named::Global(global));
        }
        let variables = ids(program.variables.iter().map(|it| it.name == name));
        let variables: Vec<VariableId> = variables.map(VariableId).collect();
        (!variables.is_empty()).then_some(Named::Variables(variables))
    }

    /// Returns the names of all declarations, buffers first.
    pub fn all(program: &Program) -> impl Iterator<Item = &str> {
        let buffers = program.buffers.iter().map(|it| it.name.as_str());
        let globals = program.globals.iter().map(|it| it.name.as_str());
        let variables = program.variables.iter().map(|it| it.name.as_str());
        let names = buffers.chain(globals).chain(variables);
        names.filter(|name| !name.is_empty())
    }
}

impl Program {
    /// Returns the value of a named constant of the kernel's file. Instructions contain the value without the
    /// name.
    pub fn constant(&self, name: &str) -> Option<Number> {
        let mut constants = self.constants.iter();
        let constant = constants.find(|(known, _)| known == name);
        constant.map(|constant| constant.1)
    }
}

/// Returns the indices of the items that are `true`.
fn ids(are_meant: impl Iterator<Item = bool>) -> impl Iterator<Item = u32> {
    let numbered = (0..).zip(are_meant);
    numbered.filter_map(|(id, is_meant)| is_meant.then_some(id))
}
