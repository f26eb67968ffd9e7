/* There is nothing to call: when it is linked, it intercepts the C library's calls for files. */
