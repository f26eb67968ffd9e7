// The data behind a store that is only read, whose type the coordinator does not know.

/// A file, or a private copy of one, that must be there as long as a store is open over it.
package protocol StoreFileImage: AnyObject, Sendable {}

/// Keeps an image there; equal to what keeps the same one.
package struct KeptImage: Sendable, Hashable {
  private let image: any StoreFileImage

  package init(_ image: any StoreFileImage) { self.image = image }

  package static func == (left: KeptImage, right: KeptImage) -> Bool { left.image === right.image }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(image)) }
}
