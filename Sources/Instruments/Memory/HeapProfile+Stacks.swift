// Reads a jemalloc profile: the stacks that allocate, with an estimate of their bytes.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

extension HeapProfile {
  /// The stacks of a profile that jemalloc wrote for this process, and the total bytes that each has allocated.
  ///
  /// Small allocations are sampled less often than large ones. As in `jeprof`, the samples of a stack are therefore
  /// scaled by 1 / (1 - exp(-size / sample)), where size is the mean of its allocations.
  ///
  /// - Parameter text: A profile in the format `heap_v2`.
  /// - Returns: Functions separated by semicolons, the outermost first, and bytes; empty for any other format.
  package static func foldedStacks(_ text: String) -> [String: Int] {
    FoldedStacks.fold(stacks(text), innermostIsCall: true)
  }

  /// The stacks with the bytes that were live when the profile was written.
  package static func foldedLiveStacks(_ text: String) -> [String: Int] {
    FoldedStacks.fold(stacks(text, isLive: true), innermostIsCall: true)
  }

  /// How many allocations were sampled in all; `nil` for any other format.
  ///
  /// The number for all stacks and threads precedes the first stack.
  package static func samples(_ text: String) -> Int? {
    let lines = text.split(separator: "\n", maxSplits: 2)
    guard lines.count > 1, lines[0].hasPrefix("heap_v2/") else { return nil }
    return counts(ofAllThreads: lines[1])?.allocations
  }

  /// The stacks by code addresses, the innermost first.
  static func stacks(_ text: String, isLive: Bool = false) -> [[UInt]: Int] {
    let lines = text.split(separator: "\n")
    guard let header = lines.first, header.hasPrefix("heap_v2/"), let sample = Double(header.dropFirst(8)), sample > 0
    else { return [:] }
    var stacks: [[UInt]: Int] = [:]
    var stack: [UInt] = []
    for line in lines.dropFirst() {
      if line.hasPrefix("MAPPED_LIBRARIES") { break }
      if line.hasPrefix("@") {
        stack = line.split(separator: " ").dropFirst().compactMap { UInt($0.dropFirst(2), radix: 16) }
      } else if !stack.isEmpty, let counts = counts(ofAllThreads: line, isLive: isLive), counts.allocations > 0 {
        let size = Double(counts.bytes) / Double(counts.allocations)
        let bytes = (Double(counts.bytes) / (1 - exp(-size / sample))).rounded()
        stacks[stack, default: 0] += Int(exactly: bytes) ?? 0
      }
    }
    return stacks
  }

  /// The numbers in a line such as `  t*: 2: 64 [10: 320]`: all allocations in brackets, after the live ones; `nil` for
  /// the line of one thread.
  private static func counts(
    ofAllThreads line: Substring, isLive: Bool = false
  ) -> (allocations: Int, bytes: Int)? {
    let words = line.split { $0 == " " || $0 == ":" || $0 == "[" || $0 == "]" }
    let first = isLive ? 1 : 3
    guard words.count == 5, words[0] == "t*", let allocations = Int(words[first]), let bytes = Int(words[first + 1])
    else { return nil }
    return (allocations, bytes)
  }
}
