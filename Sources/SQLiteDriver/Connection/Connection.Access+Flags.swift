// The flags, file name and VFS for opening a file with each kind of access.
internal import CSQLite

extension Connection.Access {
  var flags: Int32 {
    switch self {
    case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: SQLITE_OPEN_READWRITE
    case .readOnly, .unnoticed: SQLITE_OPEN_READONLY
    case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
  }

  /// The VFS; `nil` for the default one.
  ///
  /// On every Unix, SQLite has a VFS that takes no locks (https://www.sqlite.org/vfs.html).
  var vfsName: String? { self == .unnoticed ? "unix-none" : nil }

  /// The name to open: the path itself, or a URI with the immutable flag.
  func fileName(for path: String) -> String {
    switch self {
    case .immutable:
      // An absolute path needs an empty authority; otherwise two leading slashes would be read as a host.
      (path.hasPrefix("/") ? "file://" : "file:") + percentEncoded(path) + "?mode=ro&immutable=1"
    case .readWriteCreate, .readWrite, .readOnly, .unnoticed:
      // Some builds of SQLite treat every name that looks like a URI as one.
      path.hasPrefix("file:") ? "./" + path : path
    }
  }

  private func percentEncoded(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
