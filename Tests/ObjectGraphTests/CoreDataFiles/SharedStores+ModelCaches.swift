// What a shared store keeps in single columns, such as the model of itself.
import Foundation
import SQLiteDriver

extension SharedStores {
  /// The store opened as it lies there, without files beside it.
  static func connection(_ name: String) throws -> Connection {
    try Connection(path: directory.appending(path: name).path, access: .immutable)
  }

  /// The first row's value of a column; nil for a null.
  static func blob(_ column: String, of table: String, in name: String) throws -> [UInt8]? {
    let connection = try connection(name)
    defer { try? connection.close() }
    let statement = try connection.prepare("SELECT \(column) FROM \(table)")
    return try statement.step() ? statement.bytes(0).map { [UInt8]($0) } : nil
  }

  /// The compressed model of a store.
  static func modelCache(_ name: String) throws -> [UInt8] {
    guard let bytes = try blob("Z_CONTENT", of: "Z_MODELCACHE", in: name) else { throw CocoaError(.fileReadUnknown) }
    return bytes
  }
}
