/* The rows of llama.cpp as llama-bench does them, whose own source is not in the crate: `llama-loop KERNELS MODEL prompt|generate TOKENS`, on one
   thread. It keeps a thread pool, and generates token behind token after a prompt of TOKENS, as many as 16. Each line of its input is a number of
   nanoseconds; it answers with the ops that it did in at least so much time and the CPU time that they took.
   `cc -O2 llama_loop.c -I LLAMA/include -I LLAMA/ggml/include -L FOLDER -l:libllama.so.0 -l:libggml.so.0 -l:libggml-base.so.0 -Wl,-rpath,FOLDER`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ggml-backend.h"
#include "llama.h"

enum { RUN = 16 };

static void must(int is_so, const char *what) {
  if (!is_so) {
    fprintf(stderr, "llama-loop: %s\n", what);
    exit(1);
  }
}

static uint64_t now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void quiet(enum ggml_log_level level, const char *text, void *unused) {
  (void)unused;
  if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
}

static struct llama_context *context;
static llama_token *tokens;
static int vocabulary;

static void evaluate(int count) {
  must(llama_decode(context, llama_batch_get_one(tokens, count)) == 0, "tokens can't be evaluated");
  llama_synchronize(context);
}

int main(int count, char **arguments) {
  must(count == 5, "usage: llama-loop KERNELS MODEL prompt|generate TOKENS");
  int length = atoi(arguments[4]), is_prompt = strcmp(arguments[3], "prompt") == 0;
  llama_log_set(quiet, NULL);
  must(ggml_backend_load(arguments[1]) != NULL, "no kernels");
  llama_backend_init();
  struct llama_model *model = llama_model_load_from_file(arguments[2], llama_model_default_params());
  must(model != NULL, "no model");
  struct llama_context_params parameters = llama_context_default_params();
  parameters.n_ctx = (uint32_t)length + RUN;
  parameters.n_threads = parameters.n_threads_batch = 1;
  parameters.no_perf = true;
  context = llama_init_from_model(model, parameters);
  must(context != NULL, "no context");
  vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model));
  tokens = malloc((size_t)length * sizeof *tokens);
  for (int i = 0; i < length; i++) tokens[i] = rand() % vocabulary;
  uint64_t least_ns;
  while (scanf("%lu", &least_ns) == 1) {
    uint64_t done = 0, spent_ns = 0, begin = now_ns(CLOCK_MONOTONIC);
    do {
      llama_memory_clear(llama_get_memory(context), false);
      if (!is_prompt) evaluate(length);
      uint64_t start = now_ns(CLOCK_PROCESS_CPUTIME_ID);
      for (int i = 0; i < (is_prompt ? 1 : RUN); i++, done++) {
        tokens[0] = rand() % vocabulary;
        evaluate(is_prompt ? length : 1);
      }
      spent_ns += now_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
    } while (now_ns(CLOCK_MONOTONIC) - begin < least_ns);
    printf("%lu %lu\n", done, spent_ns);
    fflush(stdout);
  }
}
