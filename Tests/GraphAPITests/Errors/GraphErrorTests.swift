import GraphAPI
import JSONPath
import Testing

struct GraphErrorTests {
  @Test func `all fields of today's error object are parsed`() throws {
    let text = #"""
      {"error":{"message":"Duplicate status message","type":"FacebookApiException","code":506,
       "error_subcode":1455006,"is_transient":false,"error_user_title":"Duplicate Status Update",
       "error_user_msg":"This status update is identical to the last one you posted.",
       "error_data":"{\"a\":1}","fbtrace_id":"AjPj2sQoTXX"}}
      """#

    let error = try #require(GraphError(body: JSON(parsing: text)))

    #expect(error.message == "Duplicate status message")
    #expect(error.type == "FacebookApiException")
    #expect((error.code, error.subcode) == (506, 1_455_006))
    #expect(error.isTransient == false)
    #expect(error.data == #"{"a":1}"#)
    #expect(error.isFromGraph)
    #expect(
      error.json.serialized()
        == #"{"message":"Duplicate status message","type":"FacebookApiException","code":506,"#
        + #""error_subcode":1455006,"error_user_title":"Duplicate Status Update","#
        + #""error_user_msg":"This status update is identical to the last one you posted.","#
        + #""is_transient":false,"fbtrace_id":"AjPj2sQoTXX"}"#)
  }

  @Test(arguments: [
    (
      #"{"error":{"message":"m","type":"GraphBatchException"}}"#, nil, nil, "GraphBatchException",
      "m"
    ),
    (#"{"error":{"message":"m","code":"190","error_subcode":463}}"#, 190, 463, nil, "m"),
    (#"{"error":{"error_reason":"r","error_msg":"m","code":1}}"#, 1, nil, nil, "r"),
    (#"{"error":{"code":2}}"#, 2, nil, nil, "Graph gave no message"),
    (
      #"{"error_code":601,"error_msg":"Parser error: unexpected end of query.","request_args":[]}"#,
      601, nil, nil, "Parser error: unexpected end of query."
    ),
    (
      #"{"error_code":190,"error_description":"Error validating access token."}"#, 190, nil, nil,
      "Error validating access token."
    ),
    (
      #"{"error":0,"error_description":"batch parameter must be a JSON array"}"#, nil, nil, nil,
      "batch parameter must be a JSON array"
    ),
    (#"{"error":"invalid_request","error_description":"d"}"#, nil, nil, "invalid_request", "d"),
    (
      #"{"error_type":"OAuthException","code":400,"error_message":"m"}"#, 400, nil,
      "OAuthException", "m"
    ),
    (#"{"error":{"error_type":"T","message":"m"}}"#, nil, nil, "T", "m"),
    (
      #"{"data":{"is_valid":false,"error":{"code":190,"message":"m","subcode":463}}}"#, 190, 463,
      nil, "m"
    ),
    (#"{"code":100,"message":"m"}"#, 100, nil, nil, "m"),
    (#"{"error":"text"}"#, nil, nil, nil, "text"),
  ])
  func `every old format is parsed`(
    _ text: String, _ code: Int?, _ subcode: Int?, _ type: String?, _ message: String
  ) throws {
    let error = try #require(GraphError(body: JSON(parsing: text)))

    #expect(error.code == code)
    #expect(error.subcode == subcode)
    #expect(error.type == type)
    #expect(error.message == message)
  }

  @Test(arguments: [
    "{}", "[]", "null", "true", #""error""#, #"{"id":"1"}"#, #"{"error":{}}"#, #"{"error":null}"#,
    #"{"code":100}"#, #"{"message":"m"}"#, #"{"error":[]}"#, #"{"data":[{"error":{"code":1}}]}"#,
  ])
  func `other bodies are not errors`(_ text: String) throws {
    #expect(try GraphError(body: JSON(parsing: text)) == nil)
  }

  @Test(arguments: [
    (#"{"error":{"code":190,"message":"m"}}"#, 190),
    (#"{ "a" : "error", "error" : {"code":1} }"#, 1),
    (#"{"error_code":601,"error_msg":"Parser error: unexpected end of query."}"#, 601),
    (#"{"data":{"error":{"code":190,"message":"m"}}}"#, nil),
    (#"{"message":"m","code":7}"#, nil), (#"{"error":"text"}"#, nil), (#"{"errors":[]}"#, nil),
    (#"{"data":[{"error":{"code":1}}]}"#, nil), (#"{"id":"\"error"}"#, nil), ("true", nil),
    (#"{"error":{"code":1}"#, nil),
  ])
  func `an error in an answer with code 200 is an error`(_ body: String, _ code: Int?) {
    let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))

    #expect(response.error?.code == code)
  }

  @Test(arguments: [
    (4, 1_504_022, "server"), (2, 1_504_041, "parameter"), (100, 1_487_534, "parameter"),
    (-2, 2_490_547, "server"), (2, 1_504_038, "timeout"),
  ])
  func `the error of a failed report is the error of its reader, and not a throttle`(
    _ code: Int, _ subcode: Int, _ reason: String
  ) throws {
    let body = """
      {"id": "6", "async_status": "Job Failed", "async_percent_completion": 0, \
      "error_code": \(code), "error_subcode": \(subcode), "error_message": "m", \
      "error_user_title": "t", "error_user_msg": "u"}
      """
    let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))

    let error = try #require(response.error)
    #expect((error.code, error.subcode, error.message) == (code, subcode, "m"))
    #expect((error.userTitle, error.userMessage) == ("t", "u"))
    #expect(error.isFromGraph && error.isReportFailure)
    let judgement = ErrorTable.standard.classification(of: error, status: 200)
    #expect(judgement.category == .other && !judgement.isRetryUseful)
    #expect(judgement.reason.rawValue == reason)
  }

  @Test(arguments: [
    #""error_code": 0"#, #""error_code": null, "error_message": null"#, #""error_message": """#,
  ])
  func `a report that has not failed has no error`(_ members: String) {
    let body = #"{"id": "6", "async_status": "Job Running", \#(members)}"#

    #expect(OperationResponse(code: 200, body: ResponseBody(Array(body.utf8))).error == nil)
  }

  @Test(arguments: [
    #""{\"error\":{\"code\":190}}""#, #""{\u0022error\u0022:{\u0022code\u0022:190}}""#,
    #"{"error":{"code":190}}"#,
  ])
  func `an error is found in an escaped body too`(_ body: String) throws {
    let token = try #require(AccessToken("t"))
    let operation = BatchOperation(method: .get, path: "me")
    let request = try #require(
      BatchRequest(operations: [operation], accessToken: token, version: .current))
    let answer = Array("[{\"code\":200,\"body\":\(body)}]".utf8)

    guard case .items(let items) = request.answer(from: WireResponse(status: 200, body: answer)),
      case .response(let response) = items[0]
    else {
      Issue.record("no item")
      return
    }
    #expect(response.error?.code == 190)
  }

  @Test(arguments: ["", "<html>", "{}", "true"])
  func `a failed item without an error object has an error that only has a message`(_ body: String)
  {
    let response = OperationResponse(code: 502, body: ResponseBody(Array(body.utf8)))

    #expect(response.error == GraphError(status: 502))
    #expect(response.error?.isFromGraph == false)
    #expect(response.error?.message == "HTTP status 502 without an error object")
  }

  @Test(arguments: [
    ("(#100) Invalid parameter", 100), ("(#2200) subscription", 2200), ("#100", nil), ("(#)", nil),
    ("(#99999999999999999999)", nil), ("(#10", 10), ("", nil),
  ])
  func `the code is parsed from the message if there is no field for it`(
    _ message: String, _ code: Int?
  ) {
    #expect(GraphError(message: message).effectiveCode == code)
    #expect(GraphError(message: message, code: 7).effectiveCode == 7)
  }
}
