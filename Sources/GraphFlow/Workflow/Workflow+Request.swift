package import GraphAPI

extension Workflow {
  /// One request as declared in the file, with the workflow's defaults applied.
  ///
  /// It is boxed, because it is passed on for every item and attempt: copying that many values would
  /// cost more than using them.
  package typealias Request = Box<RequestKeys>

  /// The values of a request's keys.
  ///
  /// They are not grouped by their meaning, because nearly every use reads only one or two of them.
  package struct RequestKeys: Sendable {
    package var name: String
    package var location: SourceLocation
    package var method = OperationMethod.get
    /// The path, without host, version and leading slash; it may have a query.
    package var path = Template(parts: [], text: "", location: .start)
    /// The parameters: the query of a GET or DELETE, the form of a POST.
    package var params: [Parameter] = []
    package var token = TokenChoice.profile("default")
    /// The permissions that it needs: its own, and the workflow's if it uses the workflow's token.
    package var permissions: [String] = []
    /// The indices of the requests named by `depends_on`, each once; not those of ``references``.
    package var dependsOn: [Int] = []
    package var expect: [Expectation] = []
    package var onError = ErrorPolicy.continue
    /// Whether it may be sent again if it is unknown whether it took effect.
    package var isIdempotent = false
    /// Whether its body is kept out of journal, report and recordings.
    package var omitsResponse = false
    /// Whether it is sent in its own HTTP call.
    package var isAlone = false
    /// The group that it belongs to, as an index into ``Workflow/groups``.
    package var group: Int?
    var boxedRare = Box(RareKeys())

    package var rare: RareKeys {
      get { boxedRare.value }
      set { boxedRare = Box(newValue) }
    }
  }

  /// The keys that most requests leave out: all of those share one value of the defaults.
  package struct RareKeys: Sendable {
    package var description: String?
    /// The attached files; only a POST has any.
    package var files: [File] = []
    /// The header fields, including the workflow's defaults.
    package var headers: [Header] = []
    /// The Graph version, its own or the workflow's; nil for the tool's default.
    package var version: GraphVersion?
    package var startCondition = StartCondition.success
    package var when: Expression?
    /// When it is sent again; nil for never.
    package var retry: RetryPolicy? = .standard
    /// The time limit of the HTTP call that contains it.
    package var timeout = Duration.seconds(60)
    /// Its name in reports, such as `publish.post`; nil for its own name.
    package var groupedName: String?
    /// How a large answer is read; only for a GET.
    var reading = Reading()
    /// How it is polled; only for a GET.
    package var until: Until?
    /// The check whether it took effect if its answer is lost; only for a POST.
    package var confirmation: Confirmation?
  }

  /// How a large answer is read.
  struct Reading: Sendable {
    var pagination: Pagination?
    var split: [SplitDimension] = []
  }

  /// A named parameter of a request.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    package let value: ValueTemplate
  }

  /// A file that a request sends.
  package struct File: Hashable, Sendable {
    package let part: String
    /// The path, relative to the workflow's folder.
    package let path: Template
  }

  /// A header field of a request.
  package struct Header: Hashable, Sendable {
    package let name: String
    package let value: Template
  }

  /// The source of a request's token.
  package enum TokenChoice: Hashable, Sendable {
    case profile(String)
    /// A template that is one placeholder: another request's result, or a secret input.
    indirect case reference(Template)
    /// A page, by its id; the list is one placeholder, which finds it among a user's pages.
    indirect case page(Template, list: Template)

    var templates: [Template] {
      switch self {
      case .profile: []
      case .reference(let template): [template]
      case .page(let page, let list): [page, list]
      }
    }

    /// The template that is one placeholder, whose value holds the token; nil for a profile.
    var source: Template? { templates.last }
  }

  /// A condition that a request's answer must satisfy.
  package struct Expectation: Hashable, Sendable {
    package let expression: Expression
    /// The message if it does not hold.
    package let message: String?
  }

  /// When a request starts.
  package enum StartCondition: Hashable, Sendable {
    /// When its dependencies have succeeded.
    case success
    /// When its dependencies have ended, successfully or not.
    case end
    /// As ``end``, and also when nothing else is started any more: it cleans up.
    case always
  }

  /// What a request's failure means for the run.
  package enum ErrorPolicy: String, Hashable, Sendable, CaseIterable {
    /// The run has failed, but everything that does not depend on the request continues.
    case `continue`
    /// Nothing more is started.
    case stop
    /// The run has not failed, but dependents are skipped.
    case ignore
  }
}

/// What follows from a request's keys; each reads the few that it needs, and copies no others.
extension Box where Value == Workflow.RequestKeys {
  package subscript<Part>(dynamicMember part: KeyPath<Workflow.RareKeys, Part>) -> Part {
    value.boxedRare.value[keyPath: part]
  }

