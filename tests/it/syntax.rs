//! Parsing never fails: errors of every kind at every place of a realistic kernel.

use crate::common::Random;
use a2lint::syntax::python::{ast::*, parse};
use a2lint::text::{SourceText, Span};

const KERNEL: &str = include_str!("../syntax/attention_scores.py");

/// Checks that spans are inside of the text, on character boundaries, and inside of the spans of their parents.
struct Spans<'t> {
    text: &'t str,
}

impl Spans<'_> {
    fn check(text: &str) -> File {
        let file = parse(&SourceText::new(text));
        let spans = Spans { text };
        let whole = Span::new(0, text.len());
        spans.block(&file.body, whole);
        for comment in &file.comments {
            spans.inside(comment.span, whole);
            assert_eq!(text[comment.span.range()], comment.text);
        }
        for error in &file.errors {
            spans.inside(error.span, whole);
        }
        file
    }

    fn inside(&self, span: Span, parent: Span) {
        let fits = parent.start <= span.start && span.start <= span.end && span.end <= parent.end;
        assert!(fits, "{span:?} in {parent:?} of {:?}", self.text);
        assert!(self.text.get(span.range()).is_some(), "{span:?}");
    }

    fn block(&self, body: &[Stmt], parent: Span) {
        let mut end = 0;
        for stmt in body {
            assert!(
                end <= stmt.span.start,
                "order at {:?} of {}",
                stmt.span,
                self.text
            );
            end = stmt.span.end;
            self.stmt(stmt, parent);
        }
    }

    fn stmt(&self, stmt: &Stmt, parent: Span) {
        let span = stmt.span;
        self.inside(span, parent);
        match &stmt.kind {
            StmtKind::Expr(value) | StmtKind::Assert(value) => self.expr(value, span),
            StmtKind::Assign { targets, value } => {
                self.exprs(targets, span);
                self.expr(value, span);
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => {
                self.expr(target, span);
                self.expr(annotation, span);
                self.exprs(value, span);
            }
            StmtKind::AugAssign {
                target,
                op_span,
                value,
                ..
            } => {
                self.expr(target, span);
                self.inside(*op_span, span);
                self.expr(value, span);
            }
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                self.expr(target, span);
                self.expr(iter, span);
                self.block(body, span);
                self.block(orelse, span);
            }
            StmtKind::While { test, body, orelse } => {
                self.expr(test, span);
                self.block(body, span);
                self.block(orelse, span);
            }
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    self.expr(test, span);
                    self.block(body, span);
                }
                self.block(orelse, span);
            }
            StmtKind::With { items, body } => {
                for (value, target) in items {
                    self.expr(value, span);
                    self.exprs(target, span);
                }
                self.block(body, span);
            }
            StmtKind::Function(function) => self.function(function, span, parent),
            StmtKind::Class {
                name,
                full_span,
                decorators,
                bases,
                keywords,
                body,
            } => {
                self.inside(*full_span, parent);
                self.inside(span, *full_span);
                self.exprs(decorators, *full_span);
                self.exprs(bases, span);
                self.exprs(keywords.iter().map(|(_, value)| value), span);
                self.inside(name.span, span);
                self.block(body, span);
            }
            StmtKind::Return(value) => self.exprs(value, span),
            StmtKind::Import(names) => self.imports(names, span),
            StmtKind::ImportFrom {
                module_span, names, ..
            } => {
                self.inside(*module_span, span);
                self.imports(names, span);
            }
            StmtKind::Try {
                blocks, handlers, ..
            } => {
                self.exprs(handlers.iter().filter_map(|it| it.classes.as_ref()), span);
                for block in blocks {
                    self.block(block, span);
                }
            }
            StmtKind::Delete(targets) => self.exprs(targets, span),
            StmtKind::Raise(value) => self.exprs(value, span),
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                for name in names {
                    self.inside(name.span, span);
                }
            }
            StmtKind::Error(rest) => self.block(rest, span),
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn function(&self, function: &FunctionDef, span: Span, parent: Span) {
        self.inside(function.full_span, parent);
        self.inside(span, function.full_span);
        self.inside(function.name.span, span);
        self.exprs(&function.decorators, function.full_span);
        self.params(&function.params, span);
        self.block(&function.body, span);
    }

    fn params(&self, params: &[Param], parent: Span) {
        for param in params {
            self.inside(param.name.span, parent);
            self.exprs(&param.annotation, parent);
            self.exprs(&param.default, parent);
        }
    }

    fn imports(&self, names: &[ImportName], parent: Span) {
        for name in names {
            self.inside(name.span, parent);
            if let Some(alias) = &name.alias {
                self.inside(alias.span, parent);
            }
        }
    }

    fn exprs<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>, parent: Span) {
        for expr in exprs {
            self.expr(expr, parent);
        }
    }

    fn expr(&self, expr: &Expr, parent: Span) {
        let span = expr.span;
        self.inside(span, parent);
        match &expr.kind {
            ExprKind::Attribute { value, attr } => {
                self.expr(value, span);
                self.inside(attr.span, span);
            }
            ExprKind::Subscript { value, index } => self.exprs([&**value, &**index], span),
            ExprKind::Slice { lower, upper, step } => {
                let bounds = [lower, upper, step].into_iter().flatten();
                self.exprs(bounds.map(|bound| &**bound), span);
            }
            ExprKind::Call {
                func,
                args,
                keywords,
            } => {
                self.expr(func, span);
                self.exprs(args, span);
                self.exprs(keywords.iter().map(|(_, value)| value), span);
                for name in keywords.iter().filter_map(|(name, _)| name.as_ref()) {
                    self.inside(name.span, span);
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                self.exprs(items, span);
            }
            ExprKind::Dict(items) => {
                for (key, value) in items {
                    self.exprs(key, span);
                    self.expr(value, span);
                }
            }
            ExprKind::Unary { operand, .. } => self.expr(operand, span),
            ExprKind::Binary {
                op_span,
                left,
                right,
                ..
            } => {
                self.inside(*op_span, span);
                self.exprs([&**left, &**right], span);
            }
            ExprKind::BoolOp { values, .. } => self.exprs(values, span),
            ExprKind::Compare { left, rest } => {
                self.expr(left, span);
                self.exprs(rest.iter().map(|(_, value)| value), span);
            }
            ExprKind::Conditional { test, body, orelse } => {
                self.exprs([&**test, &**body, &**orelse], span);
            }
            ExprKind::Lambda { params, body } => {
                self.params(params, span);
                self.expr(body, span);
            }
            ExprKind::Comprehension {
                element,
                value,
                clauses,
                ..
            } => {
                self.expr(element, span);
                self.exprs(value.iter().map(|value| &**value), span);
                for clause in clauses {
                    self.exprs([&clause.target, &clause.iter], span);
                    self.exprs(&clause.conditions, span);
                }
            }
            ExprKind::Starred(value) => self.expr(value, span),
            ExprKind::Named { name, value } => {
                self.inside(name.span, span);
                self.expr(value, span);
            }
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::OpaqueStr
            | ExprKind::Ellipsis
            | ExprKind::Name(_)
            | ExprKind::Error => {}
            ExprKind::Format(parts) => {
                self.exprs(parts.iter().filter_map(|part| part.value()), span);
            }
            ExprKind::Yield { value, .. } => self.exprs(value.as_deref(), span),
            ExprKind::Matches { pattern, .. } => {
                pattern.names(&mut |name| self.inside(name.span, span));
                pattern.exprs(&mut |expr| self.expr(expr, span));
            }
        }
    }
}

