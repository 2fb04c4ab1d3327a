//! Instances that calls create: of templates, and of any function for the numbers that it receives.

use super::arguments::{Argument, Arguments, is_equal};
use super::arithmetic::truncate;
use super::collect::Member;
use super::instance::Instance;
use super::instances::Search;
use super::walk::root;
use a2lint_isa::masks::Element;
use a2lint_syntax::cpp::{Expr, ExprKind, Function, Parameter, Path, UnaryOp, visit_expressions};

impl<'a> Search<'_, 'a> {
    /// Adds an instance of a template, and one for the numbers that the call passes.
    pub(super) fn call(
        &mut self,
        at: usize,
        outer: Instance<'a>,
        own: Arguments<'a>,
        passed: &[Expr<'a>],
    ) {
        let member = &self.all.members[at];
        if self.is_specialised(member, &own) {
            return;
        }
        let instance = Instance { own, ..outer };
        self.add(at, instance.clone());
        self.passed_to(at, instance, passed);
    }

    pub(super) fn add(&mut self, at: usize, instance: Instance<'a>) {
        if self.found.add(self.all.members[at].id(), instance.clone()) {
            self.waiting.push_back((at, instance));
        }
    }

    /// Returns whether a specialisation of a function exists for these arguments.
    fn is_specialised(&self, member: &Member<'a>, own: &[Argument<'a>]) -> bool {
        let view = self.view();
        let same = |special: &Member<'a>| {
            let given = &special.function.specialises;
            let known = given.iter().map(|it| view.argument(it));
            let known: Option<Arguments<'a>> = known.collect();
            known.is_none_or(|known| {
                let may_be = |(one, other): (&Argument<'a>, &Argument<'a>)| {
                    matches!(other, Argument::Unknown) || is_equal(one, other)
                };
                known.iter().zip(own).all(may_be)
            })
        };
        let mut others = self.all.members_named(member.function.name);
        others.any(|(_, it)| it.class == member.class && it.is_special() && same(it))
    }

    /// Handles a call of a function that is no template.
    pub(super) fn plain_function(&mut self, path: &Path<'a>, passed: &[Expr<'a>]) {
        self.note_calls(path.name(), passed);
        let around = self.class.as_ref().map(|(class, _)| *class);
        let is_it = |member: &Member<'a>| member.class.is_none() || member.class == around;
        if let Some(at) = self.only_plain(path.name(), passed, is_it) {
            self.passed_to(at, self.outer_of(at), passed);
        }
    }

    /// Returns the arguments of the enclosing class, for functions that are called in it.
    pub(super) fn outer_of(&self, at: usize) -> Instance<'a> {
        match (self.all.members[at].class, &self.class) {
            (Some(_), Some((_, instance))) => instance.clone(),
            _ => Instance::default(),
        }
    }

    /// Returns the function that a call certainly means: the only one of its name with this number of parameters.
    pub(super) fn only_plain(
        &self,
        name: &str,
        passed: &[Expr<'a>],
        is_it: impl Fn(&Member<'a>) -> bool,
    ) -> Option<usize> {
        let fits =
            |member: &Member<'a>| is_it(member) && member.function.parameters.len() == passed.len();
        let mut found = self
            .all
            .members_named(name)
            .filter(|(_, member)| fits(member));
        let (at, member) = found.next()?;
        let plain = !member.is_template() && !member.is_special();
        (plain && found.next().is_none()).then_some(at)
    }

    /// Adds an instance for the numbers that a call passes.
    pub(super) fn passed_to(&mut self, at: usize, instance: Instance<'a>, passed: &[Expr<'a>]) {
        let member = &self.all.members[at];
        let of_template = member.class.is_some_and(|class| {
            !self.all.classes[class].class.parameters.is_empty() && instance.of_class.is_empty()
        });
        let values = self.values(member.function, passed);
        if !of_template && values.iter().any(Option::is_some) {
            let passed = values;
            self.add(at, Instance { passed, ..instance });
        }
    }

    /// Records the numbers that a call passes to every function that it may mean.
    pub(super) fn note_calls(&mut self, name: &str, passed: &[Expr<'a>]) {
        let all = self.all;
        for (_, member) in all.members_named(name) {
            let values = self.values(member.function, passed);
            self.found.note_call(member.id(), &values);
        }
    }

    /// Returns the numbers among the arguments of a call, converted to the types of the parameters.
    fn values(&self, function: &Function<'a>, passed: &[Expr<'a>]) -> Vec<Option<i128>> {
        let view = self.view();
        let pairs = function.parameters.iter().zip(passed);
        let value = |(parameter, argument): (&Parameter<'a>, _)| {
            let element = view.element(&parameter.ty)?;
            let plain = !parameter.pointer && element.is_integer() && element != Element::Bool;
            let value = view.int(argument).filter(|_| plain)?;
            Some(truncate(value, element))
        };
        pairs.map(value).collect()
    }

    /// Returns whether a parameter keeps its initial value throughout the function.
    pub(super) fn keeps(&self, function: &Function<'a>, name: &str) -> bool {
        let mut keeps = true;
        visit_expressions(&function.body, &mut |expr| match &expr.kind {
            ExprKind::Assign(assignment) => keeps &= root(&assignment.target) != Some(name),
            ExprKind::Unary(UnaryOp::AddressOf, operand) => keeps &= root(operand) != Some(name),
            ExprKind::Call {
                callee, arguments, ..
            } => {
                let mut arguments = arguments.iter().enumerate();
                keeps &= arguments.all(|(at, argument)| {
                    root(argument) != Some(name) || self.takes_values(callee, at)
                });
            }
            _ => {}
        });
        keeps
    }

    /// Returns whether every function that a call may mean takes this argument by value, as far as they are visible.
    fn takes_values(&self, callee: &Expr<'a>, at: usize) -> bool {
        let name = match &callee.kind {
            ExprKind::Path(path) => path.name(),
            ExprKind::Member { name, .. } => name,
            _ => return false,
        };
        if self.element_named(callee) {
            return true;
        }
        let mut known = self.all.members_named(name).peekable();
        known.peek().is_some()
            && known.all(|(_, member)| {
                let parameter = member.function.parameters.get(at);
                parameter.is_some_and(|it| !it.indirect)
            })
    }

    /// Returns whether a call is a conversion such as `uint32_t(x)`.
    fn element_named(&self, callee: &Expr<'a>) -> bool {
        let path = callee.path();
        path.is_some_and(|path| self.view().element(path).is_some())
    }
}
