// Rows of the source, bound to the parameters of a statement.
internal import ObjectGraph
public import SQLiteDriver

/// Binds rows of the source, null values replaced by the attributes' defaults.
///
/// Text and bytes are not copied: the rows must outlive the step.
///
/// ```swift
/// let values = RowBinding(rows)
/// for row in 0..<rows.count {
///   try insert.bind(Int64(row) + 1, at: 1)  // the key
///   try values.bind(row, to: insert, from: 2)
///   try insert.run()
/// }
/// ```
public struct RowBinding {
  private let fields: [BoundColumn]

  /// A binding of the rows' columns.
  public init(_ rows: ColumnarRows) { fields = zip(rows.attributes, rows.columns).map { BoundColumn($1, $0) } }

  /// The parameters of a row, one for each attribute.
  public var count: Int { fields.count }

  /// Binds a row's values, in the order of the entity's attributes.
  ///
  /// - Parameters:
  ///   - row: The row's number, from 0.
  ///   - statement: Has ``count`` parameters from `first` on.
  ///   - first: The number of the first parameter; SQLite counts from 1.
  /// - Throws: What SQLite has against the values.
  @inline(__always)
  public func bind(_ row: Int, to statement: Statement, from first: Int) throws(SQLiteError) {
    for index in fields.indices { try fields[index].bind(row, to: statement, at: first + index) }
  }
}
