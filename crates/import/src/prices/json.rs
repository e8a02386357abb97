//! JSON in passing: the members of objects and the elements of lists one by one, so that memory does not grow with a file.

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Takes the members of an object.
pub(crate) struct Members<T, F> {
    take: F,
    values: PhantomData<T>,
}

impl<T, F: FnMut(String, T) -> Result<(), String>> Members<T, F> {
    pub fn new(take: F) -> Self {
        Self { take, values: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>, F> DeserializeSeed<'de> for Members<T, F>
where
    F: FnMut(String, T) -> Result<(), String>,
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de, T: Deserialize<'de>, F> Visitor<'de> for Members<T, F>
where
    F: FnMut(String, T) -> Result<(), String>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, value)) = map.next_entry()? {
            (self.take)(key, value).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// The members of a small object by their names, all of those that share one.
pub(crate) struct AllMembers<T>(pub Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AllMembers<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let mut all = Vec::new();
        Members::new(|name, value| {
            all.push((name, value));
            Ok(())
        })
        .deserialize(json)?;
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(Self(all))
    }
}

/// Takes the elements of a list, or of the list that an object has under a name. Gives what the object says of the next part.
pub(crate) struct Elements<T, F> {
    name: &'static str,
    /// Under which name it stands.
    next: &'static str,
    take: F,
    values: PhantomData<T>,
}

impl<T, F: FnMut(T) -> Result<(), String>> Elements<T, F> {
    pub fn new(name: &'static str, next: &'static str, take: F) -> Self {
        Self { name, next, take, values: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>, F> DeserializeSeed<'de> for Elements<T, F>
where
    F: FnMut(T) -> Result<(), String>,
{
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>, F> Visitor<'de> for Elements<T, F>
where
    F: FnMut(T) -> Result<(), String>,
{
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list, or an object with {}", self.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, list: A) -> Result<Self::Value, A::Error> {
        List { take: &mut self.take, values: PhantomData }.visit_seq(list)?;
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut is_there, mut next) = (false, None);
        while let Some(key) = map.next_key::<String>()? {
            if key == self.name {
                map.next_value_seed(List { take: &mut self.take, values: PhantomData })?;
                is_there = true;
            } else if key == self.next {
                next = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if is_there { Ok(next) } else { Err(A::Error::custom(format!("{} is missing", self.name))) }
    }
}

/// Takes the elements of a list.
struct List<'a, T, F> {
    take: &'a mut F,
    values: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F> DeserializeSeed<'de> for List<'_, T, F>
where
    F: FnMut(T) -> Result<(), String>,
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, F> Visitor<'de> for List<'_, T, F>
where
    F: FnMut(T) -> Result<(), String>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.take)(element).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
