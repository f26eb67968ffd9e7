// Object IDs in files and messages: encoded as their URIs, decoded with the coordinator that has their stores open.

extension CodingUserInfoKey {
  /// The key under which a decoder of object IDs finds the ``PersistentStoreCoordinator`` with their stores:
  /// `decoder.userInfo[.persistentStoreCoordinator] = coordinator`.
  ///
  /// ```swift
  /// let decoder = JSONDecoder()
  /// decoder.userInfo[.persistentStoreCoordinator] = coordinator
  /// let bookmarks = try Data(contentsOf: URL(filePath: "bookmarks.json"))
  /// let quakeIDs = try decoder.decode([ManagedObjectID].self, from: bookmarks)
  /// ```
  public static let persistentStoreCoordinator: CodingUserInfoKey = {
    // This cannot fail: the initializer is failable only because RawRepresentable's is, and it accepts every text.
    guard let key = CodingUserInfoKey(rawValue: "ObjectGraph.persistentStoreCoordinator") else {
      fatalError("every text is a key")
    }
    return key
  }()
}

/// An object ID is encoded as its ``uriRepresentation()``.
extension ManagedObjectID: Codable {
  /// Decodes the ID of an object in one of the stores of the coordinator in the decoder's user info, under
  /// `CodingUserInfoKey.persistentStoreCoordinator`.
  ///
  /// - Throws: `DecodingError` without a coordinator, and for a value that is not an ID in its stores.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let uri = try container.decode(String.self)
    guard let coordinator = decoder.userInfo[.persistentStoreCoordinator] as? PersistentStoreCoordinator else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "found the object ID \(uri) and no coordinator; expected one in "
          + "decoder.userInfo[.persistentStoreCoordinator], because only its stores make an ID of a URI")
    }
    guard let objectID = coordinator.managedObjectID(forURIRepresentation: uri) else {
      let stores = coordinator.persistentStores.map(\.description).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "found '\(uri)'; expected the URI of an object in one of the open stores"
          + (stores.isEmpty ? ", and there are none" : ": \(stores)"))
    }
    self = objectID
  }

  /// Encodes the ID as text.
  ///
  /// ```swift
  /// let bookmarks = try JSONEncoder().encode([quake.objectID])
  /// try bookmarks.write(to: URL(filePath: "bookmarks.json"))
  /// ```
  ///
  /// - Throws: `EncodingError` for a temporary ID, which could not be decoded.
  public func encode(to encoder: any Encoder) throws {
    if isTemporaryID {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "found the temporary object ID \(self); expected a permanent one: save the object first, or "
            + "give it its ID by obtainPermanentIDs(for:)"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(uriRepresentation())
  }
}
