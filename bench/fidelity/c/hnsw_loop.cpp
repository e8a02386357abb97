/* The rows of usearch as its documentation for C++ has them: `hnsw-loop FOLDER search|build f32|i8 VECTORS`, on one thread, over what hnsw-vectors wrote
   into FOLDER. Each line of its input is a number of nanoseconds; it answers with the ops that it did in at least so much time and the CPU time
   that they took. The kernels are those of the apps pack:
   `g++ -std=c++17 -O3 -ffast-math -DUSEARCH_USE_NUMKONG=1 -DNK_DYNAMIC_DISPATCH=1 -DNK_NATIVE_F16=0 -DNK_NATIVE_BF16=0 hnsw_loop.cpp -I USEARCH/include
   -I NUMKONG/include -L LIB -lsizeup-usearch -Wl,-rpath,LIB`. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <usearch/index_dense.hpp>
#include <vector>

using namespace unum::usearch;

enum { DIMENSIONS = 384, NEAREST = 10 };

static void must(bool is_so, char const *what) {
  if (!is_so) {
    std::fprintf(stderr, "hnsw-loop: %s\n", what);
    std::exit(1);
  }
}

static uint64_t now_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static std::vector<float> read(std::string const &file) {
  std::FILE *from = std::fopen(file.c_str(), "rb");
  must(from, "no file");
  std::vector<float> numbers;
  std::vector<float> part(1 << 16);
  while (size_t count = std::fread(part.data(), sizeof(float), part.size(), from)) numbers.insert(numbers.end(), part.begin(), part.begin() + count);
  std::fclose(from);
  return numbers;
}

static index_dense_t build(std::vector<float> const &vectors, size_t count, scalar_kind_t kept) {
  metric_punned_t metric(DIMENSIONS, metric_kind_t::cos_k, kept);
  index_dense_t index = index_dense_t::make(metric, index_dense_config_t(16, 64, 64));
  must(index.try_reserve(index_limits_t(count, 1)), "no room");
  for (size_t i = 0; i != count; ++i) must((bool)index.add(i, &vectors[i * DIMENSIONS]), "a vector can't be added");
  return index;
}

int main(int count, char **arguments) {
  must(count == 5, "usage: hnsw-loop FOLDER search|build f32|i8 VECTORS");
  std::string folder = arguments[1];
  bool is_search = !std::strcmp(arguments[2], "search");
  scalar_kind_t kept = std::strcmp(arguments[3], "i8") ? scalar_kind_t::f32_k : scalar_kind_t::i8_k;
  size_t members = std::strtoul(arguments[4], nullptr, 10), next = 0;
  std::vector<float> vectors = read(folder + "/vectors.f32"), queries = read(folder + "/queries.f32");
  must(vectors.size() >= members * DIMENSIONS, "too few vectors");
  index_dense_t index = build(vectors, members, kept);
  uint64_t least_ns, keys[NEAREST], sum = 0;
  while (std::scanf("%lu", &least_ns) == 1) {
    uint64_t done = 0, begin = now_ns(CLOCK_MONOTONIC), start = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    do {
      if (is_search) {
        must(index.search(&queries[next * DIMENSIONS], NEAREST).dump_to(keys) == NEAREST, "too few are found");
        next = (next + 1) % (queries.size() / DIMENSIONS);
        sum += keys[0];
      } else {
        index = build(vectors, members, kept);
      }
      done++;
    } while (now_ns(CLOCK_MONOTONIC) - begin < least_ns);
    std::printf("%lu %lu\n", done, now_ns(CLOCK_PROCESS_CPUTIME_ID) - start);
    std::fflush(stdout);
  }
  return sum == 1;
}
