//! Template arguments that `ASCENDC_TPL_ARGS_DECL` and `ASCENDC_TPL_ARGS_SEL` declare for an entry.

use a2lint_cpp::eval::{Constant, FloatType, IntType, TemplateArg};
use a2lint_project::folded_name;

use super::rows::expanded;
use super::structs::constant;
use super::texts::{calls, compiled};

/// Maximum number of values of one parameter.
const MAX_VALUES: usize = 64;
/// Maximum number of combinations of arguments.
const MAX_COMBINATIONS: usize = 1_024;

/// A value of a template parameter: its spelling and the argument for the evaluator.
pub type Value = (String, TemplateArg);

/// Returns the lists of template arguments that texts declare for a kernel; `None` if there are none, or if some are in
/// an unsupported form.
pub fn lists<'t>(texts: impl Iterator<Item = &'t str>, kernel: &str) -> Option<Vec<Vec<Value>>> {
    let name = folded_name(kernel);
    for text in texts.filter(|text| text.contains("ASCENDC_TPL_ARGS_DECL")) {
        let text = compiled(text);
        let text = expanded(&text)?;
        let declared = calls(&text, "ASCENDC_TPL_ARGS_DECL").find(|arguments| {
            let operator = arguments.first();
            operator.is_some_and(|it| folded_name(it) == name)
        });
        if let Some(declared) = declared {
            return read(&text, &declared[1..]);
        }
    }
    None
}

