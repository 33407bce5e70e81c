/// A call as a command line of curl for a POSIX shell; the token is a variable.
struct CurlText {
  private let call: GraphCall
  private let request: HTTPCall
  private let origin: String
  private let mask: TokenMask

  init(_ call: GraphCall, _ request: HTTPCall, _ origin: String, _ mask: TokenMask) {
    (self.call, self.request, self.origin, self.mask) = (call, request, origin, mask)
  }

  /// nil if the body cannot be read.
  var text: String? {
    let url = RelativeURL(request.target.utf8)
    guard let body = try? RequestBody(request) else { return nil }
    var parameters = url.query
    parameters.append(contentsOf: body.parameters)
    var members = parameters.effective.members.filter { !Self.credentials.contains($0.name) }
    if let batch = body.batch {
      members.append((name: "batch", value: String(decoding: batch, as: UTF8.self)))
    }
    let hasForm = !members.isEmpty || !body.files.isEmpty
    let option =
      switch call.method {
      case "GET": " --get"
      case "POST": hasForm ? "" : " --request POST"
      default: (hasForm ? " --get" : "") + " --request \(Self.quoted(call.method))"
      }
    let path = ((url.version.map { [$0] } ?? []) + url.path).joined(separator: "/")
    var words = ["curl\(option) --globoff " + Self.quoted(mask.text("\(origin)/\(path)"))]
    if call.token != nil {
      words.append("--header \"Authorization: Bearer $GRAPHFLOW_ACCESS_TOKEN\"")
    }
    let form = body.files.isEmpty ? "--data-urlencode" : "--form-string"
    words += members.map { "\(form) " + Self.quoted(mask.text("\($0.name)=\($0.value)")) }
    words += body.files.map { file in "--form " + Self.quoted("\(file.partName)=@FILE") }
    return words.joined(separator: " \\\n  ")
  }

  /// Parameters that the header replaces, and a proof that belongs to one token.
  private static let credentials = ["access_token", "appsecret_proof"]

  /// A text in single quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
