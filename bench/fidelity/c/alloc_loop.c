/* alloc-server without sizeup: 1,000 pairs of malloc and free in an op, of the sizes and in the order of workers/system/src/memory/blocks.rs,
 * on one thread. A second one is there and idle, as in the worker: without it glibc takes no locks. */
#define _GNU_SOURCE
#include "stretch.h"

#include <gnu/libc-version.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAIRS = 1000, HANDED = 5, LIVE = 1 << 14, WAY = 1 << 10, OPS = 64 };

/* Bytes of a block, and how many of 1,000 blocks have them. */
static const struct { uint32_t bytes, count; } SIZES[] = {
#include "alloc_sizes.h"
};

struct pair {
    uint32_t bytes, replaces;
};

struct server {
    struct pair pairs[OPS * PAIRS];
    unsigned char *live[LIVE];
    /* Exchanged atomically, as between threads. */
    _Atomic(unsigned char *) way[WAY];
    size_t put, taken, next;
};

static uint64_t mix(uint64_t number)
{
    uint64_t z = number + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* SplitMix64: a number below a bound. */
static uint32_t below(uint64_t *state, uint64_t bound)
{
    uint64_t drawn = mix(*state);
    *state += 0x9e3779b97f4a7c15u;
    return (uint32_t)(((drawn >> 32) * bound) >> 32);
}

static uint64_t mark_of(const unsigned char *block, uint64_t bytes)
{
    return mix((uint64_t)(uintptr_t)block ^ (bytes << 48 | bytes >> 16));
}

static unsigned char *new_block(uint64_t bytes)
{
    unsigned char *block = malloc(bytes);
    uint64_t mark = mark_of(block, bytes);
    if (block == NULL) {
        perror("malloc");
        exit(1);
    }
    block[bytes - 1] = (unsigned char)mark;
    ((uint64_t *)block)[0] = bytes;
    ((uint64_t *)block)[1] = mark;
    return block;
}

/* 0 when the block holds what was written into it. */
static int free_block(unsigned char *block)
{
    uint64_t bytes = ((uint64_t *)block)[0], mark = ((uint64_t *)block)[1];
    if (mark != mark_of(block, bytes) || (bytes != 16 && block[bytes - 1] != (unsigned char)mark)) {
        fprintf(stderr, "a block was written into while it was in use\n");
        return 1;
    }
    free(block);
    return 0;
}

static int hand_over(struct server *server, uint32_t bytes)
{
    unsigned char *block = new_block(bytes);
    unsigned char *left = atomic_exchange_explicit(&server->way[server->put++ % WAY], block, memory_order_acq_rel);
    return left == NULL ? 0 : free_block(left);
}

static int fetch(struct server *server)
{
    unsigned char *block = atomic_exchange_explicit(&server->way[server->taken % WAY], NULL, memory_order_acq_rel);
    if (block == NULL)
        return 0;
    server->taken++;
    return free_block(block);
}

static int op(void *state)
{
    struct server *server = state;
    size_t at;
    for (at = server->next * PAIRS; at < (server->next + 1) * PAIRS; at++) {
        struct pair pair = server->pairs[at];
        if (at % HANDED == 0) {
            if (hand_over(server, pair.bytes) != 0 || fetch(server) != 0)
                return 1;
        } else {
            unsigned char *old = server->live[pair.replaces];
            server->live[pair.replaces] = new_block(pair.bytes);
            if (free_block(old) != 0)
                return 1;
        }
    }
    server->next = (server->next + 1) % OPS;
    return 0;
}

static void set_up(struct server *server)
{
    uint64_t state = 11;
    uint32_t sizes[PAIRS];
    size_t count = 0, kind, round, at;
    for (kind = 0; kind < sizeof SIZES / sizeof *SIZES; kind++)
        for (at = 0; at < SIZES[kind].count && count < PAIRS; at++)
            sizes[count++] = SIZES[kind].bytes;
    if (count != PAIRS) {
        fprintf(stderr, "%zu sizes instead of 1,000\n", count);
        exit(1);
    }
    for (round = 0; round < OPS; round++) {
        for (at = PAIRS - 1; at > 0; at--) {
            uint32_t other = below(&state, at + 1), size = sizes[at];
            sizes[at] = sizes[other];
            sizes[other] = size;
        }
        for (at = 0; at < PAIRS; at++)
            server->pairs[round * PAIRS + at] = (struct pair){sizes[at], below(&state, LIVE)};
    }
    for (at = 0; at < LIVE; at++)
        server->live[at] = new_block(server->pairs[at].bytes);
    for (at = 0; at < WAY / 2; at++)
        hand_over(server, 64);
}

static void *idle(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

int main(int count, char **arguments)
{
    static struct server server;
    pthread_t thread;
    if (count != 3) {
        fprintf(stderr, "usage: %s WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    if (pthread_create(&thread, NULL, idle, NULL) != 0) {
        perror("pthread_create");
        return 1;
    }
    set_up(&server);
    return time_stretch(gnu_get_libc_version(), op, &server, number("WARM_UP_NS", arguments[1]), number("SAMPLE_NS", arguments[2]));
}
