// Names of files: those that fit, since what is made of ids and of other names may be longer than a file system holds.

/// Names of files.
package enum FileName {
  /// A name with room for a little more around it, at most 200 bytes: the name itself or, where it is longer, its beginning
  /// and a number that another name does not have.
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
