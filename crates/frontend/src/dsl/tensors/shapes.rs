//! Shapes of results; `None` if the library raises.

/// Extents of a tensor if they are known, and the name with which each was written.
pub(super) type NamedShape = (Option<Vec<i64>>, Vec<Option<String>>);

/// Returns the index of an axis; negative numbers count from the end.
pub(super) fn place(axis: i128, rank: usize) -> Option<usize> {
    let axis = if axis < 0 {
        axis.checked_add(rank as i128)?
    } else {
        axis
    };
    usize::try_from(axis).ok().filter(|&axis| axis < rank)
}

/// Returns the number of elements of a shape; `None` if it overflows.
pub(super) fn elements(shape: &[i64]) -> Option<i64> {
    shape
        .iter()
        .try_fold(1i64, |all, &extent| all.checked_mul(extent))
}

/// Returns the broadcast shape of two tensors.
pub(super) fn broadcast(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    // Missing leading axes count as 1.
    let rank = a.len().max(b.len());
    let extent = |shape: &[i64], at: usize| {
        let from = rank - shape.len();
        at.checked_sub(from).map_or(1, |at| shape[at])
    };
    let extents = (0..rank).map(|at| match (extent(a, at), extent(b, at)) {
        (x, y) if x == y => Some(x),
        (1, y) => Some(y),
        (x, 1) => Some(x),
        _ => None,
    });
    extents.collect()
}

/// Returns the shape after `reshape(2, -1)`: the open extent follows from the others.
pub(super) fn reshaped(from: &[i64], to: &[i64]) -> Option<Vec<i64>> {
    let whole = elements(from)?;
    let mut to = to.to_vec();
    let mut open = (0..to.len()).filter(|&at| to[at] == -1);
    match (open.next(), open.next()) {
        (None, _) => {}
        (Some(at), None) => {
            let others: Vec<i64> = to.iter().copied().filter(|&extent| extent != -1).collect();
            // With a zero among the others, the open extent is ambiguous.
            let others = elements(&others).filter(|&others| others > 0)?;
            to[at] = (whole % others == 0).then_some(whole / others)?;
        }
        (Some(_), Some(_)) => return None,
    }
    let is_same = to.iter().all(|&extent| extent >= 0) && elements(&to) == Some(whole);
    is_same.then_some(to)
}

/// Returns the shape after torch's `flatten(start, end)`.
pub(super) fn flattened(shape: &[i64], start: i128, end: i128) -> Option<Vec<i64>> {
    // A tensor without axes becomes one with a single element.
    if shape.is_empty() {
        return Some(vec![1]);
    }
    let (start, end) = (place(start, shape.len())?, place(end, shape.len())?);
    if start > end {
        return None;
    }
    let mut flat = shape[..start].to_vec();
    flat.push(elements(&shape[start..=end])?);
    flat.extend(&shape[end + 1..]);
    Some(flat)
}

/// Returns the indices of axes in a given order; each axis must occur exactly once.
pub(super) fn order(axes: &[i64], rank: usize) -> Option<Vec<usize>> {
    let places: Option<Vec<usize>> = axes.iter().map(|&axis| place(axis.into(), rank)).collect();
    let places = places.filter(|places| places.len() == rank)?;
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == rank).then_some(places)
}

/// Returns the shape after `expand(M, -1)` or `broadcast_to(shape)`.
pub(super) fn expanded(shape: &[i64], to: &[i64]) -> Option<Vec<i64>> {
    let further = to.len().checked_sub(shape.len())?;
    let extents = to.iter().enumerate().map(|(at, &wanted)| {
        match at.checked_sub(further).map(|at| shape[at]) {
            None => (wanted >= 0).then_some(wanted),
            // -1 keeps the extent of an existing axis.
            Some(own) if wanted == -1 || wanted == own => Some(own),
            Some(1) => (wanted >= 0).then_some(wanted),
            Some(_) => None,
        }
    });
    extents.collect()
}

/// Returns the shape after torch's `repeat(2, 1)`, which takes at least as many factors as there are axes.
pub(super) fn repeated(shape: &[i64], factors: &[i64]) -> Option<Vec<i64>> {
    (factors.len() >= shape.len()).then(|| tiled(shape, factors))?
}

