/// The part of a request that contains a reference.
enum ReferencePlace: Hashable, Sendable {
  /// In the path, or in the query of the path.
  case path
  /// In the text of a parameter.
  case parameter
  /// Inside a parameter that is sent as JSON.
  case insideJSON
  /// In a header.
  case header
  /// In the path of a file.
  case file
  /// The token.
  case token
  /// In `when`, which is evaluated before the request is sent.
  case condition
  /// In `expect` or `until`, which are evaluated after both answers have arrived.
  case expectation
  /// In `confirm`, which is sent if the answer is lost.
  case confirmation

  /// Whether the value is needed to send the request.
  var isSent: Bool {
    switch self {
    case .path, .parameter, .insideJSON, .header, .file, .token: true
    case .condition, .expectation, .confirmation: false
    }
  }
}

extension Workflow.Request {
  /// Visits every placeholder and its place, in the order: path, parameters, files, headers, token,
  /// `when`, `expect`, `until`, `confirm`.
  func forEachPlaceholder(_ visit: (Placeholder, ReferencePlace) -> Void) {
    func visitAll(_ placeholders: [Placeholder], _ place: ReferencePlace) {
      for placeholder in placeholders { visit(placeholder, place) }
    }
    visitAll(path.placeholders, .path)
    for parameter in params {
      switch parameter.value {
      case .literal: break
      case .template(let template): visitAll(template.placeholders, .parameter)
      case .list, .map: visitAll(parameter.value.placeholders, .insideJSON)
      }
    }
    for file in files { visitAll(file.path.placeholders, .file) }
    for header in headers { visitAll(header.value.placeholders, .header) }
    if case .reference(let template) = token { visitAll(template.placeholders, .token) }
    if let when { visitAll(when.placeholders, .condition) }
    for expectation in expect { visitAll(expectation.expression.placeholders, .expectation) }
    if let until {
      visitAll(until.check.placeholders, .expectation)
      visitAll(until.fail?.placeholders ?? [], .expectation)
    }
    // The confirmation check needs the values to which it refers.
    visitAll(confirmation?.placeholders ?? [], .confirmation)
  }

  /// Visits every reference to another request, and its place.
  func forEachReference(_ visit: (Placeholder, Reference, ReferencePlace) -> Void) {
    forEachPlaceholder { placeholder, place in
      if let reference = placeholder.reference { visit(placeholder, reference, place) }
    }
  }

  /// Every placeholder in it, in the order of ``forEachPlaceholder(_:)``.
  var placeholders: [Placeholder] {
    var placeholders: [Placeholder] = []
    forEachPlaceholder { placeholder, _ in placeholders.append(placeholder) }
    return placeholders
  }

  /// Every reference in it, in the order: path, parameters, files, headers, token, `when`,
  /// `expect`, `until`, `confirm`.
  package var references: [Reference] { placeholders.compactMap(\.reference) }
}
