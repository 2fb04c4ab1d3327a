//! Tests of the preprocessor, among them a comparison with g++.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::*;
use a2lint_source::text::SourceText;

/// Returns the tokens that remain of a text, as spellings, with the notes.
fn run_with(text: &str, files: &[(&str, &str)]) -> (Vec<String>, Vec<NoteKind>, Vec<Span>) {
    let mut symbols = Symbols::default();
    let mut lexed = Lexed::default();
    let source = |path: &str, text: &str, base: u32| Source {
        path: PathBuf::from(path),
        text: SourceText::new(text),
        base,
    };
    let mut find = |_: &Path, name: &str| {
        let at = files.iter().position(|file| file.0 == name)?;
        Some(source(name, files[at].1, 10_000 * (at as u32 + 1)))
    };
    let mut preprocessor = Preprocessor::new(
        (&mut symbols, &mut lexed),
        &mut find,
        Macros::default(),
        &[("PRE", "7"), ("ADD(a,b)", "a+b")],
    );
    let found = preprocessor.file(source("main.cpp", text, 0));
    let notes = preprocessor.notes.drain(..).map(|note| note.kind).collect();
    let spans = found.iter().map(|token| token.span).collect();
    let texts = found
        .iter()
        .map(|token| symbols.text(token.text).to_owned());
    (texts.collect(), notes, spans)
}

fn run(text: &str) -> String {
    run_with(text, &[]).0.join(" ")
}

#[test]
fn macros_of_both_kinds() {
    assert_eq!(
        run("#define N 4\n#define F(x, y) x*(y)\nF(N, F(1, 2))"),
        "4 * ( 1 * ( 2 ) )"
    );
    assert_eq!(run("#define F(x) x\nF (1) F\n(2) F;"), "1 2 F ;");
    assert_eq!(run("PRE ADD(1, 2)"), "7 1 + 2");
    assert_eq!(run("#define N 1\n#undef N\nN"), "N");
    assert_eq!(run("#define E\n#define F(x) [x]\nF() F(E) E"), "[ ] [ ]");
    assert_eq!(run("#define O (x)\nO"), "( x )");
}

#[test]
fn a_macro_is_not_expanded_in_itself() {
    assert_eq!(run("#define x x + y\n#define y x\nx"), "x + x");
    assert_eq!(
        run("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"),
        "2 * 9 * g"
    );
    assert_eq!(run("#define f(x) f(x+1)\nf(f(1))"), "f ( f ( 1 + 1 ) + 1 )");
}

#[test]
fn text_and_paste() {
    assert_eq!(
        run("#define S(x) #x\nS(a  +\n b \"q\\n\" 'c')"),
        r#""a + b \"q\\n\" 'c'""#
    );
    assert_eq!(
        run("#define X 1\n#define S(x) #x\n#define T(x) S(x)\nS(X) T(X)"),
        "\"X\" \"1\""
    );
    assert_eq!(
        run("#define C(a, b) a##b\nC(x, 1) C(, y) C(z,) C(1, e5)"),
        "x1 y z 1e5"
    );
    assert_eq!(run("#define A 9\n#define C(a) a##A a\nC(A)"), "AA 9");
    let (texts, notes, _) = run_with("#define C(a, b) a##b\nC(+, x)", &[]);
    assert_eq!(texts, ["+", "x"]);
    assert_eq!(
        notes,
        [NoteKind::Preprocessor("`##` does not make a token")]
    );
}

#[test]
fn variadic_macros() {
    let text = "#define V(f, ...) f(__VA_ARGS__)\nV(g) V(g,) V(g, 1, 2)";
    assert_eq!(run(text), "g ( ) g ( ) g ( 1 , 2 )");
    let text = "#define P(f, ...) f(0, ##__VA_ARGS__)\nP(g) P(g, 1, 2)";
    assert_eq!(run(text), "g ( 0 ) g ( 0 , 1 , 2 )");
    let text = "#define P(f, ...) f(0 __VA_OPT__(,) __VA_ARGS__)\nP(g) P(g, 1, 2)";
    assert_eq!(run(text), "g ( 0 ) g ( 0 , 1 , 2 )");
    assert_eq!(run("#define N(args...) [args]\nN(1, 2)"), "[ 1 , 2 ]");
    assert_eq!(run("#define S(...) #__VA_ARGS__\nS(a, b)"), "\"a, b\"");
}

