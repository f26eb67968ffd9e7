/* Nothing to call: preloaded, the library attaches the meter itself. See interpose.c. */
#ifndef STORE_METER_PRELOAD_H
#define STORE_METER_PRELOAD_H
#endif
