//! Instances of templates.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{Arguments, written};
use super::collect::Member;
use super::dialect::ClassFacts;
use crate::text::Span;

/// Instances of one template that are looked at.
pub const MAX_INSTANCES: usize = 64;
/// One function for certain arguments.
#[derive(Clone, Debug, Default)]
pub struct Instance<'a> {
    /// The arguments of its class as they are written.
    pub of_class: Arguments<'a>,
    /// What the parameters of its class, or of the specialisation, stand for.
    pub outer: Arguments<'a>,
    /// The arguments of the function itself.
    pub own: Arguments<'a>,
}

impl<'a> Instance<'a> {
    /// `Class<float>::function<9>`
    pub fn name(&self, member: &Member<'a>, class: Option<&ClassFacts<'a>>) -> String {
        let own = written(&self.own);
        let function = member.function.name;
        match class.filter(|_| !self.of_class.is_empty()) {
            Some(facts) => {
                let outer = written(&self.of_class);
                format!("{}{outer}::{function}{own}", facts.class.name)
            }
            None => format!("{function}{own}"),
        }
    }
}

/// Instances by function.
#[derive(Debug, Default)]
pub struct Instances<'a> {
    found: FxHashMap<Span, Vec<Instance<'a>>>,
    known: FxHashSet<(Span, String)>,
    /// Functions of which there are more.
    cut: FxHashSet<Span>,
}

impl<'a> Instances<'a> {
    /// The instances of a function.
    pub fn of(&self, id: Span) -> &[Instance<'a>] {
        self.found.get(&id).map_or(&[], |list| list)
    }

    /// Whether there are more of a function than are looked at.
    pub fn is_cut(&self, id: Span) -> bool {
        self.cut.contains(&id)
    }

    /// Takes in what another translation unit makes of functions of this file.
    pub fn join(&mut self, other: Instances<'a>, is_own: impl Fn(Span) -> bool) {
        let mut found: Vec<_> = other.found.into_iter().collect();
        found.sort_by_key(|(id, _)| *id);
        for (id, list) in found.into_iter().filter(|(id, _)| is_own(*id)) {
            for instance in list {
                self.add(id, instance);
            }
        }
        self.cut
            .extend(other.cut.into_iter().filter(|id| is_own(*id)));
    }

    pub fn add(&mut self, id: Span, instance: Instance<'a>) -> bool {
        let key = format!("{}{}", written(&instance.of_class), written(&instance.own));
        if self.known.contains(&(id, key.clone())) {
            return false;
        }
        let list = self.found.entry(id).or_default();
        if list.len() == MAX_INSTANCES {
            self.cut.insert(id);
            return false;
        }
        list.push(instance);
        self.known.insert((id, key))
    }
}
