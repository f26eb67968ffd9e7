/* Nothing to call: what is linked stands in front of the C library's calls on files. */