/// Splits a text into words, runs of blanks and single marks.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        ' ' => 0,
        c if c.is_alphanumeric() || c == '_' => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| class(c) == class(first) && class(first) != 2;
        let end = rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (token, behind) = rest.split_at(end.max(first.len_utf8()));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// Returns the names of all functions of a file, including nested ones and those inside of errors.
fn functions(body: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    for stmt in body {
        match &stmt.kind {
            StmtKind::Function(function) => {
                names.push(function.name.text.as_str());
                names.extend(functions(&function.body));
            }
            StmtKind::Error(rest) => names.extend(functions(rest)),
            _ => {}
        }
    }
    names
}

#[test]
fn the_kernel_is_sound() {
    let file = Spans::check(KERNEL);
    assert_eq!(file.errors, []);
    let names = functions(&file.body);
    assert_eq!(names, ["clear", "row_scale", "attention_scores", "main"]);
    assert_eq!(file.comments.len(), 5);
}

#[test]
fn cut_at_every_token() {
    let mut end = 0;
    for token in tokens(KERNEL) {
        Spans::check(&KERNEL[..end]);
        end += token.len();
    }
}

#[test]
fn cut_off_at_the_front() {
    let mut start = 0;
    for (at, token) in tokens(KERNEL).iter().enumerate() {
        if at % 5 == 0 {
            Spans::check(&KERNEL[start..]);
        }
        start += token.len();
    }
}

