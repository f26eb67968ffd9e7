// Finds functions by name at run time: those of the preloaded allocation meter, and those that Swift does not import.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Looks up symbols in the order in which the process's libraries were loaded.
enum DynamicSymbol {
  /// The address that `name` has for every library of the process (`RTLD_DEFAULT`); `nil` if there is none.
  static func address(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      dlsym(nil, name)
    #else
      // Darwin's RTLD_DEFAULT, a macro that Swift cannot import.
      dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #endif
  }
}
