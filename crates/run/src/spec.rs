//! Parses the options of `run`: `NAME=VALUE` pairs, input generators, line ranges, sizes.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::arguments::Which;
use super::array::Array;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;
use a2lint_machine::{LaneKind, Site};
use a2lint_project::SourceMap;
use a2lint_source::text::Span;

/// Where the contents of a tensor come from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSpec {
    /// A `.npy` file, or a `.npz` archive.
    File(PathBuf),
    /// Given values.
    Array(Array),
    /// Generated values; the number is the seed.
    Generated(TensorInit, u64),
}

/// A range of lines of a file, counted from 1, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The path of the file or its end, such as `tiles.h`; `None` for the file of the kernel.
    pub file: Option<PathBuf>,
    /// First line.
    pub first: usize,
    /// Last line.
    pub last: usize,
}

impl Lines {
    /// Returns one line of the kernel's file.
    pub fn one(line: usize) -> Lines {
        Lines {
            file: None,
            first: line,
            last: line,
        }
    }

    /// Parses a line, `12` or `tiles.h:12`.
    pub fn line(text: &str) -> Option<Lines> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => (Some(PathBuf::from(file)), line),
            Some(_) => return None,
            None => (None, text),
        };
        let line = line.parse().ok().filter(|line| *line > 0)?;
        let lines = Lines::one(line);
        Some(Lines { file, ..lines })
    }

    /// Formats the lines: `line 3`, `lines 3–5`, `line 3 of tiles.h`.
    pub fn text(&self) -> String {
        let lines = match self.first == self.last {
            true => format!("line {}", self.first),
            false => format!("lines {}–{}", self.first, self.last),
        };
        match &self.file {
            None => lines,
            Some(file) => format!("{lines} of {}", file.display()),
        }
    }

    /// Formats the lines as a subject: `line 3 is`, `lines 3–5 are`.
    pub fn subject(&self) -> String {
        let verb = if self.first == self.last { "is" } else { "are" };
        format!("{} {verb}", self.text())
    }

    /// Returns whether the range overlaps `first..=last`.
    pub fn meet(&self, first: usize, last: usize) -> bool {
        first <= self.last && self.first <= last
    }

    /// Returns whether a span lies on one of the lines.
    pub fn hold(&self, map: &SourceMap, span: Span) -> bool {
        let lines = map.lines_in(self.file.as_deref(), span);
        lines.is_some_and(|[first, last]| self.meet(first, last))
    }
}

/// Splits `FILE:LINE[-LINE]`. Any other text is a file, with or without a kernel.
pub fn split_lines(target: &str) -> (&str, Option<Lines>) {
    let split = target.rsplit_once(':');
    let found = split.and_then(|(path, lines)| Some((path, parse_lines(lines)?)));
    match found {
        Some((path, lines)) if !path.is_empty() && !path.ends_with(':') => (path, Some(lines)),
        _ => (target, None),
    }
}

fn parse_lines(text: &str) -> Option<Lines> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    let file = None;
    (1 <= first && first <= last).then_some(Lines { file, first, last })
}

/// Parses `NAME=VALUE`.
pub(super) fn pair(text: &str) -> Result<(String, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// Parses `NAME=NUMBER`.
pub fn binding(text: &str) -> Result<(String, f64), String> {
    let (name, value) = pair(text)?;
    Ok((name, number(value)?))
}

/// Parses `OLD=NEW`.
pub fn renaming(text: &str) -> Result<(String, String), String> {
    let (old, new) = pair(text)?;
    match new.is_empty() {
        true => Err("expected OLD=NEW".to_owned()),
        false => Ok((old, new.to_owned())),
    }
}

/// Parses `NAME=PATH`.
pub fn file(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = pair(text)?;
    Ok((name, PathBuf::from(path)))
}

/// Parses `NAME=half`.
pub fn dtype(text: &str) -> Result<(String, DType), String> {
    let (name, value) = pair(text)?;
    let found = DType::from_name(value.trim_start_matches("DT."));
    let names = || {
        DType::ALL
            .iter()
            .map(|dtype| dtype.name())
            .collect::<Vec<_>>()
    };
    let dtype = found.ok_or_else(|| format!("no such type; there are {}", names().join(", ")))?;
    Ok((name, dtype))
}

/// Parses `NAME=M,K`.
pub fn shape(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, value) = pair(text)?;
    let extent = |extent: &str| match extent.trim().parse() {
        Ok(extent) if extent >= 0 => Ok(extent),
        _ => Err(format!("`{}` is not an extent", extent.trim())),
    };
    let shape: Result<_, String> = value.split(',').map(extent).collect();
    Ok((name, shape?))
}

/// Parses `NAME=SPEC`.
pub fn input(text: &str) -> Result<(String, InputSpec), String> {
    let (name, spec) = pair(text)?;
    Ok((name, input_spec(spec)?))
}