/// Returns the shape after `tile(2, 1)`; missing leading factors are 1.
pub(super) fn tiled(shape: &[i64], factors: &[i64]) -> Option<Vec<i64>> {
    let rank = shape.len().max(factors.len());
    let padded = |given: &[i64], at: usize| {
        let from = rank - given.len();
        at.checked_sub(from).map_or(1, |at| given[at])
    };
    let extents = (0..rank).map(|at| {
        let factor = padded(factors, at);
        (factor >= 0).then(|| padded(shape, at).checked_mul(factor))?
    });
    extents.collect()
}

/// Returns the shape after `squeeze()` or `squeeze(axes)`. NumPy raises for an axis longer than 1, torch leaves it.
pub(super) fn squeezed(shape: &[i64], axes: Option<&[i64]>, is_strict: bool) -> Option<Vec<i64>> {
    let Some(axes) = axes else {
        return Some(
            shape
                .iter()
                .copied()
                .filter(|&extent| extent != 1)
                .collect(),
        );
    };
    let places: Option<Vec<usize>> = axes
        .iter()
        .map(|&axis| place(axis.into(), shape.len()))
        .collect();
    let places = places?;
    if is_strict && places.iter().any(|&at| shape[at] != 1) {
        return None;
    }
    let kept = shape.iter().enumerate();
    let kept = kept.filter(|(at, extent)| !(places.contains(at) && **extent == 1));
    Some(kept.map(|(_, &extent)| extent).collect())
}

/// Returns the shape after `unsqueeze(axis)`.
pub(super) fn unsqueezed(shape: &[i64], axis: i128) -> Option<Vec<i64>> {
    let at = place(axis, shape.len() + 1)?;
    let mut shape = shape.to_vec();
    shape.insert(at, 1);
    Some(shape)
}

/// Returns the shape after a reduction over `axes`; without axes, over all of them.
pub(super) fn reduced(shape: &[i64], axes: Option<&[i64]>, keeps: bool) -> Option<Vec<i64>> {
    let places: Vec<usize> = match axes {
        None => (0..shape.len()).collect(),
        Some(axes) => {
            let places = axes.iter().map(|&axis| place(axis.into(), shape.len()));
            places.collect::<Option<_>>()?
        }
    };
    let extents = shape.iter().enumerate();
    let extents = extents.filter_map(|(at, &extent)| match (places.contains(&at), keeps) {
        (false, _) => Some(extent),
        (true, true) => Some(1),
        (true, false) => None,
    });
    Some(extents.collect())
}

/// Returns the shape of `a @ b`.
pub(super) fn product(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let ends = |a: &[i64], b: &[i64]| (a.last().copied(), b.len().checked_sub(2).map(|at| b[at]));
    match (a.len(), b.len()) {
        (0, _) | (_, 0) => None,
        (1, 1) => (a == b).then(Vec::new),
        // A vector on the left counts as a row that is dropped from the result.
        (1, _) => {
            let whole = product(&[1, a[0]], b)?;
            let mut shape = whole[..whole.len() - 2].to_vec();
            shape.push(whole[whole.len() - 1]);
            Some(shape)
        }
        // A vector on the right counts as a column that is dropped from the result.
        (_, 1) => {
            let mut whole = product(a, &[b[0], 1])?;
            whole.pop();
            Some(whole)
        }
        (rows, columns) => {
            let (inner, other) = ends(a, b);
            if inner != other {
                return None;
            }
            let mut shape = broadcast(&a[..rows - 2], &b[..columns - 2])?;
            shape.extend([a[rows - 2], b[columns - 1]]);
            Some(shape)
        }
    }
}

/// Returns the shape after `cat([…], axis)`; torch ignores empty one-dimensional tensors.
pub(super) fn concatenated(shapes: &[Vec<i64>], axis: i128, skips_empty: bool) -> Option<Vec<i64>> {
    let is_skipped = |shape: &&Vec<i64>| skips_empty && shape.as_slice() == [0];
    let mut kept = shapes.iter().filter(|shape| !is_skipped(shape));
    let Some(first) = kept.next() else {
        return shapes.first().cloned();
    };
    let at = place(axis, first.len())?;
    let mut whole = first.clone();
    for other in kept {
        let fits = other.len() == whole.len()
            && (0..whole.len()).all(|axis| axis == at || other[axis] == whole[axis]);
        whole[at] = fits.then(|| whole[at].checked_add(other[at]))??;
    }
    Some(whole)
}

