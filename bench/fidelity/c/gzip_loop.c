/* Cloudflare's zlib without sizeup: a page, made a gzip stream again and again by a new deflate state. A
 * program of its own, for the library's symbols are those of zlib. */
#include "stretch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WINDOW_BITS_GZIP = 15 + 16, MEM_LEVEL = 8, BUFFER_BYTES = 32 * 1024 };

struct job {
    int level;
    unsigned char *page;
    size_t page_bytes;
    unsigned char buffer[BUFFER_BYTES];
    /* Where the stream goes when it is to be checked; NULL when it is thrown away. */
    unsigned char *stream;
    size_t stream_bytes, stream_room;
};

static int compress_page(void *state)
{
    struct job *job = state;
    z_stream z;
    int status;
    memset(&z, 0, sizeof z);
    if (deflateInit2(&z, job->level, Z_DEFLATED, WINDOW_BITS_GZIP, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        fputs("no compressor\n", stderr);
        return 1;
    }
    z.next_in = job->page;
    z.avail_in = (unsigned)job->page_bytes;
    do {
        size_t made;
        z.next_out = job->buffer;
        z.avail_out = BUFFER_BYTES;
        status = deflate(&z, Z_FINISH);
        made = BUFFER_BYTES - z.avail_out;
        if (job->stream != NULL && job->stream_bytes + made <= job->stream_room) {
            memcpy(job->stream + job->stream_bytes, job->buffer, made);
            job->stream_bytes += made;
        }
    } while (status == Z_OK);
    if (status != Z_STREAM_END) {
        fprintf(stderr, "deflate returned %d\n", status);
        return 1;
    }
    deflateEnd(&z);
    return 0;
}

/* Whether a compressed page decompresses to the page. */
static int round_trip(struct job *job)
{
    z_stream z;
    unsigned char *back = malloc(job->page_bytes);
    int good;
    memset(&z, 0, sizeof z);
    job->stream_room = 2 * job->page_bytes;
    job->stream = malloc(job->stream_room);
    if (back == NULL || job->stream == NULL || compress_page(job) != 0 || inflateInit2(&z, WINDOW_BITS_GZIP) != Z_OK)
        return 0;
    z.next_in = job->stream;
    z.avail_in = (unsigned)job->stream_bytes;
    z.next_out = back;
    z.avail_out = (unsigned)job->page_bytes;
    good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0
        && memcmp(back, job->page, job->page_bytes) == 0;
    inflateEnd(&z);
    free(job->stream);
    free(back);
    job->stream = NULL;
    return good;
}

int main(int count, char **arguments)
{
    static struct job job;
    long page_bytes;
    if (count != 5) {
        fprintf(stderr, "usage: %s LEVEL PAGE WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    live_in_allocator();
    job.level = (int)number("LEVEL", arguments[1]);
    job.page = whole_file(arguments[2], &page_bytes);
    job.page_bytes = (size_t)page_bytes;
    if (!round_trip(&job)) {
        fputs("the page does not come back\n", stderr);
        return 1;
    }
    return time_stretch(zlibVersion(), compress_page, &job, number("WARM_UP_NS", arguments[3]),
                        number("SAMPLE_NS", arguments[4]));
}
