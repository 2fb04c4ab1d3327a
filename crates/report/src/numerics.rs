//! Reports on the precision of results, compared with exact arithmetic: text and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::laws::{INDENT, Writer, number};
use super::printable;
use super::run::{finite, float_text};
use a2lint_ir::{Program, StmtId};
use a2lint_isa::DType;
use a2lint_machine::{Cancellation, Extremes};
use a2lint_run::laws::{Blame, CLASSES, OutputPrecision, Precision};

/// Numbers of decimals with which two numbers are told apart.
const LEAST_DIGITS: usize = 3;
const MOST_DIGITS: usize = 16;

/// Share of sums that are one of their operands from which on it is told.
const ABSORBED: f64 = 0.01;

/// Renders the report as text.
pub(super) fn text(writer: &Writer, program: &Program, precision: &Precision) -> String {
    let mut out = String::from("  numerics            ");
    out.truncate(INDENT);
    let mut lines = match (precision.launches, &precision.left_out) {
        (0, Some(why)) => vec![(0, format!("not measured: {}", printable(why)))],
        (0, None) => vec![(0, "not measured".to_owned())],
        (launches, _) => vec![(
            0,
            format!(
                "errors against exact arithmetic on the same inputs: measured in {}, no bound",
                number(launches)
            ),
        )],
    };
    for output in &precision.outputs {
        lines.extend(of_output(writer, program, output));
    }
    lines.extend(
        extremes(writer, program, precision)
            .into_iter()
            .map(|line| (0, line)),
    );
    let _ = write!(out, "{:1$}", "", INDENT - out.len());
    for (index, (indent, line)) in lines.iter().enumerate() {
        let before = if index == 0 { 0 } else { INDENT };
        let line = format!("{:indent$}{line}", "");
        let _ = write!(
            out,
            "{:before$}{}",
            "",
            writer.filled(&line, INDENT + indent + 2)
        );
    }
    out
}

/// Describes the argument of `exp` that is nearest to an overflow, the smallest divisor, and the sum that loses most of
/// its operands.
fn extremes(writer: &Writer, program: &Program, precision: &Precision) -> Vec<String> {
    let all = precision.extremes.iter();
    let exponents = all.clone().filter_map(|(stmt, it)| {
        let most = overflow(it.dtype).ln();
        Some((*stmt, it.dtype, it.exponent?, most))
    });
    let nearest = exponents.min_by(|a, b| (a.3 - a.2).total_cmp(&(b.3 - b.2)));
    let divisors = all
        .clone()
        .filter_map(|(stmt, it)| Some((*stmt, it.divisor?)));
    let smallest = divisors.min_by(|a, b| a.1.total_cmp(&b.1));
    let share = |it: &Extremes| it.absorbed as f64 / it.sums.max(1) as f64;
    let absorbed = all.filter(|(_, it)| share(it) > ABSORBED);
    let absorbed = absorbed.max_by(|a, b| share(&a.1).total_cmp(&share(&b.1)));
    let mut lines = Vec::new();
    if let Some((stmt, dtype, value, most)) = nearest {
        lines.push(format!(
            "largest argument of exp: {} ({} overflows at {most:.1}), {}",
            short(value),
            dtype.name(),
            writer.statement(program, stmt)
        ));
    }
    if let Some((stmt, value)) = smallest {
        let place = writer.statement(program, stmt);
        lines.push(format!("smallest divisor: {}, {place}", short(value)));
    }
    if let Some((stmt, it)) = absorbed {
        let percent = 100.0 * share(it);
        let place = writer.statement(program, *stmt);
        lines.push(format!(
            "{percent:.0} % of the sums are one of their operands, {place}"
        ));
    }
    lines
}

/// Returns the largest number of a float type.
fn overflow(dtype: DType) -> f64 {
    match dtype {
        DType::Half => 65504.0,
        // bfloat16 has the exponents of float.
        _ => f64::from(f32::MAX),
    }
}

/// Formats two numbers with as many digits as tell them apart.
fn apart(a: f64, b: f64) -> [String; 2] {
    let texts = [float_text(a), float_text(b)];
    if texts[0] != texts[1] || a.to_bits() == b.to_bits() {
        return texts;
    }
    let with = |digits: usize| [a, b].map(|value| format!("{value:.digits$e}"));
    let most = with(MOST_DIGITS);
    let all = (LEAST_DIGITS..MOST_DIGITS).map(with);
    all.into_iter().find(|[a, b]| a != b).unwrap_or(most)
}

