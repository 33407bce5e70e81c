/// One fully bound operation: an element of a batch, or a call of its own.
///
/// Source: Graph API, "Batch Requests".
package struct BatchOperation: Hashable, Sendable {
  /// A parameter in plain text, unencoded.
  ///
  /// The value may hold `{result=name:$.id}` where Graph is to resolve it.
  package struct Parameter: Hashable, Sendable {
    /// The name.
    package var name: String

    /// The value.
    package var value: String

    /// Makes a parameter.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What to do.
  package var method: OperationMethod

  /// The path, percent-encoded already, without a slash in front and without a version.
  ///
  /// It may hold a query (`?ids=…`) and raw `{result=…}`.
  package var path: String

  /// Query of a GET or DELETE, form body of a POST, in this order.
  package var parameters: [Parameter]

  /// The label by which operations of the same batch refer to this one.
  package var name: String?

  /// The version, only where it differs from the batch's.
  package var version: GraphVersion?

  /// The token, only where it differs from the batch's; travels in the operation's query or body.
  package var accessToken: AccessToken?

  /// Request headers for this operation, such as `If-None-Match`.
  package var headers: [HeaderField]

  /// Files to send along; a POST's only, others leave them out.
  package var files: [AttachedFile]

  /// The label of an operation that must have succeeded before this one starts.
  package var dependsOn: String?

  /// Whether Graph answers `null` on success; nil leaves Graph's default.
  ///
  /// The default is true, and takes effect only where another operation points to this one.
  package var omitResponseOnSuccess: Bool?

  /// Makes an operation.
  package init(
    name: String? = nil,
    method: OperationMethod,
    path: String,
    version: GraphVersion? = nil,
    parameters: [Parameter] = [],
    accessToken: AccessToken? = nil,
    headers: [HeaderField] = [],
    files: [AttachedFile] = [],
    dependsOn: String? = nil,
    omitResponseOnSuccess: Bool? = nil
  ) {
    self.method = method
    self.path = path
    self.parameters = parameters
    self.name = name
    self.version = version
    self.accessToken = accessToken
    self.headers = headers
    self.files = files
    self.dependsOn = dependsOn
    self.omitResponseOnSuccess = omitResponseOnSuccess
  }
}
