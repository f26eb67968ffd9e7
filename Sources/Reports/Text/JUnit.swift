// Test results as JUnit XML for CI systems.

/// A file of test results.
struct JUnit {
  /// A test case.
  struct Case {
    /// The result of the case.
    enum Ending {
      case passed
      case failed(String, String)
      case skipped(String)
    }

    let name: String
    /// The time in seconds; `nil` if the case is not about a time.
    var seconds: Double?
    let ending: Ending

    fileprivate var hasFailed: Bool { if case .failed = ending { true } else { false } }
    fileprivate var isSkipped: Bool { if case .skipped = ending { true } else { false } }

    fileprivate func xml(of suite: String) -> String {
      let time = seconds.map { " time=\"\(Digits.fixed($0, decimals: 6))\"" } ?? ""
      let start = "    <testcase classname=\"\(suite)\" name=\"\(XML.escaped(name))\"\(time)"
      let inner: String
      switch ending {
      case .passed: return start + "/>\n"
      case .failed(let word, let message):
        inner = "<failure type=\"\(XML.escaped(word))\" message=\"\(XML.escaped(message))\"/>"
      case .skipped(let message): inner = "<skipped message=\"\(XML.escaped(message))\"/>"
      }
      return start + ">\n      \(inner)\n    </testcase>\n"
    }
  }

  let name: String
  /// Whether the numbers of skipped cases and of errors are shown.
  let countsSkipped: Bool
  let suites: [(name: String, cases: [Case])]

  var xml: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"\(name)\" \(tally(suites.flatMap(\.cases)))>\n"
      + suites.map(xml(of:)).joined() + "</testsuites>\n"
  }

  private func xml(of suite: (name: String, cases: [Case])) -> String {
    let name = XML.escaped(suite.name)
    return "  <testsuite name=\"\(name)\" \(tally(suite.cases))>\n" + suite.cases.map { $0.xml(of: name) }.joined()
      + "  </testsuite>\n"
  }

  private func tally(_ cases: [Case]) -> String {
    "tests=\"\(cases.count)\" failures=\"\(cases.count(where: \.hasFailed))\""
      + (countsSkipped ? " errors=\"0\" skipped=\"\(cases.count(where: \.isSkipped))\"" : "")
  }
}
