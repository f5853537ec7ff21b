//! Values of the library as JSON.

use rebus::{
    Area, Conflict, Error, Fault, Field, FieldEntry, Fields, Picture, Reason, Severity, Solution, Value,
};
use serde_json::{Map, Value as Json, json};

/// Texts that faults point into: the model and its data. Offsets in JavaScript count units of UTF-16.
pub struct Texts<'a> {
    pub model: &'a str,
    pub data: &'a str,
}

impl Texts<'_> {
    fn of(&self, source: &str) -> Option<(&'static str, &str)> {
        match source {
            "data" | "data.json" => Some(("data", self.data)),
            source if source.ends_with(".rebus") => Some(("model", self.model)),
            _ => None,
        }
    }
}

fn offset(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text[..at].encode_utf16().count()
}

pub fn fault(fault: &Fault, texts: &Texts<'_>) -> Json {
    let place = |place: &rebus::Place| {
        let source = texts.of(&place.source);
        json!({
            "source": source.map(|(name, _)| name),
            "name": place.source,
            "from": source.map(|(_, text)| offset(text, place.bytes.start)),
            "to": source.map(|(_, text)| offset(text, place.bytes.end)),
            "line": place.line,
            "column": place.column,
            "label": place.label,
        })
    };
    json!({
        "code": fault.code,
        "warning": fault.severity == Severity::Warning,
        "message": fault.message,
        "places": fault.places.iter().map(place).collect::<Vec<_>>(),
        "notes": fault.notes,
        "help": fault.help,
    })
}

pub fn error(error: &Error, texts: &Texts<'_>) -> Json {
    let faults: Vec<Json> = error.faults().iter().map(|one| fault(one, texts)).collect();
    json!({ "faults": faults, "text": error.to_string(), "limit": error.is_limit() })
}

pub fn picture(picture: &Picture) -> Json {
    let area = |area: &Area| {
        json!({
            "drawing": area.drawing, "x": area.x, "y": area.y, "width": area.width, "height": area.height,
            "rows": area.rows, "columns": area.columns, "first": area.first,
        })
    };
    json!({ "svg": picture.svg, "areas": picture.areas.iter().map(area).collect::<Vec<_>>() })
}

fn field(field: &Field) -> Json {
    let entry = |entry: &FieldEntry| json!({ "name": entry.name, "text": entry.text, "choices": entry.choices, "place": entry.place });
    json!({
        "name": field.name, "kind": field.kind, "optional": field.optional, "array": field.array,
        "grid": field.grid, "missing": field.missing, "choices": field.choices,
        "entries": field.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

pub fn fields(fields: &Fields) -> Json {
    json!({
        "parameters": fields.parameters.iter().map(field).collect::<Vec<_>>(),
        "variables": fields.variables.iter().map(field).collect::<Vec<_>>(),
    })
}

pub fn value(data: &Value) -> Json {
    match data {
        Value::None => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Text(value) => json!(value),
        Value::List(values) => Json::Array(values.iter().map(value).collect()),
        Value::Object(entries) => object(entries),
    }
}

fn object(entries: &[(String, Value)]) -> Json {
    Json::Object(entries.iter().map(|(name, data)| (name.clone(), value(data))).collect::<Map<_, _>>())
}

pub fn solution(solution: &Solution, drawn: &Picture) -> Json {
    json!({
        "picture": picture(drawn),
        "positions": solution.positions(),
        "values": object(solution.values()),
        "objective": solution.objective(),
        "text": solution.draw(rebus::Form::Text),
    })
}

fn reason(reason: &Reason) -> Json {
    json!({ "label": reason.label, "place": reason.place, "data": reason.data, "entries": reason.entries })
}

pub fn reasons(list: &[Reason]) -> Json {
    Json::Array(list.iter().map(reason).collect())
}

pub fn conflict(conflict: &Conflict) -> Json {
    json!({ "reasons": reasons(&conflict.reasons), "minimal": conflict.minimal })
}
