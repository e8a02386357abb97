/* Faults of a disk and a clock, for a program that loads this before its C library. Writes to a file whose path ends in
   FAULT_FILE fail with FAULT_ERRNO after FAULT_AFTER bytes, syncs of it with FAULT_SYNC_ERRNO; the clock of the world is
   FAULT_CLOCK_S seconds ahead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long number(const char *name) {
  const char *text = getenv(name);
  return text ? atoll(text) : 0;
}

static int is_faulty(int fd) {
  const char *end = getenv("FAULT_FILE");
  char link[64], path[4096];
  if (!end) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t tail = strlen(end);
  return (size_t)length >= tail && strcmp(path + length - tail, end) == 0;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  static long long written;
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (!number("FAULT_ERRNO") || !is_faulty(fd)) return real(fd, bytes, count);
  long long room = number("FAULT_AFTER") - written;
  if (room <= 0) {
    errno = (int)number("FAULT_ERRNO");
    return -1;
  }
  ssize_t done = real(fd, bytes, (long long)count < room ? count : (size_t)room);
  if (done > 0) written += done;
  return done;
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (!number("FAULT_SYNC_ERRNO") || !is_faulty(fd)) return real(fd);
  errno = (int)number("FAULT_SYNC_ERRNO");
  return -1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int status = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += number("FAULT_CLOCK_S");
  return status;
}
