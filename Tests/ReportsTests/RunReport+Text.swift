// The whole report as text, for tests of the page's contents.
import Analysis
@testable import Reports

extension RunReport {
  /// The page in Markdown.
  static func text(_ results: Report) -> String { full(results).markdown }
}
