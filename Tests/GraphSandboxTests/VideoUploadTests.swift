import JSONPath
import Testing

@testable import GraphSandbox

/// Videos and reels that are uploaded in parts.
struct VideoUploadTests {
  private var sandbox: InProcessSandbox

  init() throws { sandbox = try InProcessSandbox(.standard) }

  private mutating func post(
    _ edge: String, _ parameters: [(String, String)], token: String? = nil
  ) -> HTTPAnswer {
    sandbox.send("POST", "me/\(edge)", parameters, token: token ?? sandbox.pageToken)
  }

  /// Sends a part of a file in a multipart form.
  private mutating func transfer(_ session: String, at offset: String, _ part: String) -> HTTPAnswer
  {
    var body = ""
    let fields = [
      ("upload_phase", "transfer"), ("upload_session_id", session), ("start_offset", offset),
      ("access_token", sandbox.pageToken),
    ]
    for (name, value) in fields {
      body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    body += "--b\r\nContent-Disposition: form-data; name=\"video_file_chunk\"; filename=\"c\"\r\n"
    return sandbox.send(
      HTTPCall(
        method: "POST", target: "/v25.0/me/videos", contentType: "multipart/form-data; boundary=b",
        body: Array((body + "\r\n\(part)\r\n--b--\r\n").utf8)))
  }

  private mutating func status(_ id: String) -> JSON {
    sandbox.send("GET", "\(id)?fields=status", token: sandbox.pageToken).json["status"] ?? .null
  }

  private mutating func start(_ size: Int) throws -> (video: String, session: String) {
    let answer = post("videos", [("upload_phase", "start"), ("file_size", String(size))])
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.json["start_offset"] == "0")
    return (
      try #require(answer.json["video_id"]?.string),
      try #require(answer.json["upload_session_id"]?.string)
    )
  }

