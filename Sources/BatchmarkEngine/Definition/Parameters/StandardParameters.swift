// The parameters that strategies share. Custom engines may use them and add their own keys.

extension ParameterKey where Value == RowCount {
  /// Rows per save.
  public static var saveEvery: Self {
    Self(
      "save_every", default: .all,
      help: "rows in each save or transaction; of related rows, roots with all that belongs to them")
  }
  /// Rows per transaction of a batch request or per request of an array, or the limit of each batch delete.
  public static var requestSize: Self {
    Self(
      "request_size", default: .all,
      help: "rows in each transaction of a batch insert, or that each batch delete is limited to")
  }
  /// Objects that a fetch keeps in memory at once.
  public static var batchSize: Self { Self("batch_size", default: .all, help: "rows in each batch of a fetch") }
  /// Rows that one step of a statement stores.
  public static var rowsPerStep: Self {
    Self("rows_per_step", default: .rows(50), help: "rows in each step of the INSERT statement")
  }
  /// Rows that are linked between two saves, if they are linked after they were stored.
  public static var linkEvery: Self {
    Self("link_every", default: .rows(1_000), help: "rows linked in each save, after a batch insert")
  }
}

extension ParameterKey where Value == ByteLimit {
  /// The size to which a batch insert may let the WAL grow, in bytes.
  public static var walLimit: Self {
    Self("wal_limit", default: .none, help: "size that a batch insert keeps the WAL to")
  }
}

extension ParameterKey where Value == MergeMode {
  /// How an observing context gets notified of stored rows.
  public static var merge: Self { Self("merge", default: .none, help: "how an observing context learns of changes") }
}

extension ParameterKey where Value == ShownResults {
  /// What an observing context does for its list.
  public static var results: Self {
    Self("results", default: .none, help: "how an observing context keeps its list in step with changes")
  }
}

extension ParameterKey where Value == Switch {
  /// Whether the store keeps persistent history.
  public static var history: Self { Self("history", default: .off, help: "whether the store tracks history") }
}

extension ParameterKey where Value == ColumnRemoval {
  /// When a migration removes columns.
  public static var removal: Self {
    Self("removal", default: .atOnce, help: "when a migration removes columns that the new version does not have")
  }
}

extension ParameterKey where Value == AfterSave {
  /// What happens to the context after each save.
  public static var afterSave: Self {
    Self("after_save", default: .keep, help: "what becomes of the context after each save")
  }
}

extension ParameterKey where Value == RelationshipChoice {
  /// Whether relationships between the rows of a store are stored too.
  public static var relationships: Self {
    Self("relationships", default: .all, help: "relationships that are stored with the rows of several entities")
  }
}

extension ParameterKey where Value == OtherReader {
  /// What else has the store open; every strategy has this parameter.
  package static var reader: Self { Self("reader", default: .none, help: "who else reads the store meanwhile") }
}

extension ParameterKey where Value == Attachment {
  /// The instrument that is attached while times are taken; every strategy has this parameter.
  package static var attached: Self {
    Self("attached", default: .nothing, help: "instrument that is attached while times are taken")
  }
}

extension Cell {
  /// The parameters that every strategy of every engine has.
  package static var commonParameters: [any ParameterDeclaration] {
    [ParameterKey<OtherReader>.reader, ParameterKey<Attachment>.attached]
  }

  /// The instrument that is attached while the cell's times are taken; `nil` for none.
  package var attachment: Attachment? {
    let attachment = self[.attached]
    return attachment == .nothing ? nil : attachment
  }
}
