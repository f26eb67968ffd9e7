// Finds the nearest valid word to a misspelled one.

/// The candidate nearest to a word; `nil` if none is near.
///
/// At most a third of the letters may differ, or the word must be the candidate's first word, such as `wal` for
/// `wal_peak`.
///
/// The distance is the restricted Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of
/// neighbors count one each. Case is ignored. If several candidates are equally near, the first one wins.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  let letters = Array(word.lowercased().unicodeScalars)
  // A key that is a page long resembles no word, and the time for a distance grows with the product of the lengths.
  guard !letters.isEmpty, letters.count <= 64 else { return nil }
  var best: (word: String, distance: Int)?
  for candidate in candidates {
    let target = Array(candidate.lowercased().unicodeScalars)
    let distance = editDistance(letters, target)
    guard distance <= max(1, max(letters.count, target.count) / 3), distance < target.count else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.word ?? candidates.first { $0.lowercased().hasPrefix(word.lowercased() + "_") }
}

/// The number of edits between two words; O(n · m) time, three rows of memory.
func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
  var beforeLast = [Int](repeating: 0, count: other.count + 1)
  var last = Array(0...other.count)
  for i in one.indices {
    var row = [i + 1] + [Int](repeating: 0, count: other.count)
    for j in other.indices {
      let substitution = last[j] + (one[i] == other[j] ? 0 : 1)
      row[j + 1] = min(substitution, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
        row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
      }
    }
    (beforeLast, last) = (last, row)
  }
  return last[other.count]
}
