internal import JSONPath

extension BatchOperation {
  /// The `relative_url` of the operation without a token: version, path, and a GET's parameters.
  package var relativeURL: String { relativeURL(fields: method == .post ? [] : parameters) }

  /// Version, path and query; the fields are appended to the path's own query, if there is one.
  func relativeURL(fields: [Parameter]) -> String {
    var text: [UInt8] = []
    writeRelativeURL(fields, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the operation as an element of the `batch` array.
  ///
  /// `partNames` are the names of the files' multipart parts. The operation's own token goes into the query or the body, with its proof if there is an app
  /// secret: each token of a batch needs its own proof.
  func write(to output: inout JSONText, appSecret: AppSecret?, partNames: [String]) {
    let fields =
      accessToken == nil ? parameters : parameters + credentials(appSecret: appSecret)
    output.append(#"{"method":"#)
    output.append(string: method.rawValue)
    output.append(#","relative_url":"#)
    var url: [UInt8] = []
    writeRelativeURL(method == .post ? [] : fields, to: &url)
    url.withUnsafeBufferPointer { output.append(string: $0) }
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

  private func writeRelativeURL(_ fields: [Parameter], to text: inout [UInt8]) {
    text.reserveCapacity(path.utf8.count + 64)
    if let version { text += "\(version)/".utf8 }
    text += path.utf8
    guard !fields.isEmpty else { return }
    let query = UInt8(ascii: "?")
    if !path.utf8.contains(query) {
      text.append(query)
    } else if text.last != query, text.last != UInt8(ascii: "&") {
      text.append(UInt8(ascii: "&"))
    }
    PercentEncoding.append(fields.lazy.map { ($0.name, $0.value.utf8) }, to: &text)
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
