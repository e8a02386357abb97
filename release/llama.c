// The calls of llama.cpp that the worker `ml` makes, as functions whose arguments stay the same when llama.cpp's structures change. release/apps
// compiles it with the header of the llama.cpp that it is for. One thread computes, the calling one.

#include "ggml-backend.h"
#include "llama.h"
#include <stdio.h>

// A message of several pieces ends with a line break; the last message of a thread is kept.
static _Thread_local char message[512];
static _Thread_local size_t message_length;

static void keep(enum ggml_log_level level, const char *text, void *unused) {
  (void)unused;
  if (level != GGML_LOG_LEVEL_ERROR && level != GGML_LOG_LEVEL_CONT) {
    return;
  }
  if (level == GGML_LOG_LEVEL_ERROR) {
    message_length = 0;
  }
  int length = snprintf(message + message_length, sizeof message - message_length, "%s", text);
  if (length > 0 && message_length + (size_t)length < sizeof message) {
    message_length += (size_t)length;
  }
}

void sizeup_llama_start(void) {
  llama_log_set(keep, NULL);
  llama_backend_init();
}

const char *sizeup_llama_version(void) { return SIZEUP_LLAMA_VERSION; }

const char *sizeup_llama_error(void) { return message; }

// Loads kernels for a kind of CPU; false if this CPU is of another.
bool sizeup_llama_load_kernels(const char *kernels) { return ggml_backend_load(kernels) != NULL; }

// Weights are copied, so that their file can go.
struct llama_model *sizeup_llama_model(const char *file) {
  struct llama_model_params parameters = llama_model_default_params();
  parameters.load_mode = LLAMA_LOAD_MODE_NONE;
  parameters.n_gpu_layers = 0;
  return llama_model_load_from_file(file, parameters);
}

void sizeup_llama_free_model(struct llama_model *model) { llama_model_free(model); }

// Room for a number of tokens, all of which may come at once.
struct llama_context *sizeup_llama_context(struct llama_model *model, uint32_t tokens) {
  struct llama_context_params parameters = llama_context_default_params();
  parameters.n_ctx = tokens;
  parameters.n_batch = tokens;
  parameters.n_ubatch = tokens;
  parameters.n_threads = 1;
  parameters.n_threads_batch = 1;
  parameters.no_perf = true;
  return llama_init_from_model(model, parameters);
}

void sizeup_llama_free_context(struct llama_context *context) { llama_free(context); }

// Forgets what the context has from a position on, and evaluates tokens there. Returns the logits behind the last, as many as the vocabulary
// has tokens, which are valid until the next call; NULL if it failed.
const float *sizeup_llama_evaluate(struct llama_context *context, int32_t *tokens, int32_t count, int32_t position) {
  llama_memory_t memory = llama_get_memory(context);
  if (position == 0) {
    llama_memory_clear(memory, false);
  } else if (!llama_memory_seq_rm(memory, 0, position, -1)) {
    return NULL;
  }
  if (llama_decode(context, llama_batch_get_one(tokens, count)) != 0) {
    return NULL;
  }
  llama_synchronize(context);
  return llama_get_logits_ith(context, -1);
}
