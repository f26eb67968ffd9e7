// What an observing context shows on its screen: a scenario's key `list`.

/// The list that an observing context keeps in step with the store, for cells that have one.
///
/// ```swift
/// let list = ListDescription(order: "time", isAscending: false, section: "place")
/// ```
public struct ListDescription: Sendable, Hashable {
  /// The attribute that its rows are ordered by.
  public let order: String
  public let isAscending: Bool
  /// The attribute whose values are its sections, which are ordered by it; nil without sections.
  public let section: String?
  /// Which rows it has in cells that show only those; nil without such cells.
  public let condition: RowCondition?

  /// A list of all rows, or in some cells of those that match.
  public init(order: String, isAscending: Bool = true, section: String? = nil, condition: RowCondition? = nil) {
    self.order = order
    self.isAscending = isAscending
    self.section = section
    self.condition = condition
  }

  /// What the rows of the list are ordered by, with or without sections.
  public func sortKeys(withSections: Bool) -> [ObservedContents.SortKey] {
    let key = ObservedContents.SortKey(order, ascending: isAscending)
    return withSections ? (section.map { [ObservedContents.SortKey($0)] } ?? []) + [key] : [key]
  }
}
