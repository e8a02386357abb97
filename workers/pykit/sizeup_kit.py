"""The kit for workers in Python: you write the operations; threads, pinning, timing, pulses, counters and the protocol
(docs/protocol.md) are in libsizeup_ckit.so, which no Python code interrupts. docs/write-a-worker.md is the tutorial.

A batch of ops is one call from the library into Python, so that the crossing is paid once a batch.
"""

import ctypes
import itertools
import os
import pathlib
import platform
import sys
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
    """What `check` raises."""


class Unavailable(Exception):
    """What `work` raises where the operation can't run on this machine: the row is left out, and nothing has failed."""


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


class _Kit:
    """The library, and what it calls."""

    def __init__(self, library, self_test):
        self.library = library
        self.self_test_function = self_test
        self.works = {0: (None, None)}  # number -> (work, its op)
        self.numbers = itertools.count(1)
        self.kept = []  # what the library has pointers to

    def guarded(self, function, failed=-1):
        """A function for the library: an exception is printed on stderr, and is why it failed."""

        def call(*arguments):
            try:
                result = function(*arguments)
                return 0 if result is None else result
            except BaseException as error:
                self.report(error)
            return failed

        return call

    def report(self, error):
        """Says why a call failed. It never raises: ctypes would drop that, and answer 0, which is success."""
        unavailable = isinstance(error, Unavailable)
        try:
            if unavailable or isinstance(error, WrongAnswer):
                why = str(error)
            else:
                traceback.print_exc()
                why = f"{type(error).__name__}: {error}"
            why = why.encode(errors="backslashreplace").replace(b"\0", b" ")
        except BaseException:
            why = b"an exception whose text can't be shown"
        (self.library.sizeup_unavailable if unavailable else self.library.sizeup_fail)(why)

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
            work = operation.work(parameters, inputs, self.library.sizeup_seed(setting))
            number = next(self.numbers)
            self.works[number] = (work, work.op)
            return number

        return self.guarded(setup, failed=0)

    def batch(self, number, ops):
        op = self.works[number][1]
        for _ in itertools.repeat(None, ops):
            op()

    def output(self, number, to):
        work, op = self.works[number]
        output = bytes(work.output(op()))
        self.library.sizeup_give(to, output, len(output))

    def check(self, number, at, size):
        self.works[number][0].check(ctypes.string_at(at, size))

    def bytes_per_op(self, number):
        return self.works[number][0].bytes_per_op()

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
        sys.exit(f"sizeup_kit: {error}\nset SIZEUP_HOME to sizeup's release folder for this machine's architecture")
    library.sizeup_run.argtypes = [ctypes.POINTER(_Worker), ctypes.c_int, ctypes.POINTER(_text)]
    library.sizeup_fail.argtypes = library.sizeup_unavailable.argtypes = [_text]
    library.sizeup_integer.argtypes, library.sizeup_integer.restype = [_pointer, _text], _u64
    library.sizeup_choice.argtypes, library.sizeup_choice.restype = [_pointer, _text], _text
    library.sizeup_seed.argtypes, library.sizeup_seed.restype = [_pointer], _u64
    library.sizeup_input.argtypes = [_pointer, _text, ctypes.POINTER(_size)]
    library.sizeup_input.restype = _pointer
    library.sizeup_give.argtypes = [_pointer, _text, _size]
    library.sizeup_give.restype = None
    return library


def run(name, operations, libraries, self_test=None):
    """Runs a worker by its command line, and ends the program.

    `libraries` are those that do the work, name -> version as they report it; the implementation of each operation is
    one. `self_test` raises WrongAnswer if one is not what it claims to be.
    """
    sys.stdout = sys.stderr  # what is printed would be taken for an answer
    kit = _Kit(_load(), self_test)
    worker = _Worker(
        name.encode(), kit.array(_Operation, [kit.declare(operation) for operation in operations]),
        kit.array(_Library, [_Library(name.encode(), version.encode()) for name, version in libraries.items()]),
        f"{platform.python_implementation()} {platform.python_version()}; {platform.python_compiler()}".encode(),
        " ".join(f"-{flag}" for flag in sys._xoptions).encode(),
        kit.function(_SELF_TEST, kit.guarded(kit.self_test)),
        kit.function(_CROSSING, kit.guarded(lambda: kit.batch(0, 0))),
    )
    arguments = [argument.encode() for argument in sys.argv]
    status = kit.library.sizeup_run(ctypes.byref(worker), len(arguments), (_text * len(arguments))(*arguments))
    sys.stderr.flush()
    # The library's threads may still be ending: nothing of Python's is taken down under them.
    os._exit(status)
