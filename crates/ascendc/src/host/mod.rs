//! Launches in host code: `kernel<<<…>>>(…)`, `ICPU_RUN_KF(kernel, …)` and `ACLRT_LAUNCH_KERNEL(kernel)(…)`.
//!
//! The evaluator for kernels ([`a2lint_cpp::eval`]) also runs host code: `main`, unit tests, and functions that start a
//! kernel. It tracks allocated memory and the values stored there. Values from outside of the sources are unknown, and
//! a launch that depends on one is dropped.

mod bind;
mod library;
mod sizes;
mod values;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

use a2lint_cpp::eval::{Eval, Operand, TemplateArg};
use a2lint_cpp::syntax::ast::{Function, Unit};
use a2lint_cpp::syntax::{Reader, Settings, Source};
use a2lint_ir::build::Builder;
use a2lint_ir::toolchain::ASCENDC;
use a2lint_isa::{DType, RepeatRounding};
use a2lint_project::{Headers, Project, Search};
use a2lint_source::text::{SourceText, Span};

pub use bind::{add, is_started, keys, lists};

use super::{prelude, project};
use library::HostLibrary;
use sizes::Sizes;

/// Maximum number of functions of one file that are evaluated.
const MAX_FUNCTIONS: usize = 64;
/// Steps of evaluation after which no more functions of one file are evaluated.
const MAX_STEPS: u64 = 2_000_000;
/// Words of which every launch contains one.
pub const STARTS: &[&str] = &["ICPU_RUN_KF", "<<<", "ACLRT_LAUNCH_KERNEL"];
/// The prefix of the functions that test macros expand to.
const TEST: &str = "A2lintRun_";

/// The suffixes of an object's numbers (`.rows`) with their values; `None` for unknown values.
pub type Numbers = Vec<(String, Option<f64>)>;

/// A launch in host code.
#[derive(Clone, Debug, PartialEq)]
pub struct Started {
    /// The name of the entry.
    pub kernel: String,
    /// The template arguments of the entry.
    pub template: Vec<TemplateArg>,
    /// The number of cores; `None` if it is unknown.
    pub blocks: Option<u32>,
    /// The tiling key; `None` if the host sets none or an unknown one.
    pub key: Option<i128>,
    /// The arguments of the entry.
    pub arguments: Vec<Argument>,
    /// The span of the call in the file of the kernel or of the host.
    pub span: Span,
    /// File and line of the call; `None` if it is in the file of the kernel.
    pub place: Option<String>,
    /// Macros that the build of the host defines.
    pub build: Vec<(String, String)>,
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Memory that the host allocates.
    Memory {
        /// Size in bytes; `None` if it is unknown.
        bytes: Option<i64>,
        /// The element type whose `sizeof` the host uses to compute the size.
        dtype: Option<DType>,
        /// The numbers of the object that the host has stored in it.
        numbers: Numbers,
    },
    /// An object that is passed by value.
    Numbers(Numbers),
    /// A number.
    Number(f64),
    /// A null pointer.
    Null,
    /// An unknown value.
    Unknown,
}

/// A file with host code.
pub struct Code<'c> {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: SourceText,
    /// The project that it belongs to.
    pub project: Option<&'c Project>,
    /// Whether the file belongs to tests or programs rather than being the file of the kernels.
    pub is_elsewhere: bool,
}

/// Macros of test frameworks and macros that start a kernel.
const MACROS: &[(&str, &str)] = &[
    ("TEST(suite, name)", "void A2lintRun_##suite##_##name()"),
    (
        "TEST_F(suite, name)",
        "struct A2lintTest_##suite##_##name : suite { void TestBody(); }; \
         void A2lintRun_##suite##_##name() \
         { A2lintTest_##suite##_##name test; test.SetUp(); test.TestBody(); } \
         void A2lintTest_##suite##_##name::TestBody()",
    ),
    (
        "TEST_P(suite, name)",
        "struct A2lintTest_##suite##_##name : suite { void TestBody(); }; \
         void A2lintRun_##suite##_##name() \
         { A2lintTest_##suite##_##name test; test.SetUp(); test.TestBody(); } \
         void A2lintTest_##suite##_##name::TestBody()",
    ),
    ("INSTANTIATE_TEST_SUITE_P(...)", ""),
    ("INSTANTIATE_TEST_CASE_P(...)", ""),
    (
        "ICPU_RUN_KF(kernel, blocks, ...)",
        "(A2lintBlocks(blocks), kernel(__VA_ARGS__))",
    ),
    ("ICPU_SET_TILING_KEY(key)", "A2lintKey(key)"),
    ("ACLRT_LAUNCH_KERNEL(kernel)", "A2lintLaunch_##kernel"),
];