  @Test mutating func `a video comes in parts and is published at the end`() throws {
    let (video, session) = try start(10)
    #expect(video != session)
    #expect(status(video)["uploading_phase"]?["status"] == "not_started")
    #expect(sandbox.send("GET", "me/videos", token: sandbox.pageToken).json["data"] == [])

    let first = transfer(session, at: "0", "123456")
    #expect(first.text == #"{"start_offset":"6","end_offset":"10"}"#)
    let uploading = status(video)
    #expect(uploading["video_status"] == "uploading")
    #expect(uploading["uploading_phase"] == ["status": "in_progress", "bytes_transfered": 6])
    let early = post("videos", [("upload_phase", "finish"), ("upload_session_id", session)])
    #expect(early.error?["code"]?.integer == 6_000)
    #expect(transfer(session, at: "6", "7890").json["start_offset"] == "10")

    let finish = [
      ("upload_phase", "finish"), ("upload_session_id", session), ("title", "Bread"),
      ("embeddable", "false"),
    ]
    #expect(post("videos", finish).text == #"{"success":true}"#)
    #expect(status(video)["processing_phase"]?["status"] == "in_progress")
    sandbox.time = sandbox.world.now + 10
    #expect(status(video)["video_status"] == "ready")
    #expect(
      status(video)["publishing_phase"] == ["status": "complete", "publish_status": "published"])
    let list = sandbox.send("GET", "me/videos?fields=title,embeddable", token: sandbox.pageToken)
    #expect(
      list.json["data"] == [["title": "Bread", "embeddable": false, "id": .string(video)]])
    #expect(post("videos", finish).error?["error_subcode"]?.integer == 1_363_041)
  }

  @Test mutating func `a wrong offset is an error that says where to continue`() throws {
    let (_, session) = try start(10)
    _ = transfer(session, at: "0", "123")
    let again = transfer(session, at: "0", "123")
    #expect(again.status == 400)
    #expect(again.error?["error_subcode"]?.integer == 1_363_037)
    #expect(again.error?["error_data"] == ["start_offset": "3", "end_offset": "10"])
    #expect(transfer(session, at: "3", "45678901").error?["code"]?.integer == 6_000)
    #expect(transfer("1", at: "0", "1").error?["error_subcode"]?.integer == 1_363_041)
    #expect(transfer(session, at: "3", "").error?["code"]?.integer == 324)
    let (video, other) = try start(5)
    #expect(
      post("videos", [("upload_phase", "cancel"), ("upload_session_id", other)]).status == 200)
    #expect(sandbox.send("GET", video, token: sandbox.pageToken).status == 400)
    #expect(post("videos", [("upload_phase", "start")]).error?["code"]?.integer == 100)
    #expect(
      post("videos", [("upload_phase", "start"), ("file_size", "3")], token: sandbox.token).status
        == 403)
  }

  /// Sends the bytes of a reel.
  private mutating func upload(
    _ url: String, _ headers: [String: String], _ bytes: String, token: String? = nil
  ) -> HTTPAnswer {
    sandbox.send(
      HTTPCall(
        method: "POST", target: String(url.drop { $0 != "v" }),
        authorization: "OAuth \(token ?? sandbox.pageToken)", uploadHeaders: headers,
        body: Array(bytes.utf8)))
  }

  @Test mutating func `a reel is uploaded at its address and can continue`() throws {
    let started = post("video_reels", [("upload_phase", "start")]).json
    let video = try #require(started["video_id"]?.string)
    #expect(
      started["upload_url"]?.string == "https://graph.facebook.com/video-upload/v25.0/\(video)")
    let url = "video-upload/v25.0/\(video)"

    let bare = upload(url, ["file_size": "8"], "12345678")
    #expect(bare.json["debug_info"]?["type"] == "ParameterValidationError")
    let partial = upload(url, ["offset": "0", "file_size": "8"], "12345")
    #expect(partial.json["debug_info"]?["type"] == "PartialRequestError")
    #expect(status(video)["uploading_phase"]?["bytes_transfered"] == 5)
    let wrong = upload(url, ["offset": "0", "file_size": "8"], "12345678")
    #expect(wrong.status == 412)
    #expect(
      wrong.json["debug_info"] == [
        "retriable": true, "type": "OffsetInvalidError",
        "message": "Request starting offset is invalid",
      ])
    let finish = [("upload_phase", "finish"), ("video_id", video), ("description", "Dough")]
    #expect(post("video_reels", finish).error?["code"]?.integer == 6_000)
    #expect(upload(url, ["offset": "5", "file_size": "8"], "678").text == #"{"success":true}"#)
    #expect(status(video)["video_status"] == "upload_complete")
    #expect(upload(url, ["offset": "8"], "", token: sandbox.token).status == 400)

    let scheduled = post("video_reels", finish + [("video_state", "SCHEDULED")])
    #expect(scheduled[header: SandboxNote.header] == "not served")
    #expect(post("video_reels", finish).text == #"{"success":true}"#)
    let list = sandbox.send("GET", "me/video_reels?fields=description", token: sandbox.pageToken)
    #expect(list.json["data"]?[0]?["description"] == "Dough")
  }

  @Test mutating func `a reel by address can stay a draft`() throws {
    let video = try #require(
      post("video_reels", [("upload_phase", "start")]).json["video_id"]?.string)
    let url = "video-upload/v25.0/\(video)"
    #expect(upload(url, ["file_url": "https://example.com/a.mp4"], "").status == 200)
    let finish = [("upload_phase", "finish"), ("video_id", video), ("video_state", "DRAFT")]
    #expect(post("video_reels", finish).status == 200)
    sandbox.time = sandbox.world.now + 10
    #expect(
      status(video)["publishing_phase"] == ["status": "not_started", "publish_status": "draft"])
    #expect(sandbox.send("GET", "me/video_reels", token: sandbox.pageToken).json["data"] == [])
  }

  @Test func `the server passes an upload's headers on`() async throws {
    try await Sandbox(.init()).serving { running in
      let token = running.tokens[1].token
      let form = InProcessSandbox.form([("upload_phase", "start"), ("access_token", token)])
      let started = try await LoopbackClient.send(
        "POST", "/me/video_reels", body: Array(form.utf8), to: running)
      let url = try #require(try JSON(parsing: started.body)["upload_url"]?.string)
      #expect(url.hasPrefix(running.url + "/video-upload/v25.0/"))
      let answer = try await LoopbackClient.send(
        "POST", String(url.dropFirst(running.url.count)),
        headers: ["Authorization: OAuth \(token)", "offset: 0", "file_size: 3"],
        body: Array("a=b".utf8), to: running)
      #expect((answer.status, answer.body) == (200, #"{"success":true}"#))
    }
  }
}
