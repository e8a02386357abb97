/* Brotli without sizeup: a page, compressed again and again by a new streaming encoder each time. */
#include "stretch.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_BITS = 22, BUFFER_BYTES = 32 * 1024 };

struct job {
    uint32_t quality;
    unsigned char *page;
    size_t page_bytes;
    unsigned char buffer[BUFFER_BYTES];
    /* Where the stream goes when it is to be checked; NULL when it is thrown away. */
    unsigned char *stream;
    size_t stream_bytes, stream_room;
};

static int compress(void *state)
{
    struct job *job = state;
    const uint8_t *next_in = job->page;
    size_t available_in = job->page_bytes;
    BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    if (encoder == NULL || !BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, job->quality)
        || !BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, WINDOW_BITS)) {
        fputs("no encoder\n", stderr);
        return 1;
    }
    while (!BrotliEncoderIsFinished(encoder)) {
        uint8_t *next_out = job->buffer;
        size_t available_out = BUFFER_BYTES, made;
        if (!BrotliEncoderCompressStream(encoder, BROTLI_OPERATION_FINISH, &available_in, &next_in,
                                         &available_out, &next_out, NULL)) {
            fputs("the encoder failed\n", stderr);
            return 1;
        }
        made = BUFFER_BYTES - available_out;
        if (job->stream != NULL && job->stream_bytes + made <= job->stream_room) {
            memcpy(job->stream + job->stream_bytes, job->buffer, made);
            job->stream_bytes += made;
        }
    }
    BrotliEncoderDestroyInstance(encoder);
    return 0;
}

/* Whether a compressed page decompresses to the page. */
static int round_trip(struct job *job)
{
    size_t bytes = job->page_bytes;
    unsigned char *back = malloc(bytes);
    int good;
    job->stream_room = 2 * job->page_bytes;
    job->stream = malloc(job->stream_room);
    good = back != NULL && job->stream != NULL && compress(job) == 0
        && BrotliDecoderDecompress(job->stream_bytes, job->stream, &bytes, back) == BROTLI_DECODER_RESULT_SUCCESS
        && bytes == job->page_bytes && memcmp(back, job->page, bytes) == 0;
    free(job->stream);
    free(back);
    job->stream = NULL;
    return good;
}

int main(int count, char **arguments)
{
    static struct job job;
    char library[64];
    uint32_t version = BrotliEncoderVersion();
    long page_bytes;
    if (count != 5) {
        fprintf(stderr, "usage: %s QUALITY PAGE WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    live_in_allocator();
    job.quality = (uint32_t)number("QUALITY", arguments[1]);
    job.page = whole_file(arguments[2], &page_bytes);
    job.page_bytes = (size_t)page_bytes;
    if (job.quality > BROTLI_MAX_QUALITY || !round_trip(&job)) {
        fputs("the page does not come back\n", stderr);
        return 1;
    }
    snprintf(library, sizeof library, "%u.%u.%u", version >> 24, (version >> 12) & 0xfff, version & 0xfff);
    return time_stretch(library, compress, &job, number("WARM_UP_NS", arguments[3]),
                        number("SAMPLE_NS", arguments[4]));
}
