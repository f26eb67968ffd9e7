// The contents of a table's column, which determine its unit and its digits.
internal import Analysis

extension Table {
  enum Alignment {
    case left, right
  }

  /// The kind of figures in a column.
  enum Quantity {
    case text
    /// A time in seconds.
    case time
    case bytes
    /// A factor: 1 means equal to the reference.
    case ratio
    /// A part of 1, shown in percent.
    case share
    /// A difference from 1, shown in percent with its sign.
    case change
    case number
    /// A number per second, no more precise than a time.
    case rate
  }

  /// A column: its title and what it holds.
  ///
  /// The title shows the unit of all figures and, if a figure has an interval, its confidence level.
  struct Column {
    /// The title without a unit.
    var title: String
    var quantity: Quantity
    var alignment: Alignment
    /// Whether a value that all rows share is shown only once, below the table.
    var folds: Bool
    /// What a number counts, if its title does not say so.
    var counted: String?
    /// Whether its texts are verdicts, which are shown in color.
    var saysVerdicts = false
    /// The meaning of the brackets after figures.
    var brackets = "[95 %]"

    private init(_ title: String, _ quantity: Quantity, _ alignment: Alignment = .right, folds: Bool = true) {
      self.title = title
      self.quantity = quantity
      self.alignment = alignment
      self.folds = folds
    }

    static func text(_ title: String, _ alignment: Alignment = .left, folds: Bool = false) -> Column {
      Column(title, .text, alignment, folds: folds)
    }

    static func verdict(_ title: String) -> Column {
      var column = text(title)
      column.saysVerdicts = true
      return column
    }

    static func time(_ title: String) -> Column { Column(title, .time) }

    static func bytes(_ title: String) -> Column { Column(title, .bytes) }

    static func ratio(_ title: String) -> Column { Column(title, .ratio) }

    static func share(_ title: String) -> Column { Column(title, .share) }

    static func change(_ title: String, brackets: String = "[95 %]") -> Column {
      var column = Column(title, .change)
      column.brackets = brackets
      return column
    }

    static func number(_ title: String, of counted: String? = nil) -> Column {
      var column = Column(title, .number)
      column.counted = counted
      return column
    }

    static func rate(_ title: String) -> Column { Column(title, .rate) }
  }

  /// The content of a cell.
  enum Value: Equatable {
    case text(String)
    /// Not measured, for this reason.
    case absent(String)
    /// A value in seconds or bytes, or a factor, as the column defines.
    case estimate(Estimate)
    case whole(Int64)
    /// Two counts of bytes: before and after.
    case shift(from: Int64, to: Int64)

    /// A formatted figure, or the reason why there is none.
    static func text<Figure>(_ figure: Figure?, or reason: String, _ words: (Figure) -> String) -> Value {
      if let figure { .text(words(figure)) } else { .absent(reason) }
    }

    /// A formatted figure, or its own reason for being missing.
    static func text<Figure>(_ figure: Measured<Figure>, _ words: (Figure) -> String) -> Value {
      switch figure {
      case .figure(let figure): .text(words(figure))
      case .absent(let reason): .absent(reason)
      }
    }

    static func figure(_ estimate: Measured<Estimate>) -> Value {
      switch estimate {
      case .figure(let estimate): .estimate(estimate)
      case .absent(let reason): .absent(reason)
      }
    }

    static func figure(_ number: Measured<Double>) -> Value { .figure(number.map { Estimate(median: $0) }) }

    static func figure(_ count: Measured<Int64>) -> Value {
      switch count {
      case .figure(let count): .whole(count)
      case .absent(let reason): .absent(reason)
      }
    }

    static func figure(_ estimate: Estimate?, or reason: String) -> Value { .figure(Measured(estimate, or: reason)) }

    static func figure(_ number: Double?, or reason: String) -> Value { .figure(Measured(number, or: reason)) }

    static func figure(_ count: Int64?, or reason: String) -> Value { .figure(Measured(count, or: reason)) }

    static func count(_ count: some BinaryInteger) -> Value { .whole(Int64(clamping: count)) }

    static func number(_ number: Double) -> Value { .estimate(Estimate(median: number)) }

    /// A time in nanoseconds.
    static func nanoseconds(_ nanoseconds: Measured<Int64>) -> Value { .figure(nanoseconds.map { Double($0) / 1e9 }) }

    /// The difference between a factor and 1.
    static func addition(of ratio: Estimate?, or reason: String) -> Value { .figure(ratio?.addition, or: reason) }
  }
}
