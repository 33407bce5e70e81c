/// Which edges the sandbox serves, and which permissions their reads need.
///
/// An edge of nodes is a list: a world file or a write puts objects there, and a read pages through
/// them. What an edge computes instead needs code of its own.
struct EdgeAccess {
  /// The permissions of which a read needs one; empty: none.
  let permissions: [String]
  private let place: String

  init(_ edge: String, of type: String) {
    place = "\(type)/\(edge)"
    permissions = Self.permissions[place] ?? Self.permissions[type] ?? []
  }

  /// Whether the sandbox serves the edge, given how many types of nodes Graph lists there.
  func isServed(listing targetCount: Int, _ method: GraphMethod) -> Bool {
    if Self.computed.contains(place) { return true }
    return method == .get && targetCount > 0 && !Self.unserved.contains(place)
  }

  /// Served edges that are not lists of nodes.
  private static let computed: Set = [
    "Ad/insights", "AdAccount/insights", "AdReportRun/insights", "AdSet/insights",
    "Application/app_event_types", "Application/subscriptions", "Campaign/insights",
    "IGMedia/insights", "IGUser/content_publishing_limit", "IGUser/insights",
    "IGUser/media_publish", "IGUser/messages", "Page/insights", "Page/messages",
    "Post/attachments", "Post/insights", "User/permissions", "Video/video_insights",
  ]

  /// Edges whose nodes Graph computes from the request or from elsewhere.
  private static let unserved: Set = [
    "AdAccount/targetingbrowse", "AdAccount/targetingsearch", "AdAccount/targetingsentencelines",
    "AdAccount/targetingsuggestions", "AdAccount/targetingvalidation",
    "Ad/targetingsentencelines", "AdSet/targetingsentencelines", "AdAccount/adcreativesbylabels",
    "AdAccount/adsbylabels", "AdAccount/adsetsbylabels", "AdAccount/campaignsbylabels",
    "AdAccount/broadtargetingcategories", "AdAccount/reachfrequencypredictions",
    "IGUser/creator_marketplace_creators", "Photo/insights", "User/ids_for_apps",
    "User/ids_for_business", "User/ids_for_pages",
  ]

  private static let ads = ["ads_read", "ads_management"]
  private static let pageMessages = ["pages_messaging"]

  /// By type, or by type and edge (docs/internals/graph-api.md, Permissions).
  private static let permissions: [String: [String]] = [
    "Ad": ads, "AdAccount": ads, "AdCreative": ads, "AdSet": ads, "Campaign": ads,
    "Ad/leads": ["leads_retrieval"],
    "Business": ["business_management"],
    "IGUser": ["instagram_basic"], "IGMedia": ["instagram_basic"],
    "IGComment": ["instagram_basic"],
    "IGMedia/comments": ["instagram_manage_comments", "instagram_basic"],
    "IGMedia/insights": ["instagram_manage_insights"],
    "IGUser/insights": ["instagram_manage_insights"],
    "LeadgenForm": ["leads_retrieval"],
    "Page": ["pages_read_engagement"],
    "Page/assigned_users": ["business_management"],
    "Page/conversations": pageMessages, "Page/custom_labels": pageMessages,
    "Page/insights": ["read_insights"], "Post/insights": ["read_insights"],
    "Page/leadgen_forms": ["leads_retrieval", "pages_manage_ads"],
    "Page/message_templates": pageMessages, "Page/personas": pageMessages,
    "Page/roles": ["pages_manage_metadata"],
    "Page/subscribed_apps": ["pages_manage_metadata"],
    "Page/tagged": ["pages_read_user_content"], "Page/threads": pageMessages,
    "Page/visitor_posts": ["pages_read_user_content"],
    "User/accounts": ["pages_show_list"],
    "User/ad_studies": ads, "User/adaccounts": ads, "User/personal_ad_accounts": ads,
    "User/albums": ["user_photos"],
    "User/assigned_ad_accounts": ["business_management"],
    "User/assigned_applications": ["business_management"],
    "User/assigned_business_asset_groups": ["business_management"],
    "User/assigned_instagram_accounts": ["business_management"],
    "User/assigned_pages": ["business_management"],
    "User/assigned_product_catalogs": ["business_management"],
    "User/assigned_whatsapp_business_accounts": ["business_management"],
    "User/business_users": ["business_management"],
    "User/businesses": ["business_management"],
    "User/conversations": pageMessages, "User/custom_labels": pageMessages,
    "User/events": ["user_events"],
    "User/feed": ["user_posts"], "User/posts": ["user_posts"],
    "User/friends": ["user_friends"],
    "User/likes": ["user_likes"], "User/music": ["user_likes"],
    "User/live_videos": ["user_videos"],
    "User/photos": ["user_photos"],
    "Video/video_insights": ["read_insights"],
  ]
}
