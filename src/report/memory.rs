//! The memory map of a kernel, drawn.

use unicode_width::UnicodeWidthStr;

use super::{FileReport, Paint, printable};
use crate::device::{self, Device};
use crate::finding::Severity;
use crate::ir::{BinaryOp, Buffer, Granule, MemoryMap, Placement, Program, ScalarId, ScalarNames};
use crate::isa::{Layout, Position};

/// Cells of a full bar.
const BAR: usize = 40;

/// The maps of some kernels of a file.
pub fn render(report: &FileReport, programs: &[&Program], device: Device, paint: Paint) -> String {
    let maps: Vec<String> = programs
        .iter()
        .map(|program| kernel(report, program, device, paint))
        .collect();
    maps.join("\n")
}

fn kernel(report: &FileReport, program: &Program, device: Device, paint: Paint) -> String {
    let place = report.source.line_column(program.name_span.start);
    let path = printable(&report.path);
    let place = format!("{path}:{}, device {}", place.line, device.name);
    let mut out = format!("{}  {}\n", paint.bold(&program.name), paint.dim(&place));
    if program.buffers.is_empty() {
        out.push_str("\nno on-chip buffers\n");
        return out;
    }
    let drawing = Drawing {
        program,
        names: ScalarNames::new(program),
        map: MemoryMap::of(program),
        paint,
    };
    for &position in Position::ALL {
        out.push_str(&drawing.memory(position));
    }
    out
}

struct Drawing<'a> {
    program: &'a Program,
    names: ScalarNames<'a>,
    map: MemoryMap,
    paint: Paint,
}

impl Drawing<'_> {
    /// One memory: its bar, then its buffers. Nothing where it has none.
    fn memory(&self, position: Position) -> String {
        let placements: Vec<&Placement> = self.map.in_position(position).collect();
        if placements.is_empty() {
            return String::new();
        }
        let used = self.map.known_bytes(position);
        let bar = self.bar(used, device::capacity(position));
        let head = format!("{:<4}", position.name());
        let mut out = format!(
            "\n{}{bar}  {}\n",
            self.paint.bold(&head),
            self.share(position)
        );
        for line in table(&self.rows(&placements)) {
            out.push_str(&format!("    {}\n", line.trim_end()));
        }
        out
    }

    fn bar(&self, used: i64, capacity: i64) -> String {
        let cells = (used as f64 / capacity as f64 * BAR as f64).ceil() as usize;
        let full = "█".repeat(cells.min(BAR));
        let rest = "░".repeat(BAR - cells.min(BAR));
        let full = match used > capacity {
            true => self.paint.severity(Severity::Error, &full),
            false => self.paint.code(&full),
        };
        full + &self.paint.dim(&rest)
    }

    /// `72 KB of 192 KB, 37.5 %, per vec lane`.
    fn share(&self, position: Position) -> String {
        let capacity = device::capacity(position);
        let known = self.map.known_bytes(position);
        let owner = match position {
            Position::Ub => "per vec lane",
            _ => "per cube core",
        };
        let (least, open) = match self.map.used(position) {
            Some(_) => ("", ""),
            None => ("at least ", ", plus what the launch decides"),
        };
        let percent = format!("{:.1}", 100.0 * known as f64 / capacity as f64);
        let percent = percent.strip_suffix(".0").unwrap_or(&percent);
        let total = bytes_text(capacity);
        let text = format!(
            "{least}{} of {total}, {percent} %, {owner}{open}",
            bytes_text(known)
        );
        if known <= capacity {
            return text;
        }
        let over = format!("  {} too many", bytes_text(known - capacity));
        text + &self.paint.severity(Severity::Error, &over)
    }

    fn rows(&self, placements: &[&Placement]) -> Vec<Vec<String>> {
        let header = ["address", "buffer", "size", "shape", "type", ""];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        let mut previous = "";
        for placement in placements {
            let buffer = self.program.buffer(placement.buffer);
            let address = match placement.address {
                Some(address) => format!("{address:#07x}"),
                None => format!("after {previous}"),
            };
            previous = buffer.label();
            rows.push(vec![
                address,
                previous.to_owned(),
                self.size(placement, buffer),
                self.shape(buffer),
                buffer.dtype.to_string(),
                layout_text(buffer).to_owned(),
            ]);
        }
        rows
    }

    /// `2 × 16 KB`, or the formula of a size that the launch decides.
    fn size(&self, placement: &Placement, buffer: &Buffer) -> String {
        let slots = match placement.slots {
            1 => String::new(),
            slots => format!("{slots} × "),
        };
        match placement.slot_bytes {
            Some(bytes) => slots + &bytes_text(bytes),
            None => format!("{slots}{} B", self.formula(buffer)),
        }
    }

    fn formula(&self, buffer: &Buffer) -> String {
        let mut scalars = self.program.scalars.clone();
        let id = Granule::of(self.program.dialect, buffer).formula(&mut scalars, buffer.shape);
        let text = self.names.text_in(&scalars, id);
        match scalars.get(id) {
            crate::ir::Scalar::Binary(BinaryOp::AlignUp, ..) => text,
            _ => format!("({text})"),
        }
    }

    fn shape(&self, buffer: &Buffer) -> String {
        let extent = |id: ScalarId| self.names.text(id);
        format!("[{}, {}]", extent(buffer.shape[0]), extent(buffer.shape[1]))
    }
}

