// The only import of Foundation that users see: dates, decimals, UUIDs, data and URLs are what they hold.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
