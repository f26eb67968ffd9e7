// How long tests may take.
internal import Foundation

/// Whether all is to be tried, and not only a sample of it: `scripts/test --all`.
package let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
