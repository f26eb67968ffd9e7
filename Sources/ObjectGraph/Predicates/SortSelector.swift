// How a sort descriptor compares text, by the names that Core Data has for it.
internal import CoreDataModel

/// How the texts of a sort descriptor are compared, as its selector says in Core Data.
///
/// The localized ones order text as people look for it, by the same rules on every machine and in every locale: letters
/// decide before diacritics, and these before case, the small letter first.
///
/// An index cannot help any of them but ``compare``: SQLite makes a key for every row and sorts the rows. For long lists
/// store a folded or padded copy of the text, with an index, and sort by that.
///
/// ```swift
/// var request = FetchRequest<Region>(entityName: "Region")
/// request.sortDescriptors = [FetchSortDescriptor("name", selector: .localizedStandardCompare)]
/// ```
public enum SortSelector: String, Sendable, Hashable, CaseIterable {
  /// By code points, after the descriptor's options.
  case compare = "compare:"
  /// By code points without case.
  case caseInsensitiveCompare = "caseInsensitiveCompare:"
  /// `cote`, `Cote`, `coté`, `côte`.
  case localizedCompare = "localizedCompare:"
  /// As ``localizedCompare``, and texts that differ in case alone are equal.
  case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
  /// As ``localizedCompare`` with numbers by value, as file managers show names: `Quake 9` before `Quake 10`.
  case localizedStandardCompare = "localizedStandardCompare:"

  /// Nil where code points decide.
  var order: TextOrder? {
    switch self {
    case .compare, .caseInsensitiveCompare: nil
    case .localizedCompare: .full
    case .localizedCaseInsensitiveCompare: .caseInsensitive
    case .localizedStandardCompare: .natural
    }
  }
}
