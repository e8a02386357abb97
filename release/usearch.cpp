// The calls of usearch that the worker `ml` makes, as functions of C: usearch is headers of C++ that change often. release/usearch compiles it.

#include <cstdint>
#include <cstdio>
#include <usearch/index_dense.hpp>

using namespace unum::usearch;

static thread_local char message[256];

static void keep(char const *text) { std::snprintf(message, sizeof message, "%s", text ? text : "unknown"); }

extern "C" {

char const *sizeup_usearch_version() { return SIZEUP_USEARCH_VERSION; }

// Why the last call of this thread failed.
char const *sizeup_usearch_error() { return message; }

// An empty index of vectors of f32, which it keeps as int8 if `is_int8` says so; distances are one minus the cosine of the angle. It has room
// for a number of vectors, and for as many searches at a time as threads. NULL if it failed.
index_dense_t *sizeup_usearch_index(bool is_int8, size_t dimensions, size_t connectivity, size_t expansion_add, size_t expansion_search,
                                    size_t vectors, size_t threads) {
  metric_punned_t metric(dimensions, metric_kind_t::cos_k, is_int8 ? scalar_kind_t::i8_k : scalar_kind_t::f32_k);
  auto made = index_dense_t::make(metric, index_dense_config_t(connectivity, expansion_add, expansion_search),
                                  default_free_value<index_dense_t::vector_key_t>(), index_limits_t(vectors, threads));
  if (!made) {
    keep(made.error.release());
    return nullptr;
  }
  auto index = new (std::nothrow) index_dense_t(std::move(made.index));
  if (!index) {
    keep("out of memory");
  }
  return index;
}

void sizeup_usearch_free_index(index_dense_t *index) { delete index; }

// The kernels that compute its distances on this CPU, a constant.
char const *sizeup_usearch_kernels(index_dense_t const *index) { return index->metric().isa_name(); }

bool sizeup_usearch_add(index_dense_t *index, uint64_t key, float const *vector) {
  auto added = index->add(key, vector);
  if (!added) {
    keep(added.error.release());
    return false;
  }
  return true;
}

// Finds the vectors nearest to a query, the nearest first, and returns how many; -1 if it failed. Any number of threads may search.
ptrdiff_t sizeup_usearch_search(index_dense_t const *index, float const *query, size_t wanted, uint64_t *keys, float *distances) {
  auto found = index->search(query, wanted);
  if (!found) {
    keep(found.error.release());
    return -1;
  }
  return static_cast<ptrdiff_t>(found.dump_to(keys, distances));
}
}
