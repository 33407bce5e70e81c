/// One fully bound operation: an element of a batch, or a call of its own.
///
/// Source: Graph API, "Batch Requests".
public struct BatchOperation: Hashable, Sendable {
  /// A parameter in plain text, unencoded.
  ///
  /// The value may hold `{result=name:$.id}` where Graph is to resolve it.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public var name: String

    /// The value.
    public var value: String

    /// Makes a parameter.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What to do.
  public var method: OperationMethod

  /// The path, percent-encoded already, without a slash in front and without a version.
  ///
  /// It may hold a query (`?ids=…`) and raw `{result=…}`.
  public var path: String

  /// Query of a GET or DELETE, form body of a POST, in this order.
  public var parameters: [Parameter]

  /// The label by which operations of the same batch refer to this one.
  public var name: String?

  /// The version, only where it differs from the batch's.
  public var version: GraphVersion?

  /// The token, only where it differs from the batch's; travels in the operation's query or body.
  public var accessToken: AccessToken?

  /// Request headers for this operation, such as `If-None-Match`.
  public var headers: [HeaderField]

  /// Files to send along; a POST's only, others leave them out.
  public var files: [AttachedFile]

  /// The label of an operation that must have succeeded before this one starts.
  public var dependsOn: String?

  /// Whether Graph answers `null` on success; nil leaves Graph's default.
  ///
  /// The default is true, and takes effect only where another operation points to this one.
  public var omitResponseOnSuccess: Bool?

  /// Makes an operation.
  public init(
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
