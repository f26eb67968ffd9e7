// Figures that only one side of a comparison has: the comparison either names them or stops.
internal import Harness
package import BatchmarkEngine
internal import Instruments

/// The judged figures of one phase that only one of two sides has.
package struct FigureGaps {
  /// What base has and head has not.
  package let lost: [MetricID]
  /// What head has and base has not.
  package let gained: [MetricID]

  package init(base: Set<MetricID>, head: Set<MetricID>) {
    func inOrder(_ metrics: Set<MetricID>) -> [MetricID] {
      metrics.filter(\.isJudged).sorted { $0.rawValue < $1.rawValue }
    }
    lost = inOrder(base.subtracting(head))
    gained = inOrder(head.subtracting(base))
  }
}
