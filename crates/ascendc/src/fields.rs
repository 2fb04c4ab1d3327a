//! Numbers that a kernel reads from tiling data through a pointer: parameters of the kernel.
//!
//! `((__gm__ Tiling *)tiling)->rows` is the parameter `tiling.rows`, and `*(__gm__ float *)(tiling + 12)` is
//! `tiling[12]`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use a2lint_cpp::eval::{Eval, Kind, Ty, Value};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::build::Builder;
use a2lint_ir::{GlobalId, ParamKind};
use a2lint_source::text::Span;

use super::numbers;
use super::objects::Address;
use super::trace::number;

/// The names of the fields of tiling data, by tensor and offset in bytes.
#[derive(Debug, Default)]
pub struct TilingFields {
    named: RefCell<BTreeMap<(GlobalId, i64), Vec<Named>>>,
}

/// A member of tiling data. A struct and its first member have the same offset and different types.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    kind: Kind,
    /// Size in bytes of an element of an array; 0 for other types.
    element: i64,
}

impl TilingFields {
    /// Records the name of a member of a struct, by the addresses and types of both.
    ///
    /// # Errors
    /// Fails if evaluation has to stop.
    pub fn name(
        &self,
        eval: &mut Eval<'_>,
        (object, class): (Address, &Ty),
        (part, ty): (Address, &Ty),
        member: &str,
    ) -> Evaluated<()> {
        let places = place(&eval.builder, object).zip(place(&eval.builder, part));
        let Some((from, to)) = places else {
            return Ok(());
        };
        let element = match &ty.kind {
            Kind::Array(of, _) => eval
                .size_of(of)?
                .and_then(|bytes| i64::try_from(bytes).ok()),
            _ => None,
        };
        let outer = self.name_at(from, &class.kind);
        let outer = outer.unwrap_or_else(|| eval.builder.program.global(from.0).name.to_string());
        for field in eval.fields_of(class)? {
            if matches!(field.ty.kind, Kind::Int(_) | Kind::Float(_) | Kind::Enum(_)) {
                let fields = &mut eval.builder.program.tiling_fields;
                fields.insert(format!("{outer}.{}", field.name));
            }
        }
        let name = format!("{outer}.{member}");
        let mut named = self.named.borrow_mut();
        let there = named.entry(to).or_default();
        there.retain(|it| it.kind != ty.kind);
        there.push(Named {
            name,
            kind: ty.kind.clone(),
            element: element.unwrap_or(0),
        });
        Ok(())
    }

    /// Returns the name of the member of this type at an offset, which is either recorded itself or an element of a
    /// recorded array.
    fn name_at(&self, (global, at): (GlobalId, i64), kind: &Kind) -> Option<String> {
        let named = self.named.borrow();
        let exact = named
            .get(&(global, at))
            .into_iter()
            .flatten()
            .find(|it| it.kind == *kind);
        if let Some(exact) = exact {
            return Some(exact.name.clone());
        }
        let before = named.range((global, i64::MIN)..=(global, at)).rev();
        let mut arrays =
            before.flat_map(|(place, there)| there.iter().map(move |it| (place.1, it)));
        arrays.find_map(|(start, array)| {
            let Kind::Array(of, Some(count)) = &array.kind else {
                return None;
            };
            let bytes = at - start;
            let index = bytes.checked_div(array.element)?;
            let within = bytes % array.element == 0 && index.cast_unsigned() < *count;
            (within && of.kind == *kind).then(|| format!("{}[{index}]", array.name))
        })
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
        let known = self.name_at(at, &ty.kind);
        let name = known.unwrap_or_else(|| format!("{name}[{}]", at.1));
        let name = name_for(eval, name, ty);
        let ty = ty.clone().unqualified();
        Some(number(eval, &name, &ty, span))
    }
}

/// Returns the tensor that an address points into and the offset in bytes; `None` if the offset is unknown.
fn place(builder: &Builder, address: Address) -> Option<(GlobalId, i64)> {
    Some((address.global, numbers::known(builder, address.bytes)?))
}

/// Returns the name itself, or a different one if a parameter of another type has that name.
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
