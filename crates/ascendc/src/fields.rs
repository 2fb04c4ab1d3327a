//! Numbers that a kernel reads from tiling data through a pointer: parameters of the kernel.
//!
//! `((__gm__ Tiling *)tiling)->rows` is the parameter `tiling.rows`, and `*(__gm__ float *)(tiling + 12)` is
//! `tiling[12]`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use a2lint_cpp::eval::{Eval, Kind, Ty, Value};
use a2lint_ir::build::Builder;
use a2lint_ir::{GlobalId, ParamKind};
use a2lint_source::text::Span;

use super::numbers;
use super::objects::Address;
use super::trace::number;

/// The names of the fields of tiling data, by tensor and offset in bytes.
#[derive(Debug, Default)]
pub struct TilingFields {
    names: RefCell<BTreeMap<(GlobalId, i64), String>>,
}

impl TilingFields {
    /// Records the name of a member of a struct at an address.
    pub fn name(&self, builder: &Builder, object: Address, part: Address, member: &str) {
        let Some((from, to)) = place(builder, object).zip(place(builder, part)) else {
            return;
        };
        let mut names = self.names.borrow_mut();
        let outer = names.get(&from).cloned();
        let outer = outer.unwrap_or_else(|| builder.program.global(object.global).name.to_string());
        names.insert(to, format!("{outer}.{member}"));
    }

    /// Returns the number of a type at an address in tiling data, as a parameter of the kernel; `None` elsewhere, and
    /// where an index chooses it.
    pub fn value(
        &self,
        eval: &mut Eval<'_>,
        address: Address,
        ty: &Ty,
        span: Span,
    ) -> Option<Value> {
        if !matches!(ty.kind, Kind::Int(_) | Kind::Float(_) | Kind::Enum(_)) {
            return None;
        }
        let name = &eval.builder.program.global(address.global).name;
        if !name.to_ascii_lowercase().contains("tiling") {
            return None;
        }
        let at = place(&eval.builder, address)?;
        let known = self.names.borrow().get(&at).cloned();
        let name = known.unwrap_or_else(|| format!("{name}[{}]", at.1));
        let name = name_for(eval, name, ty);
        let ty = ty.clone().unqualified();
        Some(number(eval, &name, &ty, span))
    }
}

/// Returns the tensor that an address points into and the offset in bytes, if that is known.
fn place(builder: &Builder, address: Address) -> Option<(GlobalId, i64)> {
    Some((address.global, numbers::known(builder, address.bytes)?))
}

/// Returns the name itself; a different one if it is that of a parameter of another type.
fn name_for(eval: &Eval<'_>, name: String, ty: &Ty) -> String {
    let of = match &ty.kind {
        Kind::Int(of) => Some(of.scalar()),
        Kind::Float(of) => of.scalar(),
        _ => None,
    };
    let program = &eval.builder.program;
    let known = program.params.iter().find(|it| it.name == *name);
    match (known.map(|it| it.kind), of) {
        (Some(ParamKind::Variable(variable)), Some(of))
            if program.scalars.variable_type(variable) != of =>
        {
            format!("{name} as {}", of.dtype.name())
        }
        _ => name,
    }
}
