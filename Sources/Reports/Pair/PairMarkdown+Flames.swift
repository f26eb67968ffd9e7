// Where both sides of a comparison spend their time, and who allocates: differential flame graphs.
internal import Analysis

extension PairMarkdown {
  /// Flame graphs of both sides, folded away: as wide as head's and as wide as base's, of time and of allocations.
  ///
  /// The number is the comparison's among those of its report, from 1 on.
  static func flames(of comparison: PairComparison, number: Int, in document: inout Document) {
    guard let profiles = comparison.profiles else { return }
    let pictures = [
      DifferencePicture(profiles.timeStacks, .time, number: number),
      DifferencePicture(profiles.allocationStacks, .allocations, number: number),
    ].compactMap(\.self)
    if pictures.isEmpty { return }
    document.fold("Flame graphs of both sides") { folded in
      folded.paragraph(
        "Frames of one name under the same callers are one frame. What only one side has stands in the picture that is as wide "
          + "as that side's. Both sides were followed in as many workers, so that more samples are more time. A difference of less "
          + "than three times what chance makes of it is none that is shown.")
      for picture in pictures {
        for width in DifferencePicture.Width.allCases { folded.flames(picture.picture(width)) }
      }
      let files = PairReportWriter.stackFiles(of: comparison, number: number).map { Markdown.code($0.name) }
      folded.paragraph("Folded stacks for other programs: \(HumanUnits.list(files)).")
    }
  }
}
