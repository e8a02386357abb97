// The kit for workers in JavaScript: you write the operations; threads, pinning, timing, pulses and the protocol
// (docs/protocol.md) are in libsizeup_ckit.so, which Node loads as a module. Each thread of a launch is a worker thread with
// a heap of its own, on which the library and the operation take turns: a batch of ops is one call into JavaScript.
"use strict";

const { constants } = require("node:os");
const path = require("node:path");
const v8 = require("node:v8");
const { Worker, isMainThread } = require("node:worker_threads");

/** Thrown by `check`. */
class WrongAnswer extends Error {}
/** Thrown by a constructor where this machine can't run the operation: the row is left out, and nothing has failed. */
class Unavailable extends Error {}

// How an answer to the library begins.
const DONE = 0;
const FAILED = 1;
const UNAVAILABLE = 2;

/** The library: in the release folder, where this file is in share/sizeup/kits/node. */
function load() {
  const library = path.resolve(__dirname, "../../../../lib/sizeup/libsizeup_ckit.so");
  const module = { exports: {} };
  try {
    process.dlopen(module, library, constants.dlopen.RTLD_NOW);
  } catch (error) {
    const hint = "set SIZEUP_HOME to sizeup's release folder for this machine's architecture";
    const answer = { answer: "error", kind: "unavailable", message: `sizeup_kit: ${error.message}`, hint };
    process._rawDebug(`sizeup_kit: ${error.message}\n${hint}`);
    require("node:fs").writeSync(1, `${JSON.stringify(answer)}\n`);
    process.reallyExit(1);
  }
  return module.exports;
}

/** The thread's work, and what the library asks of it, in the order of `Asked` in workers/ckit/src/managed.rs. */
class Thread {
  constructor(operations, selfTest) {
    this.operations = operations;
    this.selfTest = selfTest;
    this.work = null;
    this.result = undefined;
    // Not in Node 18.14 and older.
    this.collections = v8.GCProfiler && new v8.GCProfiler();
    this.collectorUs = 0;
    this.asked = [
      () => void new Worker(process.argv[1]),
      (bytes) => this.setUp(bytes),
      (bytes) => this.batch(Number(bytes)),
      () => Buffer.from(this.work.output(this.work.op())),
      (bytes) => this.work.check(Buffer.from(bytes)),
      () => Buffer.from(this.work.bytesPerOp === undefined ? "" : String(this.work.bytesPerOp())),
      () => this.selfTest?.(),
      // Changes whenever a compiler has made machine code, or the collector has dropped some.
      () => Buffer.from(String(v8.getHeapCodeStatistics().code_and_metadata_size)),
      () => Buffer.from(this.collections ? String(this.collectorNs()) : ""),
    ];
  }

  setUp(bytes) {
    // Lines of fields up to an empty one, and then the inputs, one behind the other.
    const end = bytes.indexOf("\n\n");
    const lines = bytes.toString("utf8", 0, end).split("\n").map((line) => line.split("\t"));
    const fields = (what) => lines.filter(([first]) => first === what);
    const [[, name]] = fields("operation");
    const [[, seed]] = fields("seed");
    const { work: Work, parameters: ranges = {} } = this.operations.find((operation) => operation.name === name);
    const value = (parameter, text) => (Array.isArray(ranges[parameter]) ? Number(text) : text);
    const parameters = Object.fromEntries(fields("parameter").map(([, name, text]) => [name, value(name, text)]));
    const inputs = {};
    let at = end + 2;
    for (const [, name, size] of fields("input")) {
      inputs[name] = Buffer.from(bytes.subarray(at, at + Number(size)));
      at += Number(size);
    }
    this.work = new Work(parameters, inputs, BigInt(seed));
  }

  /** For how long the collector stopped this thread so far. Observers of `perf_hooks` would wait for an event loop. */
  collectorNs() {
    // The first call only starts it.
    for (const { cost } of this.collections.stop()?.statistics ?? []) this.collectorUs += cost;
    this.collections.start();
    return Math.round(1000 * this.collectorUs);
  }

  batch(ops) {
    const { work } = this;
    let result;
    for (let done = 0; done < ops; done += 1) result = work.op();
    // So that the compiler can't leave out the work.
    this.result = result;
  }

  answer(what, bytes) {
    try {
      return Buffer.concat([Buffer.from([DONE]), this.asked[what](bytes) ?? Buffer.alloc(0)]);
    } catch (error) {
      const isPlain = error instanceof Unavailable || error instanceof WrongAnswer;
      if (!isPlain) process._rawDebug(error?.stack ?? String(error));
      const kind = error instanceof Unavailable ? UNAVAILABLE : FAILED;
      return Buffer.concat([Buffer.from([kind]), Buffer.from(isPlain ? error.message : String(error))]);
    }
  }
}

/** The range of an integer parameter, both ends included. */
const integers = (first, last) => [first, last];
/** The range of a parameter that is one of some texts. */
const oneOf = (...texts) => ({ of: texts });

/** Runs a worker by its command line, and ends the program. An operation is `{ name, work, parameters, inputs }`: its name as
 * OPERATION/IMPLEMENTATION, and a class whose objects are one thread's state:
 *
 *     constructor(parameters, inputs, seed)  makes it, untimed: parameters and inputs by name, the inputs as buffers
 *     op()                                   performs one op, which is what is timed, and returns its result
 *     output(result)                         the result as bytes that `check` can judge, not empty; untimed
 *     check(output)                          throws WrongAnswer unless the output is right, down to any single bit
 *     bytesPerOp()                           input bytes of an op; may be left out
 *     static verified                        what `check` proves, in one phrase
 *
 * `libraries` are those that do the work, name to version as they report it; the implementation of each operation is one.
 * `selfTest` throws WrongAnswer if one is not what it claims to be. The program is run once more in each thread. */
function run({ name, operations, libraries, selfTest }) {
  const library = load();
  const thread = new Thread(operations, selfTest);
  const answer = (what, bytes) => thread.answer(what, bytes);
  if (!isMainThread) {
    library.work(Buffer.alloc(0), answer);
    return;
  }
  const declaration = {
    name,
    arguments: process.argv.slice(2),
    compiler: `Node ${process.versions.node}; V8 ${process.versions.v8}`,
    flags: process.execArgv.join(" "),
    libraries,
    operations: operations.map(({ name, work, parameters = {}, inputs = [] }) => {
      return { name, verified: work.verified, parameters, inputs };
    }),
  };
  // The threads may still be ending: nothing is taken down under them.
  process.reallyExit(library.run(Buffer.from(JSON.stringify(declaration)), answer));
}

module.exports = { run, integers, oneOf, WrongAnswer, Unavailable };
