// Kinds of findings in results.json: a word, and the values that belong to the kind.
internal import BatchmarkEngine
internal import Instruments
internal import Harness

extension Finding {
  private enum CodingKeys: String, CodingKey { case kind, details, cells, estimates, certainty, group }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let word = try container.decode(String.self, forKey: .kind)
    let details = try container.decodeIfPresent(FindingDetails.self, forKey: .details) ?? FindingDetails()
    cells = try container.decode([CellID].self, forKey: .cells)
    estimates = try container.decode([Estimate].self, forKey: .estimates)
    certainty = try container.decode(Certainty.self, forKey: .certainty)
    group = try container.decodeIfPresent(Int.self, forKey: .group)
    guard let kind = FindingKind(word, details) else {
      throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "no finding is '\(word)'")
    }
    self.kind = kind
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let (word, details) = kind.coded
    try container.encode(word, forKey: .kind)
    if let details { try container.encode(details, forKey: .details) }
    try container.encode(cells, forKey: .cells)
    try container.encode(estimates, forKey: .estimates)
    try container.encode(certainty, forKey: .certainty)
    try container.encodeIfPresent(group, forKey: .group)
  }
}

/// The details of a kind.
///
/// Each kind uses different ones.
private struct FindingDetails: Codable {
  var rounds: Int?
  var difference: WorkDifference?
  /// The word for the result: how time grows, which knee, what a parameter does.
  var verdict: String?
  var after: Double?
  var before: Double?
  var parameter: String?
  var value: String?
  var phase: Phase?
  /// A metric's column.
  var figure: String?
  var proportion: [Double]?
  var order: PartialOrder?
}

extension FindingKind {
  fileprivate var coded: (word: String, details: FindingDetails?) {
    switch self {
    case .fastest: ("fastest", nil)
    case .fastestOfObjectGraph: ("fastest_of_object_graph", nil)
    case .slowest: ("slowest", nil)
    case .tied: ("tied", nil)
    case .order(let order): ("order", FindingDetails(order: order))
    case .unranked(let rounds): ("unranked", FindingDetails(rounds: rounds))
    case .onlyCell: ("only_cell", nil)
    case .timeless: ("timeless", nil)
    case .unequalWork(let difference): ("unequal_work", FindingDetails(difference: difference))
    case .leanest: ("leanest", nil)
    case .objectByObjectAgainstBatch: ("object_by_object_against_batch", nil)
    case .timesReference: ("times_reference", nil)
    case .exponent(let verdict): ("exponent", FindingDetails(verdict: verdict.rawValue))
    case .breakInGrowth(let after, let before):
      ("break_in_growth", FindingDetails(after: after, before: before))
    case .heapPerRow: ("heap_per_row", nil)
    case .heapIndependentOfRows: ("heap_independent_of_rows", nil)
    case .knee(let parameter, let knee):
      ("knee", FindingDetails(verdict: knee.rawValue, parameter: parameter))
    case .noKnee(let parameter, let rounds):
      ("no_knee", FindingDetails(rounds: rounds, parameter: parameter))
    case .crossover: ("crossover", nil)
    case .noCrossover(let order): ("no_crossover", FindingDetails(verdict: order.rawValue))
    case .price(let parameter, let value, let effect):
      ("price", FindingDetails(verdict: effect.rawValue, parameter: parameter, value: value))
    case .priceInBytes(let parameter, let value, let figure):
      ("price_in_bytes", FindingDetails(parameter: parameter, value: value, figure: figure.rawValue))
    case .share(let phase): ("share", FindingDetails(phase: phase))
    case .bytesPerRow(let metric): ("bytes_per_row", FindingDetails(figure: metric.rawValue))
    case .appleClaim(let proportion, let verdict):
      ("apple_claim", FindingDetails(verdict: verdict.rawValue, proportion: proportion))
    case .harnessCost: ("harness_cost", nil)
    case .instrumentCost(let effect): ("instrument_cost", FindingDetails(verdict: effect.rawValue))
    }
  }

  /// `nil` for an unknown word, or if required details are missing.
  fileprivate init?(_ word: String, _ details: FindingDetails) {
    if let plain = FindingKind.plain[word] {
      self = plain
      return
    }
    func verdict<Verdict: RawRepresentable<String>>() -> Verdict? { details.verdict.flatMap(Verdict.init(rawValue:)) }
    let found: FindingKind? =
      switch word {
      case "order": details.order.map { .order($0) }
      case "unranked": details.rounds.map { .unranked(rounds: $0) }
      case "unequal_work": details.difference.map { .unequalWork($0) }
      case "exponent": verdict().map { .exponent($0) }
      case "break_in_growth":
        details.after.flatMap { after in details.before.map { .breakInGrowth(after: after, before: $0) } }
      case "knee": details.parameter.flatMap { parameter in verdict().map { .knee(parameter: parameter, $0) } }
      case "no_knee":
        details.parameter.flatMap { parameter in details.rounds.map { .noKnee(parameter: parameter, rounds: $0) } }
      case "no_crossover": verdict().map { .noCrossover($0) }
      case "price", "price_in_bytes": FindingKind.price(details)
      case "share": details.phase.map { .share(of: $0) }
      case "bytes_per_row": details.figure.flatMap { MetricID(rawValue: $0) }.map { .bytesPerRow($0) }
      case "apple_claim":
        details.proportion.flatMap { proportion in verdict().map { .appleClaim(proportion: proportion, $0) } }
      case "instrument_cost": verdict().map { .instrumentCost($0) }
      default: nil
      }
    guard let found else { return nil }
    self = found
  }

  private static func price(_ details: FindingDetails) -> FindingKind? {
    guard let parameter = details.parameter, let value = details.value else { return nil }
    if let figure = details.figure.flatMap(SizeFigure.init) {
      return .priceInBytes(parameter: parameter, value: value, figure)
    }
    return details.verdict.flatMap(Effect.init).map { .price(parameter: parameter, value: value, $0) }
  }

  /// The kinds without any details.
  private static let plain: [String: FindingKind] = {
    let kinds: [FindingKind] = [
      .fastest, .fastestOfObjectGraph, .slowest, .tied, .onlyCell, .timeless, .leanest, .objectByObjectAgainstBatch,
      .timesReference,
      .heapPerRow, .heapIndependentOfRows, .crossover, .harnessCost,
    ]
    return Dictionary(kinds.map { ($0.coded.word, $0) }) { first, _ in first }
  }()
}
