// The pragmas a scenario may set, with the values SQLite documents for them (https://www.sqlite.org/pragma.html). The
// limits of `mmap_size` and `threads` are those of SQLite's default build.

extension ScenarioKey {
  static let storeKeys = [
    pragma(
      "journal_mode", .words(["wal", "delete", "truncate", "persist", "memory", "off"]), "how commits are atomic"),
    pragma("synchronous", .words(["off", "normal", "full", "extra"]), "when SQLite waits for the disk"),
    pragma(
      "wal_autocheckpoint", .number(0...2_147_483_647), "WAL frames after which a commit checkpoints; 0 for never"),
    pragma("cache_size", .number(int32), "pages of the page cache, or KiB where it is negative"),
    pragma("page_size", .powerOfTwo(512...65_536), "bytes of a page"),
    pragma("mmap_size", .number(0...2_147_418_112), "bytes of the file that are mapped into memory"),
    pragma("temp_store", .words(["default", "file", "memory"]), "where temporary tables and indexes are"),
    pragma("locking_mode", .words(["normal", "exclusive"]), "whether locks are kept between transactions"),
    pragma("journal_size_limit", .number(-1...Int(Int64.max >> 1)), "bytes that a journal keeps; -1 for any number"),
    pragma("auto_vacuum", .words(["none", "full", "incremental"]), "whether free pages leave the file"),
    pragma("max_page_count", .number(1...4_294_967_294), "the most pages of the file"),
    pragma("cache_spill", .onOff(or: []), "whether changed pages may be written before a commit"),
    pragma("secure_delete", .onOff(or: ["fast"]), "whether deleted content is overwritten with zeros"),
    pragma("fullfsync", .onOff(or: []), "whether F_FULLFSYNC syncs, on systems that have it"),
    pragma("checkpoint_fullfsync", .onOff(or: []), "the same for checkpoints alone"),
    pragma("busy_timeout", .number(0...2_147_483_647), "milliseconds to wait for a lock"),
    pragma("foreign_keys", .onOff(or: []), "whether foreign keys are enforced"),
    pragma("automatic_index", .onOff(or: []), "whether queries may make indexes of their own"),
    pragma("recursive_triggers", .onOff(or: []), "whether triggers may start themselves"),
    pragma("cell_size_check", .onOff(or: []), "whether pages are checked as they are read"),
    pragma("threads", .number(0...8), "threads that a statement may have for its sorting"),
  ]

  private static let int32 = -2_147_483_648...2_147_483_647

  private static func pragma(_ name: String, _ domain: ValueDomain, _ help: String) -> ScenarioKey {
    ScenarioKey(name, .value(domain), in: .store, [.sweep, .setting], help: help)
  }
}