#[test]
fn tokens_lost_doubled_and_swapped() {
    let original = tokens(KERNEL);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..1500 {
        let mut mutated = original.clone();
        for _ in 0..=round % 4 {
            let (at, other) = (random.below(mutated.len()), random.below(mutated.len()));
            match random.below(3) {
                0 => drop(mutated.remove(at)),
                1 => mutated.insert(at, mutated[at]),
                _ => mutated.swap(at, other),
            }
        }
        Spans::check(&mutated.concat());
    }
}

#[test]
fn odd_characters_anywhere() {
    let original = tokens(KERNEL);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let odd = [
        "\0",
        "\u{feff}",
        "\t",
        "\r",
        "\r\n",
        "\u{0c}",
        "汉",
        "é",
        "\u{1f600}",
        "\"\"\"",
        "'",
        "\\",
        "$",
        "?",
        "(",
        "]",
        "{",
        "f\"{",
        "\n",
        "\n\n    ",
        "#",
        ":",
        "=",
    ];
    for _ in 0..1000 {
        let mut mutated = original.clone();
        let at = random.below(mutated.len());
        mutated.insert(at, odd[random.below(odd.len())]);
        Spans::check(&mutated.concat());
    }
}

#[test]
fn line_ends_and_marks_do_not_change_the_tree() {
    let plain = outline(&Spans::check(KERNEL));
    for other in [
        KERNEL.replace('\n', "\r\n"),
        format!("\u{feff}{KERNEL}"),
        KERNEL.lines().map(tabbed).collect(),
    ] {
        let file = Spans::check(&other);
        assert_eq!(file.errors, []);
        assert_eq!(outline(&file), plain);
    }
}

/// Indents a line with tabs.
fn tabbed(line: &str) -> String {
    let code = line.trim_start_matches("    ");
    match (line.len() - code.len()) / 4 {
        1 if KERNEL.find(line) < KERNEL.find("import") => format!("{line}\n"),
        depth => format!("{}{code}\n", "\t".repeat(depth)),
    }
}

/// Formats the tree without spans.
fn outline(file: &File) -> String {
    let tree = format!("{:?}", file.body);
    let pieces = tree.split("span: Span { start: ");
    let behind = |piece: &str| {
        piece
            .split_once('}')
            .map_or(String::new(), |(_, r)| r.to_owned())
    };
    pieces.map(behind).collect()
}

#[test]
fn one_broken_line_leaves_the_other_lines_alone() {
    let lines: Vec<_> = KERNEL.split_inclusive('\n').collect();
    let names = functions(&Spans::check(KERNEL).body).len();
    for broken in [
        "foo(bar, [1, ",
        "x = ",
        "y <<= a b",
        "for i in range(:",
        "a.b.",
        "d = )",
    ] {
        for (at, line) in lines.iter().enumerate() {
            let is_code = line.trim_start().starts_with(char::is_alphabetic);
            if at < 30 || !is_code || !line.starts_with("    ") || !line.ends_with(")\n") {
                continue;
            }
            let indent = &line[..line.len() - line.trim_start().len()];
            let (before, behind) = (lines[..at].concat(), lines[at..].concat());
            let file = Spans::check(&format!("{before}{indent}{broken}\n{behind}"));
            assert!(!file.errors.is_empty(), "{broken} at {at}");
            let lost: usize = file
                .errors
                .iter()
                .map(|error| error.span.range().len())
                .sum();
            assert!(lost < 60, "{broken} at {at} loses {lost} bytes");
            assert_eq!(functions(&file.body).len(), names, "{broken} at {at}");
        }
    }
}