/// Parses `zeros`, `randn:7`, `full:0.5`, `x.npy` and the like.
fn input_spec(text: &str) -> Result<InputSpec, String> {
    if text.ends_with(".npy") || text.ends_with(".npz") {
        return Ok(InputSpec::File(PathBuf::from(text)));
    }
    let (word, argument) = match text.split_once(':') {
        Some((word, argument)) => (word, Some(argument)),
        None => (text, None),
    };
    let init = match (word, argument) {
        ("zeros", None) => TensorInit::Full(0.0),
        ("ones", None) => TensorInit::Full(1.0),
        ("arange", None) => TensorInit::Arange,
        ("randn", _) => TensorInit::Normal,
        ("uniform", _) => TensorInit::Uniform,
        ("full", Some(value)) => TensorInit::Full(number(value)?),
        _ => {
            let forms = "zeros, ones, arange, randn:SEED, uniform:SEED, full:VALUE";
            return Err(format!(
                "`{text}` is neither a .npy or .npz file nor one of {forms}"
            ));
        }
    };
    let is_random = matches!(init, TensorInit::Normal | TensorInit::Uniform);
    let seed = argument.filter(|_| is_random).map_or(Ok(0), whole)?;
    Ok(InputSpec::Generated(init, seed))
}

/// Parses a number of bytes: `4096`, `512K`, `64M`, `4G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let found = units.iter().find_map(|&(unit, shift)| {
        let digits = text.strip_suffix([unit, unit.to_ascii_lowercase()])?;
        Some((digits, shift))
    });
    let (digits, shift) = found.unwrap_or((text, 0));
    let count: u64 = whole(digits)?;
    let bytes = count.checked_mul(1 << shift);
    bytes.ok_or_else(|| format!("`{text}` is more than any memory has"))
}

/// Parses iterations of the loops around a statement, outermost first: `0,3`.
pub fn iteration(text: &str) -> Result<Iteration, String> {
    let numbers: Result<_, String> = text.split(',').map(|part| whole(part.trim())).collect();
    Ok(Iteration(numbers?))
}

/// Iteration numbers of the loops around a statement, from 0, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration(pub Vec<i64>);

/// Selects executions of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occasion {
    /// The iterations of the loops around it, or of the outermost of them.
    pub iteration: Option<Iteration>,
    /// The number of the core that executes the statement.
    pub core: Option<u32>,
    /// The cube or vec core that executes the statement.
    pub lane: Option<LaneKind>,
}

impl Occasion {
    /// Returns whether an execution is selected.
    pub fn includes(&self, site: &Site) -> bool {
        let lane = self.lane.is_none_or(|lane| lane == site.lane.kind);
        let core = self.core.is_none_or(|core| core == site.lane.core);
        let iteration = self.iteration.as_ref();
        lane && core && iteration.is_none_or(|wanted| site.iterations.starts_with(&wanted.0))
    }

    /// Returns whether the selection is not empty.
    pub fn is_given(&self) -> bool {
        self.iteration.is_some() || self.core.is_some() || self.lane.is_some()
    }
}

/// What is compared with a file: a tensor after the run, or a value after a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A tensor.
    Tensor(String),
    /// A value.
    Value(DumpSpec),
}

/// Parses `NAME=PATH` or `NAME@[FILE:]LINE[:ITER]=PATH`.
pub fn expectation(text: &str) -> Result<(Subject, PathBuf), String> {
    let (name, path) = file(text)?;
    let subject = match name.contains('@') {
        true => Subject::Value(dump(&name)?),
        false => Subject::Tensor(name),
    };
    Ok((subject, path))
}

/// Parses a launch of a file: `2` (counted from 1), `all` or `none`.
pub fn launch(text: &str) -> Result<Which, String> {
    match text {
        "all" => Ok(Which::All),
        "none" => Ok(Which::None),
        number => match whole(number)? {
            0 => Err("launches are counted from 1".to_owned()),
            number => Ok(Which::Number(number)),
        },
    }
}

/// A value to record, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpSpec {
    /// Name of a tensor or variable.
    pub name: String,
    /// The slot of a buffer.
    pub slot: Option<i64>,
    /// The line of the statement.
    pub line: Lines,
    /// Index of the execution among those on a lane, from 0.
    pub execution: u64,
}

impl fmt::Display for DumpSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(slot) = self.slot {
            write!(f, "[{slot}]")?;
        }
        f.write_str("@")?;
        if let Some(file) = &self.line.file {
            write!(f, "{}:", file.display())?;
        }
        write!(f, "{}", self.line.first)?;
        match self.execution {
            0 => Ok(()),
            execution => write!(f, ":{execution}"),
        }
    }
}

/// Parses `VAR@[FILE:]LINE[:ITER]`.
pub fn dump(text: &str) -> Result<DumpSpec, String> {
    let wrong = || {
        format!(
            "`{text}` is not NAME@LINE, NAME@FILE:LINE, NAME[SLOT]@LINE, or one of these with :ITER"
        )
    };
    let (subject, place) = text.split_once('@').ok_or_else(wrong)?;
    let is_number = |text: &str| text.parse::<usize>().is_ok();
    let (line, execution) = match place.rsplit_once(':') {
        Some((line, execution)) if is_number(line.rsplit(':').next().unwrap_or(line)) => {
            (line, execution)
        }
        _ => (place, "0"),
    };
    let (name, slot) = match subject.split_once('[') {
        Some((name, slot)) => (
            name,
            Some(whole(slot.strip_suffix(']').ok_or_else(wrong)?)?),
        ),
        None => (subject, None),
    };
    let line = Lines::line(line).ok_or_else(wrong)?;
    if name.trim().is_empty() {
        return Err(wrong());
    }
    Ok(DumpSpec {
        name: name.trim().to_owned(),
        slot,
        line,
        execution: whole(execution)?,
    })
}