#[test]
fn conditions() {
    let text = "#if 1 + 1 == 2 && defined(PRE) && !defined X\na\n#else\nb\n#endif";
    assert_eq!(run(text), "a");
    assert_eq!(
        run("#if 0\na\n#elif PRE > 6\nb\n#elif 1/0\nc\n#else\nd\n#endif"),
        "b"
    );
    assert_eq!(
        run("#ifdef X\na\n#elifdef PRE\nb\n#endif\n#ifndef X\nc\n#endif"),
        "b c"
    );
    assert_eq!(
        run("#if -1 > 0u\na\n#endif\n#if -1 >> 1 == -1\nb\n#endif"),
        "a b"
    );
    assert_eq!(
        run("#if (2 || 1/0) && 0x10 == 020 + 0b0 && 'a' == 97\na\n#endif"),
        "a"
    );
    assert_eq!(
        run("#define Q defined(PRE)\n#if Q ? 0 : 1\na\n#else\nb\n#endif"),
        "b"
    );
    assert_eq!(run("#if true and not false\na\n#endif"), "a");
    assert_eq!(
        run("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n#else\nc\n#endif"),
        "c"
    );
    let (texts, notes, _) = run_with(
        "#if 1 +\na\n#endif\n#endif\n#if 1\n#error bad  thing\n",
        &[],
    );
    assert!(texts.is_empty());
    let clause = NoteKind::Preprocessor;
    let wanted = [
        clause("the condition cannot be computed"),
        clause("`#endif` without `#if`"),
        NoteKind::ErrorDirective("bad thing".into()),
        clause("`#if` without `#endif`"),
    ];
    assert_eq!(notes, wanted);
}

#[test]
fn includes_are_read_where_they_stand() {
    let files = [
        ("a.h", "#pragma once\nint a = __LINE__;\n"),
        ("b.h", "#ifndef B\n#define B 3\n#include \"a.h\"\n#endif\n"),
    ];
    let text = "#include \"a.h\"\n#include \"b.h\"\n#include \"b.h\"\nB\n#include \"no.h\"\n#include <x/y.h>\n";
    let (texts, notes, spans) = run_with(text, &files);
    assert_eq!(texts.join(" "), "int a = 2 ; 3");
    assert!(notes.is_empty());
    assert_eq!(spans[0], Span::new(10_013, 10_016));
    let text =
        "#if __has_include(\"a.h\") && !__has_include(<a.h>) && !__has_include(\"c.h\")\nx\n#endif";
    assert_eq!(run_with(text, &files).0, ["x"]);
    let text = "#define H \"b.h\"\n#include H\nB";
    assert_eq!(
        run_with(text, &files).0.last().map(String::as_str),
        Some("3")
    );
}

#[test]
fn what_is_not_in_the_project_is_told() {
    let mut symbols = Symbols::default();
    let mut lexed = Lexed::default();
    let mut find = |_: &Path, _: &str| None;
    let mut preprocessor = Preprocessor::new(
        (&mut symbols, &mut lexed),
        &mut find,
        Macros::default(),
        &[],
    );
    preprocessor.file(Source {
        path: PathBuf::from("m.cpp"),
        text: SourceText::new("#include \"kernel_operator.h\"\n#include <cstdint>\n"),
        base: 0,
    });
    let names: Vec<&str> = preprocessor.outside.iter().map(|it| &*it.0).collect();
    assert_eq!(names, ["kernel_operator.h", "cstdint"]);
    assert_eq!(preprocessor.outside[0].1, Span::new(0, 28));
}

#[test]
fn tokens_of_a_macro_stand_where_it_is_used_and_arguments_where_they_are() {
    let text = "#define F(x) x + 1\nF( ab );";
    let (texts, _, spans) = run_with(text, &[]);
    assert_eq!(texts, ["ab", "+", "1", ";"]);
    assert_eq!(spans[0], Span::new(22, 24));
    assert_eq!(spans[1], Span::new(19, 26));
    assert_eq!(spans[2], Span::new(19, 26));
}

