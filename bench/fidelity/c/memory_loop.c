/* STREAM's triad without sizeup (J. McCalpin, stream.c: a[j] = b[j] + scalar * c[j]), over arrays of as many bytes as the
 * worker's, in pieces of as many elements, so that both can end soon. */
#include "stretch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096 };

struct job {
    double *a, *b, *c;
    size_t elements, next;
};

static int triad(void *state)
{
    struct job *job = state;
    double *restrict a = job->a + job->next;
    const double *restrict b = job->b + job->next, *restrict c = job->c + job->next;
    const double scalar = 3.0;
    size_t j;
    for (j = 0; j < PIECE; j++)
        a[j] = b[j] + scalar * c[j];
    job->next = (job->next + PIECE) % job->elements;
    return 0;
}

static double *filled(size_t elements, size_t period)
{
    double *array = malloc(elements * sizeof *array);
    size_t j;
    if (array == NULL) {
        perror("malloc");
        exit(1);
    }
    for (j = 0; j < elements; j++)
        array[j] = (double)(j % PIECE % period);
    return array;
}

/* Whether a pass over all pieces writes what it must. */
static int is_right(struct job *job)
{
    size_t j;
    memset(job->a, 0xff, job->elements * sizeof *job->a);
    for (j = 0; j < job->elements / PIECE; j++)
        triad(job);
    for (j = 0; j < job->elements; j++)
        if (job->a[j] != (double)(j % PIECE % 1000 + 3 * (j % PIECE % 7)))
            return 0;
    return 1;
}

int main(int count, char **arguments)
{
    struct job job = {0};
    if (count != 4) {
        fprintf(stderr, "usage: %s BYTES WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    job.elements = number("BYTES", arguments[1]) / (3 * sizeof(double)) / PIECE * PIECE;
    if (job.elements == 0) {
        fprintf(stderr, "%s bytes are too few\n", arguments[1]);
        return 2;
    }
    job.a = filled(job.elements, 1);
    job.b = filled(job.elements, 1000);
    job.c = filled(job.elements, 7);
    if (!is_right(&job)) {
        fprintf(stderr, "a wrong sum\n");
        return 1;
    }
    return time_stretch("5.10", triad, &job, number("WARM_UP_NS", arguments[2]), number("SAMPLE_NS", arguments[3]));
}
