// What the harness costs, in a sentence for the paragraph that opens a report; its section has the tables.
internal import Analysis
internal import Harness
internal import Scenarios

extension HarnessCost: Conclusion {
  var title: String { "What the harness costs" }

  var leading: Int { sentences.count }

  var sentences: [String] {
    remainders.compactMap { remainder in
      remainder.whole.map { share in
        "**What stays in the timing pass is \(HumanUnits.share(share)) of \(Markdown.code(remainder.plain.label))**: "
          + "\(MarkdownReport.judgement(of: share))."
      }
    }
  }
}
