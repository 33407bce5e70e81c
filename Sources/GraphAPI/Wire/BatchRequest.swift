internal import JSONPath

/// One HTTP call with 1 to 50 operations.
///
/// ```swift
/// guard let batch = BatchRequest(operations: operations, accessToken: token, version: .current)
/// else { return }
/// let response = try await transport.send(batch.wireRequest(to: .standard), timeout: .seconds(30))
/// let answer = batch.answer(from: response)
/// ```
///
/// Source: Graph API, "Batch Requests".
public struct BatchRequest: Hashable, Sendable {
  /// The largest number of operations in a batch.
  public static let maximumOperations = 50

  /// The operations, in the order in which they are sent; each may refer only to earlier ones.
  public let operations: [BatchOperation]
  /// The token of every operation without its own token.
  public let accessToken: AccessToken
  /// The version of every operation without its own version.
  public let version: GraphVersion
  /// The app's secret, to send a proof of each token (`appsecret_proof`); nil sends no proofs.
  public let appSecret: AppSecret?

  /// Makes a batch; nil if there are no operations or more than fifty.
  public init?(
    operations: [BatchOperation], accessToken: AccessToken, version: GraphVersion,
    appSecret: AppSecret? = nil
  ) {
    guard (1...Self.maximumOperations).contains(operations.count) else { return nil }
    self.operations = operations
    self.accessToken = accessToken
    self.version = version
    self.appSecret = appSecret
  }

  /// The HTTP request: a POST to the versioned root, with the token in the body.
  ///
  /// The body is a form, or a multipart body if there are files.
  ///
  /// - Parameter url: The server, usually `GraphURL.standard`.
  /// - Returns: The request, ready to send.
  public func wireRequest(to url: GraphURL) -> WireRequest {
    let partNames = uniquePartNames()
    let files = partNames.sorted { $0.key < $1.key }.flatMap { zip(operations[$0].files, $1) }
    let body = PostBody(fields(partNames: partNames), files: files)
    return WireRequest(
      method: "POST", url: "\(url)/\(version)/",
      headers: [HeaderField("Content-Type", body.contentType)].compactMap(\.self), body: body.bytes)
  }

  private func fields(partNames: [Int: [String]]) -> [(String, [UInt8])] {
    var fields = [("access_token", Array(accessToken.exposed.utf8))]
    if let appSecret {
      fields.append(("appsecret_proof", Array(appSecret.proof(for: accessToken).utf8)))
    }
    fields.append(("include_headers", Array("true".utf8)))
    var batch = JSONText()
    var encoder = URLEncoder()
    for index in operations.indices {
      batch.append(index == 0 ? "[" : ",")
      operations.span[index]
        .write(to: &batch, appSecret: appSecret, partNames: partNames[index] ?? [], &encoder)
    }
    batch.append(UInt8(ascii: "]"))
    batch.trim()
    fields.append(("batch", batch.bytes))
    return fields
  }

  /// The names of the files' parts, by operation, which must be unique in the batch.
  ///
  /// A repeated name gets a number as suffix; Graph uses only the names in `attached_files`.
  private func uniquePartNames() -> [Int: [String]] {
    var taken: Set<String> = []
    var names: [Int: [String]] = [:]
    // By index: an operation is expensive to copy.
    for index in operations.indices
    where operations[index].method == .post && !operations[index].files.isEmpty {
      names[index] = operations[index].files.map { file in
        var name = file.partName
        var number = 2
        while !taken.insert(name).inserted {
          name = "\(file.partName)_\(number)"
          number += 1
        }
        return name
      }
    }
    return names
  }
}
