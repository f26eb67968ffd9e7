// How long something takes, as people say it: no exacter than an estimate is.
internal import Support

/// Durations in words.
package enum DurationText {
  /// `40 ms`, `1.8 s`, `42 s`, `3 min`, `2 h 5 min`.
  package static func words(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "a long time" }
    if seconds < 0.995 { return "\(Int(clamping: (seconds * 1000).rounded())) ms" }
    if seconds < 9.95 { return "\((seconds * 10).rounded() / 10) s" }
    if seconds < 90 { return "\(Int(clamping: seconds.rounded())) s" }
    let minutes = Int(clamping: (seconds / 60).rounded())
    if minutes < 60 { return "\(minutes) min" }
    return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
  }
}
