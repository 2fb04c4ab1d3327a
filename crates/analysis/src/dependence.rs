//! The scalars that depend on a device query, or on the launch, through arithmetic, variables and loop
//! bounds.

use rustc_hash::FxHashSet;

use a2lint_ir::{
    ArgValue, GlobalView, LocalView, Program, Scalar, ScalarId, SpecialScalar, StmtKind,
    VariableId, VariableKind, View,
};

/// The scalars of a program whose values depend on certain sources by data flow: a variable that is merely
/// assigned under such a condition does not count.
#[derive(Debug)]
pub struct Dependence<'p> {
    program: &'p Program,
    queries: &'static [SpecialScalar],
    /// Whether parameters, extents and data count as sources.
    on_launch: bool,
    variables: FxHashSet<VariableId>,
}

impl<'p> Dependence<'p> {
    /// Finds the scalars that depend on these queries.
    pub fn on(program: &'p Program, queries: &'static [SpecialScalar]) -> Self {
        let mut dependence = Dependence {
            program,
            queries,
            on_launch: false,
            variables: FxHashSet::default(),
        };
        // Without such a query nothing depends on one.
        if dependence.asked() {
            while dependence.grow() {}
        }
        dependence
    }

    /// Finds the scalars that depend on arguments, extents or data, or that are unknown.
    pub fn on_launch(program: &'p Program) -> Self {
        let params = program.variables.iter().enumerate();
        let params = params.filter(|(_, variable)| variable.kind == VariableKind::Param);
        let instructions = program.instructions().into_iter();
        let read = instructions.filter_map(|(_, instr)| instr.reads_into());
        let given = params.map(|(index, _)| VariableId(index as u32));
        let mut dependence = Dependence {
            program,
            queries: &[],
            on_launch: true,
            variables: given.chain(read).collect(),
        };
        while dependence.grow() {}
        dependence
    }

    /// Returns whether the value of an expression depends on the sources.
    pub fn of(&self, id: ScalarId) -> bool {
        match self.program.scalars.get(id) {
            Scalar::Special(special) => self.queries.contains(&special),
            Scalar::Variable(variable) => self.variables.contains(&variable),
            Scalar::Unary(_, a) => self.of(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => self.of(a) || self.of(b),
            Scalar::Extent(..) | Scalar::Unknown(_) => self.on_launch,
            Scalar::Int(_) | Scalar::Large(_) | Scalar::Float(_) => false,
        }
    }

    /// Returns whether the value of an argument depends on the sources; for a view, its start or extent.
    pub fn of_argument(&self, value: &ArgValue) -> bool {
        match value {
            ArgValue::Variable(variable) => self.variables.contains(variable),
            ArgValue::Scalar(id) => self.of(*id),
            ArgValue::View(view) => self.of_view(view),
            _ => false,
        }
    }

    /// Returns whether the start or the extent of a view depends on the sources.
    pub fn of_view(&self, view: &View) -> bool {
        match view {
            View::Local(view) => self.of_local(view),
            View::Global(view) => self.of_global(view),
        }
    }

    fn of_local(&self, view: &LocalView) -> bool {
        let pairs = [view.offset, view.span];
        self.of(view.slot) || pairs.into_iter().flatten().any(|id| self.of(id))
    }

    fn of_global(&self, view: &GlobalView) -> bool {
        view.axes
            .iter()
            .any(|axis| self.of(axis.start) || self.of(axis.span))
    }

    /// Returns whether any expression of the program makes one of the queries.
    fn asked(&self) -> bool {
        let scalars = &self.program.scalars;
        (0..scalars.len() as u32).any(|index| match scalars.get(ScalarId(index)) {
            Scalar::Special(special) => self.queries.contains(&special),
            _ => false,
        })
    }

    /// Goes over all assignments once; returns whether it found a further variable.
    fn grow(&mut self) -> bool {
        let mut found = Vec::new();
        self.program.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { variable, value } if self.of(*value) => found.push(*variable),
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                ..
            } if [start, stop, step].into_iter().any(|&id| self.of(id)) => found.push(*variable),
            _ => {}
        });
        let before = self.variables.len();
        self.variables.extend(found);
        self.variables.len() > before
    }
}