  /// Its name in reports and messages.
  package var displayName: String { rare.groupedName ?? value.name }
  private var rare: Box<Workflow.RareKeys> { value.boxedRare }
  package var isWrite: Bool { value.method != .get }
  /// Whether it is a `report`: for a workflow it is a read, although its first operation is a POST.
  package var isReport: Bool { rare.until?.isOfReport == true }
  /// What it does, for people: its method, or REPORT.
  var verb: String { isReport ? "REPORT" : value.method.rawValue }
  /// Whether it starts when its dependencies have ended, successfully or not.
  package var runsAfterFailure: Bool { rare.startCondition != .success }
  /// Whether it is sent although a failure, a signal or the deadline has stopped the run.
  var isCleanUp: Bool { rare.startCondition == .always }
  /// Whether an unanswered attempt must not be repeated: it may have taken effect.
  var isUnsafeWrite: Bool { isWrite && !value.isIdempotent }
  /// Whether only a person can find out if an attempt without an answer took effect.
  var isUnconfirmable: Bool { isUnsafeWrite && rare.confirmation == nil }

  /// Visits every placeholder and its place, in the order: path, parameters, files, headers, token,
  /// `when`, `expect`, `until`, `confirm`.
  func forEachPlaceholder(_ visit: (Placeholder, ReferencePlace) -> Void) {
    func visitAll(_ placeholders: [Placeholder], _ place: ReferencePlace) {
      for placeholder in placeholders { visit(placeholder, place) }
    }
    func visitAll(of template: Template, _ place: ReferencePlace) {
      for case .placeholder(let placeholder) in template.parts { visit(placeholder, place) }
    }
    visitAll(of: value.path, .path)
    for parameter in value.params {
      switch parameter.value {
      case .literal: break
      case .template(let template): visitAll(of: template, .parameter)
      case .list, .map: visitAll(parameter.value.placeholders, .insideJSON)
      }
    }
    for file in rare.files { visitAll(of: file.path, .file) }
    for header in rare.headers { visitAll(of: header.value, .header) }
    for template in value.token.templates { visitAll(of: template, .token) }
    if let when = rare.when { visitAll(when.placeholders, .condition) }
    for expectation in value.expect { visitAll(expectation.expression.placeholders, .expectation) }
    if let until = rare.until {
      visitAll(until.check.placeholders, .expectation)
      visitAll(until.fail?.placeholders ?? [], .expectation)
    }
    // The confirmation check needs the values to which it refers.
    visitAll(rare.confirmation?.placeholders ?? [], .confirmation)
  }

  func forEachReference(_ visit: (Placeholder, Reference, ReferencePlace) -> Void) {
    forEachPlaceholder { placeholder, place in
      if let reference = placeholder.reference { visit(placeholder, reference, place) }
    }
  }

  var placeholders: [Placeholder] {
    var placeholders: [Placeholder] = []
    forEachPlaceholder { placeholder, _ in placeholders.append(placeholder) }
    return placeholders
  }

  package var references: [Reference] { placeholders.compactMap(\.reference) }
}

extension Workflow.RareKeys {
  /// How its pages are followed.
  package var pagination: Workflow.Pagination? {
    get { reading.pagination }
    set { reading.pagination = newValue }
  }

  /// By what it is divided if Graph refuses it, in this order.
  package var split: [SplitDimension] {
    get { reading.split }
    set { reading.split = newValue }
  }
}

extension [Workflow.Parameter] {
  subscript(name: String) -> ValueTemplate? { first { $0.name == name }?.value }
}

/// The part of a request that contains a reference.
enum ReferencePlace: Hashable, Sendable {
  /// In the path, or in the query of the path.
  case path
  /// In the text of a parameter.
  case parameter
  /// Inside a parameter that is sent as JSON.
  case insideJSON
  case header
  case file
  case token
  /// In `when`, which is evaluated before the request is sent.
  case condition
  /// In `expect` or `until`, which are evaluated after both answers have arrived.
  case expectation
  /// In `confirm`, which is sent if the answer is lost.
  case confirmation

  var isSent: Bool {
    switch self {
    case .path, .parameter, .insideJSON, .header, .file, .token: true
    case .condition, .expectation, .confirmation: false
    }
  }
}

/// Where the tokens of requests come from.
extension Workflow {
  /// The request whose answer holds a token, directly or as part of an item; nil if none does.
  func origin(of template: Template, _ request: Request) -> Int? {
    switch template.only?.kind {
    case .result(let reference): return reference.request
    case .item:
      return request.group.flatMap { groups[$0].source.reference?.request }
    default: return nil
    }
  }

  /// The profile behind the reference that names a token in a report; nil if none is.
  package func profile(behindToken reference: String) -> String? {
    requests.first { request in
      request.token.source.map { reference.hasPrefix($0.text) } ?? false
    }
    .flatMap(profile(behind:))
  }

  /// The profile whose permissions a request needs; nil if its token comes from an input or an item.
  package func profile(behind request: Request) -> String? {
    switch request.token {
    case .profile(let profile): profile
    case .reference(let template), .page(_, let template):
      origin(of: template, request).flatMap { profile(behind: requests[$0]) }
    }
  }
}
