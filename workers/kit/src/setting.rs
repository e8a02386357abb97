//! Settings of a thread's state: parameters, checked against the operation's declaration, and inputs.

use crate::error::WorkerError;
use crate::input::Inputs;
use crate::parameters::{Parameter, Values};
use crate::sharing::{Common, OWN};
use serde_json::{Map, Value};
use std::any::Any;
use std::sync::Arc;

/// Parameters and inputs of an operation, for its setup. Parameters are in the ranges that the operation declared: reading one
/// that it did not declare, or as another type, is a bug in the worker and panics.
pub struct Setting<'a> {
    /// The operation, `OPERATION/IMPLEMENTATION`.
    pub operation: &'a str,
    pub(crate) parameters: &'a Values,
    pub(crate) inputs: &'a Inputs,
    /// Seeds whatever the operation draws at random.
    pub seed: u64,
    /// The number of the calling thread.
    pub thread: usize,
    /// The CPU of each thread of the launch, in their order.
    pub cpus: &'a [u32],
    pub(crate) common: &'a Common,
}

impl Setting<'_> {
    /// The state that all threads of the launch have in common: the first that asks makes it while the others wait. With
    /// `sharing = "own"` ([`Parameter::sharing`]) each thread makes one. An operation shares one state.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn shared<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T, WorkerError>,
    ) -> Result<Arc<T>, WorkerError> {
        match self.given(Parameter::SHARING) {
            Some(sharing) if sharing == OWN => make().map(Arc::new),
            _ => self.common.get(make),
        }
    }

    /// All parameters as the request has them, for kits of other languages.
    #[must_use]
    pub fn values(&self) -> &Map<String, Value> {
        self.parameters
    }

    /// An integer.
    ///
    /// # Panics
    /// When none was declared under that name, or its range does not fit the type.
    #[must_use]
    pub fn integer<T: TryFrom<u64>>(&self, name: &str) -> T {
        self.optional_integer(name).unwrap_or_else(|| undeclared(name))
    }

    /// An integer that may be left out.
    ///
    /// # Panics
    /// When none was declared under that name, or its range does not fit the type.
    #[must_use]
    pub fn optional_integer<T: TryFrom<u64>>(&self, name: &str) -> Option<T> {
        let fitting = |value: &Value| value.as_u64().and_then(|value| value.try_into().ok());
        self.given(name).map(|value| fitting(value).unwrap_or_else(|| undeclared(name)))
    }

    /// The choice, and the value paired with it in the list that was passed to
    /// [`Parameter::one_of`](crate::Parameter::one_of).
    ///
    /// # Panics
    /// When the list is not the declared one.
    #[must_use]
    pub fn chosen<C: Copy + Into<Value>, T: Copy>(&self, name: &str, choices: &[(C, T)]) -> (C, T) {
        let is_it = |choice: C| self.given(name) == Some(&choice.into());
        let found = choices.iter().find(|(choice, _)| is_it(*choice));
        found.copied().unwrap_or_else(|| undeclared(name))
    }

    /// A text that may be left out.
    ///
    /// # Panics
    /// When the parameter declared under that name is not a text.
    #[must_use]
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        self.given(name).map(|value| value.as_str().unwrap_or_else(|| undeclared(name)))
    }

    /// A non-empty list of texts.
    ///
    /// # Panics
    /// When none was declared under that name.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<&str> {
        let texts = self.given(name).and_then(Value::as_array);
        let texts = texts.and_then(|texts| texts.iter().map(Value::as_str).collect());
        texts.unwrap_or_else(|| undeclared(name))
    }

    /// A copy of an input for the calling thread, so that the memory is near its CPU.
    ///
    /// # Errors
    /// When the request does not have it.
    pub fn input(&self, name: &str) -> Result<Vec<u8>, WorkerError> {
        self.inputs.get(name).map(<[u8]>::to_vec)
    }

    fn given(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).filter(|value| !value.is_null())
    }
}

fn undeclared<T>(name: &str) -> T {
    panic!("the operation reads {name:?} as a type that it did not declare")
}
