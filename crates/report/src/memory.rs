//! Drawing of a kernel's memory map.

use unicode_width::UnicodeWidthStr;

use super::{FileReport, Page, Paint, printable};
use a2lint_ir::finding::Severity;
use a2lint_ir::{
    BinaryOp, Buffer, Granule, Launch, MemoryMap, Placement, Program, ScalarId, ScalarNames,
    Staged, StmtKind, VariableId,
};
use a2lint_isa::device::Device;
use a2lint_isa::{Layout, Position, bytes_text};

/// Width in columns of a line with a bar.
const WIDTH: usize = 88;
/// Number of cells of a full bar.
const BAR: usize = 40;
/// Minimum number of cells of a full bar.
const LEAST_BAR: usize = 12;
/// Blocks that fill a cell to 0 to 7 eighths.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Renders the memory maps of kernels of a file, each under the first of the launches that starts it.
pub fn render(
    report: &FileReport,
    programs: &[&Program],
    launches: &[Launch],
    device: Device,
    page: Page,
) -> String {
    let maps: Vec<String> = programs
        .iter()
        .map(|program| {
            let launch = launches.iter().find(|it| it.kernel == program.name);
            kernel(report, program, launch, device, page)
        })
        .collect();
    maps.join("\n")
}

/// Returns the memory map of a kernel under a launch with these scalars.
pub fn map_with(program: &Program, scalars: &[(String, f64)], device: Device) -> MemoryMap {
    let value = |variable: VariableId| {
        let name = &program.variable(variable).name;
        let (_, value) = scalars.iter().find(|(known, _)| known == name)?;
        // Sizes in bytes are integers, so a fractional scalar cannot determine one.
        (value.fract() == 0.0).then_some(*value as i64)
    };
    MemoryMap::on(device, program, |id| program.scalars.evaluated(id, &value))
}

fn kernel(
    report: &FileReport,
    program: &Program,
    launch: Option<&Launch>,
    device: Device,
    page: Page,
) -> String {
    let place = report.source.line_column(program.name_span.start);
    let path = printable(&report.path);
    let mut place = format!("{path}:{}, device {}", place.line, device.name);
    let own = MemoryMap::on(device, program, |id| program.scalars.as_int(id));
    let map = match launch {
        Some(launch) => map_with(program, &launch.scalars, device),
        None => own.clone(),
    };
    // Where the launch decides nothing, naming it would say that it does.
    if map != own
        && let Some(launch) = launch
    {
        let scalars = launch.scalars.iter();
        let scalars = scalars.map(|(name, value)| format!("{}={value}", printable(name)));
        place += &format!(", with {}", scalars.collect::<Vec<_>>().join(", "));
    }
    let paint = page.paint;
    let mut out = format!("{}  {}\n", paint.bold(&program.name), paint.dim(&place));
    let drawing = Drawing {
        program,
        device,
        report,
        names: ScalarNames::new(program),
        map,
        paint,
        cells: page
            .columns_or(WIDTH)
            .saturating_sub(WIDTH - BAR)
            .max(LEAST_BAR),
    };
    let memories = Position::ALL
        .iter()
        .map(|&position| drawing.memory(position));
    let memories: String = memories.collect();
    match memories.is_empty() {
        true => out.push_str("\nno on-chip buffers\n"),
        false => out.push_str(&memories),
    }
    out
}

struct Drawing<'a> {
    device: Device,
    program: &'a Program,
    report: &'a FileReport,
    names: ScalarNames<'a>,
    map: MemoryMap,
    paint: Paint,
    /// Number of cells of a full bar.
    cells: usize,
}

