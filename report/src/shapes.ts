// Written by a test of crates/export from the types there: ARCHITECTURE.md says how.

/** A row's throughput beside co-runners over that alone. */
export interface Beside {
  /** The workload of the co-runners. */
  co_runners: string;
  /** Their number. */
  count: number;
  left: Numbers;
  /** The row's place. */
  row: number;
}

export interface Build {
  compiler: string;
  flags: string;
  libraries: Record<string, string>;
  paths: Record<string, string>;
  version: string;
}

/** A figure, why there is none, or nothing where the group doesn't have the row. */
export type Cell = CellFigure | {
  differing: number | null;
  identity: number;
  why: number;
} | null;

export interface CellFigure {
  /** An index in the differences; `None` where nothing differs within the group. */
  differing?: number;
  identity: number;
  interval: Numbers;
  /** As uncertain as the row alone is. */
  own: Numbers;
  /** How far what all rows share may be off, and its degrees of freedom. */
  run_effect: [number | null, number | null];
  /** Which runs of the group measured it: only rows of the same runs share `run_effect`. */
  run_set: number;
  samples: number;
  /** Over one thread, where that was measured. */
  speed_up?: Numbers;
  threads: number;
  /** An index in the texts; `None` for ops. */
  unit?: number;
  /** In the page's columns, as far as they are known. */
  values: (number | null)[];
  warnings?: number[];
}

/** A column whose values stand in the cells of figures. */
export interface Column {
  form: Form;
  /** Where people read it; `None` where only CSV has it. */
  heading: string | null;
  /** As CSV has it. */
  name: string;
}

export interface Crossover {
  /** Where both are even, between which numbers of threads, and the interval if it is known. */
  changes: [number, [number, number], [number, number] | null][];
  /** The other group's place. */
  other: number;
  words: string;
}

export interface Curve {
  /** The group's place. */
  group: number;
  /** λ, σ and κ of the Universal Scalability Law, where it fits. */
  law: [number, number, number] | null;
  /** Threads, throughput, efficiency. */
  points: [number, Numbers, Numbers | null][];
  /** Unit counted per second. */
  unit: Unit;
  /** Sentences on the curve. */
  words: string[];
}

/** Something that must match and doesn't. */
export interface Difference {
  /** In the baseline, or in a group's first run. */
  baseline: string;
  /** Decides which `--allow` permits it. */
  kind: MustMatch;
  /** In the other. */
  other: string;
  /** Which one. */
  what: string;
}

/** The samples of a case in order: its launch, its throughput in thousandths of the case's median, whether it was disturbed. Evenly thinned out where there are many. */
export interface Dots {
  /** One of so many is shown. */
  one_of: number;
  samples: [number, number, number][];
  threads: string;
  workload: string;
}

/** Why a run ended. */
export type Ended = "precision" | "budget" | "interrupted";

/** A row's operations per joule, which are operations a second and watt. */
export interface Energy {
  per_joule: Numbers;
  /** The row's place. */
  row: number;
  /** The source of the watts: rows with different sources are not compared. */
  source: string;
  /** A number in eight significant digits. One that is not finite is `null`: the shape of a field says where that may be. */
  watts: number;
}

/** A kind of event. */
export type EventKind = "launch" | "disturbed" | "resume";

/** Events of one kind, of a run's last clock. */
export interface Events {
  /** Seconds since the first that is known of the run, and how many events there were about then. */
  at: [number, number][];
  kind: EventKind;
  /** The cause of disturbed samples; empty for other kinds. */
  what: string;
}

/** Something that disturbed a run, or a rule that had nothing to look at. */
export interface Finding {
  /** The rule's ID; see `docs/doctor.md`. */
  id: string;
  severity: Severity;
  /** The problem; empty for a rule that had no data. */
  what: string;
}

/** How the number of a column is written. */
export type Form = "count" | "quantity" | "share" | "memory" | "clock";

/** How far a run's figures are to be believed, from best to worst. */
export type Grade = "valid" | "suspect" | "invalid";

/** One group on the page. */
export interface Group {
  /** Logical CPUs, where that is known. */
  cpu_count: number | null;
  /** How many hosts its runs were on. */
  hosts: number;
  /** Its name. */
  label: string;
  /** Caveats about all its runs together. */
  notes: string[];
  /** Prices of an hour under each commitment; groups are judged by the first. */
  prices: Price[];
  /** Its runs. */
  sheets: Sheet[];
}

/** Over the fastest implementation on the same machine, where there is a figure; the place of what must be said: why there is none, or why it is not comparable with the first machine's. */
export type ImplementationCell = [Numbers | null, number | null];

/** An implementation of an operation that has several, on each machine. */
export interface ImplementationRow {
  cells: ImplementationCell[];
  /** The row's place. */
  row: number;
}

/** A positive quantity with a 95 % interval around it. */
export interface Interval {
  centre: number;
  /** Degrees of freedom of Student's t for its width. */
  freedom: number | null;
  /** Upper end of the 95 % interval. */
  high: number | null;
  /** Lower end of the 95 % interval. */
  low: number;
}

