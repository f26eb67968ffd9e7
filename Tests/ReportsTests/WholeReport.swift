// The whole report as text, where tests ask what the page says.
import Analysis
@testable import Reports

extension RunReport {
  /// The page in Markdown.
  static func text(_ results: Report) -> String { full(results).markdown }
}
