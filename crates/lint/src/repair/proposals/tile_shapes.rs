//! Proposals about declarations of PTO tiles: extents, valid regions, layouts, element types.

use super::Propose;
use super::tiles::code_line;
use super::tiles::template_arguments;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("tsel-mask-rows", mask_extents),
    ("tsel-mask-too-narrow", mask_extents),
    ("tcmp-row-bytes", mask_extents),
    ("tsel-mask-divergence", mask_extents),
    ("tsel-mask-dtype", mask_bytes),
    ("tsel-valid-region", valid_region),
    ("tsel-layout", row_major),
    ("tsel-type-mismatch", converted),
];

/// Returns the template arguments and the constructor arguments of a tile's declaration, looking up an alias of its
/// type.
fn tile(scene: &Scene, name: &str) -> Option<(Vec<Span>, Vec<Span>)> {
    let before = Span::new(0, scene.finding.span.start as usize);
    let own = scene.occurrences(before, name).into_iter().find(|span| {
        let line = scene.text(code_line(scene, *span));
        !line.contains('=') && !line.starts_with(name) && !line.starts_with('T')
            || line.starts_with("Tile<")
            || line.split(' ').next().is_some_and(|it| it.ends_with('T'))
    })?;
    let line = code_line(scene, own);
    let rest = Span {
        start: own.end,
        end: line.end,
    };
    let built = match scene.text(rest).starts_with('(') {
        true => scene.arguments(rest),
        false => Vec::new(),
    };
    let head = Span {
        start: line.start,
        end: own.start,
    };
    if scene.text(head).contains('<') {
        return Some((template_arguments(scene, head), built));
    }
    let alias = scene.text(head).split_whitespace().next()?;
    let alias = *scene.occurrences(before, alias).first()?;
    Some((template_arguments(scene, code_line(scene, alias)), built))
}

/// Proposes more rows, columns or valid columns for a mask.
fn mask_extents(scene: &Scene) -> Vec<Candidate> {
    let name = scene.text(scene.finding.span);
    let Some((template, built)) = tile(scene, name) else {
        return Vec::new();
    };
    let [_, _, rows, columns, ..] = template.as_slice() else {
        return Vec::new();
    };
    let (Ok(tall), Ok(wide)) = (
        scene.text(*rows).parse::<i64>(),
        scene.text(*columns).parse::<i64>(),
    ) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let valid: Vec<i64> = built
        .iter()
        .filter_map(|it| scene.text(*it).parse().ok())
        .collect();
    // Only the number of valid columns.
    if let ([_, span], [_, now]) = (built.as_slice(), valid.as_slice()) {
        for columns in [1, 2, 4, 8, 16, 32, 64]
            .into_iter()
            .filter(|it| it != now && *it <= wide)
        {
            all.push(guess(
                format!("let {columns} columns be valid"),
                vec![replace(*span, columns.to_string())],
            ));
        }
    }
    for columns_to in [wide * 2, wide * 4] {
        all.push(guess(
            format!("give it rows of {columns_to} bytes"),
            vec![replace(*columns, columns_to.to_string())],
        ));
    }
    if wide < 32 {
        all.push(guess(
            "give it rows of 32 bytes",
            vec![replace(*columns, "32")],
        ));
    }
    for rows_to in [8, 16, 32, 64, 128].into_iter().filter(|it| *it > tall) {
        let mut edits = vec![replace(*rows, rows_to.to_string())];
        if let Some(valid) = built.first() {
            edits.push(replace(*valid, rows_to.to_string()));
        }
        all.push(guess(format!("give it {rows_to} rows"), edits));
    }
    all
}

/// Proposes a mask of bytes instead of words, of the same size.
fn mask_bytes(scene: &Scene) -> Vec<Candidate> {
    let name = scene.text(scene.finding.span);
    let Some((template, _)) = tile(scene, name) else {
        return Vec::new();
    };
    let [_, dtype, _, columns, ..] = template.as_slice() else {
        return Vec::new();
    };
    let bytes = match scene.text(*dtype) {
        "uint32_t" | "int32_t" => 4,
        "uint16_t" | "int16_t" => 2,
        _ => return Vec::new(),
    };
    let Ok(wide) = scene.text(*columns).parse::<i64>() else {
        return Vec::new();
    };
    let edits = vec![
        replace(*dtype, "uint8_t"),
        replace(*columns, (wide * bytes).to_string()),
    ];
    vec![guess("declare it as bytes", edits)]
}

/// Proposes a valid region of the destination no larger than that of a source.
fn valid_region(scene: &Scene) -> Vec<Candidate> {
    let call = code_line(scene, scene.finding.span);
    let arguments = scene.arguments(call);
    let Some(dst) = arguments.first() else {
        return Vec::new();
    };
    let name = scene.text(scene.finding.span);
    let mut all = Vec::new();
    for axis in ["Row", "Col"] {
        let wanted = format!("{name}.SetValid{axis}(");
        let set = scene.all().find(&wanted);
        let text = set.map(|at| scene.all().part(at + wanted.len()..));
        let Some(value) = text.and_then(|text| text.split(')').next()) else {
            continue;
        };
        let line = format!("{}.SetValid{axis}({value});", scene.text(*dst));
        let edit = scene.above(call, std::slice::from_ref(&line));
        all.extend(edit.map(|edit| guess(format!("add `{line}`"), vec![edit])));
    }
    if let (Some((_, own)), Some((_, other))) = (tile(scene, scene.text(*dst)), tile(scene, name)) {
        for (own, other) in own.iter().zip(&other) {
            let text = scene.text(*other);
            all.push(guess(
                format!("let {text} be valid"),
                vec![replace(*own, text)],
            ));
        }
    }
    all
}

fn row_major(scene: &Scene) -> Vec<Candidate> {
    let name = scene.text(scene.finding.span);
    let Some((template, _)) = tile(scene, name) else {
        return Vec::new();
    };
    let layout = template
        .iter()
        .find(|span| scene.text(**span).ends_with("ColMajor"));
    let edit = layout.map(|span| replace(*span, "BLayout::RowMajor"));
    edit.map(|edit| guess("make it row-major", vec![edit]))
        .into_iter()
        .collect()
}

/// Proposes to convert a source to the type of the destination first.
fn converted(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let call = code_line(scene, here);
    let arguments = scene.arguments(call);
    let Some(dst) = arguments.first() else {
        return Vec::new();
    };
    let (wanted, own) = (tile(scene, scene.text(*dst)), tile(scene, scene.text(here)));
    let (Some((wanted, _)), Some((own, _))) = (wanted, own) else {
        return Vec::new();
    };
    let (Some(dtype), Some(rows), Some(columns)) = (wanted.get(1), own.get(2), own.get(3)) else {
        return Vec::new();
    };
    let name = scene.fresh(&format!("{}_converted", scene.text(here)));
    let lines = [
        format!(
            "Tile<TileType::Vec, {}, {}, {}> {name};",
            scene.text(*dtype),
            scene.text(*rows),
            scene.text(*columns)
        ),
        format!("TCVT({name}, {}, RoundMode::CAST_NONE);", scene.text(here)),
    ];
    let edit = scene.above(call, &lines);
    let edits = edit.into_iter().chain([replace(here, name)]);
    vec![guess("convert it first", edits.collect())]
}
