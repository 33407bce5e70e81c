import GraphAPI

extension KoalaTests {
  /// A recorded batch as operations of this library.
  struct Expectation {
    let operations: [BatchOperation]
    let answer: [String]
  }

  private static let failure = "400 An error occurred!."

  private static func get(
    _ path: String, _ parameters: [(String, String)] = [], name: String? = nil
  ) -> BatchOperation {
    BatchOperation(
      name: name, method: .get, path: path,
      parameters: parameters.map { BatchOperation.Parameter(name: $0, value: $1) })
  }

  private static func get(_ path: String, after name: String) -> BatchOperation {
    BatchOperation(method: .get, path: path, dependsOn: name)
  }

  private static func getAsApp(_ path: String) -> BatchOperation {
    BatchOperation(method: .get, path: path, accessToken: AccessToken("app|token"))
  }

  private static func photo(_ path: String, _ partName: String) -> BatchOperation {
    let file = AttachedFile(
      partName: partName, fileName: "beach.jpg", contentType: "image/jpeg", contents: [1, 2, 3])
    return BatchOperation(method: .post, path: path, files: [file].compactMap(\.self))
  }

  private static let friends = get("me/friends", [("limit", "5")], name: "get-friends")

  private static func ids(of name: String) -> BatchOperation {
    get("", [("ids", "{result=\(name):$.data.*.id}")])
  }

  /// The batches by line of the file, written by hand from the recordings.
  static let expected: [Int: Expectation] = [
    61: Expectation(
      operations: [get("me"), get("barackobama")],
      answer: [#"200 {"id":"123"}"#, #"200 {"id":"456"}"#]),
    64: Expectation(operations: [get("me/picture")], answer: ["302 "]),
    67: Expectation(
      operations: [get("me/picture", [("redirect", "false")])],
      answer: [#"200 {"data":{"is_silhouette":false,"url":"https://google.com"}}"#]),
    70: Expectation(
      operations: [get("me"), get("me/friends")],
      answer: [#"200 {"id":"barackobama"}"#, #"200 {"data":[{"id":"koppel"}],"paging":{}}"#]),
    73: Expectation(
      operations: [get("me"), getAsApp("app/app_event_types")],
      answer: [#"200 {"id":"123"}"#, #"200 {"data":[],"paging":{}}"#]),
    76: Expectation(
      operations: [get("2/invalidconnection"), getAsApp("barackobama")],
      answer: [failure, #"200 {"id":"123"}"#]),
    79: Expectation(
      operations: [
        BatchOperation(method: .post, path: "FEED_ITEM_BATCH/likes"),
        BatchOperation(method: .delete, path: "FEED_ITEM_BATCH"),
      ], answer: [#"200 {"id": "MOCK_LIKE"}"#, #"200 {"success":true}"#]),
    84: Expectation(
      operations: [get("me", name: "getme"), get("barackobama", after: "getme")],
      answer: ["omitted", #"200 {"id":"123"}"#]),
    87: Expectation(
      operations: [
        get("2/invalidconnection", name: "getdata"), get("barackobama", after: "getdata"),
      ], answer: [failure, "not executed"]),
    90: Expectation(operations: [friends, ids(of: "get-friends")], answer: ["omitted", "200 {}"]),
    93: Expectation(
      operations: [keepingResponse(friends), ids(of: "get-friends")],
      answer: [#"200 {"data":[],"paging":{}}"#, "200 {}"]),
    96: Expectation(
      operations: [get("me/friends", [("limit", "5")]), ids(of: "i-dont-exist")],
      answer: ["refused 400 190 Error validating access token."]),
    // The file itself has an error here: a quote is missing before `body`.
    103: Expectation(operations: [photo("me/photos", "op1_file0")], answer: ["unreadable 200"]),
    106: Expectation(
      operations: [photo("me/photos", "op1_file0")], answer: [#"200 {"id": "MOCK_PHOTO"}"#]),
    109: Expectation(
      operations: [photo("me/photos", "op1_file0"), photo("barackobama/photos", "op2_file0")],
      answer: [#"200 {"id": "MOCK_PHOTO"}"#, #"200 {"id": "MOCK_PHOTO"}"#]),
  ]

  private static func keepingResponse(_ operation: BatchOperation) -> BatchOperation {
    var operation = operation
    operation.omitResponseOnSuccess = false
    return operation
  }
}
