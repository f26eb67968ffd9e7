// Parses points in time in feeds and scenarios, without a calendar or a locale.

/// Reads ISO 8601 dates in the Gregorian calendar.
enum ISO8601 {
  /// Milliseconds from 1970-01-01 to 2001-01-01, both at 00:00 UTC.
  static let millisecondsTo2001: Int64 = 978_307_200_000

  /// Seconds since 2001-01-01 00:00 UTC, from milliseconds since 1970; `nil` beyond some thirty thousand years.
  ///
  /// The division is the only rounding, so the same time in CSV and in GeoJSON gives the same double.
  static func seconds(sinceMilliseconds milliseconds: Int64) -> Double? {
    guard (-1_000_000_000_000_000...1_000_000_000_000_000).contains(milliseconds) else { return nil }
    return Double(milliseconds - millisecondsTo2001) / 1000
  }

  /// Seconds since 2001-01-01 00:00 UTC, from `2018-06-12T16:38:28.820Z`.
  ///
  /// The fraction may have up to six digits or be absent; the zone is `Z` or an offset such as `+02:00`. A date without
  /// a time means midnight UTC. The result is `nil` for anything else, including invalid dates and leap seconds.
  static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    func number(_ digits: Int) -> Int64? {
      guard rest.count >= digits else { return nil }
      var value: Int64 = 0
      for byte in rest.prefix(digits) {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      rest.removeFirst(digits)
      return value
    }
    func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), year >= 1,
      (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day)
    else { return nil }
    let midnight = daysSince1970(year: year, month: month, day: day) * 86_400
    if rest.isEmpty { return seconds(sinceMilliseconds: midnight * 1000) }

    guard skip("T") || skip(" "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    var fractionDigits = 0
    if skip(".") {
      while fractionDigits < 6, let digit = number(1) {
        fraction = fraction * 10 + digit
        fractionDigits += 1
      }
      guard fractionDigits > 0 else { return nil }
    }
    guard let offset = zone() else { return nil }
    let whole = midnight + hour * 3600 + minute * 60 + second - offset
    while fractionDigits < 3 {
      fraction *= 10
      fractionDigits += 1
    }
    if fractionDigits == 3 { return seconds(sinceMilliseconds: whole * 1000 + fraction) }
    let unit = [1000, 10_000, 100_000, 1_000_000][fractionDigits - 3] as Int64
    return Double((whole - millisecondsTo2001 / 1000) * unit + fraction) / Double(unit)

    /// The zone's offset from UTC in seconds. It must be at the end of the text.
    func zone() -> Int64? {
      if skip("Z") { return rest.isEmpty ? 0 : nil }
      let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
      guard skip("+") || skip("-"), let hours = number(2), skip(":"), let minutes = number(2), rest.isEmpty,
        hours < 24, minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01, by Howard Hinnant's `days_from_civil`
  /// (https://howardhinnant.github.io/date_algorithms.html), for years from 1 on.
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Let years begin in March, so that the leap day is the last day.
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
