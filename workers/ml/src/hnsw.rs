//! Search for similar vectors by a graph, HNSW (Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using
//! hierarchical navigable small world graphs", 2016), and the building of such an index, in usearch. It finds most of the nearest vectors, not
//! all.

use crate::cosine::cosine;
use crate::embeddings::{DIMENSIONS, Embeddings, NEAREST, Vector, nearest};
use crate::usearch::{Found, Index, Plan};
use sizeup_kit::{Libraries, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::iter::zip;
use std::sync::Arc;

pub const USEARCH: &str = "usearch";

const QUERIES: usize = 512;
/// Queries whose results are checked: in groups, which take turns.
const GROUPS: usize = 2;
const GROUP: usize = 64;
const VECTORS: Parameter = Parameter::integer("vectors", 1 << 9..=1 << 20);

/// How vectors are kept.
#[derive(Clone, Copy)]
struct Kept {
    is_int8: bool,
    /// The least share of the really nearest vectors that must be found, of all groups of queries.
    least_recall: f64,
    /// How far a distance may be from the one computed here.
    most_off: f64,
}

/// Recall was 0.988 to 1 with f32, and 0.973 to 0.977 with int8.
const KEPT: [(&str, Kept); 2] = [
    ("f32", Kept { is_int8: false, least_recall: 0.97, most_off: 1e-5 }),
    ("i8", Kept { is_int8: true, least_recall: 0.95, most_off: 1e-4 }),
];

impl Kept {
    /// A vector as the index should keep it. In int8, usearch cuts off what is behind the point.
    fn of(self, vector: &Vector) -> Vector {
        match self.is_int8 {
            true => {
                let numbers = vector.map(f64::from);
                let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
                numbers.map(|number| (number * 127.0 / length).trunc() as f32)
            }
            false => *vector,
        }
    }
}

/// usearch's defaults, but for `expansion_add`, which is pgvector's: with usearch's 128, an index takes twice as long to build.
fn plan(kept: Kept) -> Plan {
    Plan {
        is_int8: kept.is_int8,
        dimensions: DIMENSIONS,
        connectivity: 16,
        expansion_add: 64,
        expansion_search: 64,
    }
}

pub fn operations() -> Vec<Operation> {
    let operation = |name, setup| {
        let parameters = [Parameter::one_of("kept", &KEPT), VECTORS];
        Operation::new(name, USEARCH, setup).takes(parameters).starts([USEARCH])
    };
    vec![operation("hnsw-search", set_up_search), operation("hnsw-build", set_up_build)]
}

/// The vectors and queries, and the right answers, which all threads have in common.
struct Task {
    kept: Kept,
    vectors: Vec<Vector>,
    queries: Vec<Vector>,
    /// The numbers of the vectors really nearest to each checked query.
    nearest: Vec<[u64; NEAREST]>,
}

impl Task {
    fn of(setting: &Setting) -> Result<Self, WorkerError> {
        // First: without the library, vectors would be drawn for nothing.
        crate::usearch::open()?;
        Ok(Self::new(setting.chosen("kept", &KEPT).1, setting.integer("vectors")))
    }

    fn new(kept: Kept, vectors: usize) -> Self {
        let mut embeddings = Embeddings::new();
        let (vectors, queries) = (embeddings.draw(vectors), embeddings.draw(QUERIES));
        let checked = queries[..GROUPS * GROUP].iter();
        let nearest = checked.map(|query| nearest(&vectors, query)).collect();
        Self { kept, vectors, queries, nearest }
    }

    /// An index of vectors, whose numbers are their places.
    fn index(&self, vectors: &[Vector], threads: usize) -> Result<Index, WorkerError> {
        let mut index = Index::new(plan(self.kept), vectors.len(), threads)?;
        for (vector, key) in vectors.iter().zip(0..) {
            index.add(key, vector)?;
        }
        Ok(index)
    }

    /// The results of a group's queries.
    fn search(&self, index: &Index, group: usize) -> Result<Vec<Found<NEAREST>>, OpError> {
        let queries = &self.queries[group * GROUP..][..GROUP];
        let search = |query: &Vector| {
            let mut found = Found::NOTHING;
            index.search(query, &mut found).map(|()| found)
        };
        queries.iter().map(search).collect()
    }

    /// Refuses results of a group with wrong distances, or with too few of the nearest vectors.
    fn judge(&self, group: usize, results: &[Found<NEAREST>]) -> Result<(), String> {
        let mut right = 0;
        let queries = group * GROUP..(group + 1) * GROUP;
        for (query, found) in zip(queries, results) {
            self.judge_distances(&self.queries[query], found)
                .map_err(|why| format!("query {query}: {why}"))?;
            let is_found = |key: &&u64| found.keys.contains(key);
            right += self.nearest[query].iter().filter(is_found).count();
        }
        let (recall, least) = (right as f64 / (GROUP * NEAREST) as f64, self.kept.least_recall);
        match recall >= least {
            true => Ok(()),
            false => Err(format!(
                "{recall:.3} of the vectors nearest to the queries are found, not {least} or more"
            )),
        }
    }

    fn judge_distances(&self, query: &Vector, found: &Found<NEAREST>) -> Result<(), String> {
        let Found { count, keys, distances } = found;
        if *count != NEAREST {
            return Err(format!("{count} vectors are found, not {NEAREST}"));
        }
        let query = self.kept.of(query);
        for (place, (key, distance)) in zip(keys, distances).enumerate() {
            let vector = usize::try_from(*key).ok().and_then(|key| self.vectors.get(key));
            let vector = vector.ok_or_else(|| format!("there is no vector {key}"))?;
            if keys[..place].contains(key) {
                return Err(format!("vector {key} is found twice"));
            }
            let expected = 1.0 - cosine(&query, &self.kept.of(vector));
            let off = (f64::from(*distance) - expected).abs();
            if off > self.kept.most_off || off.is_nan() {
                return Err(format!(
                    "the distance of vector {key} is {expected:.6}, not {distance:.6}"
                ));
            }
            if place > 0 && distances[place - 1] > *distance {
                return Err(format!("vector {key} is nearer than the one before it"));
            }
        }
        Ok(())
    }
}

/// Results of each group at first, and what is wrong with them: later ones must be the same.
struct Answers {
    task: Arc<Task>,
    first: [Vec<u8>; GROUPS],
    verdicts: [Result<(), String>; GROUPS],
    /// The group whose turn it is.
    next: usize,
}

impl Answers {
    fn new(task: &Arc<Task>, index: &Index) -> Result<Self, OpError> {
        let (mut first, mut verdicts) =
            ([const { Vec::new() }; GROUPS], [const { Ok(()) }; GROUPS]);
        for group in 0..GROUPS {
            let results = task.search(index, group)?;
            first[group] = bytes(group, &results);
            verdicts[group] = task.judge(group, &results);
        }
        Ok(Self { task: Arc::clone(task), first, verdicts, next: 0 })
    }

    /// The next group's number and its results. CPUs round differently, so that it must not be the same on all: those of two groups are not.
    fn output(&mut self, index: &Index) -> Result<Vec<u8>, OpError> {
        let group = self.next;
        self.next = (self.next + 1) % GROUPS;
        Ok(bytes(group, &self.task.search(index, group)?))
    }

    fn check(&self, output: &[u8]) -> Result<(), String> {
        let group = output.first().copied().map(usize::from).filter(|group| *group < GROUPS);
        let group = group.ok_or("the output is of no group of queries")?;
        self.verdicts[group].clone()?;
        match output == self.first[group] {
            true => Ok(()),
            false => Err("the same queries found other vectors than at first".to_owned()),
        }
    }
}

fn bytes(group: usize, results: &[Found<NEAREST>]) -> Vec<u8> {
    let of_one = |found: &Found<NEAREST>| {
        let keys = found.keys.iter().flat_map(|key| key.to_le_bytes());
        let distances = found.distances.iter().flat_map(|distance| distance.to_le_bytes());
        [found.count as u8].into_iter().chain(keys).chain(distances).collect::<Vec<u8>>()
    };
    [group as u8].into_iter().chain(results.iter().flat_map(of_one)).collect()
}

/// The index that all threads search.
struct Common {
    task: Arc<Task>,
    index: Index,
}

fn set_up_search(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let common = setting.shared(|| {
        let task = Arc::new(Task::of(setting)?);
        let index = task.index(&task.vectors, setting.cpus.len())?;
        Ok(Common { task, index })
    })?;
    let answers = Answers::new(&common.task, &common.index)?;
    // Threads ask different questions at a time.
    let next = setting.thread * 61 % QUERIES;
    Ok(Box::new(Search { common, answers, next, found: Found::NOTHING }))
}

struct Search {
    common: Arc<Common>,
    answers: Answers,
    /// The next query.
    next: usize,
    found: Found<NEAREST>,
}

impl Work for Search {
    fn op(&mut self) -> Result<(), OpError> {
        let Common { task, index } = &*self.common;
        index.search(&task.queries[self.next], &mut self.found)?;
        self.next = (self.next + 1) % QUERIES;
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.answers.output(&self.common.index)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        self.answers.check(output)
    }

    fn verified(&self) -> &'static str {
        "of the vectors really nearest to the queries, enough are found, with their distances, and the same each time"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn libraries(&self) -> Libraries {
        Libraries::from([(USEARCH.to_owned(), self.common.index.version())])
    }
}

fn set_up_build(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let task = setting.shared(|| Task::of(setting))?;
    let index = task.index(&task.vectors, 1)?;
    let answers = Answers::new(&task, &index)?;
    Ok(Box::new(Build { index, answers }))
}

struct Build {
    /// The last that was built.
    index: Index,
    answers: Answers,
}

impl Work for Build {
    fn op(&mut self) -> Result<(), OpError> {
        let task = &self.answers.task;
        self.index = task.index(&task.vectors, 1).map_err(OpError::new)?;
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        self.answers.output(&self.index)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        self.answers.check(output)
    }

    fn verified(&self) -> &'static str {
        "a search of the index finds enough of the vectors really nearest to queries, with their distances, and the same each time"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn libraries(&self) -> Libraries {
        Libraries::from([(USEARCH.to_owned(), self.index.version())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::Kind;

    const VECTORS: usize = 2000;

    /// Both ways to keep vectors, if there is a library.
    fn tasks() -> impl Iterator<Item = Task> {
        let is_there = match crate::usearch::open() {
            Ok(()) => true,
            Err(e) if e.kind == Kind::Unavailable => {
                println!("not tested: {e}");
                false
            }
            Err(e) => panic!("{e}"),
        };
        KEPT.into_iter().filter(move |_| is_there).map(|(_, kept)| Task::new(kept, VECTORS))
    }

    /// The results of a perfect search.
    fn right(task: &Task) -> Vec<Found<NEAREST>> {
        let of_query = |query: usize| {
            let keys = task.nearest[query];
            let query = task.kept.of(&task.queries[query]);
            let distance = |key: u64| {
                let vector = task.kept.of(&task.vectors[key as usize]);
                (1.0 - cosine(&query, &vector)) as f32
            };
            let mut found = keys.map(|key| (distance(key), key));
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (distances, keys) =
                (found.map(|(distance, _)| distance), found.map(|(_, key)| key));
            Found { count: NEAREST, keys, distances }
        };
        (0..GROUP).map(of_query).collect()
    }

    #[test]
    fn wrong_results_are_refused() {
        for (_, kept) in KEPT {
            let task = Task::new(kept, VECTORS);
            let right = right(&task);
            assert_eq!(task.judge(0, &right), Ok(()));
            let refused = |change: &dyn Fn(&mut Found<NEAREST>)| {
                let mut results = right.clone();
                change(&mut results[GROUP / 2]);
                task.judge(0, &results).unwrap_err()
            };
            let why = refused(&|found| found.count -= 1);
            assert_eq!(why, "query 32: 9 vectors are found, not 10");
            let why = refused(&|found| found.keys[3] = VECTORS as u64);
            assert_eq!(why, "query 32: there is no vector 2000");
            let why = refused(&|found| {
                found.keys[7] = found.keys[6];
                found.distances[7] = found.distances[6];
            });
            assert!(why.ends_with("is found twice"), "{why}");
            let why = refused(&|found| found.distances[0] *= 0.99);
            assert!(why.contains("the distance of vector"), "{why}");
            let why = refused(&|found| found.distances[9] = f32::NAN);
            assert!(why.contains("the distance of vector"), "{why}");
            // Another vector than the one whose distance it is.
            let why = refused(&|found| found.keys[9] = (found.keys[9] + 1) % VECTORS as u64);
            assert!(why.contains("the distance of vector") || why.ends_with("twice"), "{why}");
            let why = refused(&|found| {
                found.keys.swap(0, 9);
                found.distances.swap(0, 9);
            });
            assert!(why.ends_with("is nearer than the one before it"), "{why}");
        }
    }

    #[test]
    fn a_search_that_drops_the_nearest_is_refused() {
        for (_, kept) in KEPT {
            let task = Task::new(kept, VECTORS);
            let mut without = Task::new(kept, VECTORS);
            for (query, nearest) in without.nearest.iter_mut().enumerate() {
                let dropped = nearest[0] as usize;
                let mut others = task.vectors.clone();
                others[dropped] = others[dropped].map(|number| -number);
                *nearest = crate::embeddings::nearest(&others, &task.queries[query]);
            }
            let why = task.judge(0, &right(&without)).unwrap_err();
            assert!(why.starts_with("0.900 of the vectors"), "{why}");
        }
    }

    #[test]
    fn indexes_with_wrong_vectors_are_refused() {
        for task in tasks() {
            let judge = |vectors: &[Vector]| {
                let index = task.index(vectors, 1).unwrap();
                task.judge(0, &task.search(&index, 0).unwrap())
            };
            assert_eq!(judge(&task.vectors), Ok(()));
            // An eighth is left out.
            let why = judge(&task.vectors[VECTORS / 8..]).unwrap_err();
            assert!(why.contains("the distance of vector"), "{why}");
            let why = judge(&task.vectors[..VECTORS * 7 / 8]).unwrap_err();
            assert!(why.starts_with("0.8"), "{why}");
            // A sixteenth of the numbers of each vector is missing.
            let mut cut = task.vectors.clone();
            cut.iter_mut().for_each(|vector| vector[..DIMENSIONS / 16].fill(0.0));
            let why = judge(&cut).unwrap_err();
            assert!(why.contains("the distance of vector"), "{why}");
        }
    }

    #[test]
    fn a_search_of_too_few_candidates_is_refused() {
        for task in tasks() {
            let plan =
                Plan { expansion_add: 4, expansion_search: 1, connectivity: 2, ..plan(task.kept) };
            let mut index = Index::new(plan, VECTORS, 1).unwrap();
            for (vector, key) in task.vectors.iter().zip(0..) {
                index.add(key, vector).unwrap();
            }
            let why = task.judge(0, &task.search(&index, 0).unwrap()).unwrap_err();
            assert!(why.contains("of the vectors nearest to the queries are found"), "{why}");
        }
    }

    #[test]
    fn a_vector_that_is_added_twice_is_an_error() {
        for task in tasks() {
            let mut index = task.index(&task.vectors[..8], 1).unwrap();
            let why = index.add(0, &task.vectors[8]).unwrap_err().to_string();
            assert!(why.starts_with("usearch: a vector can't be added: Duplicate"), "{why}");
        }
    }
}
