// What the budgets of a run came to, for commands that end in whole results.
internal import Analysis
internal import Harness

enum BudgetVerdicts {
  /// Prints how many are broken or open; the table and the report list them.
  ///
  /// - Returns: What they mean for the command.
  static func tell(of results: Report) -> CommandStatus {
    let judgements = results.scenarios.flatMap { results.judgements(of: $0) }
    guard !judgements.isEmpty else { return .success }
    if results.run.isQuick { Console.complain(BudgetCheck.quickRule) }
    let broken = judgements.count { $0.verdict == .broken }
    if broken > 0 { Console.complain("budgets broken: \(broken) of \(judgements.count)") }
    let undecided = judgements.count { $0.verdict == .undecided }
    if undecided > 0 { Console.complain("budgets that could not be judged: \(undecided) of \(judgements.count)") }
    return judgements.status
  }
}
