// The index beside a long list: the titles of sections, and the section of a title.

extension FetchedResultsController {
  /// The titles of the index beside a list, in the order of the sections; O(sections).
  ///
  /// Sections that follow each other and have one title are one entry, and sections without a title have none.
  ///
  /// ```swift
  /// controller.sections.map(\.name)  // ["Elko", "Ely", "Reno"]
  /// controller.sectionIndexTitles    // ["E", "R"]
  /// ```
  public var sectionIndexTitles: [String] { sectionIndex.map(\.title) }

  /// The title of a section in the index: what the delegate says, else the first letter of its name, in upper case.
  ///
  /// ```swift
  /// controller.sectionIndexTitle(forSectionName: "elko")  // "E"
  /// ```
  ///
  /// - Returns: The title; nil for a section that has none, such as one without a name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    guard let delegate else { return FetchedResultsSectionInfo.indexTitle(forSectionName: name) }
    return delegate.controller(self, sectionIndexTitleForSectionName: name)
  }

  /// The section of an entry of the index: the first one with its title; O(sections).
  ///
  /// ```swift
  /// let section = controller.section(forSectionIndexTitle: "R", at: 1)  // 2, which is Reno
  /// ```
  ///
  /// - Parameters:
  ///   - title: The entry's title.
  ///   - index: Its place in ``sectionIndexTitles``.
  /// - Returns: The place of the section; nil where the index has no such entry, as after a change.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int? {
    let entries = sectionIndex
    guard entries.indices.contains(index), entries[index].title == title else { return nil }
    return entries[index].section
  }

  /// The entries of the index, and the section where each begins.
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
  /// The section's title in an index beside the list: the first letter of its name, in upper case; nil without a name.
  ///
  /// ``FetchedResultsController/sectionIndexTitle(forSectionName:)`` has what a delegate makes of it.
  ///
  /// ```swift
  /// let titles = controller.sections.compactMap(\.indexTitle)
  /// ```
  public var indexTitle: String? { FetchedResultsSectionInfo.indexTitle(forSectionName: name) }

  static func indexTitle(forSectionName name: String) -> String? { name.first?.uppercased() }
}
