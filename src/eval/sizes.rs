//! Sizes inferred from data: the value of a number in an array's index follows from the shape of the array's
//! picture or list.

use super::fault::{Fault, Res};
use super::globals::Slot;
use super::ir::{Global, GlobalId, GlobalKind, ParamIr, Supply};
use super::picture::{self, Cut};
use super::run::Eval;
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::shared::Budget;

/// The largest size to try one by one.
const MOST_TRIED: i64 = 256;

impl Eval<'_> {
    /// The value of a number that has none and occurs in arrays' indices: taken from the data of those
    /// arrays.
    pub(super) fn size_from_data(&mut self, id: GlobalId, global: &Global) -> Res<Value> {
        let program = self.program;
        let mut found: Option<(i64, GlobalId)> = None;
        for (at, other) in program.globals.iter().enumerate() {
            let GlobalKind::Param(param) = &other.kind else { continue };
            let other_id = GlobalId(at as u32);
            if !param.sized_by.contains(&id) || self.sizing.contains(&other_id) {
                continue;
            }
            let Some(supply) = self.supply(other_id) else { continue };
            self.sizing.push(other_id);
            let size = self.size_of(id, param, &supply);
            self.sizing.pop();
            let Some(size) = size? else { continue };
            match &found {
                Some((known, first)) if *known != size => {
                    let first = &program.globals[first.0 as usize];
                    return Err(Diagnostic::error(
                        Code::Picture,
                        format!(
                            "`{}` is {known} by `{}` and {size} by `{}`",
                            global.name, first.name, other.name
                        ),
                    )
                    .at(other.span, "")
                    .at(first.span, "")
                    .help("the sizes of the two must agree")
                    .into());
                }
                Some(_) => {}
                None => found = Some((size, other_id)),
            }
        }
        match found {
            Some((size, from)) => {
                self.sized_from.insert(id, from);
                Ok(Value::Int(size))
            }
            None => Err(Diagnostic::error(
                Code::MissingParameter,
                format!("no value for the parameter `{}`", global.name),
            )
            .at(global.span, "")
            .help(format!(
                "it can be told: `-D {}=…`, or come from a picture or list whose index uses it",
                global.name
            ))
            .into()),
        }
    }

    /// A fault of an array's picture, with the arrays that its sizes were taken from.
    pub(super) fn with_origin_of_sizes(&mut self, id: GlobalId, param: &ParamIr, mut fault: Fault) -> Fault {
        if let Fault::Error(diagnostic) = &mut fault
            && diagnostic.code == Code::Picture
        {
            for size in &param.sized_by {
                let from = self.sized_from.get(size).filter(|from| **from != id);
                if let (Some(from), Some(Value::Int(value))) = (from, self.ready(*size)) {
                    let name = &self.program.globals[size.0 as usize].name;
                    let label = format!("`{name}` is {value} by the data of this array");
                    diagnostic.labels.push((self.program.globals[from.0 as usize].span, label));
                }
            }
        }
        fault
    }

    /// The value of `id` that fits one array's data; `None` if the data determine no size.
    fn size_of(&mut self, id: GlobalId, param: &ParamIr, supply: &Supply) -> Res<Option<i64>> {
        let n = param.dims.len();
        let shapes: Vec<Vec<usize>> = match supply {
            Supply::Literal { text, .. } => picture_shapes(param, text, n, self.budget)?,
            Supply::Raw { text, at } => {
                if text.trim_start().starts_with(['[', '{', '"']) {
                    let value = self.parsed(text, *at)?;
                    value_shape(&value, n).into_iter().collect()
                } else {
                    picture_shapes(param, text, n, self.budget)?
                }
            }
            Supply::Value(body) => {
                let value = self.body(body)?;
                match &value {
                    Value::Str(text) => picture_shapes(param, text, n, self.budget)?,
                    value => value_shape(value, n).into_iter().collect(),
                }
            }
            Supply::Json { value, .. } => match value {
                serde_json::Value::String(text) => picture_shapes(param, text, n, self.budget)?,
                value => json_shape(value, n).into_iter().collect(),
            },
        };
        let mut fallback = None;
        for shape in shapes {
            self.budget.entries(shape.iter().product())?;
            let size = self.fitting(id, param, &shape)?;
            if size.is_some() {
                // accept a reading if it fits the whole index, or if no later reading does
                if self.fits_index(id, size, param, &shape)? {
                    return Ok(size);
                }
                fallback = fallback.or(size);
            }
        }
        Ok(fallback)
    }

    /// The least size with which the dimension that depends on `id` has the observed length.
    fn fitting(&mut self, id: GlobalId, param: &ParamIr, shape: &[usize]) -> Res<Option<i64>> {
        let total: usize = shape.iter().product();
        let one_line = shape.len() > 1 && shape[0] == 1;
        let limit = shape.iter().copied().max().unwrap_or(0) as i64 + 2;
        if one_line && param.dims.len() > 1 && param.sized_by.iter().all(|other| *other == id) {
            for size in 0..=limit {
                if let Some(lengths) = self.lengths(id, size, param)?
                    && lengths.iter().all(Option::is_some)
                    && lengths.iter().flatten().product::<usize>() == total
                {
                    return Ok(Some(size));
                }
                // a product of two dimensions grows with the square, so this bound is far enough
                if size > MOST_TRIED && size.saturating_mul(size) > limit.saturating_mul(16) {
                    break;
                }
            }
            return Ok(None);
        }
        let Some(low) = self.lengths(id, 0, param)? else { return Ok(None) };
        let mut sizes: Vec<i64> = (0..=limit.min(MOST_TRIED)).collect();
        if limit > MOST_TRIED {
            // lengths that grow with the size: find large sizes by bisection
            for (at, seen) in shape.iter().enumerate() {
                sizes.push(self.least(id, param, at, *seen, limit)?);
            }
            sizes.sort_unstable();
            sizes.dedup();
        }
        for size in sizes {
            let Some(lengths) = self.lengths(id, size, param)? else { return Ok(None) };
            let Some(other) = self.lengths(id, size + 1, param)? else { return Ok(None) };
            for (at, length) in lengths.iter().enumerate() {
                let governs = other[at] != lengths[at] || low[at] != lengths[at];
                if governs && *length == shape.get(at).copied() && length.is_some() {
                    return Ok(Some(size));
                }
            }
        }
        Ok(None)
    }

    /// The least size, at most `limit`, with which a growing dimension has `seen` keys.
    fn least(&mut self, id: GlobalId, param: &ParamIr, at: usize, seen: usize, limit: i64) -> Res<i64> {
        let reaches = |this: &mut Self, size: i64| -> Res<bool> {
            let lengths = this.lengths(id, size, param)?;
            // a length that cannot be computed is too large
            Ok(lengths.is_none_or(|lengths| lengths[at].is_none_or(|length| length >= seen)))
        };
        let (mut below, mut above) = (0, 1);
        while above < limit && !reaches(self, above)? {
            (below, above) = (above, above * 2);
        }
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if reaches(self, middle)? { above = middle } else { below = middle }
        }
        Ok(above)
    }

    fn fits_index(&mut self, id: GlobalId, size: Option<i64>, param: &ParamIr, shape: &[usize]) -> Res<bool> {
        let Some(size) = size else { return Ok(false) };
        let Some(lengths) = self.lengths(id, size, param)? else { return Ok(false) };
        let total: usize = shape.iter().product();
        let product: Option<usize> = lengths.iter().copied().product();
        Ok(lengths.iter().zip(shape).all(|(length, seen)| length.is_none_or(|length| length == *seen))
            || product == Some(total))
    }

    /// The lengths of the dimensions if `id` were `size`; `None` for one that depends on other unknown sizes.
    fn lengths(&mut self, id: GlobalId, size: i64, param: &ParamIr) -> Res<Option<Vec<Option<usize>>>> {
        let saved = std::mem::replace(&mut self.globals[id.0 as usize], Slot::Done(Value::Int(size)));
        let mut lengths = Vec::with_capacity(param.dims.len());
        let mut stop = None;
        for dim in &param.dims {
            match self.dimension_items(dim) {
                Ok(items) => lengths.push(Some(items.len())),
                Err(fault) => {
                    if let Fault::Stop(reason) = *fault {
                        stop = Some(reason);
                    }
                    lengths.push(None);
                }
            }
        }
        self.globals[id.0 as usize] = saved;
        for at in 0..self.globals.len() {
            if self.program.global_deps[at].contains(&id) && matches!(self.globals[at], Slot::Done(_)) {
                self.globals[at] = Slot::Unset;
            }
        }
        match stop {
            Some(reason) => Err(reason.into()),
            None => Ok(Some(lengths)),
        }
    }
}

