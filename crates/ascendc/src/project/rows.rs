//! Macros of a project that stand for the rows of `ASCENDC_TPL_SEL`.

use a2lint_source::text::Slice;

use super::texts::{enclosed, first_word, is_part, parts};

/// Maximum size of a text after expansion, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// Maximum number of macros that are expanded inside each other.
const MOST_ROUNDS: usize = 8;

/// A macro with parameters.
struct Macro {
    name: String,
    parameters: Vec<String>,
    body: String,
}

/// Replaces the calls of macros that a text defines for rows by those rows; `None` if they are in an unsupported form.
pub fn expanded(text: &str) -> Option<String> {
    let (mut text, macros) = macros(text);
    if macros.iter().any(|it| it.body.contains('#')) {
        return None;
    }
    for _ in 0..MOST_ROUNDS {
        let Some((at, called)) = first_call(&text, &macros) else {
            return Some(text);
        };
        let (mut done, mut next) = (String::new(), Some((at, called)));
        let mut rest = text.as_str();
        while let Some((at, called)) = next {
            let after = rest.part(at + called.name.len()..);
            let list = enclosed(after.trim_start())?;
            let given = parts(list);
            if given.len() != called.parameters.len() {
                return None;
            }
            done.push_str(rest.part(..at));
            done.push_str(&substituted(called, &given));
            let end = after.len() - after.trim_start().len() + list.len() + 2;
            rest = after.part(end..);
            if done.len() + rest.len() > MOST_BYTES {
                return None;
            }
            next = first_call(rest, &macros);
        }
        done.push_str(rest);
        text = done;
    }
    None
}

/// Returns the macros with parameters that a text defines for rows, and the text without them.
fn macros(text: &str) -> (String, Vec<Macro>) {
    let (mut kept, mut found) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut whole = line.to_owned();
        if line.trim_start().starts_with('#') {
            while let Some(start) = whole.trim_end().strip_suffix('\\') {
                whole = format!("{start} {}", lines.next().unwrap_or_default());
            }
        }
        match Macro::of(&whole) {
            Some(defined) if defined.body.contains("ASCENDC_TPL_") => found.push(defined),
            _ => {
                kept.push_str(&whole);
                kept.push('\n');
            }
        }
    }
    (kept, found)
}

impl Macro {
    /// Parses a directive that defines a macro with parameters.
    fn of(line: &str) -> Option<Macro> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?.trim_start();
        let name = first_word(rest);
        let list = enclosed(rest.part(name.len()..))?;
        let body = rest.part(name.len() + list.len() + 2..);
        Some(Macro {
            name: name.to_owned(),
            parameters: parts(list).into_iter().map(str::to_owned).collect(),
            body: body.trim().to_owned(),
        })
    }
}

/// Returns the first call of one of the macros, with its offset.
fn first_call<'m>(text: &str, macros: &'m [Macro]) -> Option<(usize, &'m Macro)> {
    let calls = macros.iter().filter_map(|it| {
        let mut places = super::texts::places(text, &it.name);
        let is_call = |at: &usize| {
            let after = text.part(at + it.name.len()..).trim_start();
            // `#undef NAME` names the macro without a call.
            after.starts_with('(')
        };
        places.find(is_call).map(|at| (at, it))
    });
    calls.min_by_key(|(at, _)| *at)
}

/// Returns the body of a macro with arguments in place of its parameters.
fn substituted(called: &Macro, given: &[&str]) -> String {
    let mut made = String::new();
    let mut rest = called.body.as_str();
    while let Some(c) = rest.chars().next() {
        if !is_part(c) {
            made.push(c);
            rest = rest.part(c.len_utf8()..);
            continue;
        }
        let word = rest.part(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        let at = called.parameters.iter().position(|it| it == word);
        made.push_str(at.map_or(word, |at| given[at]));
        rest = rest.part(word.len()..);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_rows_are_expanded() {
        let text = "#define TWO 2\n#define ROW(K, S) ASCENDC_TPL_ARGS_SEL( \\\n    ASCENDC_TPL_UINT_SEL(k, K), \\\n\
                    ASCENDC_TPL_BOOL_SEL(s, S))\nASCENDC_TPL_SEL(ROW(TWO, 1), ROW(3, 0));\n#undef ROW\n";
        let found = expanded(text).expect("rows");
        let row = |k, s| {
            format!(
                "ASCENDC_TPL_ARGS_SEL( ASCENDC_TPL_UINT_SEL(k, {k}), ASCENDC_TPL_BOOL_SEL(s, {s}))"
            )
        };
        let plain = found.split_whitespace().collect::<Vec<_>>().join(" ");
        let rows = [row("TWO", "1"), row("3", "0")].join(", ");
        assert_eq!(
            plain,
            format!("#define TWO 2 ASCENDC_TPL_SEL({rows}); #undef ROW")
        );
        // What joins words, a call with other arguments, and a macro that calls itself.
        let joined = "#define ROW(K) ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(k, M##K))\n";
        assert_eq!(expanded(joined), None);
        assert_eq!(expanded(&text.replace("ROW(3, 0)", "ROW(3)")), None);
        let itself = "#define ROW(K) ASCENDC_TPL_ARGS_SEL(ROW(K))\nASCENDC_TPL_SEL(ROW(1));\n";
        assert_eq!(expanded(itself), None);
        assert_eq!(expanded("f(1);\n").as_deref(), Some("f(1);\n"));
    }
}
