// Programs about conflicts: two contexts change the same values of the same rows, with each policy in turn.
import ObjectGraph

extension ProgramSteps {
  /// Rounds in which two contexts with the same knowledge of a row change and save it one after the other.
  mutating func contention(rounds: Int) -> [ProgramStep] {
    var steps = prologue(fetchesAll: true)
    for _ in 0..<rounds { steps += round() }
    return steps
  }

  private mutating func round() -> [ProgramStep] {
    let indices = Array(contexts.kinds.indices)
    let here = random.pick(indices)
    let there = random.pick(indices.filter { $0 != here })
    let (row, group) = (number(), number())
    var steps = indices.map { ProgramStep(context: $0, action: .merge) }
    // The cause of a refused save does not stay forever.
    if random.chance(2) { steps += indices.map { ProgramStep(context: $0, action: .rollback) } }
    let isEarly = random.chance(2)
    let isDeletion = random.chance(5)
    let own =
      isDeletion ? [ProgramStep(context: here, action: .contendDelete(row: row))] : changes(here, row: row)
    if isEarly { steps += own }
    steps += changes(there, row: row)
    if random.chance(2) { steps.append(ProgramStep(context: there, action: .contendLink(row: row, to: group))) }
    steps += saves(there, under: random.pick(MergePolicy.MergeType.allCases))
    // A child's conflict is with what its parent has read from the store.
    for parent in contexts.line(from: here).dropFirst() { steps.append(ProgramStep(context: parent, action: .merge)) }
    if !isEarly { steps += own }
    return steps + saves(here, under: random.pick(MergePolicy.MergeType.allCases))
  }

  /// Sets some of a row's values.
  private mutating func changes(_ context: Int, row: UInt32) -> [ProgramStep] {
    var steps: [ProgramStep] = []
    for key in ["value", "note"] where !random.chance(3) {
      steps.append(ProgramStep(context: context, action: .contend(row: row, key: key, value())))
    }
    if random.chance(3) {
      steps.append(ProgramStep(context: context, action: .contendLink(row: row, to: number())))
    }
    return steps
  }

  /// Saves a context's changes up to the store.
  private mutating func saves(_ context: Int, under type: MergePolicy.MergeType) -> [ProgramStep] {
    let line = contexts.line(from: context)
    return line.map { ProgramStep(context: $0, action: .policy(type)) }
      + line.map { ProgramStep(context: $0, action: .save(isThorough: random.chance(3))) }
  }
}
