import JSONPath

/// The body of an HTTP request: parameters, files, and perhaps a batch as real JSON.
struct RequestBody: Sendable {
  private(set) var parameters = Parameters()
  private(set) var files: [UploadedFile] = []
  /// `batch`, where a JSON body holds it as an array and not as text: the array's own text.
  private(set) var batch: [UInt8]?

  /// Decodes a body by its content type; without one, as a form.
  init(_ call: HTTPCall) throws(GraphFault) {
    guard !call.body.isEmpty else { return }
    guard ["", "identity"].contains((call.contentEncoding ?? "").lowercased()) else {
      throw .bodyUnreadable
    }
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
