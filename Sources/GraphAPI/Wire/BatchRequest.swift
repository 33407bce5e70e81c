internal import JSONPath

/// One HTTP call that carries 1 to 50 operations under one token.
///
/// Source: Graph API, "Batch Requests".
public struct BatchRequest: Hashable, Sendable {
  /// How many operations Graph takes in one batch.
  public static let maximumOperations = 50

  /// The operations, in the order of the wire; an operation may point only to earlier ones.
  public let operations: [BatchOperation]

  /// The token of every operation that brings none of its own.
  public let accessToken: AccessToken

  /// The version of every operation that brings none of its own.
  public let version: GraphVersion

  /// The secret from which the proofs of the tokens are made, where the app wants them.
  public let appSecret: AppSecret?

  /// Makes a batch; nil for no operation or more than fifty.
  public init?(
    operations: [BatchOperation],
    accessToken: AccessToken,
    version: GraphVersion,
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
  /// It is a form, or multipart where files are attached.
  public func wireRequest(to url: GraphURL) -> WireRequest {
    let partNames = uniquePartNames()
    let fields = fields(partNames: partNames)
    var (contentType, body) = (FormBody.contentType, [UInt8]())
    if partNames.allSatisfy({ $0.isEmpty }) {
      FormBody.write(fields, to: &body)
    } else {
      var multipart = MultipartBody()
      for (name, value) in fields { multipart.append(name, value) }
      for (operation, names) in zip(operations, partNames) {
        for (file, name) in zip(operation.files, names) { multipart.append(file, as: name) }
      }
      (contentType, body) = multipart.encoded()
    }
    return WireRequest(
      method: "POST",
      url: "\(url)/\(version)/",
      headers: [HeaderField("Content-Type", contentType)].compactMap(\.self),
      body: body
    )
  }

  private func fields(partNames: [BatchOperation.PartNames]) -> [(String, [UInt8])] {
    var fields = [("access_token", Array(accessToken.exposed.utf8))]
    if let appSecret {
      fields.append(("appsecret_proof", Array(appSecret.proof(for: accessToken).utf8)))
    }
    fields.append(("include_headers", Array("true".utf8)))
    var batch: [UInt8] = [UInt8(ascii: "[")]
    for (index, operation) in operations.enumerated() {
      if index > 0 { batch.append(UInt8(ascii: ",")) }
      operation.write(to: &batch, appSecret: appSecret, partNames: partNames[index])
    }
    batch.append(UInt8(ascii: "]"))
    fields.append(("batch", batch))
    return fields
  }

  /// The names of the parts, each of which is unique in the batch.
  ///
  /// A name that is taken already gets a number behind it: Graph goes by `attached_files` alone.
  private func uniquePartNames() -> [BatchOperation.PartNames] {
    var taken: Set<String> = []
    return operations.map { operation in
      guard operation.method == .post else { return [] }
      return operation.files.map { file in
        var name = file.partName
        var number = 2
        while !taken.insert(name).inserted {
          name = "\(file.partName)_\(number)"
          number += 1
        }
        return name
      }
    }
  }
}
