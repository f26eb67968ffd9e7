// A figure, or why there is none.

/// A figure, or the reason why it is missing; never a zero for a missing measurement.
package enum Measured<Figure> {
  case figure(Figure)
  /// Text that can follow a colon.
  case absent(String)

  package init(_ figure: Figure?, or reason: @autoclosure () -> String) {
    self = figure.map { .figure($0) } ?? .absent(reason())
  }

  /// `nil` if it is missing.
  package var figure: Figure? {
    if case .figure(let figure) = self { figure } else { nil }
  }

  /// Why it is missing; `nil` if it is not.
  package var reason: String? {
    if case .absent(let reason) = self { reason } else { nil }
  }

  /// The transformed figure, or the same reason.
  package func map<Other>(_ transform: (Figure) -> Other) -> Measured<Other> {
    switch self {
    case .figure(let figure): .figure(transform(figure))
    case .absent(let reason): .absent(reason)
    }
  }
}

extension Measured: Sendable where Figure: Sendable {}
extension Measured: Equatable where Figure: Equatable {}

extension Measured: Codable where Figure: Codable {
  private enum CodingKeys: String, CodingKey { case figure, absent }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let figure = try container.decodeIfPresent(Figure.self, forKey: .figure) {
      self = .figure(figure)
    } else {
      self = .absent(try container.decode(String.self, forKey: .absent))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .figure(let figure): try container.encode(figure, forKey: .figure)
    case .absent(let reason): try container.encode(reason, forKey: .absent)
    }
  }
}
