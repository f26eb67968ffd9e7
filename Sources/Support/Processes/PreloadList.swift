// The libraries that the system's loader loads before all others in a new process.

/// The environment variable that names these libraries, and which paths it can hold.
package enum PreloadList {
  /// Its name.
  package static var variable: String {
    #if os(Linux)
      "LD_PRELOAD"
    #else
      "DYLD_INSERT_LIBRARIES"
    #endif
  }

  /// Its value for these libraries; the first one has precedence.
  package static func text(_ paths: [String]) -> String { paths.joined(separator: ":") }

  /// The variables that make another program load libraries of this package before its own preloaded ones.
  ///
  /// SwiftPM links every library with Swift's runtime, even one in C, and no package setting prevents it. In the program,
  /// the runtime would catch the signals of a crash, so that the program prints a backtrace or survives. A variable turns
  /// that off, unless the program's environment sets it.
  package static func variables(preloading paths: [String], in environment: [String: String]) -> [String: String] {
    let others = [environment[variable]].compactMap(\.self).filter { !$0.isEmpty }
    return [variable: text(paths + others), "SWIFT_BACKTRACE": environment["SWIFT_BACKTRACE"] ?? "enable=no"]
  }

  /// Whether the variable can name the path.
  ///
  /// Spaces and colons separate its items and cannot be quoted (ld.so(8)).
  package static func takes(_ path: String) -> Bool { !path.contains { $0 == " " || $0 == ":" } }
}
