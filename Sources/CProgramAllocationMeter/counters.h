/* What the allocation functions report to. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Counts a call from an address that handed out `size` bytes and took `given_back` bytes in exchange. */
void count_allocation(size_t size, size_t given_back, const void *caller);
/* Counts bytes as given back; called before they are. */
void count_release(size_t size);

#pragma GCC visibility pop

#endif
