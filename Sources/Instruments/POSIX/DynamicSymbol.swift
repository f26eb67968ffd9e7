// Functions that are found by name at run time: the preloaded allocation meter's, and those without a Swift import.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Looks up symbols in the order in which the process's libraries were loaded.
enum DynamicSymbol {
  /// The address that `name` has for every library of the process (`RTLD_DEFAULT`); nil when there is none.
  static func address(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      dlsym(nil, name)
    #else
      // Darwin's RTLD_DEFAULT, a macro that Swift cannot import.
      dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #endif
  }
}
