"""The kit for workers in Python: you write the operations; threads, pinning, timing, pulses, counters and the protocol
(docs/protocol.md) are in libsizeup_ckit.so, which no Python code interrupts. docs/write-a-worker.md is the tutorial.

A batch of ops is one call from the library into Python, so that the crossing is paid once a batch.
"""

import ctypes
import gc
import itertools
import json
import multiprocessing
import os
import pathlib
import platform
import resource
import signal
import sys
import time
import traceback

__all__ = ["Operation", "Unavailable", "WrongAnswer", "integers", "one_of", "run"]

_LIBRARY = "libsizeup_ckit.so"
_u64, _size, _text, _pointer = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p

# A state is the number of a Work, from 1 on, as the library hands pointers back as they are.
_SETUP = ctypes.CFUNCTYPE(_pointer, _pointer)
_BATCH = ctypes.CFUNCTYPE(ctypes.c_int, _pointer, _u64)
_OUTPUT = ctypes.CFUNCTYPE(ctypes.c_int, _pointer, _pointer)
_CHECK = ctypes.CFUNCTYPE(ctypes.c_int, _pointer, _pointer, _size)
_BYTES = ctypes.CFUNCTYPE(_u64, _pointer)
_SELF_TEST = ctypes.CFUNCTYPE(ctypes.c_int)
_CROSSING = ctypes.CFUNCTYPE(None)


class _Parameter(ctypes.Structure):
    _fields_ = [("name", _text), ("from_", _u64), ("to", _u64), ("choices", ctypes.POINTER(_text))]


class _Operation(ctypes.Structure):
    _fields_ = [
        ("name", _text), ("parameters", ctypes.POINTER(_Parameter)), ("inputs", ctypes.POINTER(_text)),
        ("verified", _text), ("setup", _SETUP), ("batch", _BATCH), ("output", _OUTPUT), ("check", _CHECK),
        ("bytes_per_op", _BYTES),
    ]


class _Library(ctypes.Structure):
    _fields_ = [("name", _text), ("version", _text)]


class _Worker(ctypes.Structure):
    _fields_ = [
        ("name", _text), ("operations", ctypes.POINTER(_Operation)), ("libraries", ctypes.POINTER(_Library)),
        ("compiler", _text), ("flags", _text), ("self_test", _SELF_TEST), ("crossing", _CROSSING),
    ]


class WrongAnswer(Exception):
    """Raised by `check`."""


class Unavailable(Exception):
    """Raised by `work` where the operation can't run on this machine: the row is left out, and
    nothing has failed."""


def integers(first, last):
    """The range of an integer parameter, both ends included."""
    return (first, last)


def one_of(*texts):
    """The range of a parameter that is one of some texts."""
    return list(texts)


class Operation:
    """An operation: `name` is OPERATION/IMPLEMENTATION, `work` a class whose objects are one thread's state.

    work(parameters, inputs, seed)  makes it, untimed: parameters and inputs by name, the inputs as bytes
    op()                            performs one op, which is what is timed, and returns its result
    output(result)                  the result as bytes that `check` can judge, not empty; untimed
    check(output)                   raises WrongAnswer unless the output is right, down to any single bit
    bytes_per_op()                  input bytes of an op; may be left out
    verified                        what `check` proves, in one phrase
    """

    def __init__(self, name, work, parameters=None, inputs=()):
        self.name, self.work = name, work
        self.parameters, self.inputs = dict(parameters or {}), list(inputs)


def _reason(error):
    """Whether the operation can't run here, and why a call failed. It never raises."""
    unavailable = isinstance(error, Unavailable)
    try:
        if unavailable or isinstance(error, WrongAnswer):
            why = str(error)
        else:
            traceback.print_exc()
            why = f"{type(error).__name__}: {error}"
        return unavailable, why.encode(errors="backslashreplace").replace(b"\0", b" ")
    except BaseException:
        return unavailable, b"an exception whose text can't be shown"


def _watch_collections(add):
    """Hands the time of each collection, in ns, to a function."""
    start_ns = 0

    def watch(phase, _):
        nonlocal start_ns
        if phase == "start":
            start_ns = time.perf_counter_ns()
        else:
            add(time.perf_counter_ns() - start_ns)

    gc.callbacks.append(watch)


class _Here:
    """A work in this process, whose threads run one op at a time."""

    def __init__(self, make):
        self.work = make()
        self.op = self.work.op

    def batch(self, ops):
        op = self.op
        for _ in itertools.repeat(None, ops):
            op()

    def output(self):
        return bytes(self.work.output(self.op()))

    def check(self, output):
        self.work.check(output)

    def bytes_per_op(self):
        return self.work.bytes_per_op()


