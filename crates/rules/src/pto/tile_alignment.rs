use crate::declare_rule;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Layout, Memory, TileType};
use a2lint_isa::masks::Element;

declare_rule! {
    /// ## What it does
    /// Reports tile types whose rows, columns or fractals do not fill blocks of 32 bytes.
    ///
    /// ## Why is this bad?
    /// The tile template asserts it: an unboxed row-major tile needs rows of a multiple of 32 bytes, a
    /// column-major one columns of such; a boxed tile needs extents that are multiples of its inner box. In
    /// assembly the same holds, but nothing says so before code is generated.
    ///
    /// ## Example
    /// ```cpp
    /// using MaskT = Tile<TileType::Vec, uint8_t, 16, 16>;
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;   // valid: (16, 2)
    /// ```
    ///
    /// ## Source
    /// Tile, static assertions.
    "PTO017" "tile-alignment" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let mut reported = Vec::new();
    for tile in &facts.function.tiles {
        let ty = &tile.ty;
        if reported.contains(&ty.span) {
            continue;
        }
        let Some((message, help)) = problem(ty) else {
            continue;
        };
        reported.push(ty.span);
        sink.report(ty.span, message)
            .label(tile.span, format!("the type of `{}`", tile.name))
            .help(help);
    }
}

fn problem(ty: &TileType) -> Option<(String, String)> {
    let (rows, columns) = (ty.shape[0]?, ty.shape[1]?);
    let element = ty.element?;
    if rows <= 0 || columns <= 0 {
        let message = format!("a tile of {rows} x {columns} elements has no place");
        return Some((
            message,
            "give it at least one row and one column".to_owned(),
        ));
    }
    match ty.boxed? {
        true => boxed(ty, element, rows, columns),
        false => unboxed(ty.layout?, element, rows, columns),
    }
}

fn unboxed(layout: Layout, element: Element, rows: i64, columns: i64) -> Option<(String, String)> {
    let (extent, line, other) = match layout {
        Layout::RowMajor => (columns, "row", "columns"),
        Layout::ColMajor => (rows, "column", "rows"),
    };
    let bytes = extent.checked_mul(element.bytes())?;
    if bytes % 32 == 0 {
        return None;
    }
    let block = 32 / element.bytes();
    let padded = extent.saturating_add(block - 1) / block * block;
    Some((
        format!("a {line} of {extent} {element} has {bytes} bytes, which is no multiple of 32"),
        format!("use {padded} {other} and say in the valid region that {extent} of them count"),
    ))
}

fn boxed(ty: &TileType, element: Element, rows: i64, columns: i64) -> Option<(String, String)> {
    // Boxes of left, right and accumulator tiles differ between devices, and boxed tiles of UB may have an extra
    // row against bank conflicts.
    if ty.memory? != Memory::Mat {
        return None;
    }
    let (high, wide) = match ty.fractal? {
        512 => (16, 32 / element.bytes()),
        1024 => (16, 16),
        _ => return None,
    };
    let fits = |high: i64, wide: i64| rows % high == 0 && columns % wide == 0;
    // The orientation of a box depends on the inner layout.
    if wide == 0 || fits(high, wide) || fits(wide, high) {
        return None;
    }
    Some((
        format!(
            "a boxed tile of {rows} x {columns} {element} does not consist of {high} x {wide} boxes"
        ),
        format!("round its rows up to a multiple of {high} and its columns to one of {wide}"),
    ))
}
