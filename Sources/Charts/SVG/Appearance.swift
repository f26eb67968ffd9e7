// The appearance of a mark: a color of the palette and a shape, so that no reader depends on only one of them.

/// The appearance of a mark, a line or a bar.
package struct Appearance: Sendable, Hashable {
  /// The outline of a mark.
  package enum Shape: Sendable, Hashable, CaseIterable {
    case circle, square, diamond, triangle, wedge, cross
  }

  /// The index of a color in the palette, from 0 to 5; larger ones wrap around.
  package var color: Int
  /// The shape of marks.
  package var shape: Shape
  /// Whether it is paler than the others, because it is less important.
  package var isMuted: Bool
  /// A step of a neutral ramp, from 0 for the strongest, instead of a color: for parts of a whole, when colors have
  /// another meaning.
  package private(set) var tone: Int?

  package init(color: Int, shape: Shape = .circle, isMuted: Bool = false) {
    self.color = color
    self.shape = shape
    self.isMuted = isMuted
  }

  /// The appearance of the index-th thing: each of the first six has its own color and shape.
  package init(index: Int) {
    self.init(
      color: index, shape: Shape.allCases[index.remainder(of: Shape.allCases.count)],
      isMuted: index.remainder(of: 12) > 5)
  }

  /// A step of the neutral ramp; steps beyond the last one look like it.
  package init(tone: Int) {
    self.init(color: 0)
    self.tone = min(max(tone, 0), Palette.tones - 1)
  }

  /// The CSS class for an element's colors.
  var colorClass: String {
    if let tone { return "c-t\(tone)" }
    return "c-k\(color.remainder(of: Palette.colors.count))\(isMuted ? "m" : "")"
  }
}

extension Int {
  /// The non-negative remainder.
  fileprivate func remainder(of divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// An entry of a legend: an appearance and its meaning.
package struct LegendEntry: Sendable, Hashable {
  package var label: String
  package var appearance: Appearance

  package init(label: String, appearance: Appearance) {
    self.label = label
    self.appearance = appearance
  }
}

extension Appearance.Shape {
  /// The outline relative to the mark's center; all shapes have about the same area.
  func outline(radius: Double) -> String {
    func n(_ factor: Double) -> String { XML.number(radius * factor) }
    switch self {
    case .circle: return "m\(n(-1)) 0a\(n(1)) \(n(1)) 0 1 0 \(n(2)) 0a\(n(1)) \(n(1)) 0 1 0 \(n(-2)) 0z"
    case .square: return "m\(n(-0.9)) \(n(-0.9))h\(n(1.8))v\(n(1.8))h\(n(-1.8))z"
    case .diamond: return "m0 \(n(-1.2))l\(n(1.2)) \(n(1.2)) \(n(-1.2)) \(n(1.2)) \(n(-1.2)) \(n(-1.2))z"
    case .triangle: return "m0 \(n(-1.1))l\(n(1.1)) \(n(2))h\(n(-2.2))z"
    case .wedge: return "m0 \(n(1.1))l\(n(1.1)) \(n(-2))h\(n(-2.2))z"
    case .cross:
      let (arm, rest) = (n(0.7), n(0.75))
      return
        "m\(n(-0.35)) \(n(-1.1))h\(arm)v\(rest)h\(rest)v\(arm)h-\(rest)v\(rest)h-\(arm)v-\(rest)h-\(rest)v-\(arm)h\(rest)z"
    }
  }
}
