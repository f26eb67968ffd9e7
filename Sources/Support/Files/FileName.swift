// Shortens file names that are made of IDs and other names, so that file systems accept them.

/// Names of files.
package enum FileName {
  /// A name of at most 200 bytes, which leaves room for a suffix: the name itself, or its beginning and a hash of the
  /// whole if it is longer.
  package static func fitting(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var hash = FNV1a()
    hash.combine(name)
    let beginning = name.unicodeScalars.prefix(160).map { $0.isASCII ? Character($0) : "-" }
    return "\(String(beginning))-\(String(hash.value, radix: 16))"
  }

  /// The part of a path after its last slash.
  package static func last(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