/// The layout, where a memory has more than one.
fn layout_text(buffer: &Buffer) -> &'static str {
    match (buffer.position, buffer.layout) {
        (Position::L1, layout) => layout.name(),
        (Position::L0C, _) => Layout::Nz.name(),
        _ => "",
    }
}

/// `96 B`, `16 KB`, `1.5 KB`.
pub fn bytes_text(bytes: i64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let text = format!("{:.1}", bytes as f64 / 1024.0);
    format!("{} KB", text.strip_suffix(".0").unwrap_or(&text))
}

/// Lines with aligned columns.
fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        cells
            .map(|(cell, width)| cell.clone() + &" ".repeat(width - cell.width() + 2))
            .collect()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Scalar, Variable, VariableId, VariableKind};
    use crate::isa::DType;
    use crate::report::fixtures::report;
    use crate::text::Span;

    fn program() -> Program {
        let mut program = Program {
            name: "softmax".to_owned(),
            ..Program::default()
        };
        program.variables.push(Variable {
            name: "M".to_owned(),
            dtype: None,
            kind: VariableKind::Param,
            span: Span::default(),
            copy_of: None,
            assignments: 0,
        });
        program
    }

    fn allocate(program: &mut Program, name: &str, shape: [Option<i64>; 2], position: Position) {
        let extent = shape.map(|extent| match extent {
            Some(value) => program.scalars.int(value),
            None => program.scalars.intern(Scalar::Variable(VariableId(0))),
        });
        program.buffers.push(Buffer {
            name: name.to_owned(),
            dtype: DType::Float,
            shape: extent,
            static_shape: [true; 2],
            position,
            slots: 2,
            layout: Layout::Nz,
            span: Span::default(),
            nested: false,
        });
    }

    fn drawn(program: &Program) -> String {
        let report = report("k.py", "x\n", vec![]);
        render(&report, &[program], Device::default(), Paint::Plain)
    }

    #[test]
    fn every_buffer_is_listed_under_its_memory() {
        let mut p = program();
        allocate(&mut p, "acc", [Some(128), Some(256)], Position::L0C);
        allocate(&mut p, "行", [Some(64), Some(128)], Position::Ub);
        allocate(&mut p, "flag", [Some(1), Some(8)], Position::Ub);
        let expected = "\
softmax  k.py:1, device b3

L0C ████████████████████████████████████████  256 KB of 128 KB, 200 %, per cube core  128 KB too many
    address  buffer  size        shape       type
    0x00000  acc     2 × 128 KB  [128, 256]  float  NZ

UB  ██████████████░░░░░░░░░░░░░░░░░░░░░░░░░░  64.1 KB of 192 KB, 33.4 %, per vec lane
    address  buffer  size       shape      type
    0x00000  行      2 × 32 KB  [64, 128]  float
    0x10000  flag    2 × 32 B   [1, 8]     float
";
        assert_eq!(drawn(&p), expected);
    }

    #[test]
    fn sizes_that_the_launch_decides_are_formulas() {
        let mut p = program();
        allocate(&mut p, "a", [None, Some(128)], Position::Ub);
        allocate(&mut p, "b", [Some(1), Some(8)], Position::Ub);
        let text = drawn(&p);
        assert!(text.contains("at least 64 B of 192 KB"), "{text}");
        assert!(
            text.contains("0x00000  a       2 × (M*512) B  [M, 128]"),
            "{text}"
        );
        assert!(text.contains("after a  b       2 × 32 B"), "{text}");
    }

    #[test]
    fn a_kernel_without_buffers_says_so() {
        assert!(drawn(&program()).ends_with("\nno on-chip buffers\n"));
    }
}