/// Rows and columns of the possible readings of a picture, the most likely first.
fn picture_shapes(param: &ParamIr, text: &str, dims: usize, budget: &Budget) -> Res<Vec<Vec<usize>>> {
    use super::ir::DomainIr;
    let cuts: &[Cut] = match &param.domain {
        Some(DomainIr::Text) => &[Cut::Characters],
        Some(DomainIr::Word) => &[Cut::Words, Cut::FramedWords],
        _ => &[Cut::Either, Cut::Framed],
    };
    let mut readings = Vec::new();
    for cut in cuts {
        let lengths: Vec<usize> = picture::rows(text, *cut, budget)?.iter().map(Vec::len).collect();
        let shape = match dims {
            1 => vec![lengths.iter().sum()],
            _ => vec![lengths.len(), lengths.first().copied().unwrap_or(0)],
        };
        let ragged = dims > 1 && lengths.windows(2).any(|pair| pair[0] != pair[1]);
        // pipes are drawn with frame characters: a reading that skips them leaves nothing
        let nothing = shape.contains(&0);
        readings.push((nothing || ragged, shape));
    }
    let framed =
        text.lines().any(|line| !line.trim().is_empty() && line.trim().chars().all(picture::is_frame))
            || text.contains('|');
    // in a framed picture prefer the reading that skips the frame, unless that leaves nothing
    if framed && readings.last().is_some_and(|(_, shape)| !shape.contains(&0)) {
        readings.reverse();
    }
    // a ragged or empty reading loses to a rectangular one
    readings.sort_by_key(|(poor, _)| *poor);
    Ok(readings.into_iter().map(|(_, shape)| shape).collect())
}

/// The lengths of nested lists.
fn value_shape(value: &Value, dims: usize) -> Option<Vec<usize>> {
    let mut shape = Vec::new();
    let mut at = value.clone();
    for _ in 0..dims {
        let items = match &at {
            Value::List(items) | Value::Tuple(items) => items.clone(),
            _ => return None,
        };
        shape.push(items.len());
        match items.first() {
            Some(first) => at = first.clone(),
            None => break,
        }
    }
    (shape.len() == dims).then_some(shape)
}

/// The lengths of nested lists of JSON.
fn json_shape(value: &serde_json::Value, dims: usize) -> Option<Vec<usize>> {
    let mut shape = Vec::new();
    let mut at = Some(value);
    while let Some(value) = at
        && shape.len() < dims
    {
        let items = value.as_array()?;
        shape.push(items.len());
        at = items.first();
    }
    (shape.len() == dims).then_some(shape)
}