/// Suffixes of the comparison macros of tests (`EXPECT_EQ`, `ASSERT_EQ`).
const COMPARES: &[&str] = &[
    "EQ",
    "NE",
    "LT",
    "LE",
    "GT",
    "GE",
    "TRUE",
    "FALSE",
    "NEAR",
    "FLOAT_EQ",
    "DOUBLE_EQ",
    "STREQ",
    "NO_THROW",
];

/// Macros that are defined for tests and programs.
const ELSEWHERE: &[(&str, &str)] = &[("__CCE_KT_TEST__", "1"), ("ASCENDC_CPU_DEBUG", "1")];

/// Evaluates host code and returns its launches of these kernels. Code that was not evaluated to its end is named in
/// `not_read`.
pub fn started(code: &Code<'_>, kernels: &[String], not_read: &mut Vec<String>) -> Vec<Started> {
    let text = code.text.as_str();
    // Most files of a project start no kernel: a search for words is cheaper than parsing them.
    if !STARTS.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let own = code.project.map(|project| Project {
        path: code.path.clone(),
        root: project.root.clone(),
        here: project.here.clone(),
        files: project.files.clone(),
    });
    let search = Search {
        most_files: 256,
        most_bytes: 4 << 20,
        is_searched: Some(&project::is_of_project),
        left_out: project::KERNELS,
    };
    let headers = Headers::found(&code.text, own.as_ref(), false, search);
    let unit = unit(code, &headers, kernels);
    let sizes = Sizes::of(&unit.items);
    let mut found: Vec<Started> = Vec::new();
    let mut steps = 0;
    let mut at = 0;
    // Each root function runs with fresh global variables.
    loop {
        let library = HostLibrary {
            kernels,
            sizes: &sizes,
            start: Cell::new(None),
            started: RefCell::default(),
            is_full: Cell::new(false),
        };
        let builder = Builder::new(String::new(), <_>::default(), &ASCENDC, RepeatRounding::Up);
        let mut eval = Eval::new(&[&unit], &library, builder);
        let is_root = |function: &Function| is_root(function, &headers);
        let all = eval.all_functions();
        let mut roots = all.into_iter().filter(|(_, function)| is_root(function));
        let Some((function, declaration)) = roots.nth(at) else {
            break;
        };
        let here = || place(code, &headers, declaration.path.span);
        if at >= MAX_FUNCTIONS || steps >= MAX_STEPS {
            not_read.push(format!(
                "launches from {} on: the host code before takes long",
                here()
            ));
            break;
        }
        at += 1;
        let arguments = eval.parameter_types_of(function, &[]);
        if let Ok(Some(types)) = arguments {
            let span = declaration.path.span;
            let unknown =
                // Callers of a root function are not evaluated, so its parameters are unknown.
                |ty: a2lint_cpp::eval::Ty| Operand::unknown_of(ty.referred().clone(), span);
            let arguments = types.into_iter().map(unknown).collect();
            // Launches before a step limit or an abort are kept.
            let run = library.begin(&mut eval);
            let run = run.and_then(|()| eval.run(function, &[], arguments, span));
            if run.is_err() || library.is_full.get() {
                not_read.push(format!(
                    "some launches of {}: it is evaluated in part",
                    here()
                ));
            }
        }
        steps += u64::from(eval.steps_taken());
        drop(eval);
        for mut start in library.started.into_inner() {
            start.place = code.is_elsewhere.then(|| place(code, &headers, start.span));
            if !found.contains(&start) {
                found.push(start);
            }
        }
    }
    found
}

/// Returns file and line of a launch, for messages.
fn place(code: &Code<'_>, headers: &Headers, span: Span) -> String {
    headers.map.place(span).unwrap_or_else(|| {
        let line = code.text.line_index(span.start) + 1;
        let here = code.project.map_or(Path::new(""), |project| &project.here);
        let shown = code.path.strip_prefix(here).unwrap_or(&code.path);
        format!("{}:{line}", shown.display())
    })
}

/// Returns whether evaluation starts at a function: a test, `main`, or a function that starts a kernel.
fn is_root(function: &Function, headers: &Headers) -> bool {
    let span = function.path.span;
    // Functions of headers run where the file calls them; a function template has no arguments without a caller.
    if function.body.is_none() || !headers.map.is_own(span) || !function.templates.is_empty() {
        return false;
    }
    let is_device =
        |(name, _): &(_, _)| matches!(AsRef::<str>::as_ref(name), "__global__" | "__aicore__");
    if function.attributes.iter().any(is_device) {
        return false;
    }
    let name = function.path.segments.last().map_or("", |last| &last.name);
    let text = || headers.map.text_of(function.span);
    name.starts_with(TEST) || name == "main" || STARTS.iter().any(|word| text().contains(word))
}

