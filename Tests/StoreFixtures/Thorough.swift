// How long tests may take.
internal import Foundation

/// Whether to test everything and not only samples of it: `scripts/test --all`.
package let isThorough = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1"
