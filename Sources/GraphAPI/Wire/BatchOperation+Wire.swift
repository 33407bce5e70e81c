internal import JSONPath

extension BatchOperation {
  /// The `relative_url` of the operation without a token: version, path, and a GET's parameters.
  package var relativeURL: String { relativeURL(fields: method == .post ? [] : parameters) }

  /// Version, path and query; the fields are appended to the path's own query, if there is one.
  func relativeURL(fields: [Parameter]) -> String {
    var encoder = URLEncoder()
    encoder.encode(self, fields)
    return String(decoding: encoder.url, as: UTF8.self)
  }

  /// Appends the operation as an element of the `batch` array.
  ///
  /// `partNames` are the names of the files' multipart parts. The operation's own token goes into the
  /// query or the body, with its proof if there is an app secret: each token of a batch needs its own
  /// proof.
  func write(
    to output: inout JSONText, appSecret: AppSecret?, partNames: [String],
    _ encoder: inout URLEncoder
  ) {
    let fields =
      accessToken == nil ? parameters : parameters + credentials(appSecret: appSecret)
    switch method {
    case .get: output.append(#"{"method":"GET","relative_url":"#)
    case .post: output.append(#"{"method":"POST","relative_url":"#)
    case .delete: output.append(#"{"method":"DELETE","relative_url":"#)
    }
    encoder.encode(self, method == .post ? [] : fields)
    encoder.url.withUnsafeBufferPointer { output.append(string: $0) }
    func member(_ name: StaticString, _ value: JSON) {
      output.append(name: name, after: ",", ":")
      value.write(to: &output)
    }
    if let name { member("name", .string(name)) }
    if method == .post, !fields.isEmpty {
      var body: [UInt8] = []
      PercentEncoding.append(fields.lazy.map { ($0.name, $0.value.utf8) }, to: &body)
      member("body", .string(String(decoding: body, as: UTF8.self)))
    }
    if let dependsOn { member("depends_on", .string(dependsOn)) }
    if let omitResponseOnSuccess {
      member("omit_response_on_success", .bool(omitResponseOnSuccess))
    }
    if !partNames.isEmpty { member("attached_files", .string(partNames.joined(separator: ","))) }
    if !headers.isEmpty {
      let fields = headers.map { field -> JSON in
        .object(JSON.Object([("name", .string(field.name)), ("value", .string(field.value))]))
      }
      member("headers", .array(fields))
    }
    output.append(UInt8(ascii: "}"))
  }

  private func credentials(appSecret: AppSecret?) -> [Parameter] {
    guard let accessToken else { return [] }
    var fields = [Parameter(name: "access_token", value: accessToken.exposed)]
    if let appSecret {
      fields.append(Parameter(name: "appsecret_proof", value: appSecret.proof(for: accessToken)))
    }
    return fields
  }
}

/// Encodes the URLs of operations one after another.
struct URLEncoder {
  /// The last URL.
  private(set) var url: [UInt8] = []
  private var fields: [BatchOperation.Parameter] = []
  /// The last fields, encoded: the operations of a batch often have the same.
  private var query: [UInt8] = []

  /// Encodes version, path and query; the fields are appended to the path's own query, if there is
  /// one.
  mutating func encode(_ operation: BatchOperation, _ fields: [BatchOperation.Parameter]) {
    url.removeAll(keepingCapacity: true)
    if let version = operation.version { url += "\(version)/".utf8 }
    url += operation.path.utf8
    guard !fields.isEmpty else { return }
    let mark = UInt8(ascii: "?")
    if !operation.path.holds("?") {
      url.append(mark)
    } else if url.last != mark, url.last != UInt8(ascii: "&") {
      url.append(UInt8(ascii: "&"))
    }
    if fields != self.fields {
      self.fields = fields
      query.removeAll(keepingCapacity: true)
      PercentEncoding.append(fields.lazy.map { ($0.name, $0.value.utf8) }, to: &query)
    }
    url += query
  }
}
