//! Views of tensors in GM: slices and reshaping.

use std::rc::Rc;

use super::emit::Spanned;
use super::tracer::{Eval, Tracer};
use super::value::Value;
use a2lint_ir::{BinaryOp, GlobalAxis, GlobalView, Scalar, ScalarId};
use a2lint_source::text::Span;

impl<'a> Tracer<'a> {
    pub(super) fn slice_global(
        &mut self,
        view: &GlobalView,
        index: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let parts: Vec<Value<'a>> = match index {
            Value::Tuple(parts) => parts.to_vec(),
            // What an unknown index selects is unknown; it is no mistake.
            Value::Unknown | Value::Foreign | Value::Inert => return Ok(Value::Unknown),
            other => vec![other.clone()],
        };
        // A slot of a ring has the rows and columns that remain after the slot was picked.
        let picked = self.picked_axes(view);
        let Some(axes) = self.axes(view, picked + parts.len(), span) else {
            return Ok(Value::Unknown);
        };
        let mut sliced = GlobalView {
            axes,
            sliced: true,
            site: span,
            ..view.clone()
        };
        for (axis, part) in parts.iter().enumerate() {
            let axis = picked + axis;
            let before = sliced.axes[axis];
            // `None` after a mistake, which has been noted.
            let Some(window) = self.window(part, before.span, before.static_span, span)? else {
                return Ok(Value::Unknown);
            };
            let start = self
                .builder()
                .binary(BinaryOp::Add, before.start, window.start);
            sliced.axes[axis] = GlobalAxis {
                extent: before.extent,
                start,
                span: window.span,
                // An axis that an index has selected has no extent of its own any more.
                is_slice: matches!(part, Value::Slice(_)),
                static_span: window.is_static,
            };
        }
        Ok(Value::Global(Rc::new(sliced)))
    }

    /// Returns the product of the extents if all of them are constants; `None` also without axes.
    fn elements(&mut self, axes: &[GlobalAxis]) -> Option<i64> {
        let scalars = &self.builder().program.scalars;
        let mut extents = axes.iter().map(|axis| scalars.as_int(axis.extent));
        let all = extents.try_fold(1i64, |all, extent| all.checked_mul(extent?));
        all.filter(|_| !axes.is_empty())
    }

    /// Returns the number of leading axes that picking a slot of a ring has used up.
    pub(super) fn picked_axes(&mut self, view: &GlobalView) -> usize {
        match self.builder().program.global(view.global).ring {
            Some(_) => view.axes.iter().take_while(|axis| !axis.is_slice).count(),
            None => 0,
        }
    }

    /// Returns the axes of a global view; a parameter gets its rank from its first subscript.
    pub(super) fn axes(
        &mut self,
        view: &GlobalView,
        rank: usize,
        span: Span,
    ) -> Option<Vec<GlobalAxis>> {
        // The annotation gives no rank, so the subscript does.
        if view.axes.is_empty() {
            return Some(self.parameter_axes(view, rank));
        }
        if view.axes.len() == rank {
            return Some(view.axes.clone());
        }
        let declared = self.builder().program.global(view.global);
        let (name, known) = (declared.name.clone(), view.axes.len());
        let is_workspace = declared.kind == a2lint_ir::GlobalKind::Workspace;
        // A parameter with annotated extents has a fixed rank: every dimension must be indexed.
        let is_declared = self.is_compiled() && known > rank && !view.sliced;
        if is_workspace || is_declared {
            let message = format!("`{name}` has {known} dimensions and {rank} indices");
            let exception = if is_workspace { "IndexError" } else { "E0201" };
            self.raise(span, exception, message);
        }
        None
    }

    pub(super) fn parameter_axes(&mut self, view: &GlobalView, rank: usize) -> Vec<GlobalAxis> {
        let builder = self.builder();
        let known = builder.program.global(view.global).shape.clone();
        let shape: Vec<ScalarId> = match known.len() == rank {
            // Unknown extents are symbols of the program that a launch or a contract gives.
            true => known,
            false => (0..rank as u32)
                .map(|axis| {
                    builder
                        .program
                        .scalars
                        .intern(Scalar::Extent(view.global, axis))
                })
                .collect(),
        };
        // Kept for the program, so that every view of the parameter has the same symbols.
        if known_rank_is_open(&builder.program.globals[view.global.index()].shape) {
            builder.program.globals[view.global.index()]
                .shape
                .clone_from(&shape);
        }
        let start = builder.int(0);
        shape
            .into_iter()
            .map(|extent| GlobalAxis {
                extent,
                start,
                span: extent,
                is_slice: true,
                static_span: false,
            })
            .collect()
    }

    /// Evaluates `gm.reshape(...)`: a view of the same memory with other extents.
    pub fn reshaped(
        &mut self,
        view: &GlobalView,
        shape: &[Spanned<'a>],
        span: Span,
    ) -> Eval<Value<'a>> {
        // A part of a tensor is not contiguous, so it cannot be reshaped in general.
        if view.sliced {
            return Ok(Value::Unknown);
        }
        let start = self.builder().int(0);
        let mut axes = Vec::with_capacity(shape.len());
        for (extent, _) in shape {
            let static_span = extent.as_int().is_some();
            let extent = self.captured(extent)?;
            axes.push(GlobalAxis {
                extent,
                start,
                span: extent,
                is_slice: true,
                static_span,
            });
        }
        let counts = [self.elements(&view.axes), self.elements(&axes)];
        // Only constant counts are compared: symbolic ones may agree in every launch.
        if let [Some(before), Some(after)] = counts
            && before != after
        {
            let name = self.builder().program.global(view.global).name.clone();
            let message = format!("`{name}` has {before} elements, and this shape {after}");
            self.raise(span, "ValueError", message);
            return Ok(Value::Unknown);
        }
        Ok(Value::Global(Rc::new(GlobalView {
            axes,
            site: span,
            ..view.clone()
        })))
    }
}

fn known_rank_is_open(shape: &[ScalarId]) -> bool {
    shape.is_empty()
}
