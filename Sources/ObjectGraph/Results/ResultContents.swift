// A result's objects in their order, with their sections.
internal import CoreDataModel

/// Who is in a result, in which order and which sections.
struct ResultContents {
  var keys = BlockedList<ResultKey>()
  var sections = ResultSections(count: 0)

  func path(ofRank rank: Int) -> FetchedIndexPath { sections.path(ofRank: rank) }
}