impl Drawing<'_> {
    /// Renders a memory: its bar, then its buffers. Empty if the kernel has no buffers there.
    fn memory(&self, position: Position) -> String {
        let placements: Vec<&Placement> = self.map.in_position(position).collect();
        if placements.is_empty() {
            return self.staging(position);
        }
        let used = self.map.known_bytes(position);
        let mut out = self.line(position, used, &self.share(position));
        for line in table(&self.rows(&placements)) {
            out.push_str(&format!("    {}\n", line.trim_end()));
        }
        out
    }

    /// Renders a memory that only `matmul` uses: two halves, each as large as the largest operand that it stages.
    fn staging(&self, position: Position) -> String {
        let operand = match position {
            Position::L0A => 1,
            Position::L0B => 2,
            _ => return String::new(),
        };
        let mut largest: Option<(i64, usize)> = None;
        let mut is_known = true;
        self.program.walk(&mut |stmt| {
            let StmtKind::Instr(instr) = &stmt.kind else {
                return;
            };
            if !instr.row().stages_operands() {
                return;
            }
            let line = self.report.source.line_column(stmt.span.start).line;
            match Staged::of(self.program, instr, operand) {
                Some(staged) if largest.is_none_or(|it| it.0 < staged.bytes()) => {
                    largest = Some((staged.bytes(), line));
                }
                Some(_) => {}
                None => is_known = false,
            }
        });
        let Some((bytes, line)) = largest else {
            return match is_known {
                true => String::new(),
                false => self.line(position, 0, "matmul() loads what the launch decides"),
            };
        };
        let at_least = if is_known { "" } else { "at least " };
        let used = 2 * bytes;
        let share = shares(at_least, used, self.device.capacity(position));
        let share = format!("{share}, per cube core");
        let mut out = self.line(position, used, &(share + &self.excess(position, used)));
        let note = format!(
            "2 × {}, loaded by matmul() on line {line}",
            bytes_text(bytes)
        );
        out.push_str(&format!("    {}\n", self.paint.dim(&note)));
        out
    }

    /// Renders the line of a memory: its name, its bar, and its share in words.
    fn line(&self, position: Position, used: i64, share: &str) -> String {
        let head = self.paint.bold(&format!("{:<4}", position.name()));
        let bar = self.bar(used, self.device.capacity(position));
        format!("\n{head}{bar}  {share}\n")
    }

    /// Renders a bar in eighths of a cell, so that only a full memory looks full.
    fn bar(&self, used: i64, capacity: i64) -> String {
        let eighths = (used as f64 / capacity as f64 * (self.cells * 8) as f64) as usize;
        let eighths = eighths.clamp(usize::from(used > 0), self.cells * 8);
        let part = PARTS[eighths % 8];
        let full = "█".repeat(eighths / 8) + part;
        let rest = "░".repeat(self.cells - eighths / 8 - usize::from(!part.is_empty()));
        let full = match used > capacity {
            true => self.paint.severity(Severity::Error, &full),
            false => self.paint.code(&full),
        };
        full + &self.paint.dim(&rest)
    }

    /// Formats the use of a memory: `72 KB of 192 KB, 37.5 %, per vec lane`.
    fn share(&self, position: Position) -> String {
        let capacity = self.device.capacity(position);
        let known = self.map.known_bytes(position);
        let owner = match position {
            Position::Ub => "per vec lane",
            _ => "per cube core",
        };
        let (least, open) = match self.map.used(position) {
            Some(_) => ("", ""),
            None => ("at least ", ", plus what the launch decides"),
        };
        let text = shares(least, known, capacity);
        format!("{text}, {owner}{open}") + &self.excess(position, known)
    }

    /// Formats the number of bytes that do not fit.
    fn excess(&self, position: Position, used: i64) -> String {
        match used - self.device.capacity(position) {
            over if over > 0 => {
                let text = format!("{} too many", bytes_text(over));
                format!("  {}", self.paint.severity(Severity::Error, &text))
            }
            _ => String::new(),
        }
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

    /// Formats the size of a buffer: `2 × 16 KB`, or a formula if it depends on the launch.
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
        let id = Granule::of(self.program.toolchain, buffer).formula(&mut scalars, buffer.shape);
        let text = self.names.text_in(&scalars, id);
        match scalars.get(id) {
            a2lint_ir::Scalar::Binary(BinaryOp::AlignUp, ..) => text,
            _ => format!("({text})"),
        }
    }

    fn shape(&self, buffer: &Buffer) -> String {
        let extent = |id: ScalarId| self.names.text(id);
        format!("[{}, {}]", extent(buffer.shape[0]), extent(buffer.shape[1]))
    }
}

/// Returns the layout of a buffer in memories with several layouts.
fn layout_text(buffer: &Buffer) -> &'static str {
    match (buffer.position, buffer.layout) {
        (Position::L1, layout) | (_, layout @ Layout::Linear) => layout.name(),
        (Position::L0C, _) => Layout::Nz.name(),
        _ => "",
    }
}

/// Formats a share of a memory: `at least 72 KB of 192 KB, 37.5 %`.
fn shares(least: &str, used: i64, capacity: i64) -> String {
    let percent = format!("{:.1}", 100.0 * used as f64 / capacity as f64);
    let percent = percent.strip_suffix(".0").unwrap_or(&percent);
    let (used, capacity) = (bytes_text(used), bytes_text(capacity));
    format!("{least}{used} of {capacity}, {percent} %")
}

/// Aligns the columns of a table.
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
    use crate::fixtures::report;
    use a2lint_ir::{HandOut, LaunchOrigin, Passing, Scalar, Variable, VariableKind};
    use a2lint_isa::DType;
    use a2lint_source::text::Span;

    fn program() -> Program {
        let mut program = Program {
            name: "softmax".to_owned().into(),
            ..Program::default()
        };
        program.variables.push(Variable {
            name: "M".to_owned().into(),
            dtype: None,
            kind: VariableKind::Param,
            span: Span::default(),
            copy_of: None,
            assignments: 0,
            folded: None,
        });
        program
    }

    fn allocate(program: &mut Program, name: &str, shape: [Option<i64>; 2], position: Position) {
        let extent = shape.map(|extent| match extent {
            Some(value) => program.scalars.int(value),
            None => program.scalars.intern(Scalar::Variable(VariableId(0))),
        });
        program.buffers.push(Buffer {
            name: name.to_owned().into(),
            dtype: DType::Float,
            shape: extent,
            static_shape: [true; 2],
            position,
            slots: 2,
            layout: Layout::Nz,
            span: Span::default(),
            nested: false,
            handed: HandOut::default(),
        });
    }

    fn drawn(program: &Program) -> String {
        let report = report("k.py", "x\n", vec![]);
        render(&report, &[program], &[], Device::default(), Page::PLAIN)
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

UB  █████████████▎░░░░░░░░░░░░░░░░░░░░░░░░░░  64.1 KB of 192 KB, 33.4 %, per vec lane
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
        let launch = Launch {
            kernel: p.name.clone(),
            scalars: vec![("M".to_owned(), 4.0)],
            tensors: Vec::new(),
            floats: Vec::new(),
            span: None,
            place: None,
            origin: LaunchOrigin::Comment,
            block_dim: None,
            seeds_outputs: None,
            passing: Passing::default(),
        };
        let report = report("k.py", "x\n", vec![]);
        let text = render(&report, &[&p], &[launch], Device::default(), Page::PLAIN);
        assert!(text.contains("k.py:1, device b3, with M=4\n"), "{text}");
        assert!(text.contains("4.1 KB of 192 KB"), "{text}");
        assert!(
            text.contains("0x00000  a       2 × 2 KB  [M, 128]"),
            "{text}"
        );
    }

    #[test]
    fn a_kernel_without_buffers_says_so() {
        assert!(drawn(&program()).ends_with("\nno on-chip buffers\n"));
    }
}