/// Returns the combinations of template arguments that a text selects for these parameters.
fn read(text: &str, declared: &[&str]) -> Option<Vec<Vec<Value>>> {
    let parameters = declared.iter().map(|it| Parameter::of(it));
    let parameters = parameters.collect::<Option<Vec<_>>>()?;
    let parameters: Vec<_> = parameters.into_iter().flatten().collect();
    let mut found: Vec<Vec<Value>> = Vec::new();
    let mut rows = calls(text, "ASCENDC_TPL_ARGS_SEL").peekable();
    // Without a selection, every declared value is legal.
    let all = rows.peek().is_none().then(|| declared.to_vec());
    for row in rows.chain(all) {
        let mut combinations: Vec<Vec<Value>> = vec![Vec::new()];
        for parameter in &parameters {
            let selected = row.iter().find_map(|it| {
                let selected = Parameter::of(it)??;
                (selected.name == parameter.name).then_some(selected)
            })?;
            let values = selected.values(text, parameter)?;
            let longer = combinations.iter().flat_map(|known| {
                values.iter().map(|value| {
                    let mut known = known.clone();
                    known.push(value.clone());
                    known
                })
            });
            combinations = longer.take(MAX_COMBINATIONS).collect();
        }
        for combination in combinations {
            if found.len() < MAX_COMBINATIONS && !found.contains(&combination) {
                found.push(combination);
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// A macro that declares a template parameter, or selects some of its values.
struct Parameter<'t> {
    kind: Kind,
    name: &'t str,
    values: Vec<&'t str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Type,
    Unsigned,
    Bool,
    Format,
}

impl<'t> Parameter<'t> {
    /// Parses a macro that declares a template parameter; returns `Some(None)` for a macro without parameter, and
    /// `None` for an unknown macro.
    fn of(text: &'t str) -> Option<Option<Parameter<'t>>> {
        let (name, _) = text.split_once('(')?;
        let name = name.trim();
        let kind = name.strip_prefix("ASCENDC_TPL_")?;
        let (kind, _) = kind.rsplit_once('_')?;
        let kind = match kind {
            "DTYPE" | "DATATYPE" => Kind::Type,
            "UINT" => Kind::Unsigned,
            "BOOL" => Kind::Bool,
            "FORMAT" => Kind::Format,
            "KERNEL_TYPE" | "DETERMINISTIC" | "SHADOW_MODE" => return Some(None),
            _ => return None,
        };
        let arguments = calls(text, name).next()?;
        let (name, values) = arguments.split_first()?;
        Some(Some(Parameter {
            kind,
            name,
            values: values.to_vec(),
        }))
    }

    /// Returns the selected values of the parameter `declared`.
    fn values(&self, text: &str, declared: &Parameter<'_>) -> Option<Vec<Value>> {
        match declared.kind {
            Kind::Type => {
                // A project may have numbers of its own for types.
                let value = |it: &&str| of_type(it).or_else(|| of_number(number(text, it)?));
                self.values.iter().map(value).collect()
            }
            Kind::Unsigned => {
                let is_width = |it: &&str| it.starts_with("ASCENDC_TPL_") && it.ends_with("_BW");
                let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
                // In a declaration, the number of bits precedes the values.
                let first = self.values.first()?;
                let has_width =
                    is_width(first) || self.values.get(1)?.starts_with("ASCENDC_TPL_UI");
                let values = match has_width && (is_width(first) || is_number(first)) {
                    true => self.values.get(1..)?,
                    false => &self.values[..],
                };
                unsigned(text, values)
            }
            Kind::Bool | Kind::Format => {
                let values = self.values.iter();
                values.map(|it| of_number(number(text, it)?)).collect()
            }
        }
    }
}

/// Returns the numbers in lists and ranges of unsigned integers.
fn unsigned(text: &str, values: &[&str]) -> Option<Vec<Value>> {
    let (form, rest) = values.split_first()?;
    let numbers = rest.iter().map(|it| number(text, it));
    let numbers = numbers.collect::<Option<Vec<u64>>>()?;
    let mut found = Vec::new();
    let listed = match *form {
        "ASCENDC_TPL_UI_LIST" => &numbers[..],
        "ASCENDC_TPL_UI_RANGE" | "ASCENDC_TPL_UI_MIX" => {
            let (&count, rest) = numbers.split_first()?;
            let bounds = usize::try_from(count).ok()?.checked_mul(2)?;
            for pair in rest.get(..bounds)?.chunks_exact(2) {
                if pair[1].checked_sub(pair[0])? as usize >= MAX_VALUES {
                    return None;
                }
                found.extend(pair[0]..=pair[1]);
            }
            &rest[bounds..]
        }
        _ => return None,
    };
    found.extend(listed);
    let is_few = !found.is_empty() && found.len() <= MAX_VALUES;
    is_few.then(|| found.into_iter().map(of_number).collect())?
}

fn of_number(value: u64) -> Option<Value> {
    let constant = Constant::Int(i128::from(value));
    let argument = TemplateArg::Value(IntType::UnsignedLong.into(), constant);
    Some((value.to_string(), argument))
}

/// Returns a number, or the value of a constant that the text defines.
fn number(text: &str, value: &str) -> Option<u64> {
    let plain = value.trim_end_matches(['u', 'U', 'l', 'L']);
    match plain {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    if let Some(hex) = plain.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    if plain.starts_with(|c: char| c.is_ascii_digit()) {
        return plain.parse().ok();
    }
    let named = constant(text, plain)?;
    let (_, value) = named.split_once('=')?;
    let value = value.trim_matches([' ', ';', '(', ')', '{', '}']);
    // A constant may be defined as another constant; one defined as itself would recurse forever.
    (value != plain && value.len() < 64).then(|| number(text, value))?
}

/// Returns an element type as a template argument.
fn of_type(name: &str) -> Option<Value> {
    let float = |of: FloatType| (of.spelling().to_owned(), TemplateArg::Type(of.into()));
    let int = |name: &str, of: IntType| (name.to_owned(), TemplateArg::Type(of.into()));
    Some(match name.strip_prefix("C_").unwrap_or(name) {
        "DT_FLOAT" => float(FloatType::Float),
        "DT_FLOAT16" => float(FloatType::Half),
        "DT_BF16" => float(FloatType::BFloat16),
        "DT_INT8" => int("int8_t", IntType::SignedChar),
        "DT_UINT8" => int("uint8_t", IntType::UnsignedChar),
        "DT_INT16" => int("int16_t", IntType::Short),
        "DT_UINT16" => int("uint16_t", IntType::UnsignedShort),
        "DT_INT32" => int("int32_t", IntType::Int),
        "DT_UINT32" => int("uint32_t", IntType::Unsigned),
        "DT_INT64" => int("int64_t", IntType::Long),
        "DT_UINT64" => int("uint64_t", IntType::UnsignedLong),
        "DT_BOOL" => int("bool", IntType::Bool),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str, kernel: &str) -> Option<Vec<String>> {
        let lists = lists([text].into_iter(), kernel)?;
        let list = |list: &Vec<Value>| {
            let values = list.iter().map(|(spelled, _)| spelled.as_str());
            values.collect::<Vec<_>>().join(", ")
        };
        Some(lists.iter().map(list).collect())
    }

    #[test]
    fn selections_are_products() {
        let text = "#define WIDE 3\nASCENDC_TPL_ARGS_DECL(AddTwo,\n\
                    ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT, C_DT_FLOAT16),\n\
                    ASCENDC_TPL_UINT_DECL(mode, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_RANGE, 1, 0, 3),\n\
                    ASCENDC_TPL_BOOL_DECL(split, 0, 1));\n\
                    ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT16),\n\
                    ASCENDC_TPL_UINT_SEL(mode, ASCENDC_TPL_UI_LIST, 1, WIDE), ASCENDC_TPL_BOOL_SEL(split, 0)),\n\
                    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, C_DT_FLOAT),\n\
                    ASCENDC_TPL_UINT_SEL(mode, ASCENDC_TPL_UI_LIST, 0), ASCENDC_TPL_BOOL_SEL(split, 1)));";
        let wanted = ["half, 1, 0", "half, 3, 0", "float, 0, 1"];
        assert_eq!(
            spelled(text, "add_two").as_deref(),
            Some(&wanted.map(str::to_owned)[..])
        );
        assert_eq!(spelled(text, "add_three"), None);
        let own = "#define OWN_HALF 10\n#define OWN_FLOAT 20\nASCENDC_TPL_ARGS_DECL(Add,\n\
                   ASCENDC_TPL_DTYPE_DECL(D, OWN_HALF, OWN_FLOAT));\n\
                   ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DTYPE_SEL(D, OWN_FLOAT)));";
        assert_eq!(spelled(own, "add"), Some(vec!["20".to_owned()]));
        let unknown = own.replace("#define OWN_FLOAT 20", "");
        assert_eq!(spelled(&unknown, "add"), None);
        let declared =
            "ASCENDC_TPL_ARGS_DECL(Add, ASCENDC_TPL_UINT_DECL(m, 1, ASCENDC_TPL_UI_LIST, 0, 1));";
        assert_eq!(
            spelled(declared, "add").as_deref(),
            Some(&["0".to_owned(), "1".to_owned()][..])
        );
    }
}
