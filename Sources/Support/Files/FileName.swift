// Names of files: those that fit, since what is made of ids and of other names may be longer than a file system holds.
internal import SystemPackage

/// Names of files.
package enum FileName {
  /// A name with room for a little more around it, at most 200 bytes: the name itself or, where it is longer, its beginning
  /// and a number that another name does not have.
  package static func fitting(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv).
    let number = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let beginning = name.unicodeScalars.prefix(160).map { $0.isASCII ? Character($0) : "-" }
    return "\(String(beginning))-\(String(number, radix: 16))"
  }
}

/// The part of a path after its last slash.
package func fileName(of path: String) -> String {
  FilePath(path).lastComponent?.string ?? path
}
