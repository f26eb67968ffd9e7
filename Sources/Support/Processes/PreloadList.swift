// The list of libraries that the system's loader loads before all others in a new process.

/// The environment variable that names these libraries, and the paths that it can hold.
package enum PreloadList {
  /// Its name.
  package static var variable: String {
    #if os(Linux)
      "LD_PRELOAD"
    #else
      "DYLD_INSERT_LIBRARIES"
    #endif
  }

  /// Its value for these libraries.
  ///
  /// The first library has precedence.
  package static func text(_ paths: [String]) -> String { paths.joined(separator: ":") }

  /// Whether it can name the path.
  ///
  /// Spaces and colons separate its items and cannot be quoted (ld.so(8)).
  package static func takes(_ path: String) -> Bool { !path.contains { $0 == " " || $0 == ":" } }
}
