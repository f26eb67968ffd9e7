// What a sweep made of a scenario, as its cells have it.
internal import Harness
package import Scenarios

extension ScenarioResults {
  /// What a sweep made of source, store and scenario; empty where it left them alone.
  package var sweptConditions: [SweptValues] { cells.map(\.cell).sweptConditions }

  /// The values that a sweep gave a key, in the order of the cells; nil for one that was not swept.
  package func sweptValues(of key: String) -> [ParameterValue]? { sweptConditions.first { $0.key == key }?.values }
}
