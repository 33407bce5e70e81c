package import GraphAPI

extension Workflow {
  /// One request as its author declared it, with the workflow's defaults applied.
  ///
  /// A class, because it is handed on for every item and attempt, and never changes: a copy of so
  /// many values costs more than the rest of what is done with them.
  package final class Request: Sendable {
    /// The name.
    package let name: RequestName
    /// Where the name stands.
    package let location: SourceLocation
    /// The verb.
    package let method: OperationMethod
    /// The path, without host, version and leading slash; it may carry a query.
    package let path: Template
    /// What it is for, in the author's words.
    package let description: String?
    /// The parameters: the query of a GET or DELETE, the form of a POST.
    package let params: [Parameter]
    /// The attached files; only a POST has any.
    package let files: [File]
    /// The header fields, the workflow's defaults among them.
    package let headers: [Header]
    /// The Graph version, its own or the workflow's; nil for the tool's default.
    package let version: GraphVersion?
    /// Whose token it uses.
    package let token: TokenChoice
    /// Its prerequisites: its own, and the workflow's if it uses the workflow's token.
    package let permissions: [String]
    /// The indices of the requests named by `depends_on`, each once, in the order written.
    ///
    /// Those that it depends on through ``references`` are not repeated here.
    package let dependsOn: [Int]
    /// Whether it starts once its dependencies are over, however they ended.
    package let runsAfterFailure: Bool
    /// The condition under which it is sent at all.
    package let when: Expression?
    /// What must hold of its answer.
    package let expect: [Expectation]
    /// When it is sent again; nil for never.
    package let retry: RetryPolicy?
    /// How long the HTTP call that carries it may take.
    package let timeout: Duration
    /// What its failure means for the run.
    package let onError: ErrorPolicy
    /// Whether it may be sent again when nobody knows whether it took effect.
    package let isIdempotent: Bool
    /// Whether its body is kept out of report and journal.
    package let omitsResponse: Bool
    /// Whether it travels in an HTTP call of its own.
    package let isAlone: Bool
    /// The group that it is a member of, as an index into ``Workflow/groups``.
    package let group: Int?
    /// Its name in reports: `publish.post` for a member of a group, the group's name in the short
    /// form; nil for its own name.
    package let groupedName: String?
    /// How its pages are followed; only of a GET.
    package let pagination: Pagination?
    /// What it is asked again for; only of a GET.
    package let until: Until?
    /// How to find out whether it happened when its answer is lost; only of a POST.
    package let confirmation: Confirmation?

    init(
      name: RequestName,
      location: SourceLocation,
      method: OperationMethod,
      path: Template,
      description: String?,
      params: [Parameter],
      files: [File],
      headers: [Header],
      version: GraphVersion?,
      token: TokenChoice,
      permissions: [String],
      dependsOn: [Int],
      runsAfterFailure: Bool,
      when: Expression?,
      expect: [Expectation],
      retry: RetryPolicy?,
      timeout: Duration,
      onError: ErrorPolicy,
      isIdempotent: Bool,
      omitsResponse: Bool,
      isAlone: Bool,
      group: Int?,
      groupedName: String?,
      pagination: Pagination?,
      until: Until?,
      confirmation: Confirmation?
    ) {
      self.name = name
      self.location = location
      self.method = method
      self.path = path
      self.description = description
      self.params = params
      self.files = files
      self.headers = headers
      self.version = version
      self.token = token
      self.permissions = permissions
      self.dependsOn = dependsOn
      self.runsAfterFailure = runsAfterFailure
      self.when = when
      self.expect = expect
      self.retry = retry
      self.timeout = timeout
      self.onError = onError
      self.isIdempotent = isIdempotent
      self.omitsResponse = omitsResponse
      self.isAlone = isAlone
      self.group = group
      self.groupedName = groupedName
      self.pagination = pagination
      self.until = until
      self.confirmation = confirmation
    }

    /// Its name in reports and messages.
    package var displayName: String { groupedName ?? name.description }

    /// Whether it changes something: everything but a GET.
    package var isWrite: Bool { method != .get }
  }

  /// A named parameter of a request.
  package struct Parameter: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: ValueTemplate
  }

  /// A file that a request sends.
  package struct File: Hashable, Sendable {
    /// The name of its part.
    package let part: String
    /// The path, relative to the workflow's folder.
    package let path: Template
  }

  /// A header field of a request.
  package struct Header: Hashable, Sendable {
    /// The name as written.
    package let name: String
    /// The value.
    package let value: Template
  }

  /// Where a request's token comes from.
  package enum TokenChoice: Hashable, Sendable {
    /// A credential profile.
    case profile(String)
    /// A template that is one placeholder: another request's result, or a secret input.
    case reference(Template)
  }

  /// Something that must hold of a request's answer.
  package struct Expectation: Hashable, Sendable {
    /// The condition.
    package let expression: Expression
    /// What to say if it does not hold.
    package let message: String?
  }

  /// What a request's failure means for the run.
  package enum ErrorPolicy: String, Hashable, Sendable, CaseIterable {
    /// The run has failed, but everything that does not depend on the request goes on.
    case `continue`
    /// Nothing more is started.
    case stop
    /// The run has not failed; dependents are skipped all the same.
    case ignore
  }
}
