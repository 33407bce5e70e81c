import JSONPath

/// Executes the calls of which an upload of a video in parts consists.
struct VideoUploader {
  let writer: Writer

  private var parameters: Parameters { writer.parameters }

  /// `POST {page}/videos` with `upload_phase`: a session, its parts, and its end.
  func uploadVideo(
    _ phase: String, to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    guard phase != "start" else {
      guard let size = parameters["file_size"].flatMap({ Int($0) }), size > 0 else {
        throw .parameterRequired("file_size")
      }
      let (id, upload) = startUpload(of: size, to: owner, &objects)
      var members: JSON.Object = ["video_id": .string(id)]
      for (name, value) in upload.offsets { members[name] = value }
      members["upload_session_id"] = .string(VideoUpload.session(of: id))
      return Answer(.object(members))
    }
    let session = try parameters.required("upload_session_id")
    guard let video = objects[VideoUpload.video(of: session)], video.owner == owner.id,
      VideoUpload.session(of: video.id) == session, let upload = VideoUpload(video)
    else { throw Self.sessionInvalid }
    switch phase {
    case "transfer": return try receivePart(of: video, upload, &objects)
    case "finish":
      return try finish(
        upload, of: video, isDraft: parameters.flag("published") == false, at: .videos, &objects)
    case "cancel":
      guard upload.end == nil else { throw Self.sessionInvalid }
      objects.remove(video)
      return .success
    default:
      throw .parameterMalformed("upload_phase", "one of {cancel, finish, start, transfer}")
    }
  }

  private func receivePart(
    of video: GraphObject, _ given: VideoUpload, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    var upload = given
    guard upload.end == nil else { throw Self.sessionInvalid }
    guard parameters["start_offset"].flatMap({ Int($0) }) == given.received else {
      throw Self.offsetWrong(given)
    }
    guard let part = writer.request.files.first, !part.contents.isEmpty else { throw .fileRequired }
    guard upload.receive(part.contents.count) else { throw Self.failed }
    upload.store(in: &objects[video.id])
    return Answer(.object(upload.offsets))
  }

  /// `POST {page}/video_reels`: `start` and `finish`; between them the bytes go to `upload_url`.
  func uploadReel(
    to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    _ = try writer.isInvented(under: owner.id, in: objects)
    switch try parameters.required("upload_phase") {
    case "start":
      let (id, _) = startUpload(of: nil, to: owner, &objects)
      return Answer([
        "video_id": .string(id),
        "upload_url": .string("\(writer.origin)/\(VideoUpload.segment)/\(writer.version)/\(id)"),
      ])
    case "finish":
      guard let video = objects[try parameters.required("video_id")], video.owner == owner.id,
        let upload = VideoUpload(video)
      else { throw .parameterMalformed("video_id", "the id of an upload of this page") }
      let state = parameters["video_state"] ?? "PUBLISHED"
      guard ["DRAFT", "PUBLISHED"].contains(state) else {
        let fault = GraphFault.parameterMalformed(
          "video_state", "one of {PUBLISHED, DRAFT, SCHEDULED}")
        throw state == "SCHEDULED" ? fault.unserved : fault
      }
      return try finish(
        upload, of: video, isDraft: state == "DRAFT", at: .videoReels, &objects)
    default: throw .parameterMalformed("upload_phase", "one of {finish, start}")
    }
  }

  private func startUpload(
    of size: Int?, to owner: GraphObject, _ objects: inout ObjectTable
  ) -> (id: String, upload: VideoUpload) {
    let time = JSON.string(GraphTime.text(writer.now))
    let video = GraphObject(
      .video, id: objects.nextID(), owner: owner.id,
      fields: [
        "created_time": time, "from": objects.author(owner.id), "length": 12, "published": false,
        "updated_time": time,
      ])
    objects.insert(video)
    let upload = VideoUpload(size: size)
    upload.store(in: &objects[video.id])
    return (video.id, upload)
  }

  /// Ends an upload; the video is in its list at once, and its status says when it is processed.
  private func finish(
    _ given: VideoUpload, of video: GraphObject, isDraft: Bool, at edge: Edge,
    _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    var upload = given
    guard upload.isComplete else { throw Self.failed }
    guard upload.end == nil else { throw Self.sessionInvalid }
    upload.finish(at: writer.now, isDraft: isDraft)
    upload.store(in: &objects[video.id])
    for name in ["description", "title"] {
      if let text = try writer.request.text(name), !text.isEmpty {
        objects[video.id]?.fields[name] = .string(text)
      }
    }
    objects[video.id]?.fields["published"] = .bool(!isDraft)
    if !isDraft {
      objects[video.id]?.listings = [.init(id: video.owner, edge: edge)]
      objects.append(video.id, to: edge, of: video.owner)
    }
    var answer = Answer.success
    answer.outcome = .created(video.id)
    return answer
  }

  // MARK: - Errors

  private static func fault(_ code: Int, _ subcode: Int?) -> GraphFault {
    GraphFault(
      "There was a problem uploading your video file. Please try again.", code: code,
      subcode: subcode
    ).with(\.isTransient, false).invented
  }

  private static let failed = fault(6_000, nil)
  private static let sessionInvalid = fault(6_000, 1_363_041)

  /// A client continues at the offsets in `error_data`.
  private static func offsetWrong(_ upload: VideoUpload) -> GraphFault {
    fault(6_001, 1_363_037).with(\.data, .object(upload.offsets))
  }
}

/// The upload of the bytes of a reel, whose errors have a form of their own.
extension VideoUpload {
  /// `POST video-upload/VERSION/VIDEO` with the headers `offset` and `file_size`, or `file_url`.
  static func receive(
    _ request: GraphRequest, _ session: Session?, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    guard request.method == .post, request.path.count == 3 else { throw .unknownPath(request.path) }
    guard let session else { throw .tokenRequired }
    let id = request.path[2]
    guard let video = objects[id], video.owner == session.profile, var upload = VideoUpload(video),
      upload.end == nil
    else { throw .unsupported(.post, id) }
    if request.parameters["file_url"] != nil {
      upload.size = upload.received + 1
      _ = upload.receive(1)
      upload.store(in: &objects[id])
      return .success
    }
    func number(_ name: String) -> Int? {
      request.parameters[name].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
    for (name, header) in [("offset", "Offset"), ("file_size", "file_size")]
    where number(name) == nil {
      return refusal(
        "ParameterValidationError",
        "HeaderValuePredicate: Header \(header) not convertable to unsigned long")
    }
    guard number("offset") == upload.received else {
      return refusal(
        "OffsetInvalidError", "Request starting offset is invalid", status: 412, isRetriable: true)
    }
    upload.size = number("file_size")
    // What was received is kept, and the client continues from there.
    let isReceived = upload.receive(request.files.first?.contents.count ?? 0)
    if isReceived { upload.store(in: &objects[id]) }
    guard upload.isComplete else {
      return refusal(
        "PartialRequestError", "Partial request (did not match length of file)",
        isRetriable: isReceived)
    }
    return .success
  }

  private static func refusal(
    _ type: String, _ message: String, status: Int = 400, isRetriable: Bool = false
  ) -> Answer {
    var answer = Answer([
      "debug_info": [
        "retriable": .bool(isRetriable), "type": .string(type), "message": .string(message),
      ]
    ])
    answer.status = status
    return answer
  }
}
