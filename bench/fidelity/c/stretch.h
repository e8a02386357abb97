/* One timed stretch of ops, as a C program of its own would time it: from one op boundary to another. */
#ifndef FIDELITY_STRETCH_H
#define FIDELITY_STRETCH_H

#include <stdint.h>

/* Performs one op; 0 when it went well, else an error was told on stderr. */
typedef int (*op_function)(void *state);

/* Performs ops untimed for at least warm_up_ns, then timed for at least sample_ns, at least 3 of each,
 * and prints the library's name and version, the count and the time, a line each. Gives the exit status. */
int time_stretch(const char *library, op_function op, void *state, uint64_t warm_up_ns, uint64_t sample_ns);

/* Brings the system's allocator into the state that it has in a process that has lived a while. glibc's gives
 * freed memory back to the kernel above a threshold that grows with the largest block that was ever freed; in
 * a young process that is little, and a compressor's state of some 330 KB goes back after each page and is
 * faulted in again for the next one. A process that once freed a few hundred KB keeps it. */
void live_in_allocator(void);

/* A whole number of decimal digits; ends the program when the text is another. */
uint64_t number(const char *what, const char *text);

/* A whole file and its length; ends the program when it can't be read. */
unsigned char *whole_file(const char *path, long *bytes);

#endif
