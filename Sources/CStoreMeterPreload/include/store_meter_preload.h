/* This library has nothing to call. When it is preloaded, it attaches the meter itself: see interpose.c. */
#ifndef STORE_METER_PRELOAD_H
#define STORE_METER_PRELOAD_H
#endif
