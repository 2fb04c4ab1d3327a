//! Effects of a class's methods on its members: sizes of buffers, and fields that change.

use rustc_hash::FxHashMap;

use super::Reader;
use super::objects::Object;
use super::params::FIELDS;
use crate::cpp::{ClassFacts, Entity, Site, declared, mentions, root};
use a2lint_syntax::cpp::{Expr, ExprKind, Function, visit_expressions};

impl<'a> Reader<'a> {
    /// Reads the methods of a class, after its members were declared.
    pub(super) fn read_class(&mut self, site: &Site<'a>, class: &ClassFacts<'a>) {
        let mut sizes: FxHashMap<&'a str, Option<i64>> = FxHashMap::default();
        for method in &class.methods {
            let locals = locals(method);
            visit_expressions(&method.body, &mut |expr| match &expr.kind {
                ExprKind::Call {
                    callee, arguments, ..
                } => {
                    if let Some((name, size)) = init_buffer(callee, arguments) {
                        let constant = !mentions(size, &locals);
                        let bytes = site.env.int64(size).filter(|_| constant);
                        let known = sizes.entry(name).or_insert(bytes);
                        if *known != bytes {
                            *known = None;
                        }
                    }
                }
                ExprKind::Assign(assignment) => self.member_changes(site, &assignment.target),
                _ => {}
            });
        }
        for (name, bytes) in sizes {
            self.set_size(site, name, bytes);
        }
    }

    /// Sets the size of a queue's or buffer's memory.
    pub(super) fn set_size(&mut self, site: &Site<'a>, name: &str, size: Option<i64>) {
        if let Some(Entity::Object(index)) = site.env.get(name).map(|binding| &binding.entity)
            && let Some(Object::Store(store)) = self.objects.get_mut(*index)
        {
            store.bytes = size;
        }
    }

    /// Makes a field unknown that any method assigns, since methods can run in any order.
    fn member_changes(&mut self, site: &Site<'a>, target: &Expr<'a>) {
        let Some(Entity::Object(index)) = root(target)
            .and_then(|name| site.env.get(name))
            .map(|binding| &binding.entity)
        else {
            return;
        };
        let Some(Object::Params(fields)) = self.objects.get_mut(*index) else {
            return;
        };
        match &target.kind {
            ExprKind::Member { name, .. } if target.plain_name().is_none() => {
                if let Some(at) = FIELDS.iter().position(|(field, _)| field == name) {
                    fields.0[at].value = None;
                    fields.0[at].written = true;
                }
            }
            _ => fields.forget(),
        }
    }
}

/// Returns queue (or buffer) and size of `pipe.InitBuffer(queue, number, bytes)`.
pub(super) fn init_buffer<'a, 'e>(
    callee: &'e Expr<'a>,
    arguments: &'e [Expr<'a>],
) -> Option<(&'a str, &'e Expr<'a>)> {
    let ExprKind::Member {
        name: "InitBuffer", ..
    } = &callee.kind
    else {
        return None;
    };
    match arguments {
        [queue, _, bytes] => Some((queue.plain_name()?, bytes)),
        [buffer, bytes] => Some((buffer.plain_name()?, bytes)),
        _ => None,
    }
}

/// Returns the parameters and variables of a method.
fn locals<'a>(method: &Function<'a>) -> Vec<&'a str> {
    let mut names: Vec<&'a str> = method
        .parameters
        .iter()
        .map(|parameter| parameter.name)
        .collect();
    declared(&method.body, &mut names);
    names
}
