package import GraphAPI
import JSONPath

/// A request with its placeholders filled, ready to become an operation.
///
/// Its values are in a box, because it is passed on many times and rarely changed.
struct BoundRequest: Hashable, Sendable {
  private var values: Box<Values>

  private struct Values: Hashable {
    var operation: BatchOperation
    var subject: Lane.Subject
    var token: AccessToken?
    var mustBeSentAlone: Bool
  }

  init(operation: BatchOperation, token: AccessToken? = nil, mustBeSentAlone: Bool) {
    values = Box(
      Values(
        operation: operation, subject: Lane.Subject(ofPath: operation.path), token: token,
        mustBeSentAlone: mustBeSentAlone))
  }

  /// What the path of the workflow is about, whatever the path of its next page or poll is.
  var subject: Lane.Subject { values.value.subject }

  /// The operation, without name, token and `depends_on`.
  var operation: BatchOperation {
    // Without a copy.
    _read { yield values.value.operation }
    set { values = values.changed { $0.operation = newValue } }
  }

  /// The token, if it comes from another request.
  var token: AccessToken? {
    get { values.value.token }
    set { values = values.changed { $0.token = newValue } }
  }

  /// Whether Graph could take its data for references, so that it must not enter a batch.
  var mustBeSentAlone: Bool { values.value.mustBeSentAlone }
}

extension Bindings {
  /// Fills a request's placeholders; the function reads a file in the workflow's folder.
  ///
  /// Parameters that are the same for all items may have been bound before.
  func bound(
    _ request: Workflow.Request, with known: BoundParameters? = nil,
    readFile: (String) throws -> [UInt8]
  ) throws(Failure) -> BoundRequest {
    let parameters =
      if let known { known } else { try self.parameters(request.params, as: request.method) }
    let path = try boundPath(request.path)
    var headers: [HeaderField] = []
    for header in request.headers {
      let value = try text(of: header.value).text
      guard let field = HeaderField(header.name, value) else { throw .header(header.name) }
      headers.append(field)
    }
    var files: [AttachedFile] = []
    for file in request.files { files.append(try boundFile(file, readFile)) }
    // A token may come from a result that is not known yet.
    let token = isUnknown.isEmpty ? try token(of: request) : nil
    let operation = BatchOperation(
      method: request.method, path: path.text, version: request.version,
      parameters: parameters.all, headers: headers, files: files)
    return BoundRequest(
      operation: operation, token: token,
      mustBeSentAlone: parameters.mustBeSentAlone || path.holdsReferenceLikeData)
  }

  /// Fills the placeholders of a request's confirmation check.
  func bound(
    _ confirmation: Workflow.Confirmation, for request: Workflow.Request
  ) throws(Failure) -> BoundRequest {
    let parameters = try self.parameters(confirmation.params, as: .get)
    let path = try boundPath(confirmation.path)
    let operation = BatchOperation(
      method: .get, path: path.text, version: request.version, parameters: parameters.all)
    return BoundRequest(
      operation: operation, token: try token(of: request),
      mustBeSentAlone: parameters.mustBeSentAlone || path.holdsReferenceLikeData)
  }

  /// Parameters with their placeholders filled, and whether Graph could take them for references.
  typealias BoundParameters = (all: [BatchOperation.Parameter], mustBeSentAlone: Bool)

  func parameters(
    _ params: [Workflow.Parameter], as method: OperationMethod
  ) throws(Failure) -> BoundParameters {
    var mustBeSentAlone = false
    var parameters: [BatchOperation.Parameter] = []
    for parameter in params {
      guard let value = try boundValue(parameter.value, as: method) else { continue }
      mustBeSentAlone = mustBeSentAlone || value.holdsReferenceLikeData
      parameters.append(BatchOperation.Parameter(name: parameter.name, value: value.text))
    }
    return (parameters, mustBeSentAlone)
  }