/** A quantile of latencies. */
export interface Latency {
  /** In ns, as the lower end of a bucket that is at most 1 % wide; `None` if there are too few requests. */
  ns: Interval | null;
  /** The share of requests that took no longer. */
  share: number;
}

/** A score without one of its workloads or categories. */
export interface Left {
  /** How many rows that are. */
  rows: number;
  /** The score of the other rows. */
  score: number;
  /** The workload that is left out, without its size or level where it has several; `all of` a category. */
  without: string;
}

/** The category and the number of threads of a line of scores. */
export interface LineHead {
  /** The category, or `overall`. */
  category: string;
  /** The rows that a ranking is of, by number: those that all ranked groups have; `None` where scores are of all that two have. */
  ranked_rows: number[] | null;
  /** As it was asked for. */
  threads: string;
}

/** Kinds of things that must match, and that can be allowed to differ, but for the unit. */
export type MustMatch = "unit" | "definition" | "input" | "library" | "compiler" | "output" | "worker" | "threads" | "emulation" | "origin" | "suite" | "machine" | "invalid";

/** A positive quantity and how far off it may be. */
export type Numbers = [centre: number, low: number | null, high: number | null, freedom: number | null];

/** The source of figures that sizeup did not measure. */
export interface Origin {
  /** Workloads without rows: the tool has no valid result for them. */
  failed?: string[];
  /** Properties that these figures lack, e.g. intervals. */
  lacks: string[];
  /** Names of the files that were read. */
  sources: string[];
  /** The tool, with its version where known. Rows of different tools are not compared. */
  tool: string;
}

export interface Outcome {
  message: string;
  outcome: string;
  threads: string;
  workload: string;
}

/** A variant against another in a row: the ratio of pairs of samples, or the place of the text that says why there is none. */
export type PairCell = PairRatio | number;

/** In this order: the place of its head; how many rows; centre, low, high and degrees of freedom; robustness; work per watt. */
export type PairLine = [head: number, rows: number, score: Numbers | null, robustness?: Robustness | null, per_watt?: PerWattScore | null];

/** In this order: the ratio; as uncertain as the row alone is; margin and degrees of freedom of what rows share. */
export type PairRatio = [interval: Numbers, own: Numbers, run_effect: [number | null, number | null]];

export interface PartUse {
  cpu_count: number;
  /** Numbers of its CPUs; empty if they are on another machine. */
  cpus: number[];
  name: string;
  /** Its CPU time over the elapsed time of its CPUs. */
  share: number;
}

/** Work per watt over the rows of a score that both have watts of. */
export interface PerWattScore {
  rows: number;
  score: Numbers;
  /** Where the watts come from. */
  sources: string;
}

/** The price of a machine for an hour, with its terms and source. */
export interface Price {
  /** For how long one must buy, e.g. `on demand` or `3 years`. */
  commitment?: string;
  /** Physical cores, where the source tells them. */
  cores?: number;
  /** E.g. `USD`; prices without one are in the same. */
  currency?: string;
  /** When it was looked up, `YYYY-MM-DD`. */
  date?: string;
  /** The group's label, or its instance type. */
  label: string;
  /** Memory in GiB. */
  memory_gib?: number;
  /** In units of the currency. */
  per_hour: number;
  /** Where the provider asks it. */
  region?: string;
  /** Who published it, and in what. */
  source?: string;
  /** Virtual CPUs of the instance type. */
  vcpus?: number;
  /** Rated watts under full load, of a data sheet or an estimate. */
  watts?: number;
}

/** How much of a score hangs on single rows and their weights. */
export interface Robustness {
  ahead: number | null;
  /** Where the order of the two depends on the work, what says so of `which of them`. */
  depends?: string;
  greatest: Left | null;
  least: Left | null;
}

/** A workload on a number of threads. */
export interface RowHead {
  /** Those that it is scored in. */
  categories: string[];
  /** The family's name. */
  family: string;
  /** The part after the slash. */
  implementation: string;
  /** The workload, with its variant if there is one. */
  name: string;
  /** The part of the workload's ID before the slash. */
  operation: string;
  /** Whether many threads share one stream: then it is in no score. */
  shares_stream: boolean;
  /** As it was asked for. */
  threads: string;
}

/** A workload over numbers of threads. */
export interface Scaling {
  /** Crossovers of every other group, with each group as the baseline; empty for baselines that were not computed. */
  crossovers: Crossover[][];
  curves: Curve[];
  workload: string;
}

/** One quantity over time. */
export interface Series {
  name: string;
  /** Seconds since the first that is known of the run, and the value; means of neighbouring points where there are many. */
  points: [number, number | null][];
  /** In which unit. */
  unit: string;
}

/** Both sides of a row whose work other processes do, such as a server and its client. */
export interface Service {
  /** Share of due requests that were answered in time; `None` without a fixed rate. */
  kept: number | null;
  /** Latencies from when requests were due; empty without a fixed rate. */
  latency: Latency[];
  /** Mean throughput per CPU of the first part. */
  ops_per_s_and_cpu: number;
  /** In the order in which the worker named them; the first is measured. */
  parts: PartUse[];
  threads: string;
  workload: string;
}

