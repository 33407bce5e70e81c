import JSONPath

/// The body of an HTTP request: parameters, files, and a batch if it is a JSON array.
struct RequestBody: Sendable {
  private(set) var parameters = Parameters()
  private(set) var files: [UploadedFile] = []
  /// The text of `batch` if a JSON body has it as an array instead of a string.
  private(set) var batch: [UInt8]?

  /// Decodes a body by its content type; without one, as a form.
  init(_ call: HTTPCall) throws(GraphFault) {
    if let headers = call.uploadHeaders {
      for (name, value) in headers { parameters.append(name, value) }
      files = [UploadedFile(partName: "file", contents: call.body[...])]
      return
    }
    guard !call.body.isEmpty else { return }
    let type = HeaderValue(call.contentType ?? "").value
    switch type {
    case "multipart/form-data":
      guard let form = MultipartForm(call.body, contentType: call.contentType ?? "") else {
        throw .bodyUnreadable
      }
      parameters = form.parameters
      files = form.files
    case "application/json":
      guard let document = try? JSON.Document(parsing: call.body),
        let members = document.value.members
      else { throw .bodyUnreadable }
      for (name, value) in members {
        if name == "batch", value.string == nil {
          batch = Array(document.text[value.range])
        } else {
          parameters.append(name, value.json.parameterText)
        }
      }
    default:
      parameters = Parameters(form: call.body)
    }
  }
}

/// The parts of an HTTP request that the Graph API uses, its body without a content encoding.
struct HTTPCall: Sendable {
  var method: String
  /// Path and query, as received.
  var target: String
  var authorization: String?
  var contentType: String?
  var ifNoneMatch: String?
  var host: String?
  /// `X-Forwarded-Proto`, which a proxy sets, else that of the server.
  var scheme: String?
  /// Of an upload whose body is the file: the headers that say what is in it, in place of parameters.
  var uploadHeaders: [String: String]?
  var body: [UInt8] = []

  /// The names of such headers.
  static let uploadHeaderNames = ["file_size", "file_url", "offset"]

  /// The base URL that the client, or a proxy before the server, was asked for; nil without a name
  /// that can be part of a URL.
  var origin: String? {
    guard let host, !host.isEmpty, host.utf8.count <= 255,
      host.utf8.allSatisfy({ FormText.isUnreserved($0) || ":[]".utf8.contains($0) })
    else { return nil }
    return "\(scheme == "https" ? "https" : "http")://\(host)"
  }
}
