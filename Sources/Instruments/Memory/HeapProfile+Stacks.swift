// Reads a profile of jemalloc: the stacks that allocate, and an estimate of the bytes of each.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

extension HeapProfile {
  /// The stacks of a profile of this process, as jemalloc wrote it, and the bytes that each has allocated in all.
  ///
  /// Small allocations are sampled more rarely than large ones. As in `jeprof`, the samples of a stack are therefore
  /// scaled by 1 / (1 - exp(-size / sample)), where size is the mean of its allocations.
  ///
  /// - Parameter text: A profile in the format `heap_v2`.
  /// - Returns: Functions from the outermost on with semicolons between them, and bytes; none for text of another format.
  package static func foldedStacks(_ text: String) -> [String: Int] {
    FoldedStacks.fold(stacks(text), innermostIsCall: true)
  }

  /// The same of the memory that was live when the profile was written.
  package static func foldedLiveStacks(_ text: String) -> [String: Int] {
    FoldedStacks.fold(stacks(text, isLive: true), innermostIsCall: true)
  }

  /// How many allocations were sampled in all; nil for text of another format.
  ///
  /// The number is in front of the first stack, for all stacks and threads.
  package static func samples(_ text: String) -> Int? {
    let lines = text.split(separator: "\n", maxSplits: 2)
    guard lines.count > 1, lines[0].hasPrefix("heap_v2/") else { return nil }
    return counts(ofAllThreads: lines[1])?.allocations
  }

  /// The same by code addresses, the innermost first.
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

  /// The numbers of a line such as `  t*: 2: 64 [10: 320]`: in brackets all allocations, before them the live ones; `nil`
  /// for the line of one thread.
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
