// What a store keeps in single columns, such as the model of itself.
import Foundation
import SQLiteDriver
import StoreFixtures

extension SampleStore {
  /// The store opened as it lies there, without files beside it.
  func connection() throws -> Connection { try Connection(path: path, access: .immutable) }

  /// The first row's value of a column; nil for a null.
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
