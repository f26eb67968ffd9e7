// The list on the screen of an observing context: a scenario's key `list`.

/// The list that an observing context keeps up to date with the store, for cells with a list.
///
/// ```swift
/// let list = ListDescription(order: "time", isAscending: false, section: "place")
/// ```
public struct ListDescription: Sendable, Hashable {
  /// The attribute that orders its rows.
  public let order: String
  public let isAscending: Bool
  /// The attribute that divides the rows into sections, in the order of its values; `nil` without sections.
  public let section: String?
  /// The rows of the list in cells that show only a part; `nil` without such cells.
  public let condition: RowCondition?

  /// A list of all rows, or in some cells only of the matching ones.
  public init(order: String, isAscending: Bool = true, section: String? = nil, condition: RowCondition? = nil) {
    self.order = order
    self.isAscending = isAscending
    self.section = section
    self.condition = condition
  }

  /// The sort keys of the list, with or without sections.
  public func sortKeys(withSections: Bool) -> [ObservedContents.SortKey] {
    let key = ObservedContents.SortKey(order, ascending: isAscending)
    return withSections ? (section.map { [ObservedContents.SortKey($0)] } ?? []) + [key] : [key]
  }
}
