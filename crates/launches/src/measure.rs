//! Measures which part of each global tensor a run touches; tensors of unknown shape get these extents.

use std::ops::ControlFlow;

use a2lint_ir::{
    ArgSource, GlobalId, GlobalView, Instr, ParamKind, Program, Scalar, ScalarId, StmtId,
    VariableId,
};
use a2lint_machine::{Inspection, Observer, Site};

/// Longest axis that is measured. A longer one is more likely a bad guess than a tensor.
pub(super) const MAX_EXTENT: i64 = 1 << 20;

/// Shapes by the names of their tensors.
pub(super) type Shapes = Vec<(String, Vec<i64>)>;

/// An observer of a run that records the extents touched of each global tensor.
pub(super) struct Measure<'p> {
    program: &'p Program,
    /// Instructions with the global views that are measured, by statement number.
    views: Vec<Vec<(&'p Instr, usize, &'p GlobalView)>>,
    /// Whether the shape of each tensor is unknown.
    open: Vec<bool>,
    /// Extents touched so far, by tensor.
    extents: Vec<Vec<i64>>,
    /// A tensor that is touched at a negative or huge index.
    pub odd: Option<GlobalId>,
}

impl<'p> Measure<'p> {
    /// Prepares to measure the tensors for which `is_open` holds, and those with one of `symbols` as an
    /// extent.
    pub(super) fn new(
        program: &'p Program,
        is_open: impl Fn(GlobalId) -> bool,
        symbols: &[VariableId],
    ) -> Self {
        let ids = (0..program.globals.len() as u32).map(GlobalId);
        let open: Vec<bool> = ids.map(is_open).collect();
        let is_symbol = |&extent: &ScalarId| match program.scalars.get(extent) {
            Scalar::Variable(id) => symbols.contains(&id),
            _ => false,
        };
        let has_symbols = |id: GlobalId| program.global(id).shape.iter().any(is_symbol);
        let mut views = vec![Vec::new(); program.stmt_count as usize];
        let mut extents = vec![Vec::new(); program.globals.len()];
        for (extents, global) in extents.iter_mut().zip(&program.globals) {
            let size = |&extent: &ScalarId| program.size(extent).unwrap_or(1);
            *extents = global.shape.iter().map(size).collect();
        }
        for (stmt, instr) in program.instructions() {
            for (operand, _, view) in instr.operands() {
                let Some(view) = view.global() else { continue };
                let is_open = open[view.global.index()];
                if is_open {
                    extents[view.global.index()] = vec![1; view.axes.len()];
                }
                if is_open || has_symbols(view.global) {
                    views[stmt.id.index()].push((instr, operand, view));
                }
            }
        }
        Measure {
            program,
            views,
            open,
            extents,
            odd: None,
        }
    }

    /// Returns whether there is nothing to measure.
    pub(super) fn is_idle(&self) -> bool {
        self.views.iter().all(Vec::is_empty)
    }

    /// Returns the smallest value of a symbol with which all extents that it names hold what was touched.
    pub(super) fn symbol(&self, id: VariableId) -> i64 {
        let globals = self.program.globals.iter().zip(&self.extents);
        let axes = globals.flat_map(|(global, extents)| global.shape.iter().zip(extents));
        let is_it = |extent: ScalarId| self.program.scalars.get(extent) == Scalar::Variable(id);
        let own = axes.filter(|&(&extent, _)| is_it(extent));
        own.map(|(_, &size)| size).max().unwrap_or(1)
    }

    /// Returns the measured shapes of the tensors whose shapes are unknown.
    pub(super) fn shapes(&self) -> Shapes {
        let params = self.program.params.iter();
        let shapes = params.filter_map(|param| match param.kind {
            ParamKind::Global(id) if self.open[id.index()] => {
                let extents = &self.extents[id.index()];
                let shape = if extents.is_empty() {
                    vec![1]
                } else {
                    extents.clone()
                };
                Some((param.name.to_string(), shape))
            }
            _ => None,
        });
        shapes.collect()
    }
}

/// Extends the axes of a view to the extents that a move is given explicitly (`n_burst`, `burst_len_element`). A burst
/// longer than a row of a single-row view covers the following rows.
fn stretch(
    inspection: &mut Inspection,
    (instr, operand): (&Instr, usize),
    view: &GlobalView,
    axes: &mut [(i64, i64)],
) -> Option<()> {
    let extents = instr.row().global_extents(operand)?;
    let mut given = |at: usize| {
        let arg = &instr.args[at];
        let id = arg
            .value
            .scalar()
            .filter(|_| matches!(arg.source, ArgSource::Given(_)))?;
        inspection.scalar(id).as_int().ok()
    };
    let (rows, columns) = (given(extents.rows), given(extents.columns));
    let along = view.row_axes()?;
    if let (Some(axis), Some(rows)) = (along.rows, rows) {
        axes[axis].1 = rows;
    }
    let (axis, columns) = along.columns.zip(columns)?;
    let own = axes[axis].1.max(1);
    match along.rows.filter(|&axis| axes[axis].1 <= 1) {
        Some(rows) if columns > own => axes[rows].1 = axes[rows].1.max((columns - 1) / own + 1),
        _ => axes[axis].1 = own.max(columns),
    }
    Some(())
}

impl Observer for Measure<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        !self.views[stmt.index()].is_empty()
    }

    fn before(&mut self, site: &Site, _: u64, inspection: &mut Inspection) {
        for &(instr, operand, view) in &self.views[site.stmt.index()] {
            let axes = view.axes.iter().map(|axis| {
                let [start, span] =
                    [axis.start, axis.span].map(|id| inspection.scalar(id).as_int());
                Some((start.ok()?, span.ok()?))
            });
            let Some(mut axes) = axes.collect::<Option<Vec<(i64, i64)>>>() else {
                self.odd = Some(view.global);
                continue;
            };
            stretch(inspection, (instr, operand), view, &mut axes);
            if axes.iter().any(|&(_, span)| span <= 0) {
                continue;
            }
            for (extent, (start, span)) in self.extents[view.global.index()].iter_mut().zip(axes) {
                let end = start.saturating_add(span);
                if start < 0 || end > MAX_EXTENT {
                    self.odd = Some(view.global);
                }
                *extent = end.clamp(*extent, MAX_EXTENT.max(*extent));
            }
        }
    }

    fn after(&mut self, _: &Site, _: u64, _: &mut Inspection) -> ControlFlow<()> {
        match self.odd {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