/** How much a finding matters, from least to most. */
export type Severity = "not-available" | "fine" | "note" | "warning" | "unfit";

/** A run on the page, apart from its figures. */
export interface Sheet {
  /** Worker → compiler, flags, libraries. */
  builds: Record<string, Build>;
  /** Disturbance → samples. */
  disturbed: Record<string, number>;
  dots: Dots[];
  ended: Ended | null;
  events: Events[];
  /** The file's name. */
  file: string;
  /** Disturbances of the run, without anything about who else uses the machine. */
  findings: Finding[];
  label: string;
  /** Part of the machine, what it is of, what it says. */
  machine: [string, string, string][];
  /** Caveats that qualify every figure, except its origin. */
  notes: string[];
  origin: Origin | null;
  /** Rows that were not measured. */
  outcomes: Outcome[];
  /** Margin that was asked for. */
  precision: number;
  samples: number;
  /** Time spent measuring. */
  seconds: number;
  /** Servers' rows: both sides and latencies. */
  services: Service[];
  sizeup: string;
  /** In UTC. */
  started: string;
  suite: string;
  suite_version: number;
  telemetry: Series[];
  /** Whether its figures are to be believed. */
  validity: Grade;
  /** Names of its variants. */
  variants: string[];
  /** Those of the notes that forbid to use its figures. */
  why_unfit: string[];
}

/** An implementation that loses more on one machine than the others do. */
export interface Slowdown {
  /** The chance of such a ratio without a slowdown worth a name, corrected for how many were judged (Holm): all rows of all machines. */
  adjusted_p: number;
  /** Which implementation. */
  implementation: string;
  /** Where it is slower. */
  machine: string;
  /** The operation, by the first part of its workloads' IDs. */
  operation: string;
  /** Where it does not. */
  other: string;
  /** Its throughput on `machine` over `other`, divided by that ratio for `than`; below 1. */
  ratio: Interval;
  /** The implementation that stands for the others: the upper median of what the other machine makes of them. */
  than: string;
  /** On how many threads. */
  threads: ThreadSpec;
}

/** A slowed row, its loss and its cause. */
export interface Slowed {
  /** Place of the evidence in the texts. */
  evidence: number;
  /** Approximate share of its throughput that the row loses to the cause. */
  loss: number;
  /** The row's place. */
  row: number;
}

/** A thread count as the user specifies it. */
export type ThreadSpec = string;

/** The unit of a workload's figures. Figures in different units are never compared. */
export type Unit = string;

/** Which samples an estimate uses, and in which unit. */
export type ViewKind = "uncontended" | "delivered" | "per-ghz" | "imported";

/** Everything that a report shows. */
export interface Data {
  /** Kinds of differences that the user allowed. */
  allow: MustMatch[];
  /** For each group, its rows that were measured beside co-runners. */
  beside: Beside[][];
  /** For each group, a cell per row. */
  cells: Cell[][];
  /** The values of each figure are in these. */
  columns: Column[];
  /** Which rows lack an uncontended figure and what is shown for that, in a sentence; `None` if none does. */
  contention: string | null;
  /** Lists of what differs. */
  differences: Difference[][];
  /** For each group, its rows that have watts. */
  energy: Energy[][];
  /** Families of work that servers do most, each with its name: that a page has none of one is said. */
  expected_families: [string, string][];
  /** The first is the baseline until the reader chooses another. */
  groups: Group[];
  /** Implementations beside the fastest of each machine. */
  implementations: ImplementationRow[];
  /** How many runs are not on it because they are invalid. */
  left_out: number;
  /** Categories and numbers of threads that the lines of scores are of. */
  lines: LineHead[];
  /** When, in UTC. */
  made: string;
  /** Two groups, `BASELINE-OTHER` → caveats about them together. */
  pair_notes: Record<string, string>;
  /** With each variant as the baseline, the ratios of each other variant, row by row; empty for runs, whose ratios are computed from their figures. */
  pairs: (PairCell | null)[][][];
  /** Caveats about the prices. */
  price_notes: string[];
  /** Lines of a ranking of all groups that rest on other rows than `scores` do; empty where the rows are the same. */
  ranked: PairLine[][][];
  /** Every row that a group has. */
  rows: RowHead[];
  /** Workloads over numbers of threads. */
  scaling: Scaling[];
  /** With each group as the baseline, the score of each other; `None` for itself. */
  scores: (PairLine[] | null)[][];
  /** Which workloads it is of, in words, where only some were asked for. */
  selection: string | null;
  /** The version of sizeup that made it. */
  sizeup: string;
  /** Implementations that lose more on one machine than the others do, against the first group. */
  slowdowns: Slowdown[];
  /** For each group, its slowed rows. */
  slowed: Slowed[][];
  /** Texts of cells and reasons, by number. */
  texts: string[];
  /** The numbers of threads that were asked for, the one to show first at the front; empty: as the page chooses. */
  threads: string[];
  /** Two identities, `SMALLER-GREATER` → place of their differences in `differences`. */
  unlike: Record<string, number>;
  /** The label of the run whose variants the groups are; `None` for runs. */
  variants_of: string | null;
  /** In which view. */
  view: ViewKind;
}
