// The only import of Foundation: dates, decimals, UUIDs, data and URLs are what users hold.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
