// Creates requests from the templates of a model.
public import CoreDataModel

extension ManagedObjectModel {
  /// Creates a request from a template, with values for the variables in its predicate.
  ///
  /// ```swift
  /// let request = try model.fetchRequest(
  ///   fromTemplate: "strong", substitutionVariables: ["MINIMUM": 4.5], as: Quake.self)
  /// let quakes = try context.fetch(request)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The template's name.
  ///   - substitutionVariables: Values by the names of variables without `$`.
  ///   - type: The class of the objects.
  /// - Returns: A request, which you may change further.
  /// - Throws: ``ObjectGraphError/unknownTemplate(found:expected:)``, ``ObjectGraphError/predicate(_:)`` for an invalid
  ///   format or a variable without a value.
  public func fetchRequest<ResultType: ManagedObject>(
    fromTemplate name: String, substitutionVariables: [String: any PredicateArgument] = [:],
    as type: ResultType.Type = ManagedObject.self
  ) throws(ObjectGraphError) -> FetchRequest<ResultType> {
    guard let template = fetchRequestTemplates[name] else {
      throw .unknownTemplate(found: name, expected: fetchRequestTemplates.keys.sorted())
    }
    var request = FetchRequest<ResultType>(
      entityName: template.entityName,
      sortDescriptors: template.sortings.map { FetchSortDescriptor($0.key, ascending: $0.isAscending) })
    request.fetchLimit = template.fetchLimit
    request.fetchBatchSize = template.fetchBatchSize
    request.includesSubentities = template.includesSubentities
    guard let format = template.predicateFormat else { return request }
    do throws(FetchPredicateError) {
      request.predicate = try FetchPredicate(format: format).withSubstitutionVariables(substitutionVariables)
    } catch {
      throw .predicate(error)
    }
    return request
  }
}
