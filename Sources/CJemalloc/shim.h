/* jemalloc's interface: its statistics, and the calls under the allocation meter. */
#include <jemalloc/jemalloc.h>
