//! JSON as data: the members of an object are distinct, and an integer may be written in any form.
//!
//! In: text. Out: a value, in which `4.0`, `1e2` and `-0` are the numbers 4, 100 and 0; or an error with its
//! place. Other fractions stay as they are; code that needs an integer rejects them.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Parses a value.
pub fn from_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).map(|Strict(value)| value)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(Reader).map(Strict)
    }
}

struct Reader;

/// Beyond it, a number with a fraction does not determine one integer.
const MOST_EXACT: f64 = (1u64 << 53) as f64;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        if value.fract() == 0.0 && value.abs() < MOST_EXACT {
            return Ok((value as i64).into());
        }
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is too large"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if members.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is there twice")));
            }
            let Strict(value) = object.next_value()?;
            members.insert(key, value);
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_however_they_are_written() {
        for (text, value) in [("4.0", 4), ("1e2", 100), ("-0", 0), ("-0.0", 0), ("-20E-1", -2), ("1.5e1", 15)]
        {
            assert_eq!(from_json(text).expect("a number"), value, "{text}");
        }
        assert_eq!(from_json("-25e-1").expect("a number").to_string(), "-2.5");
        assert!(from_json("1e400").is_err());
        assert!(!from_json("1e300").expect("a number").is_i64());
        assert!(!from_json("9007199254740993.0").expect("a number").is_i64());
    }

    #[test]
    fn members_are_there_once() {
        for text in
            [r#"{"a": 1, "b": 2, "a": 1}"#, r#"[{"x": {"k": 1, "k": 1}}]"#, r#"{"a": 1, "\u0061": 2}"#]
        {
            let error = from_json(text).expect_err(text).to_string();
            assert!(error.contains("is there twice at line 1 column"), "{error}");
        }
        assert_eq!(
            from_json(r#"{"b": 1, "a": [{}, null]}"#).expect("JSON").to_string(),
            r#"{"b":1,"a":[{},null]}"#
        );
    }
}
