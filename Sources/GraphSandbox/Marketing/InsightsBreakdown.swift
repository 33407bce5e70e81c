/// The breakdowns that insights are served with.
///
/// Source: Marketing API, Insights API Breakdowns.
enum InsightsBreakdown: String, Hashable, Sendable, CaseIterable {
  case age
  case country
  case devicePlatform = "device_platform"
  case gender
  case advertiserHour = "hourly_stats_aggregated_by_advertiser_time_zone"
  case audienceHour = "hourly_stats_aggregated_by_audience_time_zone"
  case impressionDevice = "impression_device"
  case platformPosition = "platform_position"
  case publisherPlatform = "publisher_platform"
  case region

  /// Whether rows by it have neither reach nor frequency.
  var isHourly: Bool { self == .advertiserHour || self == .audienceHour }

  /// Those that may be asked for together, beside each one alone but the position, which is nothing
  /// without its platform (Combining Breakdowns; device_platform: as Airbyte's connector asks).
  private static let combinations: [Set<InsightsBreakdown>] = [
    [.age, .gender],
    [.publisherPlatform, .devicePlatform], [.publisherPlatform, .impressionDevice],
    [.impressionDevice, .devicePlatform],
    [.publisherPlatform, .platformPosition],
    [.publisherPlatform, .platformPosition, .devicePlatform],
    [.publisherPlatform, .platformPosition, .impressionDevice],
  ]

  /// Reads the parameter `breakdowns`.
  static func reading(_ names: [String]) throws(GraphFault) -> [InsightsBreakdown] {
    var breakdowns: [InsightsBreakdown] = []
    for (index, name) in names.enumerated() {
      guard let breakdown = InsightsBreakdown(rawValue: name) else {
        guard others.contains(name) else {
          let known = (allCases.map(\.rawValue) + others).sorted()
          throw .notOneOf("breakdowns[\(index)]", known)
        }
        throw .insightsUnserved(name, of: "breakdowns")
      }
      if !breakdowns.contains(breakdown) { breakdowns.append(breakdown) }
    }
    let isAllowed =
      breakdowns.count <= 1
      ? breakdowns != [.platformPosition] : combinations.contains(Set(breakdowns))
    // Actions are always by type.
    guard isAllowed else { throw .breakdownsCombined(breakdowns.map(\.rawValue) + ["action_type"]) }
    return breakdowns
  }

  /// The other breakdowns of Graph, which the sandbox does not serve
  /// (facebook_business 26, `AdsInsights.Breakdowns`, without those of Meta's own staff).
  private static let others = [
    "ad_extension_domain", "ad_extension_url", "ad_format_asset", "app_id", "body_asset",
    "breakdown_ad_objective", "breakdown_reporting_ad_id", "call_to_action_asset",
    "coarse_conversion_value", "comscore_market", "conversion_destination",
    "creative_relaxation_asset_type", "description_asset", "dma", "existing_post_id",
    "fidelity_type", "flexible_format_asset_type", "frequency_value", "gen_ai_asset_type", "hsid",
    "image_asset", "impression_view_time_advertiser_hour_v2", "is_conversion_id_modeled",
    "is_rendered_as_delayed_skip_ad", "landing_destination", "link_url_asset",
    "marketing_messages_btn_name", "mdsa_landing_destination", "media_asset_url", "media_creator",
    "media_destination_url", "media_format", "media_origin_url", "media_text_content",
    "media_type", "mmm", "place_page_id", "placement_path", "postback_sequence_index",
    "product_id", "redownload", "rta_ugc_topic", "rule_set_id", "rule_set_name",
    "signal_source_bucket",
    "skan_campaign_id", "skan_conversion_id", "skan_version", "sot_attribution_model_type",
    "sot_attribution_window", "sot_channel", "sot_event_type", "sot_source",
    "standard_event_content_type", "title_asset", "user_persona_id", "user_persona_name",
    "video_asset",
  ]
}
