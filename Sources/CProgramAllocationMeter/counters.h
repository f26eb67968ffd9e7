/* The functions to which the allocation functions report. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Counts a call from the address `caller` that allocated `size` bytes and freed `given_back` bytes in exchange. */
void count_allocation(size_t size, size_t given_back, const void *caller);
/* Counts bytes as freed. Call it before freeing them. */
void count_release(size_t size);

#pragma GCC visibility pop

#endif