/// Parses a file with the declarations and macros of the host.
fn unit(code: &Code<'_>, headers: &Headers, kernels: &[String]) -> Unit {
    // `code.project` has the path of the kernel file, which selects the operator whose declarations apply.
    let declared = project::declarations(headers.texts(), kernels, code.project);
    let declarations = format!("{}{}", include_str!("host.h"), declared.text);
    let compares = ["EXPECT", "ASSERT"].iter().flat_map(|kind| {
        let names = COMPARES.iter();
        names.map(move |name| format!("{kind}_{name}(...)"))
    });
    let compares: Vec<String> = compares.collect();
    let compares = compares
        .iter()
        .map(|name| (name.as_str(), "testing::A2lintSink(__VA_ARGS__)"));
    let elsewhere = ELSEWHERE.iter().filter(|_| code.is_elsewhere);
    let known = MACROS.iter().chain(elsewhere);
    let macros: Vec<(&str, &str)> = known.copied().chain(compares).collect();
    let functions: Vec<&str> = kernels.iter().map(String::as_str).collect();
    let settings = Settings {
        macros: &macros,
        prelude: &declarations,
        functions: &functions,
        ..Settings::default()
    };
    let source = Source {
        path: code.path.clone(),
        text: code.text.clone(),
        base: 0,
    };
    let mut find = |includer: &Path, name: &str| {
        let found = headers.included(includer, name)?;
        Some(Source {
            path: found.path.to_owned(),
            text: found.text.clone(),
            base: u32::try_from(found.base).ok()?,
        })
    };
    // The host also gets the macros of the kernel, as tests on the CPU do.
    Reader::after(prelude::shared()).read(source, &settings, &mut find)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Started> {
        let code = Code {
            path: "add.cpp".into(),
            text: SourceText::new(text),
            project: None,
            is_elsewhere: false,
        };
        started(&code, &["add".to_owned()], &mut Vec::new())
    }

    #[test]
    fn the_declarations_of_the_host_are_read_whole() {
        let code = Code {
            path: "add.cpp".into(),
            text: SourceText::new("int x;"),
            project: None,
            is_elsewhere: false,
        };
        let headers = Headers::of(&code.text, None, false);
        let unit = unit(&code, &headers, &[]);
        assert_eq!(unit.errors, []);
        assert_eq!(unit.notes, []);
    }

    #[test]
    fn memory_holds_what_whole_structs_are_given() {
        let text = |middle: &str| {
            format!(
                "struct Tiling {{ int rows; float scale; }};\n\
                 extern \"C\" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR tiling);\n\
                 int main() {{\n  uint8_t *x = (uint8_t *)AscendC::GmAlloc(4 * sizeof(half));\n  \
                 uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(Tiling));\n  \
                 Tiling *data = reinterpret_cast<Tiling *>(tiling);\n  {middle}\n  \
                 ICPU_RUN_KF(add, 3, x, tiling);\n}}\n"
            )
        };
        let numbers = |middle: &str| {
            let all = of(&text(middle));
            let [start] = all.as_slice() else {
                panic!("{all:?}");
            };
            assert_eq!(start.blocks, Some(3));
            let memory = |at: usize| match &start.arguments[at] {
                Argument::Memory {
                    bytes,
                    dtype,
                    numbers,
                } => (*bytes, *dtype, numbers.clone()),
                other => panic!("{other:?}"),
            };
            assert_eq!(memory(0), (Some(8), Some(DType::Half), Vec::new()));
            let (_, _, numbers) = memory(1);
            numbers
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers("data->rows = 5;"), [Some(5.0), Some(0.0)]);
        let copied = "Tiling own{7, 0.5f}; memcpy(tiling, &own, sizeof(own));";
        assert_eq!(numbers(copied), [Some(7.0), Some(0.5)]);
        let part = "Tiling own{7, 0.5f}; memcpy(tiling, &own, 4);";
        assert_eq!(numbers(part), [None, None]);
        // Files and unknown code may store anything; a store through another pointer type may change any part.
        let file = "data->rows = 5; ReadFile(\"a.bin\", 8, tiling, 8);";
        assert_eq!(numbers(file), [None, None]);
        assert_eq!(numbers("data->rows = 5; fill(tiling);"), [None, None]);
        let other = "data->rows = 5; *(float *)tiling = 1.0f; data->scale = 2.0f;";
        assert_eq!(numbers(other), [None, Some(2.0)]);
        // A branch on an unknown condition makes the values that it changes unknown.
        let branch = "data->rows = 5; if (decide()) { data->rows = 6; }";
        assert_eq!(numbers(branch), [None, Some(0.0)]);
    }
}