/// Parses a positive number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match number(text)? {
        seconds if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}

/// Parses a tolerance.
pub fn tolerance(text: &str) -> Result<f64, String> {
    match number(text)? {
        tolerance if tolerance >= 0.0 => Ok(tolerance),
        _ => Err("a tolerance is at least 0".to_owned()),
    }
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse();
    number.map_err(|_| format!("`{}` is not a number", text.trim()))
}

pub(super) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let number = text.parse();
    number.map_err(|_| format!("`{text}` is not a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_kernels() {
        let file = None;
        let lines = |first, last| {
            Some(Lines {
                file: file.clone(),
                first,
                last,
            })
        };
        assert_eq!(split_lines("k.py:12"), ("k.py", lines(12, 12)));
        assert_eq!(split_lines("a/k.py:12-14"), ("a/k.py", lines(12, 14)));
        for target in [
            "k.py",
            "k.py::softmax",
            "k.py:14-12",
            "k.py:0",
            "k.py::12",
            ":3",
        ] {
            assert_eq!(split_lines(target), (target, None));
        }
    }

    #[test]
    fn inputs_are_files_or_generators() {
        let generated = |init, seed| Ok(InputSpec::Generated(init, seed));
        assert_eq!(input_spec("zeros"), generated(TensorInit::Full(0.0), 0));
        assert_eq!(
            input_spec("full:-0.5"),
            generated(TensorInit::Full(-0.5), 0)
        );
        assert_eq!(input_spec("randn:7"), generated(TensorInit::Normal, 7));
        assert_eq!(input_spec("uniform"), generated(TensorInit::Uniform, 0));
        assert_eq!(input_spec("arange"), generated(TensorInit::Arange, 0));
        for path in ["a/x.npy", "x.npz"] {
            assert_eq!(input_spec(path), Ok(InputSpec::File(path.into())));
        }
        for text in ["", "full", "full:x", "randn:x", "zeros:1", "x.txt"] {
            assert!(input_spec(text).is_err(), "{text}");
        }
    }

    #[test]
    fn dumps_name_a_value_and_a_statement() {
        let spec = |slot, execution| DumpSpec {
            name: "ub".to_owned(),
            slot,
            line: Lines::one(12),
            execution,
        };
        assert_eq!(dump("ub@12"), Ok(spec(None, 0)));
        assert_eq!(dump("ub@12:3"), Ok(spec(None, 3)));
        assert_eq!(dump("ub[1]@12"), Ok(spec(Some(1), 0)));
        for text in ["ub@tiles.h:12", "ub@op/tiles.h:12:3"] {
            let read = dump(text).expect("a value");
            let file = read.line.file.as_ref();
            assert!(file.is_some_and(|file| file.ends_with("tiles.h")));
            assert_eq!(read.line.first, 12);
            assert_eq!(read.to_string(), text);
        }
        for text in [
            "ub", "@12", "ub@", "ub@0", "ub@x", "ub@1:", "ub[1@3", "ub[x]@3",
        ] {
            assert!(dump(text).is_err(), "{text}");
        }
    }

    #[test]
    fn expectations_are_of_tensors_or_values() {
        let tensor = Subject::Tensor("y".to_owned());
        assert_eq!(expectation("y=a.npy"), Ok((tensor, "a.npy".into())));
        let value = Subject::Value(dump("ub[1]@12:3").expect("a value"));
        assert_eq!(expectation("ub[1]@12:3=a.npy"), Ok((value, "a.npy".into())));
        assert!(expectation("ub@x=a.npy").is_err());
    }

    #[test]
    fn launches_are_counted_from_one() {
        assert_eq!(launch("2"), Ok(Which::Number(2)));
        assert_eq!(
            (launch("all"), launch("none")),
            (Ok(Which::All), Ok(Which::None))
        );
        assert!(launch("0").is_err() && launch("-1").is_err());
    }

    #[test]
    fn pairs_have_a_name() {
        assert_eq!(binding("M = 128"), Ok(("M".to_owned(), 128.0)));
        assert_eq!(shape("x=2, 3"), Ok(("x".to_owned(), vec![2, 3])));
        assert_eq!(dtype("x=DT.half"), Ok(("x".to_owned(), DType::Half)));
        assert_eq!(dtype("x=bf16"), Ok(("x".to_owned(), DType::BFloat16)));
        for text in ["M", "=3", "M=x"] {
            assert!(binding(text).is_err(), "{text}");
        }
        assert!(shape("x=2,-3").is_err() && shape("x=").is_err());
        assert!(dtype("x=double").unwrap_err().contains("there are half"));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("2k"), Ok(2048));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert!(bytes("x").is_err() && bytes("99999999999999G").is_err());
    }
}
