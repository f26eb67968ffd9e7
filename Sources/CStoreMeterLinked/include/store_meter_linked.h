/* The SQLite library that the process links, for SQLite's meter. */
#ifndef STORE_METER_LINKED_H
#define STORE_METER_LINKED_H

#include "store_meter.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// The library's functions, and how it is metered: with one VFS under its own name, and counters in private memory of the process.
const struct store_meter_library *store_meter_linked_library(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