/// Returns the shape after `stack([…], axis)`.
pub(super) fn stacked(shapes: &[Vec<i64>], axis: i128) -> Option<Vec<i64>> {
    let (first, rest) = shapes.split_first()?;
    let at = place(axis, first.len() + 1)?;
    if rest.iter().any(|other| other != first) {
        return None;
    }
    let mut shape = first.clone();
    shape.insert(at, shapes.len() as i64);
    Some(shape)
}

/// Maximum number of parts of a tensor that are told apart.
pub(super) const MAX_PARTS: i64 = 10_000;

/// Returns the extents of the parts after `split(size)`; the last part takes the rest.
pub(super) fn split(extent: i64, size: i64) -> Option<Vec<i64>> {
    if size <= 0 || extent / size > MAX_PARTS {
        return None;
    }
    if extent == 0 {
        return Some(vec![0]);
    }
    let whole = vec![size; usize::try_from(extent / size).ok()?];
    let rest = (extent % size > 0).then_some(extent % size);
    Some(whole.into_iter().chain(rest).collect())
}

/// Returns the number of items that a slice selects, by Python's rules for bounds.
pub(super) fn sliced(
    extent: i64,
    lower: Option<i128>,
    upper: Option<i128>,
    step: i128,
) -> Option<i64> {
    if step == 0 {
        return None;
    }
    let extent = i128::from(extent);
    let (least, most) = if step > 0 {
        (0, extent)
    } else {
        (-1, extent - 1)
    };
    let bound = |given: i128| {
        let from_end = if given < 0 {
            given.saturating_add(extent)
        } else {
            given
        };
        from_end.clamp(least, most)
    };
    let (first, last) = if step > 0 {
        (least, most)
    } else {
        (most, least)
    };
    let lower = lower.map_or(first, bound);
    let upper = upper.map_or(last, bound);
    let span = if step > 0 {
        upper - lower
    } else {
        lower - upper
    };
    let step = step.checked_abs()?;
    let count = if span <= 0 { 0 } else { (span - 1) / step + 1 };
    i64::try_from(count).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_exact_or_none() {
        assert_eq!(reshaped(&[2, 6], &[3, -1]), Some(vec![3, 4]));
        for wrong in [&[5, -1][..], &[-1, -1], &[-2, 6], &[13]] {
            assert_eq!(reshaped(&[2, 6], wrong), None, "{wrong:?}");
        }
        assert_eq!(flattened(&[2, 3, 4], 0, 1), Some(vec![6, 4]));
        assert_eq!(flattened(&[2, 3, 4], 1, -1), Some(vec![2, 12]));
        assert_eq!(expanded(&[3, 1], &[2, -1, 4]), Some(vec![2, 3, 4]));
        assert_eq!(expanded(&[3], &[4]), None);
        assert_eq!(repeated(&[3], &[2, 2]), Some(vec![2, 6]));
        assert_eq!(repeated(&[3, 4], &[2]), None);
        assert_eq!(tiled(&[3, 4], &[2]), Some(vec![3, 8]));
        assert_eq!(squeezed(&[1, 3, 1], None, false), Some(vec![3]));
        assert_eq!(squeezed(&[1, 3], Some(&[1]), false), Some(vec![1, 3]));
        assert_eq!(squeezed(&[1, 3], Some(&[1]), true), None);
        assert_eq!(product(&[2, 1, 3, 4], &[5, 4, 6]), Some(vec![2, 5, 3, 6]));
        assert_eq!(product(&[4], &[4, 6]), Some(vec![6]));
        assert_eq!(product(&[3, 4], &[5, 6]), None);
        assert_eq!(split(10, 4), Some(vec![4, 4, 2]));
        assert_eq!(sliced(10, Some(-3), None, 2), Some(2));
        assert_eq!(sliced(10, None, None, -3), Some(4));
        assert_eq!(sliced(10, Some(20), Some(2), -1), Some(7));
        assert_eq!(
            concatenated(&[vec![2, 3], vec![4, 3]], 0, true),
            Some(vec![6, 3])
        );
        assert_eq!(concatenated(&[vec![2, 3], vec![4, 2]], 0, true), None);
        assert_eq!(
            concatenated(&[vec![0], vec![4, 2]], 1, true),
            Some(vec![4, 2])
        );
    }
}