  /// The path of a template with its placeholders filled, percent-encoded.
  ///
  /// Its values may neither change the version nor join several nodes.
  func boundPath(_ template: Template) throws(Failure) -> BoundText {
    let path =
      if let only = template.only, let text = itemText(of: only) {
        BoundText(try wholePath(text), data: text)
      } else {
        try filledPath(template)
      }
    guard let letter = path.text.utf8.first, letter | 0x20 == UInt8(ascii: "v") else { return path }
    let first = Substring(
      path.text.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
    guard !GraphVersion.isNamed(by: first) else {
      throw .path("the path begins with '\(first)': no value may choose the version")
    }
    return path
  }

  private func filledPath(_ template: Template) throws(Failure) -> BoundText {
    var path = BoundText()
    var isInQuery = false
    for part in template.parts {
      switch part {
      case .text(let literal):
        isInQuery = isInQuery || literal.holds("?")
        path.append(PercentEncoding.repaired(literal), data: PercentEncoding.decoded(literal))
      case .placeholder(let placeholder):
        let filling = try isInQuery ? filling(of: placeholder) : segment(of: placeholder)
        guard let text = filling.data else {
          path.append(filling)
          continue
        }
        if template.parts.count == 1 {
          path.append(try wholePath(text), data: text)
        } else {
          if !isInQuery { try checkSegment(text, placeholder) }
          path.append(PercentEncoding.encoded(text), data: text)
        }
      }
    }
    return path
  }

  /// A value that is the whole path: it may have slashes, but no path traversal.
  private func wholePath(_ text: String) throws(Failure) -> String {
    if !text.holds("/"), !text.isEmpty, text != ".", text != ".." {
      return PercentEncoding.encoded(text)
    }
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    let written = segments.first == "" ? segments.dropFirst() : segments[...]
    for segment in written where segment.isEmpty || segment == "." || segment == ".." {
      throw .path("the path '\(text)' has a segment that is empty, '.' or '..'")
    }
    guard !written.isEmpty else { throw .path("the path is empty") }
    return written.map { PercentEncoding.encoded(String($0)) }.joined(separator: "/")
  }

  /// Fills a placeholder in a segment of a path with one node.
  private func segment(of placeholder: Placeholder) throws(Failure) -> Filling {
    let filling = try filling(of: placeholder)
    if case .values(let values) = filling, values.count > 1 {
      throw .path(
        "\(placeholder.text) selects \(values.count) nodes, and a segment of a path takes one")
    }
    return filling
  }

  private func checkSegment(_ text: String, _ placeholder: Placeholder) throws(Failure) {
    guard !text.isEmpty, text != ".", text != ".." else {
      throw .path("\(placeholder.text) puts '\(text)' into the path, which is not a segment")
    }
  }

  /// A parameter's text; `nil` for null, which is omitted.
  private func boundValue(
    _ value: ValueTemplate, as method: OperationMethod
  ) throws(Failure) -> BoundText? {
    switch value {
    case .literal(.null): return nil
    case .literal(let literal): return BoundText(literal.parameterText)
    case .template(let template):
      guard let placeholder = template.only else { return try text(of: template) }
      switch try filling(of: placeholder) {
      case .value(.null), .values([.null]): return nil
      case .values(let values) where method == .post:
        return BoundText(JSON.array(values).serialized())
      case let filling: return BoundText(filling)
      }
    case .list, .map: return BoundText(try json(of: value).serialized())
    }
  }

  /// The JSON of a value; a string that is a single placeholder becomes a value of any type.
  func json(of value: ValueTemplate) throws(Failure) -> JSON {
    switch value {
    case .literal(let literal): return literal
    case .template(let template):
      guard let placeholder = template.only else { return .string(try text(of: template).text) }
      switch try filling(of: placeholder) {
      case .left(let reference): return .string(reference)
      case .value(let value): return value
      case .values(let values): return .array(values)
      }
    case .list(let elements): return .array(try elements.map(json(of:)))
    case .map(let members):
      let values = try members.map(\.value).map(json(of:))
      return .object(JSON.Object(Array(zip(members.map(\.name), values))))
    }
  }

  /// The path of a file that is named after the item; no value leads to another folder.
  func filePath(_ template: Template) throws(Failure) -> String {
    var path = ""
    for part in template.parts {
      switch part {
      case .text(let text): path += text
      case .placeholder(let placeholder):
        let value = try filling(of: placeholder).data ?? ""
        let isPart = value.utf8.allSatisfy { $0 >= 32 && $0 != UInt8(ascii: "/") && $0 != 127 }
        guard isPart, !value.isEmpty, value.first != "." else {
          throw .fileName(placeholder, value)
        }
        path += value
      }
    }
    return path
  }

  /// The rows of an output for the current item; nil if its answer does not hold a list.
  func rows(of output: Workflow.Output) -> [JSON]? {
    guard let source = output.rows else { return [shown(output)] }
    return rows(from: source)?.map { row in
      var bindings = self
      bindings.row = row
      return bindings.shown(output)
    }
  }

  /// The value of an output, or its row for the current item; what has no value is null.
  func shown(_ output: Workflow.Output) -> JSON {
    guard output.each != nil, case .map(let columns) = output.value else {
      return (try? json(of: output.value)) ?? .null
    }
    return .object(
      JSON.Object(columns.map { ($0.name, (try? json(of: $0.value)) ?? .null) }))
  }

  private func boundFile(
    _ file: Workflow.File, _ readFile: (String) throws -> [UInt8]
  ) throws(Failure) -> AttachedFile {
    let path = try text(of: file.path).text
    let contents: [UInt8]
    do {
      contents = try readFile(path)
    } catch {
      throw .file(path, "\(error)")
    }
    guard let attached = AttachedFile(part: file.part, path: path, contents: contents) else {
      throw .file(path, "its name cannot appear in a multipart header")
    }
    return attached
  }
}

extension AttachedFile {
  /// A file with the media type that its name's extension stands for; nil if the part's name is
  /// invalid.
  package init?(part: String, path: String, contents: [UInt8]) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let fileExtension = name.split(separator: ".").last?.lowercased() ?? ""
    self.init(
      partName: part, fileName: name,
      contentType: AttachedFile.mediaTypes[fileExtension] ?? "application/octet-stream",
      contents: contents)
  }

  /// The media types of files that Graph accepts, by the extensions of their names.
  private static let mediaTypes = [
    "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "mov": "video/quicktime", "mp4": "video/mp4", "png": "image/png",
    "tiff": "image/tiff", "webp": "image/webp",
  ]
}
