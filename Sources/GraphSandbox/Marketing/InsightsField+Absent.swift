extension InsightsField {
  /// The other fields of Graph's insights.
  ///
  /// They are about videos, apps, catalogs, messages and surveys; the sandbox's ads have none, and as
  /// in Graph, what did not happen is left out.
  ///
  /// Source: facebook_business 26, `AdsInsights.Field`, without the eight that v19.0 removed.
  static let absent = Set(absentNames.split { $0 == " " || $0 == "\n" }.map(String.init))

  private static let absentNames = """
    ad_click_actions ad_impression_actions adset_end adset_start advanced_actions_28d_view
    advanced_reach_1d_lookback advanced_reach_28d_lookback advanced_reach_7d_lookback
    aggregated_play_time_per_reach anchor_event_attribution_setting
    anchor_events_performance_indicator auction_bid auction_competitiveness
    auction_max_competitor_bid average_purchases_conversion_value canvas_avg_view_percent
    canvas_avg_view_time catalog_segment_actions catalog_segment_value
    catalog_segment_value_mobile_purchase_roas catalog_segment_value_omni_purchase_roas
    catalog_segment_value_website_purchase_roas configurable_attribution_action
    configurable_attribution_actionvalue configurable_audience_overlap_reach
    configurable_audience_overlap_with_conv_action
    configurable_audience_overlap_with_conv_converters
    configurable_audience_overlap_with_conv_exposure_cost
    configurable_audience_overlap_with_conv_exposure_impressions
    configurable_audience_overlap_with_conv_exposure_reach
    configurable_creative_format_performance_adset_count
    configurable_creative_format_performance_clicks
    configurable_creative_format_performance_conversions
    configurable_creative_format_performance_converters
    configurable_creative_format_performance_impressions
    configurable_creative_format_performance_spend configurable_placement_ptc_conversions
    configurable_placement_ptc_converters configurable_placement_ptc_reach
    configurable_reachbyfrequency_action configurable_reachbyfrequency_converters_count
    configurable_reachbyfrequency_impressions_cost configurable_reachbyfrequency_impressions_count
    configurable_reachbyfrequency_reach conversion_lead_rate conversion_leads
    conversion_rate_ranking conversion_values conversions
    converted_product_app_custom_event_fb_mobile_purchase
    converted_product_app_custom_event_fb_mobile_purchase_value converted_product_offline_purchase
    converted_product_offline_purchase_value converted_product_omni_purchase
    converted_product_omni_purchase_values converted_product_quantity converted_product_value
    converted_product_website_pixel_purchase converted_product_website_pixel_purchase_value
    converted_promoted_product_app_custom_event_fb_mobile_purchase
    converted_promoted_product_app_custom_event_fb_mobile_purchase_value
    converted_promoted_product_offline_purchase converted_promoted_product_offline_purchase_value
    converted_promoted_product_omni_purchase converted_promoted_product_omni_purchase_values
    converted_promoted_product_quantity converted_promoted_product_value
    converted_promoted_product_website_pixel_purchase
    converted_promoted_product_website_pixel_purchase_value cost_per_15_sec_video_view
    cost_per_2_sec_continuous_video_view cost_per_6_sec_video_view cost_per_ad_click
    cost_per_conversion cost_per_conversion_lead cost_per_dda_countby_convs
    cost_per_estimated_ad_recallers cost_per_message_delivered cost_per_mmp_credited_install
    cost_per_objective_result cost_per_one_thousand_ad_impression cost_per_result
    cost_per_thruplay cost_per_unique_conversion creative_diversity_data creative_diversity_label
    creative_diversity_score creative_fatigue_summary creative_fatigued_ads creative_media_type
    dda_countby_convs dda_results engagement_rate_ranking estimated_ad_recall_rate
    estimated_ad_recallers full_view_impressions full_view_reach instagram_profile_follow
    instagram_profile_visits instagram_upcoming_event_reminders_set
    instant_experience_clicks_to_open instant_experience_clicks_to_start
    instant_experience_outbound_clicks interactive_component_tap
    landing_page_view_actions_per_link_click landing_page_view_per_link_click
    landing_page_view_per_purchase_rate link_clicks_per_results
    marketing_messages_click_rate_benchmark marketing_messages_cost_per_delivered
    marketing_messages_cost_per_link_btn_click marketing_messages_delivered
    marketing_messages_delivery_rate marketing_messages_link_btn_click
    marketing_messages_link_btn_click_rate marketing_messages_media_view_rate
    marketing_messages_phone_call_btn_click_rate marketing_messages_quick_reply_btn_click
    marketing_messages_quick_reply_btn_click_rate marketing_messages_read
    marketing_messages_read_rate marketing_messages_read_rate_benchmark marketing_messages_sent
    marketing_messages_spend marketing_messages_spend_currency messages_delivered
    messages_delivered_ctr mmp_credited_install mobile_app_purchase_roas msa_seller_budget
    multi_event_conversion_attribution_setting objective_result_rate objective_results
    onsite_conversion_messaging_detected_purchase_deduped opportunity_score_l4 place_page_name
    playable_average_game_length playable_game_start_rate product_group_retailer_id
    product_retailer_id product_views purchase_per_landing_page_view purchases_per_link_click
    qualifying_question_qualify_answer_rate quality_ranking read_rate result_rate
    result_values_performance_indicator results shop_clicks shops_assisted_purchases
    total_card_view total_postbacks total_postbacks_detailed total_postbacks_detailed_v4
    unique_conversions unique_video_continuous_2_sec_watched_actions unique_video_view_15_sec
    video_15_sec_watched_actions video_30_sec_watched_actions video_6_sec_watched_actions
    video_avg_time_watched_actions video_continuous_2_sec_watched_actions
    video_p100_watched_actions video_p25_watched_actions video_p50_watched_actions
    video_p75_watched_actions video_p95_watched_actions video_play_actions
    video_play_curve_actions video_play_retention_0_to_15s_actions
    video_play_retention_20_to_60s_actions video_play_retention_graph_actions
    video_thruplay_watched_actions video_time_watched_actions video_view_per_impression wish_bid
    """
}