#[test]
fn macros_that_the_compiler_defines() {
    assert_eq!(
        run("__LINE__\n__COUNTER__ __COUNTER__\n__LINE__ __FILE__"),
        "1 0 1 3 \"main.cpp\""
    );
    assert_eq!(run("#define L __LINE__\n\nL"), "3");
}

#[test]
fn bounds_end_what_grows_without_end() {
    let mut bomb = String::from("#define A0 x x\n");
    for level in 1..40 {
        let _ = writeln!(bomb, "#define A{level} A{0} A{0}", level - 1);
    }
    bomb.push_str("A39");
    let (texts, notes, _) = run_with(&bomb, &[]);
    assert_eq!(notes, [NoteKind::TooManyTokens]);
    assert!(texts.len() < MAX_WORK);

    let mut bomb = String::from("#define D(x) x x\n");
    bomb.push_str(&"D(".repeat(60));
    bomb.push('y');
    bomb.push_str(&")".repeat(60));
    assert_eq!(run_with(&bomb, &[]).1, [NoteKind::TooManyTokens]);

    let deep = format!("#define I(x) x\n{}1{}", "I(".repeat(5000), ")".repeat(5000));
    assert_eq!(run_with(&deep, &[]).1, [NoteKind::MacrosTooDeep]);

    let text = "#include \"a.h\"\nx";
    let (_, notes, _) = run_with(text, &[("a.h", "#include \"a.h\"\n")]);
    assert_eq!(notes, [NoteKind::IncludesTooDeep]);

    let twice = "#include \"a.h\"\n#include \"a.h\"\n";
    let files = [
        ("a.h", "#include \"b.h\"\n#include \"b.h\"\n"),
        (
            "b.h",
            &"#define X Y\nz z z z z z z z z z z z\n".repeat(60_000),
        ),
    ];
    assert_eq!(run_with(twice, &files).1, [NoteKind::TooManyTokens]);

    let condition = format!("#if {}1{}\nx\n#endif", "(".repeat(9000), ")".repeat(9000));
    let wanted = NoteKind::Preprocessor("the condition cannot be computed");
    assert_eq!(run_with(&condition, &[]).1, [wanted]);
}

#[test]
fn half_typed_directives_are_passed_over() {
    for text in [
        "#",
        "#define",
        "#define F(",
        "#define F(a,",
        "#define F(a) #",
        "#define F(a) a ##",
        "#include",
        "#include \"",
        "#if",
        "#elif 1",
        "#else",
        "#ifdef",
        "#define F(x) x\nF(",
        "#define F(x) x\nF(1, (2",
        "#undef",
        "#include <a",
        "#if defined(",
        "#if __has_include(",
        "#define F(...) __VA_OPT__(\nF()",
        "#pragma",
        "#error",
        "# 1 \"x\"",
    ] {
        run(text);
    }
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % count
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

const NAMES: &[&str] = &["M0", "M1", "M2", "M3", "M4", "M5"];

/// A macro with a random body. Every name but the last two is one like a function.
fn definition(random: &mut Random, number: usize) -> String {
    let parameters: &[&str] = match number {
        0 => &["p"],
        1 => &["p", "q"],
        2 => &["p", "..."],
        3 => &["..."],
        _ => &[],
    };
    let mut text = format!("#define M{number}");
    if number < 4 {
        let _ = write!(text, "({})", parameters.join(", "));
    }
    let operands: Vec<&str> = parameters
        .iter()
        .map(|&name| if name == "..." { "__VA_ARGS__" } else { name })
        .collect();
    let mut is_joined = false;
    for _ in 0..random.below(7) {
        let choice = random.below(14);
        let part = match choice {
            0..4 if !operands.is_empty() => random.of(&operands).to_owned(),
            4 if !operands.is_empty() => format!("#{}", random.of(&operands)),
            5 if !operands.is_empty() => format!(
                "{} ## {}",
                random.of(&operands),
                random.of(&["x", "1", "M"])
            ),
            6 if !operands.is_empty() => format!(
                "{} ## {}",
                random.of(&["x", "M", "y_"]),
                random.of(&operands)
            ),
            7 if operands.len() > 1 => format!("{}##{}", operands[0], operands[1]),
            8 if operands.contains(&"__VA_ARGS__") => random
                .of(&[
                    "__VA_OPT__(a __VA_ARGS__ b)",
                    "f(1, ## __VA_ARGS__)",
                    "__VA_OPT__(,)",
                ])
                .to_owned(),
            9 => format!(
                "{}({})",
                random.of(NAMES),
                random.of(&["a", "1, 2", "M4", "", "M5, M4"])
            ),
            10 => random.of(NAMES).to_owned(),
            11 => "(M0)".to_owned(),
            _ => random
                .of(&["a", "b", "+", "1", "\"s\\n\"", "-", ",", "'c'"])
                .to_owned(),
        };
        if is_joined && random.below(3) == 0 {
            text.push_str("  ");
        }
        let _ = write!(text, " {part}");
        is_joined = true;
    }
    text
}

fn use_of(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        let part = match random.below(7) {
            0..3 if depth < 3 => {
                let count = random.below(4);
                let arguments: Vec<String> =
                    (0..count).map(|_| use_of(random, depth + 1)).collect();
                let space = random.of(&["", " ", "\n"]);
                format!("{}{space}({})", random.of(NAMES), arguments.join(","))
            }
            3 => random.of(NAMES).to_owned(),
            4 if depth < 3 => format!("({})", use_of(random, depth + 1)),
            _ => random.of(&["a", "1", "+", "\"t\"", "x"]).to_owned(),
        };
        let _ = write!(text, "{part} ");
    }
    text
}

