// The contents of single columns of a store, such as the copy of its model.
import Foundation
import SQLiteDriver
import StoreFixtures

extension SampleStore {
  /// The store, opened in place, without files next to it.
  func connection() throws -> Connection { try Connection(path: path, access: .immutable) }

  /// The value of a column in the first row; nil for null.
  func blob(_ column: String, of table: String) throws -> [UInt8]? {
    let connection = try connection()
    defer { try? connection.close() }
    let statement = try connection.prepare("SELECT \(column) FROM \(table)")
    return try statement.step() ? statement.bytes(0).map { [UInt8]($0) } : nil
  }

  /// The compressed model of the store.
  func modelCache() throws -> [UInt8] {
    guard let bytes = try blob("Z_CONTENT", of: "Z_MODELCACHE") else { throw CocoaError(.fileReadUnknown) }
    return bytes
  }
}
