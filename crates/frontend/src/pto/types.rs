//! Tile types: the angle brackets of assembly, and the words that C++ shares with them.

use a2lint_ir::tile::{Layout, Memory, TileType, Valid};
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;

pub(super) fn memory(name: &str) -> Memory {
    match name.to_ascii_lowercase().as_str() {
        "vec" | "ub" => Memory::Vec,
        "mat" => Memory::Mat,
        "left" => Memory::Left,
        "right" => Memory::Right,
        "acc" => Memory::Acc,
        _ => Memory::Other,
    }
}

pub(super) fn layout(name: &str) -> Option<Layout> {
    match name.to_ascii_lowercase().replace('_', "").as_str() {
        "rowmajor" => Some(Layout::RowMajor),
        "colmajor" => Some(Layout::ColMajor),
        _ => None,
    }
}

pub(super) fn boxed(name: &str) -> Option<bool> {
    match name.to_ascii_lowercase().replace('_', "").as_str() {
        "nonebox" | "none" => Some(false),
        "rowmajor" | "colmajor" => Some(true),
        _ => None,
    }
}

/// Reads `!pto.tile_buf<...>` in any of its spellings; `None` for types of other things.
pub fn from_text(text: &str, span: Span) -> Option<TileType> {
    let text = text.trim();
    let name = text.strip_prefix('!').unwrap_or(text);
    let name = name.strip_prefix("pto.").unwrap_or(name);
    let (kind, inside) = name.split_once('<')?;
    if !matches!(kind.trim(), "tile" | "tile_buf") {
        return None;
    }
    let inside = inside.strip_suffix('>')?;
    let mut ty = TileType {
        span,
        layout: Some(Layout::RowMajor),
        boxed: Some(false),
        fractal: Some(512),
        ..TileType::default()
    };
    let mut reader = Items {
        ty: &mut ty,
        numbers: 0,
        orders: 0,
        explicit_valid: [false; 2],
    };
    for item in split(inside) {
        reader.item(item);
    }
    let explicit = reader.explicit_valid;
    // Extents without `v_row` or `v_col` are valid as a whole.
    for axis in [0, 1] {
        if let (false, Some(extent)) = (explicit[axis], ty.shape[axis]) {
            ty.valid[axis] = Valid::Static(extent);
        }
    }
    Some(ty)
}

/// Splits a text at commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0i32;
    text.split(|c: char| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|item| !item.is_empty())
    .collect()
}

struct Items<'t> {
    ty: &'t mut TileType,
    /// Number of plain numbers so far: rows, columns, valid rows, valid columns.
    numbers: usize,
    /// Number of layout words so far: of the tile, then of the fractal.
    orders: usize,
    explicit_valid: [bool; 2],
}

impl Items<'_> {
    fn item(&mut self, item: &str) {
        match item.split_once('=') {
            Some((key, value)) => self.named(key.trim(), value.trim()),
            None => self.positional(item),
        }
    }

    fn named(&mut self, key: &str, value: &str) {
        match key {
            "loc" => self.ty.memory = Some(memory(value)),
            "dtype" => self.element(value),
            "rows" => self.ty.shape[0] = value.parse().ok(),
            "cols" => self.ty.shape[1] = value.parse().ok(),
            "v_row" => self.valid(0, value),
            "v_col" => self.valid(1, value),
            "valid" => {
                for (axis, extent) in value.splitn(2, 'x').enumerate() {
                    self.valid(axis, extent);
                }
            }
            "blayout" => self.ty.layout = layout(value),
            "slayout" => self.ty.boxed = boxed(value),
            "fractal" => self.ty.fractal = value.parse().ok(),
            _ => {}
        }
    }

    fn positional(&mut self, item: &str) {
        // A placeholder for any type, as documentation writes it.
        if matches!(item, "..." | "…") {
            *self.ty = TileType {
                span: self.ty.span,
                placeholder: true,
                ..TileType::default()
            };
        } else if let Some((rows, rest)) = item.split_once('x')
            && let Some((columns, element)) = rest.split_once('x')
        {
            // The compact form: `16x16xf32`.
            self.ty.shape = [rows.parse().ok(), columns.parse().ok()];
            self.numbers = 2;
            self.element(element);
        } else if item == "?" || item.parse::<i64>().is_ok() {
            // Two numbers are the extents, two further ones the valid extents.
            match self.numbers {
                axis @ (0 | 1) => self.ty.shape[axis] = item.parse().ok(),
                axis @ (2 | 3) => self.valid(axis - 2, item),
                _ => {}
            }
            self.numbers += 1;
        } else if Element::from_mlir(element_name(item)).is_some() {
            self.element(item);
        } else if layout(item).is_some() || boxed(item).is_some() {
            // The first layout word is that of the tile, the second that of the boxes in it.
            match self.orders {
                0 if layout(item).is_some() => self.ty.layout = layout(item),
                0 | 1 => self.ty.boxed = boxed(item),
                _ => {}
            }
            self.orders += 1;
        } else if self.ty.memory.is_none() {
            // Any other word names the memory, once.
            self.ty.memory = Some(memory(item));
        }
    }

    fn element(&mut self, text: &str) {
        self.ty.element = Element::from_mlir(element_name(text));
    }

    fn valid(&mut self, axis: usize, text: &str) {
        self.explicit_valid[axis] = true;
        self.ty.valid[axis] = match text {
            "?" | "-1" => Valid::Dynamic,
            _ => text.parse().map_or(Valid::Unknown, Valid::Static),
        };
    }
}

/// Returns the name of an element type: `hif8` of `!pto.hif8`.
fn element_name(text: &str) -> &str {
    text.trim_start_matches('!').trim_start_matches("pto.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TileType {
        from_text(text, Span::default()).expect("a tile type")
    }

    #[test]
    fn every_spelling_says_the_same() {
        let spellings = [
            "!pto.tile<16x32xf32>",
            "!pto.tile<f32, 16, 32>",
            "!pto.tile<loc=vec, f32, 16, 32, RowMajor, NoneBox, None, Zero>",
            "!pto.tile_buf<vec, 16x32xf32>",
            "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=16, v_col=32, \
             blayout=row_major, slayout=none_box, fractal=512, pad=0>",
        ];
        for text in spellings {
            let ty = read(text);
            assert_eq!(ty.shape, [Some(16), Some(32)], "{text}");
            assert_eq!(ty.element, Some(Element::Float), "{text}");
            assert_eq!(ty.layout, Some(Layout::RowMajor), "{text}");
            assert_eq!(ty.boxed, Some(false), "{text}");
            assert_eq!(ty.valid, [Valid::Static(16), Valid::Static(32)], "{text}");
            assert_eq!(ty.bytes(), Some(2048), "{text}");
        }
    }

    #[test]
    fn dynamic_boxed_and_unfinished_types() {
        let ty = read(
            "!pto.tile_buf<loc=mat, dtype=bf16, rows=16, cols=16, v_row=?, v_col=8, \
                       blayout=col_major, slayout=row_major, fractal=1024, pad=0>",
        );
        assert_eq!(ty.memory, Some(Memory::Mat));
        assert_eq!(ty.valid, [Valid::Dynamic, Valid::Static(8)]);
        assert_eq!((ty.layout, ty.boxed), (Some(Layout::ColMajor), Some(true)));
        assert!(read("!pto.tile<...>").placeholder);
        assert_eq!(read("!pto.tile<...>").bytes(), None);
        assert_eq!(from_text("!pto.ptr<f32>", Span::default()), None);
        assert_eq!(from_text("f32", Span::default()), None);
    }
}
