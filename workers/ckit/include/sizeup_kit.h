/* The kit for workers in C, and for languages that call C: you write the operations; threads, pinning, timing, pulses,
 * counters and the protocol (docs/protocol.md) are in libsizeup_ckit.so. docs/write-a-worker.md is the tutorial. */
#ifndef SIZEUP_KIT_H
#define SIZEUP_KIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters, inputs and seed of an operation; it exists during `setup` only. */
typedef struct sizeup_setting sizeup_setting;
/* Where an operation puts the output of an op; it exists during `output` only. */
typedef struct sizeup_output sizeup_output;

/* A parameter: an integer from `from` to `to`, both included, or one of `choices`, if that is not NULL. */
typedef struct {
    const char *name;
    uint64_t from, to;
    const char *const *choices; /* ended by NULL */
} sizeup_parameter;

/* An operation. Functions that return an int return 0, or -1 after `sizeup_fail`. */
typedef struct {
    const char *name;                   /* OPERATION/IMPLEMENTATION; the latter is a name of `libraries` */
    const sizeup_parameter *parameters; /* ended by one without a name; NULL for none */
    const char *const *inputs;          /* names by role, ended by NULL; NULL for none */
    const char *verified;               /* what `check` proves, in one phrase */
    /* Makes one thread's state, on that thread after it was pinned; NULL after sizeup_fail. Untimed. */
    void *(*setup)(const sizeup_setting *setting);
    /* Performs `ops` ops. This is what is timed. SIZEUP_BATCH writes it. */
    int (*batch)(void *state, uint64_t ops);
    /* Performs one op and gives its output, which must not be empty, by sizeup_give. Untimed. */
    int (*output)(void *state, sizeup_output *to);
    /* Fails unless this is the right output, down to any single bit. Untimed. */
    int (*check)(void *state, const uint8_t *output, size_t bytes);
    /* Input bytes of an op; NULL where bytes make no sense. */
    uint64_t (*bytes_per_op)(void *state);
} sizeup_operation;

/* A library that does the work, and its version as it reports it at run time. */
typedef struct {
    const char *name, *version;
} sizeup_library;

typedef struct {
    const char *name;
    const sizeup_operation *operations; /* ended by one without a name */
    const sizeup_library *libraries;    /* ended by one without a name */
    const char *compiler, *flags;       /* what built or interprets the operations; SIZEUP_COMPILER knows a C compiler */
    int (*self_test)(void);             /* proves that the libraries are what they claim to be; NULL for none */
    void (*crossing)(void);             /* what calling into another language costs; NULL in C */
} sizeup_worker;

/* Runs a worker by its command line and returns its exit status: `return sizeup_run(&worker, argc, argv)` in main. */
int sizeup_run(const sizeup_worker *worker, int argc, char *const *argv);

/* Says why something failed, and returns -1. The text is copied. */
int sizeup_fail(const char *why);
/* For `setup`, where the operation can't run on this machine: the row is left out, and nothing has failed. */
int sizeup_unavailable(const char *why);

/* The value of a parameter. Asking for one that the operation does not declare ends the worker. */
uint64_t sizeup_integer(const sizeup_setting *setting, const char *name);
const char *sizeup_choice(const sizeup_setting *setting, const char *name);
/* Seeds whatever the operation draws at random. */
uint64_t sizeup_seed(const sizeup_setting *setting);
/* The calling thread's copy of an input, which is there until the worker ends; NULL, and sizeup_fail was called, if the
 * request has none. */
uint8_t *sizeup_input(const sizeup_setting *setting, const char *name, size_t *bytes);

/* The state that all threads of a launch have in common, for `setup`: the first thread that asks makes it by `make`, which
 * fails as `setup` does, while the others wait. Where the operation takes the parameter "sharing", one of "shared" and
 * "own", "own" has each thread make one. NULL, with the reason kept for `setup` to fail by, if there is none. */
void *sizeup_shared(const sizeup_setting *setting, void *(*make)(const sizeup_setting *setting));

/* Adds CPU time and page faults to the calling thread's, in `batch`: those of another process which did the thread's work while
 * it waited. */
void sizeup_add_usage(uint64_t cpu_ns, uint64_t minor_faults, uint64_t major_faults);

/* Adds time for which the language's garbage collector stopped the calling thread: its samples then have gc_ns. Call it with 0 in
 * `setup`, so that a sample without collections says 0, too. */
void sizeup_add_gc_time(uint64_t ns);

/* Appends bytes to an output. */
void sizeup_give(sizeup_output *to, const void *bytes, size_t count);

/* Defines OP_batch, which repeats `static int OP(STATE *)` until it fails. */
#define SIZEUP_BATCH(op, state_type)                           \
    static int op##_batch(void *state, uint64_t ops)           \
    {                                                          \
        int status = 0;                                        \
        while (ops-- > 0 && status == 0)                       \
            status = op((state_type *)state);                  \
        return status;                                         \
    }

#if defined(__clang__)
#define SIZEUP_COMPILER __VERSION__
#else
#define SIZEUP_COMPILER "gcc " __VERSION__
#endif

#ifdef __cplusplus
}
#endif

#endif
