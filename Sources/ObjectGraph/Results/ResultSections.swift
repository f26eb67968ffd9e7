// The sections of a result: runs of objects with the same name.
internal import CoreDataModel

/// The names of sections and where they start.
struct ResultSections: Sendable {
  private(set) var names: [String]
  /// The rank of each section's first object, followed by the number of all objects.
  private(set) var starts: [Int]

  /// Creates one section without a name, which exists even if it is empty.
  init(count: Int) {
    names = [""]
    starts = [0, count]
  }

  /// No sections, as before the first fetch.
  static let none = ResultSections(names: [], starts: [0])

  private init(names: [String], starts: [Int]) {
    self.names = names
    self.starts = starts
  }

  var count: Int { names.count }

  func size(_ section: Int) -> Int { starts[section + 1] - starts[section] }

  /// The section of the object at a rank; O(log sections).
  func section(ofRank rank: Int) -> Int {
    var (low, high) = (0, names.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= rank { low = middle } else { high = middle }
    }
    return low
  }

  func path(ofRank rank: Int) -> FetchedIndexPath {
    let section = section(ofRank: rank)
    return FetchedIndexPath(section: section, item: rank - starts[section])
  }

  /// The sections as they are reported.
  var infos: [FetchedResultsSectionInfo] {
    (0..<count).map { FetchedResultsSectionInfo(name: names[$0], numberOfObjects: size($0), offset: starts[$0]) }
  }

  /// `nil` if there is no such section or object.
  func rank(of path: FetchedIndexPath) -> Int? {
    guard names.indices.contains(path.section), path.item >= 0, path.item < size(path.section) else { return nil }
    return starts[path.section] + path.item
  }

  /// The sections after objects were removed and inserted.
  ///
  /// O(sections + inserted objects).
  ///
  /// - Parameters:
  ///   - ranks: The ranks of the removed objects, ascending.
  ///   - insertions: The ranks of the inserted objects in the new list, and the names of their sections, ascending.
  /// - Returns: The sections of the new list.
  /// - Throws: ``SectionsOutOfOrder``.
  func changed(
    removing ranks: [Int], inserting insertions: [(rank: Int, name: String)]
  ) throws(SectionsOutOfOrder) -> ResultSections {
    var sizes = names.indices.map(size)
    var section = 0
    for rank in ranks {
      while starts[section + 1] <= rank { section += 1 }
      sizes[section] -= 1
    }
    var runs = SectionRuns()
    section = 0
    for insertion in insertions {
      // Take the objects before it from the old sections.
      while runs.count < insertion.rank, section < sizes.count {
        let taken = min(sizes[section], insertion.rank - runs.count)
        runs.append(names[section], taken)
        sizes[section] -= taken
        if sizes[section] == 0 { section += 1 }
      }
      runs.append(insertion.name, 1)
    }
    while section < sizes.count {
      runs.append(names[section], sizes[section])
      section += 1
    }
    return try runs.sections(isChecked: !runs.names.areSections(names))
  }

  /// The sections of a list of names, one for each object.
  ///
  /// - Throws: ``SectionsOutOfOrder``.
  static func of(_ names: some Sequence<String>) throws(SectionsOutOfOrder) -> ResultSections {
    var runs = SectionRuns()
    for name in names { runs.append(name, 1) }
    return try runs.sections(isChecked: true)
  }

  /// Sections while they are being built.
  private struct SectionRuns {
    private(set) var names: [String] = []
    private var starts: [Int] = []
    private(set) var count = 0

    mutating func append(_ name: String, _ size: Int) {
      if size == 0 { return }
      if names.last.map(SectionName.init) != SectionName(name) {
        names.append(name)
        starts.append(count)
      }
      count += size
    }

    func sections(isChecked: Bool) throws(SectionsOutOfOrder) -> ResultSections {
      if isChecked {
        var known: Set<SectionName> = []
        for name in names where !known.insert(SectionName(name)).inserted { throw SectionsOutOfOrder(name: name) }
      }
      return ResultSections(names: names, starts: starts + [count])
    }
  }
}

/// A section's name, compared by its code points, as stores compare and order texts.
struct SectionName: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (one: SectionName, other: SectionName) -> Bool {
    AttributeValue.string(one.text).isStored(as: .string(other.text))
  }
}

extension [String] {
  /// Whether these names describe the same sections as the others.
  func areSections(_ others: [String]) -> Bool { map(SectionName.init) == others.map(SectionName.init) }
}

/// The objects of a section are not together in the order.
struct SectionsOutOfOrder: Error {
  let name: String

  /// The error to report to the user of a controller.
  func error(entity: String, keyPath: String?) -> ObjectGraphError {
    .invalidFetch(
      entity: entity, found: "objects of the section '\(name)' at two places of the order",
      expected: "sortDescriptors that keep the objects of one '\(keyPath ?? "")' together")
  }
}

/// The objects of a result in their order and sections.
struct ResultContents {
  var keys = BlockedList<ResultKey>()
  var sections = ResultSections(count: 0)

  func path(ofRank rank: Int) -> FetchedIndexPath { sections.path(ofRank: rank) }
}
