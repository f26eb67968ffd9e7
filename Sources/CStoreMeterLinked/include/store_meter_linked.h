/* The SQLite library that the process is linked to, for the meter of SQLite. */
#ifndef STORE_METER_LINKED_H
#define STORE_METER_LINKED_H

#include "store_meter.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// Its functions, and how it is metered: by one VFS of a name of its own, with counters in memory of the process alone.
const struct store_meter_library *store_meter_linked_library(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
