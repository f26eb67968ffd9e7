// The data behind a read-only store, of a type that the coordinator does not know.

/// A file, or a private copy of one, that must exist as long as it is open as a store.
package protocol StoreFileImage: AnyObject, Sendable {}

/// Keeps an image alive; equal if both keep the same one.
package struct KeptImage: Sendable, Hashable {
  private let image: any StoreFileImage

  package init(_ image: any StoreFileImage) { self.image = image }

  package static func == (left: KeptImage, right: KeptImage) -> Bool { left.image === right.image }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(image)) }
}
