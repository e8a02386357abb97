#include "stretch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEAST_OPS = 3 };

static uint64_t now_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) {
        perror("clock_gettime");
        exit(1);
    }
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Ops for at least so many ns; their time goes to elapsed_ns. 0 when one failed. */
static uint64_t perform(op_function op, void *state, uint64_t least_ns, uint64_t *elapsed_ns)
{
    uint64_t start_ns = now_ns(), ops = 0;
    do {
        if (op(state) != 0)
            return 0;
        ops++;
        *elapsed_ns = now_ns() - start_ns;
    } while (*elapsed_ns < least_ns || ops < LEAST_OPS);
    return ops;
}

int time_stretch(const char *library, op_function op, void *state, uint64_t warm_up_ns, uint64_t sample_ns)
{
    uint64_t elapsed_ns, ops;
    if (perform(op, state, warm_up_ns, &elapsed_ns) == 0)
        return 1;
    ops = perform(op, state, sample_ns, &elapsed_ns);
    if (ops == 0)
        return 1;
    printf("library %s\nops %" PRIu64 "\nelapsed_ns %" PRIu64 "\n", library, ops, elapsed_ns);
    return fflush(stdout) == 0 ? 0 : 1;
}

void live_in_allocator(void)
{
    /* Below the largest threshold of 32 MiB. Volatile, or the compiler leaves both calls out. */
    void *volatile block = malloc(16 << 20);
    free(block);
}

uint64_t number(const char *what, const char *text)
{
    char *end;
    uint64_t value;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
        fprintf(stderr, "%s is a number, not \"%s\"\n", what, text);
        exit(2);
    }
    return value;
}

unsigned char *whole_file(const char *path, long *bytes)
{
    unsigned char *content = NULL;
    FILE *file = fopen(path, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (*bytes = ftell(file)) > 0
        && fseek(file, 0, SEEK_SET) == 0 && (content = malloc((size_t)*bytes)) != NULL
        && fread(content, 1, (size_t)*bytes, file) == (size_t)*bytes) {
        fclose(file);
        return content;
    }
    fprintf(stderr, "%s can't be read, or is empty\n", path);
    exit(1);
}
