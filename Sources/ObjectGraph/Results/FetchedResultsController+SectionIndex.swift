// The index next to a long list: the titles of sections, and the section of a title.

extension FetchedResultsController {
  /// The titles of the index next to a list, in the order of the sections; O(sections).
  ///
  /// Adjacent sections with the same title share an entry; sections without a title have none.
  ///
  /// ```swift
  /// controller.sections.map(\.name)  // ["Elko", "Ely", "Reno"]
  /// controller.sectionIndexTitles    // ["E", "R"]
  /// ```
  public var sectionIndexTitles: [String] { sectionIndex.map(\.title) }

  /// The title of a section in the index: the delegate's, or the first letter of its name in uppercase.
  ///
  /// ```swift
  /// controller.sectionIndexTitle(forSectionName: "elko")  // "E"
  /// ```
  ///
  /// - Returns: The title; `nil` if the section has none, for example because it has no name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    guard let delegate else { return FetchedResultsSectionInfo.indexTitle(forSectionName: name) }
    return delegate.controller(self, sectionIndexTitleForSectionName: name)
  }

  /// The section of an index entry, which is the first one with its title; O(sections).
  ///
  /// ```swift
  /// let section = controller.section(forSectionIndexTitle: "R", at: 1)  // 2, which is Reno
  /// ```
  ///
  /// - Parameters:
  ///   - title: The entry's title.
  ///   - index: Its index in ``sectionIndexTitles``.
  /// - Returns: The index of the section; `nil` if there is no such entry, for example after a change.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int? {
    let entries = sectionIndex
    guard entries.indices.contains(index), entries[index].title == title else { return nil }
    return entries[index].section
  }

  /// The entries of the index, each with its first section.
  private var sectionIndex: [(title: String, section: Int)] {
    managedObjectContext.queue.check()
    var entries: [(title: String, section: Int)] = []
    for (section, name) in (follower?.contents.sections.names ?? []).enumerated() {
      guard let title = sectionIndexTitle(forSectionName: name), title != entries.last?.title else { continue }
      entries.append((title, section))
    }
    return entries
  }
}

extension FetchedResultsSectionInfo {
  /// The section's default title in an index: the first letter of its name in uppercase; `nil` without a name.
  ///
  /// A delegate can change it; ``FetchedResultsController/sectionIndexTitle(forSectionName:)`` returns the actual
  /// title.
  ///
  /// ```swift
  /// let titles = controller.sections.compactMap(\.indexTitle)
  /// ```
  public var indexTitle: String? { FetchedResultsSectionInfo.indexTitle(forSectionName: name) }

  static func indexTitle(forSectionName name: String) -> String? { name.first?.uppercased() }
}
