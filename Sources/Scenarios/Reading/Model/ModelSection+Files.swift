// Models that are not written in the scenario: read from a model file, or from the store that is the source.
internal import CoreDataModel
import CoreDataFiles

extension ModelSection {
  func recovered(
    at place: SourceLocation, _ recover: () throws(CoreDataFileError) -> RecoveredModel
  ) -> ModelReading? {
    do throws(CoreDataFileError) {
      let recovered = try recover()
      let entities = recovered.model.entities.map { entity in
        var reading = EntityReading(description: entity, place: place)
        reading.attributeNames = entity.attributes.map(\.name)
        reading.relationshipNames = entity.relationships.map(\.name)
        return reading
      }
      return ModelReading(entities: entities, place: place, isRecovered: true, remarks: recovered.remarks)
    } catch {
      diagnose(place, error)
      return nil
    }
  }

  private func diagnose(_ place: SourceLocation, _ error: CoreDataFileError) {
    switch error {
    case .unreadable(let path, let reason):
      diagnose(
        place, found: "the file \(shown(path)), which cannot be read: \(reason)",
        expected: "the path of a file that can be read", namedFile: .unreadable)
    case .invalid(let path, let found, let expected):
      diagnose(place, found: "\(found) at \(shown(path))", expected: expected, namedFile: .invalid)
    case .damaged(let path, let found):
      diagnose(
        place, found: "\(found) at \(shown(path))", expected: CoreDataFileError.wholeStore, namedFile: .invalid)
    }
  }
}
