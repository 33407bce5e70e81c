/// A POST that the sandbox serves.
enum ServedWrite: Hashable, Sendable {
  case ad, album, comment, container, installation, like, photo, post, publication, reply, report
  case privateReply, reel, subscription, testLead, video
  /// A change of the object itself.
  case change, postChange

  /// The write of a POST to an edge, or to the object; nil: the sandbox serves none.
  init?(_ edge: Edge?, of type: NodeType) {
    let isProfile = type == .user || type == .page
    let takesComments = [.post, .photo, .comment, .video, .album].contains(type)
    switch edge {
    case nil where type == .post: self = .postChange
    case nil where type.isChangeable: self = .change
    case .feed? where isProfile: self = .post
    case .photos? where isProfile || type == .album: self = .photo
    case .albums? where isProfile: self = .album
    case .videos? where isProfile: self = .video
    case .videoReels? where type == .page: self = .reel
    case .testLeads? where type == .leadForm: self = .testLead
    case .comments? where takesComments: self = .comment
    case .comments? where type == .instagramMedia: self = .reply
    case .replies? where type == .instagramComment: self = .reply
    case .likes? where takesComments: self = .like
    case .media? where type == .instagramAccount: self = .container
    case .messages? where type == .page || type == .instagramAccount: self = .privateReply
    case .mediaPublish? where type == .instagramAccount: self = .publication
    case .campaigns?, .adsets?, .ads?, .adcreatives?:
      guard type == .adAccount else { return nil }
      self = .ad
    case .insights? where type.isAds && type != .adReportRun: self = .report
    case .subscribedApps? where type == .page: self = .installation
    case .subscriptions? where type == .application: self = .subscription
    default: return nil
    }
  }

  /// The parameters that code reads; others are stored if the object has fields of their names.
  var applied: Set<String> {
    switch self {
    case .ad: ["execution_options"]
    case .album: ["description", "message", "name"]
    case .change: ["execution_options", "hide"]
    case .comment, .reply: ["message"]
    case .container:
      [
        "caption", "children", "image_url", "is_carousel_item", "media_type", "thumb_offset",
        "video_url",
      ]
    case .installation: ["subscribed_fields"]
    case .like: []
    case .photo: ["caption", "message", "name", "published", "source", "url"]
    case .post: ["attached_media", "link", "message", "published", "scheduled_publish_time"]
    case .postChange: ["is_published", "scheduled_publish_time"]
    case .privateReply: ["message", "messaging_type", "recipient"]
    case .publication: ["creation_id"]
    case .report: InsightsQuery.parameters
    case .subscription: ["callback_url", "fields", "include_values", "object", "verify_token"]
    case .testLead: ["custom_disclaimer_responses", "field_data"]
    case .reel: ["description", "title", "upload_phase", "video_id", "video_state"]
    case .video:
      [
        "description", "end_offset", "file_size", "file_url", "published", "source", "start_offset",
        "title", "upload_phase", "upload_session_id", "video_file_chunk",
      ]
    }
  }
}

extension NodeType {
  /// Whether the sandbox changes such an object with `POST {id}`.
  fileprivate var isChangeable: Bool {
    ![.user, .adReportRun].contains(self)
      && Catalog.graph.call(.post, nil, of: self) != nil
  }
}
