//! Programs of a file that are equal up to their names: instances of a template that do not use what tells them apart.

use std::fmt::{self, Write};
use std::hash::Hasher;

use rustc_hash::FxHashMap;

use a2lint_ir::{Module, Program};

use crate::cache::{Digest, Digester};

/// Returns the places of the programs of a module, those of equal programs together. Runs and proofs of one of them are
/// those of all.
pub(super) fn groups(module: &Module) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: FxHashMap<Digest, usize> = FxHashMap::default();
    for (at, program) in module.programs.iter().enumerate() {
        let first = match may_equal_another(module, program) {
            true => *known.entry(digest(program)).or_insert(groups.len()),
            false => groups.len(),
        };
        match groups.get_mut(first) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// Returns whether a program is one of several instances of a definition, and no launch names it.
fn may_equal_another(module: &Module, program: &Program) -> bool {
    let mut others = module.programs.iter();
    let mut launches = module.launches.iter();
    others.any(|other| other.span == program.span && other.name != program.name)
        && launches.all(|launch| launch.kernel != program.name)
}

/// Computes a digest of a program without its name.
fn digest(program: &Program) -> Digest {
    let nameless = Program {
        name: Default::default(),
        built_for: Vec::new(),
        ..program.clone()
    };
    let mut text = Text(Digester::default());
    // Writing to a digest does not fail.
    let _ = write!(text, "{nameless:?}");
    text.0.digest()
}

/// Adds formatted text to a digest.
struct Text(Digester);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        Hasher::write(&mut self.0, text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::DisplayName;
    use a2lint_source::text::Span;

    fn instance(name: &str, block_dim: u32) -> Program {
        Program {
            name: DisplayName::new(name),
            span: Span::new(0, 40),
            block_dim: Some(block_dim),
            ..Program::default()
        }
    }

    #[test]
    fn instances_that_differ_in_their_names_alone_are_one_group() {
        let mut module = Module {
            programs: vec![
                instance("f<0>", 1),
                instance("f<1>", 2),
                instance("f<2>", 1),
            ],
            ..Module::default()
        };
        assert_eq!(groups(&module), [vec![0, 2], vec![1]]);
        // Another definition of the same text stands elsewhere.
        module.programs[2].span = Span::new(50, 90);
        assert_eq!(groups(&module), [vec![0], vec![1], vec![2]]);
    }
}
