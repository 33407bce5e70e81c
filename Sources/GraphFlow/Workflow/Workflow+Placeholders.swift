/// Where in a request a reference stands.
enum ReferencePlace: Hashable, Sendable {
  /// In the path, or in a query written into it.
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
  /// In `when`, which is judged before the request is sent.
  case condition
  /// In `expect` or `until`, which are judged here once both answers are known.
  case expectation
  /// In `confirm`, which is asked if the answer is lost.
  case confirmation

  /// Whether the request cannot be sent without the value.
  var isSent: Bool {
    switch self {
    case .path, .parameter, .insideJSON, .header, .file, .token: true
    case .condition, .expectation, .confirmation: false
    }
  }
}

extension Workflow.Request {
  /// Visits every placeholder, with the place where it stands, in the order: path, parameters, files,
  /// headers, token, `when`, `expect`, `until`, `confirm`.
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
    // What a look refers to has to be here before there can be anything to look for.
    visitAll(confirmation?.placeholders ?? [], .confirmation)
  }

  /// Visits every reference to another request, with the place where it stands.
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