fn of_output(writer: &Writer, program: &Program, output: &OutputPrecision) -> Vec<(usize, String)> {
    let (name, dtype) = (&output.tensor, output.dtype.name());
    let mut lines = vec![(
        0,
        format!(
            "`{}` ({dtype}, {} elements, {}): at most {} ULP, on average {}; relative {}",
            printable(name),
            output.elements,
            printable(&output.launch),
            short(output.max_ulp),
            short(output.mean_ulp),
            short(output.max_relative),
        ),
    )];
    if output.lost > 0 {
        let text = "elements are not finite, and would be without rounding";
        lines.push((2, format!("{} {text}", output.lost)));
    }
    lines.push((2, classes(output)));
    if let Some((at, real, exact)) = &output.worst {
        let [real, exact] = apart(*real, *exact);
        let name = printable(name);
        lines.push((2, format!("worst: {name}{at:?} is {real}, exactly {exact}")));
    }
    for blame in &output.blamed {
        lines.push((2, blame_text(writer, program, blame, output)));
    }
    for wider in &output.widened {
        let buffer = printable(program.buffer(wider.buffer).label()).into_owned();
        let text = format!(
            "`{buffer}` in float instead of {}: largest error {} of the largest value → {}",
            wider.dtype.name(),
            short(output.part),
            short(wider.part)
        );
        lines.push((2, text));
    }
    let mut told: Vec<String> = Vec::new();
    for (stmt, cancellation) in &output.cancellations {
        let Cancellation {
            operand,
            result,
            before,
            after,
        } = *cancellation;
        let statement = writer.statement(program, *stmt);
        // One place may be traced into several statements: the list begins with the worst.
        if told.contains(&statement) {
            continue;
        }
        told.push(statement.clone());
        lines.push((
            2,
            format!(
                "{statement} cancels: {} from operands as large as {}, so the relative error \
                 grows from {} to {}",
                short(result),
                short(operand),
                short(before),
                short(after)
            ),
        ));
    }
    lines
}

fn blame_text(
    writer: &Writer,
    program: &Program,
    blame: &Blame,
    output: &OutputPrecision,
) -> String {
    let mut text = format!(
        "{:.0} % of the error comes from {}, which adds up to {} ULP of its result",
        100.0 * blame.share,
        writer.statement(program, blame.stmt),
        short(blame.rounding.added)
    );
    if blame.rounding.sums_short && output.max_ulp > 1.0 {
        text += "; it sums in a short type, and float would round once";
    }
    text
}

/// Formats the shares of elements by error: `at most 0.5 ULP: 98 %, 1: 1.5 %, more: 0.5 %`.
fn classes(output: &OutputPrecision) -> String {
    let all = output.elements.max(1) as f64;
    let ends = CLASSES
        .iter()
        .map(|end| format!("{end}"))
        .chain(["more".to_owned()]);
    let classes = ends.zip(output.classes).filter(|(_, count)| *count > 0);
    let classes: Vec<String> = classes
        .map(|(end, count)| format!("{end}: {} %", percent(100.0 * count as f64 / all)))
        .collect();
    format!("shares by ULP, at most {}", classes.join(", "))
}

/// Formats a share in percent; one that is neither 0 nor 100 is not rounded to that.
fn percent(share: f64) -> String {
    match share {
        share if share < 0.1 => "<0.1".to_owned(),
        share if share > 99.9 && share < 100.0 => ">99.9".to_owned(),
        share => short(share),
    }
}

/// Formats a number with few digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(0.01..10_000.0).contains(&size) => format!("{value:.1e}"),
        size if size < 10.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// Renders the report as JSON.
pub(super) fn json(
    program: &Program,
    precision: &Precision,
    line: impl Fn(StmtId) -> Option<usize>,
) -> Value {
    let outputs = precision.outputs.iter().map(|output| {
        let classes = output.classes.iter().enumerate();
        let classes = classes.map(|(at, count)| json!({ "ulp": CLASSES.get(at), "count": count }));
        let blamed = output.blamed.iter().map(|blame| {
            json!({
                "line": line(blame.stmt),
                "share": blame.share,
                "addedUlp": finite(blame.rounding.added),
                "sumsShort": blame.rounding.sums_short,
            })
        });
        let cancellations = output.cancellations.iter().map(|(stmt, it)| {
            json!({
                "line": line(*stmt),
                "operand": finite(it.operand),
                "result": finite(it.result),
                "relativeBefore": finite(it.before),
                "relativeAfter": finite(it.after),
            })
        });
        let worst = output.worst.as_ref().map(|(at, real, exact)| {
            json!({ "at": at, "value": finite(*real), "exact": finite(*exact) })
        });
        json!({
            "tensor": output.tensor,
            "dtype": output.dtype.name(),
            "launch": output.launch,
            "elements": output.elements,
            "notFinite": output.lost,
            "maxUlp": output.max_ulp,
            "meanUlp": output.mean_ulp,
            "maxRelative": output.max_relative,
            "classes": classes.collect::<Vec<_>>(),
            "worst": worst,
            "blamed": blamed.collect::<Vec<_>>(),
            "maxPart": finite(output.part),
            "inFloat": output.widened.iter().map(|it| json!({
                "buffer": program.buffer(it.buffer).label(),
                "dtype": it.dtype.name(),
                "maxPart": finite(it.part),
            })).collect::<Vec<_>>(),
            "cancellations": cancellations.collect::<Vec<_>>(),
        })
    });
    let extremes = precision.extremes.iter().map(|(stmt, it)| {
        json!({
            "line": line(*stmt),
            "largestExponent": it.exponent.map(finite),
            "smallestDivisor": it.divisor.map(finite),
            "sums": it.sums,
            "absorbed": it.absorbed,
        })
    });
    json!({
        "extremes": extremes.collect::<Vec<_>>(),
        "launches": precision.launches,
        "notMeasured": precision.left_out,
        "outputs": outputs.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn two_numbers_have_as_many_digits_as_tell_them_apart() {
        assert_eq!(apart(0.5, 0.25), ["0.5000", "0.2500"]);
        assert_eq!(apart(1.90441e-3, 1.9048e-3), ["1.904e-3", "1.905e-3"]);
        assert_eq!(apart(0.5, 0.5), ["0.5000", "0.5000"]);
    }
}
