// The list of libraries that the system's loader puts before all others in a process that is started.

/// The variable of the environment that names these libraries, and what it can hold.
package enum PreloadList {
  /// Its name.
  package static var variable: String {
    #if os(Linux)
      "LD_PRELOAD"
    #else
      "DYLD_INSERT_LIBRARIES"
    #endif
  }

  /// Its value for these libraries, the first of which is asked first.
  package static func text(_ paths: [String]) -> String { paths.joined(separator: ":") }

  /// Whether it can name the path: nothing quotes what separates its items, a space or a colon (ld.so(8)).
  package static func takes(_ path: String) -> Bool { !path.contains { $0 == " " || $0 == ":" } }
}
