import JSONPath

/// The upload of a video in parts, and what becomes of the video, which stores it.
///
/// Its bytes are received, then it is processed and published by the world's clock.
/// Sources: Video API, "Publishing" and "Reels Publishing API"; Meta's SDK for Python,
/// `video_uploader.py`.
struct VideoUpload: Sendable {
  /// The length of the file; nil until it is known.
  var size: Int?
  private(set) var received = 0
  /// When its last phase ended, and whether the video is a draft.
  private(set) var end: (time: Int, isDraft: Bool)?

  /// The field of a video that stores it.
  private static let field = "upload"
  /// The first path segment of the address that the bytes of a reel are sent to.
  static let segment = "video-upload"
  /// The longest part that the sandbox asks for.
  private static let partLimit = 4 << 20
  /// The seconds of the world's time that processing takes; Graph's are not documented.
  private static let processingTime = 10

  init(size: Int?) { self.size = size }

  /// The upload of a video; nil if it came in one request.
  init?(_ video: GraphObject) {
    guard let stored = video.fields[Self.field] else { return nil }
    (size, received) = (stored["size"]?.integer, stored["received"]?.integer ?? 0)
    end = stored["end"]?.integer.map { ($0, stored["is_draft"]?.bool ?? false) }
  }

  /// Stores it in its video.
  func store(in video: inout GraphObject?) {
    var members: JSON.Object = ["received": .number(.init(received))]
    if let size { members["size"] = .number(.init(size)) }
    if let end {
      members["end"] = .number(.init(end.time))
      members["is_draft"] = .bool(end.isDraft)
    }
    video?.fields[Self.field] = .object(members)
  }

  var isComplete: Bool { received == size }

  /// Receives the next bytes; false if the file is shorter.
  mutating func receive(_ count: Int) -> Bool {
    guard let size, received + count <= size else { return false }
    received += count
    return true
  }

  mutating func finish(at now: Int, isDraft: Bool) { end = (now, isDraft) }

  /// Where the next part begins and ends.
  var offsets: JSON.Object {
    let end = min(size ?? received, received + Self.partLimit)
    return ["start_offset": .string(String(received)), "end_offset": .string(String(end))]
  }

  /// The id of a session by that of its video, and back.
  static func session(of video: String) -> String { "1" + video }
  static func video(of session: String) -> String { String(session.dropFirst()) }

  /// The field `status` of a video.
  static func status(of video: GraphObject, at now: Int) -> JSON {
    let upload = VideoUpload(video)
    let hasAll = upload?.isComplete ?? true
    let isReady =
      upload.map { upload in
        upload.end.map { now >= $0.time + processingTime } ?? false
      } ?? true
    let isDraft = upload?.end?.isDraft ?? (video.fields["published"]?.bool == false)
    let hasEnded = upload.map { $0.end != nil } ?? true
    var uploading: JSON.Object = [
      "status": hasAll ? "complete" : upload?.received == 0 ? "not_started" : "in_progress"
    ]
    if let upload { uploading["bytes_transfered"] = .number(.init(upload.received)) }
    var publishing: JSON.Object = ["status": isReady && !isDraft ? "complete" : "not_started"]
    if hasEnded { publishing["publish_status"] = isDraft ? "draft" : "published" }
    return [
      "video_status":
        isReady ? "ready" : hasEnded ? "processing" : hasAll ? "upload_complete" : "uploading",
      "uploading_phase": .object(uploading),
      "processing_phase": [
        "status": isReady ? "complete" : hasEnded ? "in_progress" : "not_started"
      ],
      "publishing_phase": .object(publishing),
    ]
  }
}