class _Failed(Exception):
    """A failure in a process of a work's own, with its reason."""


class _Apart:
    """A work in a process of its own on the CPU of the thread that makes it and waits for it."""

    def __init__(self, make, library):
        self.library = library
        self.pipe, theirs = multiprocessing.Pipe()
        parent = os.getpid()
        if os.fork() == 0:
            try:
                # It ends with the thread that made it, however that ends.
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() == parent:
                    _serve(make, theirs)
            finally:
                os._exit(0)
        theirs.close()
        self.answer()

    def ask(self, *request):
        self.pipe.send(request)
        return self.answer()

    def answer(self):
        try:
            reason, answer, used = self.pipe.recv()
        except EOFError:
            raise RuntimeError("the process of the operation has ended") from None
        if reason is not None:
            raise _Failed(reason)
        *usage, collector_ns = used
        self.library.sizeup_add_usage(*usage)
        self.library.sizeup_add_gc_time(collector_ns)
        return answer

    def batch(self, ops):
        self.ask("batch", ops)

    def output(self):
        return self.ask("output")

    def check(self, output):
        self.ask("check", output)

    def bytes_per_op(self):
        return self.ask("bytes_per_op")


_PR_SET_PDEATHSIG = 1


def _used():
    """This process's CPU time in ns, and its minor and major faults."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.process_time_ns(), usage.ru_minflt, usage.ru_majflt


def _serve(make, pipe):
    """Makes a work and does what is asked of it until nobody asks."""
    collector_ns = 0

    def add(ns):
        nonlocal collector_ns
        collector_ns += ns

    _watch_collections(add)
    before = (*_used(), collector_ns)
    reason = answer = None
    try:
        work = _Here(make)
    except BaseException as error:
        reason = _reason(error)
    while True:
        now = (*_used(), collector_ns)
        pipe.send((reason, answer, [last - first for last, first in zip(now, before)]))
        before, reason, answer = now, None, None
        try:
            name, *arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = getattr(work, name)(*arguments)
        except BaseException as error:
            reason = _reason(error)


class _Nothing:
    """A work whose op does nothing."""

    def op(self):
        pass


class _Kit:
    """The library, and what it calls."""

    def __init__(self, library, self_test, place):
        self.library = library
        self.self_test_function = self_test
        self.place = place
        self.works = {}
        self.numbers = itertools.count(1)
        self.kept = []  # what the library has pointers to
        self.nothing = None

    def guarded(self, function, failed=-1):
        """A function for the library: an exception is printed on stderr, and is why it failed."""

        def call(*arguments):
            try:
                result = function(*arguments)
                return 0 if result is None else result
            except BaseException as error:
                # ctypes would drop what is raised here, and answer 0, which is success.
                unavailable, why = error.args[0] if isinstance(error, _Failed) else _reason(error)
                (self.library.sizeup_unavailable if unavailable else self.library.sizeup_fail)(why)
            return failed

        return call

    def setup(self, operation):
        def setup(setting):
            parameters = {
                name: self.library.sizeup_choice(setting, name.encode()).decode()
                if isinstance(values, list)
                else self.library.sizeup_integer(setting, name.encode())
                for name, values in operation.parameters.items()
            }
            inputs = {}
            for name in operation.inputs:
                size = _size()
                at = self.library.sizeup_input(setting, name.encode(), ctypes.byref(size))
                if at is None:
                    return 0  # the library knows why
                inputs[name] = ctypes.string_at(at, size.value)
            # This thread is none of Python's: without a state that stays, each call from the library makes a new one,
            # which takes microseconds.
            ctypes.pythonapi.PyGILState_Ensure()
            self.library.sizeup_add_gc_time(0)
            seed = self.library.sizeup_seed(setting)
            number = next(self.numbers)
            self.works[number] = self.place(lambda: operation.work(parameters, inputs, seed))
            return number

        return self.guarded(setup, failed=0)

    def crossing(self):
        if self.nothing is None:
            self.nothing = self.place(_Nothing)
        self.nothing.batch(0)

    def batch(self, number, ops):
        self.works[number].batch(ops)

    def output(self, number, to):
        output = self.works[number].output()
        self.library.sizeup_give(to, output, len(output))

    def check(self, number, at, size):
        self.works[number].check(ctypes.string_at(at, size))

    def bytes_per_op(self, number):
        return self.works[number].bytes_per_op()

    def self_test(self):
        if self.self_test_function is not None:
            self.self_test_function()

    def array(self, kind, elements):
        """An array whose end is an element of nothing."""
        array = (kind * (len(elements) + 1))(*elements)
        self.kept.append(array)
        return array

    def function(self, kind, function):
        self.kept.append(kind(function))
        return self.kept[-1]

    def declare(self, operation):
        parameters = []
        for name, values in operation.parameters.items():
            first, last, choices = 0, 0, None
            if isinstance(values, list):
                choices = self.array(_text, [value.encode() for value in values])
            else:
                first, last = values
            parameters.append(_Parameter(name.encode(), first, last, choices))
        bytes_per_op = _BYTES()
        if hasattr(operation.work, "bytes_per_op"):
            bytes_per_op = self.function(_BYTES, self.guarded(self.bytes_per_op, failed=0))
        return _Operation(
            operation.name.encode(), self.array(_Parameter, parameters),
            self.array(_text, [name.encode() for name in operation.inputs]), operation.work.verified.encode(),
            self.function(_SETUP, self.setup(operation)), self.function(_BATCH, self.guarded(self.batch)),
            self.function(_OUTPUT, self.guarded(self.output)), self.function(_CHECK, self.guarded(self.check)),
            bytes_per_op,
        )


def _load():
    # In the release folder, where this file is in share/sizeup/kits/python.
    path = pathlib.Path(__file__).resolve().parents[4] / "lib" / "sizeup" / _LIBRARY
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        hint = "set SIZEUP_HOME to sizeup's release folder for this machine's architecture"
        answer = {"answer": "error", "kind": "unavailable", "message": f"sizeup_kit: {error}", "hint": hint}
        print(json.dumps(answer), file=sys.__stdout__)
        sys.exit(f"sizeup_kit: {error}\n{hint}")
    library.sizeup_run.argtypes = [ctypes.POINTER(_Worker), ctypes.c_int, ctypes.POINTER(_text)]
    library.sizeup_fail.argtypes = library.sizeup_unavailable.argtypes = [_text]
    library.sizeup_integer.argtypes, library.sizeup_integer.restype = [_pointer, _text], _u64
    library.sizeup_choice.argtypes, library.sizeup_choice.restype = [_pointer, _text], _text
    library.sizeup_seed.argtypes, library.sizeup_seed.restype = [_pointer], _u64
    library.sizeup_input.argtypes = [_pointer, _text, ctypes.POINTER(_size)]
    library.sizeup_input.restype = _pointer
    library.sizeup_give.argtypes = [_pointer, _text, _size]
    library.sizeup_give.restype = None
    library.sizeup_add_usage.argtypes, library.sizeup_add_usage.restype = [_u64, _u64, _u64], None
    library.sizeup_add_gc_time.argtypes, library.sizeup_add_gc_time.restype = [_u64], None
    return library


def run(name, operations, libraries, self_test=None, processes=False):
    """Runs a worker by its command line, and ends the program.

    `libraries` are those that do the work, name -> version as they report it; the implementation of each operation is
    one. `self_test` raises WrongAnswer if one is not what it claims to be. With `processes` the work of each thread is
    in a process of its own, as servers in Python run; else threads share the interpreter's lock.
    """
    sys.stdout = sys.stderr  # what is printed would be taken for an answer
    library = _load()
    place = (lambda make: _Apart(make, library)) if processes else _Here
    if not processes:
        _watch_collections(library.sizeup_add_gc_time)
    kit = _Kit(library, self_test, place)
    worker = _Worker(
        name.encode(), kit.array(_Operation, [kit.declare(operation) for operation in operations]),
        kit.array(_Library, [_Library(name.encode(), version.encode()) for name, version in libraries.items()]),
        f"{platform.python_implementation()} {platform.python_version()}; {platform.python_compiler()}".encode(),
        " ".join(f"-{flag}" for flag in sys._xoptions).encode(),
        kit.function(_SELF_TEST, kit.guarded(kit.self_test)),
        kit.function(_CROSSING, kit.guarded(kit.crossing)),
    )
    arguments = [argument.encode() for argument in sys.argv]
    status = kit.library.sizeup_run(ctypes.byref(worker), len(arguments), (_text * len(arguments))(*arguments))
    sys.stderr.flush()
    # The library's threads may still be ending: nothing of Python's is taken down under them.
    os._exit(status)
