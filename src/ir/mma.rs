//! Fifth-generation tensor-core instructions of PTX, from modules and from inline assembly.

use crate::text::Span;

/// What one file asks of the tensor core.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// Functions with instructions of the `tcgen05` family, in source order.
    pub kernels: Vec<Kernel>,
}

/// One function.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The name where it is defined.
    pub name_span: Span,
}
