/// The permissions that Meta's documentation lists.
///
/// Source: Permissions Reference for Meta Technologies APIs. Meta adds permissions all the time, so
/// an unknown name is accepted unless it is almost one of these.
enum KnownPermissions {
  static let all: Set<String> = [
    "ads_management", "ads_read", "attribution_read", "business_management",
    "catalog_management", "commerce_account_manage_orders", "commerce_account_read_orders",
    "commerce_account_read_reports", "commerce_account_read_settings",
    "commerce_manage_accounts", "email", "facebook_branded_content_ads_brand",
    "facebook_creator_marketplace_discovery", "gaming_user_locale", "instagram_basic",
    "instagram_branded_content_ads_brand", "instagram_branded_content_brand",
    "instagram_branded_content_creator", "instagram_business_basic",
    "instagram_business_content_publish", "instagram_business_manage_comments",
    "instagram_business_manage_insights", "instagram_business_manage_messages",
    "instagram_content_publish", "instagram_creator_marketplace_discovery",
    "instagram_creator_marketplace_messaging", "instagram_manage_comments",
    "instagram_manage_contents", "instagram_manage_events", "instagram_manage_insights",
    "instagram_manage_messages", "instagram_manage_upcoming_events",
    "instagram_shopping_tag_products", "leads_retrieval", "manage_app_solution",
    "manage_fundraisers", "openid", "page_events", "pages_manage_ads",
    "pages_manage_cta", "pages_manage_engagement", "pages_manage_instant_articles",
    "pages_manage_metadata", "pages_manage_posts", "pages_messaging",
    "pages_read_engagement", "pages_read_user_content", "pages_show_list",
    "pages_user_gender", "pages_user_locale", "pages_user_timezone", "paid_marketing_messages",
    "private_computation_access", "public_profile", "publish_video", "read_insights",
    "read_audience_network_insights", "threads_basic", "threads_content_publish",
    "threads_delete", "threads_keyword_search", "threads_location_tagging",
    "threads_manage_insights", "threads_manage_mentions", "threads_manage_replies",
    "threads_profile_discovery", "threads_read_replies", "user_age_range", "user_birthday",
    "user_friends", "user_gender", "user_hometown", "user_likes", "user_link", "user_location",
    "user_messenger_contact", "user_photos", "user_posts", "user_videos",
    "whatsapp_business_manage_events", "whatsapp_business_management",
    "whatsapp_business_messaging",
  ]

  private static let sorted = all.sorted()

  /// The permission that a name probably misspells.
  static func nearest(to name: String) -> String? {
    guard !all.contains(name), let nearest = NearestName.to(name, among: sorted) else { return nil }
    let distance = NearestName.distance(Array(name.utf8), Array(nearest.utf8))
    return distance <= (name.utf8.count >= 12 ? 2 : 1) ? nearest : nil
  }
}