fn condition(random: &mut Random, depth: usize) -> String {
    if depth > 3 || random.below(4) == 0 {
        let numbers = [
            "0",
            "1",
            "2u",
            "-1",
            "7",
            "0x8000000000000000",
            "64",
            "'a'",
            "M4",
            "defined M5",
            "3",
        ];
        return random.of(&numbers).to_owned();
    }
    let operators = [
        "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&",
        "||",
    ];
    let (left, right) = (condition(random, depth + 1), condition(random, depth + 1));
    match random.below(8) {
        0 => format!("({left} ? {right} : {})", condition(random, depth + 1)),
        1 => format!("!({left})"),
        2 => format!("~({left})"),
        _ => match random.of(&operators) {
            // A quotient by zero is an error to g++.
            op @ ("/" | "%") => format!("({left} {op} ({right} | 1))"),
            op => format!("({left} {op} {right})"),
        },
    }
}

#[test]
fn as_gcc_does_it() {
    const PROGRAMS: usize = 300;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut all = String::new();
    for number in 0..PROGRAMS {
        for name in NAMES {
            let _ = writeln!(all, "#undef {name}");
        }
        for macro_number in 0..NAMES.len() {
            let _ = writeln!(all, "{}", definition(&mut random, macro_number));
        }
        let _ = writeln!(all, "MARK {number} ;");
        for _ in 0..3 {
            let _ = writeln!(all, "{} ;", use_of(&mut random, 0));
        }
        let _ = writeln!(
            all,
            "#if {}\nyes\n#else\nno\n#endif",
            condition(&mut random, 0)
        );
    }
    let Some(theirs) = gcc(&all) else {
        eprintln!("skipped: there is no g++");
        return;
    };
    let mut symbols = Symbols::default();
    let theirs = tokens(&theirs, Some(0), &mut symbols);
    let theirs: Vec<&str> = theirs
        .iter()
        .map(|token| symbols.text(token.text))
        .collect();
    let (ours, _, _) = run_with(&all, &[]);
    let programs = |tokens: Vec<String>| {
        let joined = tokens.join(" ");
        joined.split("MARK ").map(str::to_owned).collect::<Vec<_>>()
    };
    let theirs = programs(theirs.into_iter().map(str::to_owned).collect());
    let ours = programs(ours);
    assert_eq!(theirs.len(), PROGRAMS + 1);
    let sources: Vec<&str> = all.split("#undef M0\n").collect();
    for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(ours, theirs, "program:\n{}", sources[number]);
    }
    assert_eq!(ours.len(), theirs.len());
}

/// Returns the output of the preprocessor of g++; `None` without a g++.
fn gcc(text: &str) -> Option<String> {
    let mut child = Command::new("g++")
        .args(["-std=gnu++20", "-E", "-P", "-x", "c++", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    String::from_utf8(output.stdout).ok()
}
