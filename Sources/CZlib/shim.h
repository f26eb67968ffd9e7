/* zlib's interface, with inline wrappers for what Swift cannot call. */
#include <zlib.h>

/* inflateInit2 is a macro that adds zlib's version and the size of the stream. */
static inline int zlib_shim_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
