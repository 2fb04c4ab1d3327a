//! Instances of templates.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{Arguments, written};
use super::collect::Member;
use super::dialect::ClassFacts;
use a2lint_source::text::Span;

/// Maximum number of instances of one template.
pub const MAX_INSTANCES: usize = 64;

/// A function with certain arguments.
#[derive(Clone, Debug, Default)]
pub struct Instance<'a> {
    /// The arguments of its class as written.
    pub of_class: Arguments<'a>,
    /// The arguments of the parameters of its class, or of the specialisation.
    pub outer: Arguments<'a>,
    /// The arguments of the function itself.
    pub own: Arguments<'a>,
    /// The numbers that a call passes, by parameter; empty if no call is considered.
    pub passed: Vec<Option<i128>>,
}

impl<'a> Instance<'a> {
    /// Formats the display name: `Class<float>::function<9>(rows = 64)`.
    pub fn name(&self, member: &Member<'a>, class: Option<&ClassFacts<'a>>) -> String {
        let own = written(&self.own) + &self.passed_to(member);
        let function = member.function.name;
        match class.filter(|_| !self.of_class.is_empty()) {
            Some(facts) => {
                let outer = written(&self.of_class);
                format!("{}{outer}::{function}{own}", facts.class.name)
            }
            None => format!("{function}{own}"),
        }
    }

    /// Formats the known numbers, `(rows = 64)`; empty if there are none.
    fn passed_to(&self, member: &Member<'a>) -> String {
        let known = member.function.parameters.iter().zip(&self.passed);
        let known: Vec<String> = known
            .filter_map(|(parameter, value)| Some(format!("{} = {}", parameter.name, (*value)?)))
            .collect();
        match known.is_empty() {
            true => String::new(),
            false => format!("({})", known.join(", ")),
        }
    }
}

/// Instances by function.
#[derive(Debug, Default)]
pub struct Instances<'a> {
    found: FxHashMap<Span, Vec<Instance<'a>>>,
    known: FxHashSet<(Span, String)>,
    /// Functions with more instances than are kept.
    cut: FxHashSet<Span>,
    /// Whether functions were left unsearched.
    pub is_unfinished: bool,
    /// For each function, the numbers on which all of its calls agree, by parameter.
    agreed: FxHashMap<Span, Vec<Option<i128>>>,
}

impl<'a> Instances<'a> {
    /// Returns the instances of a function.
    pub fn of(&self, id: Span) -> &[Instance<'a>] {
        self.found.get(&id).map_or(&[], |list| list)
    }

    /// Returns whether a function has more instances than are kept.
    pub fn is_cut(&self, id: Span) -> bool {
        self.cut.contains(&id)
    }

    /// Records what one call passes.
    pub fn note_call(&mut self, id: Span, passed: &[Option<i128>]) {
        let known = self.agreed.entry(id).or_insert_with(|| passed.to_owned());
        let mut given = passed.iter();
        for value in known {
            let one = given.next().copied().flatten();
            *value = value.filter(|it| Some(*it) == one);
        }
    }

    /// Returns the numbers on which all visible calls of a function agree, by parameter.
    pub fn agreed(&self, id: Span) -> &[Option<i128>] {
        self.agreed.get(&id).map_or(&[], |list| list)
    }

    /// Merges the instances that another translation unit makes of functions of this file.
    pub fn join(&mut self, other: Instances<'a>, is_own: impl Fn(Span) -> bool) {
        let mut found: Vec<_> = other.found.into_iter().collect();
        found.sort_by_key(|(id, _)| *id);
        for (id, list) in found.into_iter().filter(|(id, _)| is_own(*id)) {
            for instance in list {
                self.add(id, instance);
            }
        }
        self.is_unfinished |= other.is_unfinished;
        self.cut
            .extend(other.cut.into_iter().filter(|id| is_own(*id)));
    }

    pub fn add(&mut self, id: Span, instance: Instance<'a>) -> bool {
        let (of_class, own) = (written(&instance.of_class), written(&instance.own));
        let key = format!("{of_class}{own}{:?}", instance.passed);
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
