internal import JSONPath

/// One operation on the Graph API: an element of a batch, or a call of its own.
///
/// Source: Graph API, "Batch Requests".
public struct BatchOperation: Hashable, Sendable {
  /// A parameter in plain, unencoded text.
  ///
  /// The value may contain references to earlier operations of the batch, `{result=name:$.id}`, which
  /// Graph resolves.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value, unencoded.
    public var value: String

    /// Makes a parameter.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The HTTP method.
  public var method: OperationMethod
  /// The percent-encoded path, without a leading slash and without a version.
  ///
  /// It may have a query (`?ids=…`) and unencoded references (`{result=…}`).
  public var path: String
  /// The parameters in order: the query of a GET or DELETE, or the form body of a POST.
  public var parameters: [Parameter]
  /// The name by which later operations of the batch refer to this one.
  public var name: String?
  /// The version, if it differs from the batch's.
  public var version: GraphVersion?
  /// The token, if it differs from the batch's; it is sent in the operation's query or body.
  public var accessToken: AccessToken?
  /// The request headers of this operation, such as `If-None-Match`.
  public var headers: [HeaderField]
  /// The files to upload; only a POST sends them.
  public var files: [AttachedFile]
  /// The name of an operation that must succeed before this one is run (`depends_on`).
  public var dependsOn: String?
  /// Whether Graph answers `null` on success (`omit_response_on_success`); nil uses Graph's default.
  ///
  /// The default is true, and applies only if another operation refers to this one.
  public var omitResponseOnSuccess: Bool?

  /// Makes an operation; each parameter is documented at its property.
  public init(
    name: String? = nil, method: OperationMethod, path: String, version: GraphVersion? = nil,
    parameters: [Parameter] = [], accessToken: AccessToken? = nil, headers: [HeaderField] = [],
    files: [AttachedFile] = [], dependsOn: String? = nil, omitResponseOnSuccess: Bool? = nil
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

extension BatchOperation {
  /// The names of the operations that this one refers to, by `depends_on` or `{result=…}`.
  var predecessorNames: Set<String> {
    var names: Set<String> = []
    if let dependsOn { names.insert(dependsOn) }
    Self.collectNames(in: PercentEncoding.decoded(path), into: &names)
    for parameter in parameters {
      Self.collectNames(in: parameter.value, into: &names)
      Self.collectNames(in: parameter.name, into: &names)
    }
    return names
  }

  private static func collectNames(in text: String, into names: inout Set<String>) {
    for text in text.utf8.split(separator: "{result=".utf8, omittingEmptySubsequences: false)
      .dropFirst()
    {
      let name = text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "}") }
      names.insert(String(decoding: name, as: UTF8.self))
    }
  }
}

extension BatchOperation {
  /// The number of calls that Graph counts for the operation: one for each id of `ids`.
  ///
  /// Source: Graph API, "Rate Limits".
  package var countedCalls: Int {
    guard method == .get else { return 1 }
    if let ids = parameters.first(where: { $0.name == "ids" }) { return Self.count(ids.value) }
    guard path.holds("?"), let query = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return 1 }
    for field in path[path.utf8.index(after: query)...].split(separator: "&")
    where field.hasPrefix("ids=") { return Self.count(field.dropFirst(4)) }
    return 1
  }

  /// The number of ids in a list; commas may be percent-encoded.
  private static func count(_ ids: some StringProtocol) -> Int {
    1 + PercentEncoding.decoded(String(ids)).utf8.count { $0 == UInt8(ascii: ",") }
  }
}
