// Points in time with milliseconds, formatted for feeds without a calendar or a locale.
internal import Support

/// A point in time.
struct FeedTime {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  let milliseconds: Int64

  /// - Parameter seconds: Seconds since 2001-01-01 00:00 UTC.
  init(_ seconds: Double) {
    milliseconds = Int64(clamping: (seconds * 1000).rounded() + 978_307_200_000)
  }

  /// `2018-06-12T16:38:28.820Z`.
  var iso8601: String {
    let (days, rest) = milliseconds.quotientAndRemainderFloored(by: 86_400_000)
    let (year, month, day) = FeedTime.date(daysSince1970: days)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { FeedTime.padded($0, 2) }
    return [FeedTime.padded(year, 4), FeedTime.padded(month, 2), FeedTime.padded(day, 2)].joined(separator: "-")
      + "T\(time.joined(separator: ":")).\(FeedTime.padded(rest % 1000, 3))Z"
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }

  /// Year, month and day by Howard Hinnant's `civil_from_days`
  /// (https://howardhinnant.github.io/date_algorithms.html).
  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Let years begin in March, so that the leap day is the last day; 400 years are an era.
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainderFloored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
  }
}

extension Int64 {
  /// Division that rounds toward negative infinity, so that days before 1970 are correct.
  fileprivate func quotientAndRemainderFloored(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
