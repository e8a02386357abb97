//! State that the threads of a launch have in common.

use crate::error::WorkerError;
use crate::parameters::Parameter;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// The parameter by which a table chooses whether threads share their state.
const SHARING: &str = "sharing";
pub(crate) const OWN: &str = "own";
const CHOICES: [(&str, ()); 2] = [("shared", ()), (OWN, ())];

impl Parameter {
    /// `sharing`: `shared` gives all threads of a launch one state, as a server's threads have it, and `own` each thread one
    /// of its own. [`Setting::shared`](crate::Setting::shared) follows it.
    pub fn sharing() -> Self {
        Self::one_of(SHARING, &CHOICES)
    }

    pub(crate) const SHARING: &'static str = SHARING;
}

type Shared = Arc<dyn Any + Send + Sync>;

/// The one state of a launch's threads, once one of them has made it.
#[derive(Default)]
pub(crate) struct Common(Mutex<Option<Result<Shared, WorkerError>>>);

impl Common {
    /// The state; the first thread that asks makes it while the others wait. If it can't be made, all get the reason.
    pub fn get<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T, WorkerError>,
    ) -> Result<Arc<T>, WorkerError> {
        // A panic of `make` leaves nothing behind, and the next thread tries again.
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = made.get_or_insert_with(|| make().map(|state| Arc::new(state) as Shared));
        let state = Arc::clone(state.as_ref().map_err(WorkerError::clone)?);
        Ok(state.downcast().unwrap_or_else(|_| panic!("the operation shares states of two types")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Team;
    use crate::{Kind, OpError, Operation, Work};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    /// Counts the states that were made, in its output.
    struct Counter {
        state: Arc<usize>,
    }

    static MADE: AtomicUsize = AtomicUsize::new(0);

    impl Work for Counter {
        fn op(&mut self) -> Result<(), OpError> {
            Ok(())
        }
        fn output(&mut self) -> Result<Vec<u8>, OpError> {
            Ok(vec![*self.state as u8])
        }
        fn check(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
        fn verified(&self) -> &'static str {
            ""
        }
        fn bytes_per_op(&self) -> Option<u64> {
            None
        }
    }

    /// The states that four threads get.
    fn states_of_four(parameters: &str) -> Vec<u8> {
        let operation = Operation::new("count", "test", |setting| {
            let make = || Ok(MADE.fetch_add(1, Ordering::Relaxed));
            Ok(Box::new(Counter { state: setting.shared(make)? }))
        });
        let operation = operation.takes([Parameter::sharing()]);
        let team = Team::new(&operation, parameters, &[], &[0; 4]).unwrap();
        let state = |thread| team.set_up(thread).unwrap().output().unwrap()[0];
        thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || state(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn threads_have_one_state_or_each_its_own_as_the_table_says() {
        let mut shared = states_of_four(r#"{"sharing":"shared"}"#);
        shared.dedup();
        assert_eq!(shared.len(), 1);
        let mut own = states_of_four(r#"{"sharing":"own"}"#);
        own.sort_unstable();
        own.dedup();
        assert_eq!(own.len(), 4);
    }

    #[test]
    fn all_threads_get_the_reason_why_there_is_no_state() {
        let common = Common::default();
        let none = || Err::<(), _>(WorkerError::new(Kind::Resources, "no memory"));
        assert_eq!(common.get(none).unwrap_err().message, "no memory");
        let second = common.get::<()>(|| panic!("it was made once"));
        assert_eq!(second.unwrap_err().kind, Kind::Resources);
    }
}
