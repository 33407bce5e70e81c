import JSONPath

/// An application's subscription to the changes of one type of object
/// (developers.facebook.com/docs/graph-api/reference/application/subscriptions).
struct WebhookSubscription: Sendable {
  let object: String
  let callback: CallbackURL
  /// The fields, and the versions of the calls that have subscribed to them.
  private(set) var fields: [(name: String, version: String)]
  /// Whether webhooks hold what has changed, and not only the names of the fields.
  let includesValues: Bool

  /// The names of the objects that webhooks are about.
  static let objects = [
    "ad_account", "application", "catalog", "instagram", "payments", "permissions", "page", "user",
    "whatsapp_business_account",
  ]

  /// Reads the parameters of `POST {application}/subscriptions`.
  init(_ parameters: Parameters, version: String) throws(GraphFault) {
    object = try parameters.required("object")
    guard Self.objects.contains(object) else {
      throw .parameterMalformed("object", "one of {\(Self.objects.joined(separator: ", "))}")
    }
    let address = try parameters.required("callback_url")
    guard ["http", "https"].contains(address.prefix { $0 != ":" }.lowercased()) else {
      throw .numbered(100, "callback_url URL is not properly formatted")
    }
    guard let callback = CallbackURL(address), callback.isLoopback else {
      throw GraphFault.parameterMalformed(
        "callback_url",
        "on this machine for the sandbox, such as http://127.0.0.1:3000/webhooks, not "
          + address.excerpt
      ).invented
    }
    self.callback = callback
    _ = try parameters.required("fields")
    let names = parameters.words("fields")
    if object == "page" { try WebhookField.check(names, "fields") }
    fields = names.reduce(into: []) { fields, name in
      if !fields.contains(where: { $0.name == name }) { fields.append((name, version)) }
    }
    includesValues = parameters.flag("include_values") ?? true
  }

  // MARK: - The application

  /// The field of an application that stores its subscriptions.
  private static let field = "subscriptions"

  /// The subscriptions of an application.
  static func all(of application: GraphObject?) -> [WebhookSubscription] {
    (application?.fields[field]?.array ?? []).compactMap(WebhookSubscription.init)
  }

  /// Stores the subscriptions of an application.
  static func set(_ all: [WebhookSubscription], of id: String, in objects: inout ObjectTable) {
    objects[id]?.fields[field] = all.isEmpty ? nil : .array(all.map(\.stored))
  }

  /// The subscription without some fields; nil if it has no other.
  func without(_ names: [String]) -> WebhookSubscription? {
    var rest = self
    rest.fields.removeAll { names.contains($0.name) }
    return names.isEmpty || rest.fields.isEmpty ? nil : rest
  }

  /// As answers show it.
  var json: JSON {
    [
      "object": .string(object), "callback_url": .string(callback.description), "active": true,
      "fields": .array(
        fields.map { ["name": .string($0.name), "version": .string($0.version)] }),
    ]
  }

  private var stored: JSON {
    var members = json.object ?? [:]
    members["include_values"] = .bool(includesValues)
    return .object(members)
  }

  private init?(_ stored: JSON) {
    guard let object = stored["object"]?.string,
      let callback = stored["callback_url"]?.string.flatMap(CallbackURL.init)
    else { return nil }
    (self.object, self.callback) = (object, callback)
    includesValues = stored["include_values"]?.bool ?? true
    fields = (stored["fields"]?.array ?? []).map {
      ($0["name"]?.string ?? "", $0["version"]?.string ?? "")
    }
  }
}

/// The fields of pages that webhooks are about.
enum WebhookField {
  /// The field of a page that stores what the application has subscribed to.
  static let ofPage = "subscribed_apps"

  /// As Meta's SDK lists them (facebook_business, Page.SubscribedFields).
  private static let names: Set<String> = Set(
    """
    affiliation agent_messages agent_questions attire awards bio birthday business_integrity \
    call_permission_reply call_settings_update calls category checkins comment_poll_response \
    company_overview conversations culinary_team current_location description email \
    feature_access_list feed follow founded general_info general_manager group_feed hometown hours \
    inbox_labels invoice_access_bank_slip_events invoice_access_invoice_change \
    invoice_access_invoice_draft_change invoice_access_onboarding_status_active leadgen leadgen_fat \
    leadgen_update live_videos local_delivery location marketing_message_clicks \
    marketing_message_deliveries marketing_message_delivery_failed marketing_message_echoes \
    marketing_message_reads marketing_messages_subscriber_upload_status mcom_invoice_change members \
    mention merchant_review message_context message_deliveries message_echoes message_edits \
    message_mention message_reactions message_reads message_template_status_update messages \
    messaging_account_linking messaging_appointments messaging_checkout_updates \
    messaging_customer_information messaging_direct_sends messaging_fblogin_account_linking \
    messaging_feedback messaging_game_plays messaging_handovers \
    messaging_in_thread_lead_form_submit messaging_integrity messaging_optins messaging_optouts \
    messaging_payments messaging_policy_enforcement messaging_postbacks messaging_pre_checkouts \
    messaging_referrals mission name page_about_story page_change_proposal page_upcoming_change \
    parking payment_options payment_request_update personal_info personal_interests phone picture \
    price_range product_review products public_transit publisher_subscriptions ratings registration \
    response_feedback send_cart standby story_poll_response story_share user_action \
    video_text_question_responses videos website
    """.split(separator: " ").map(String.init))

  /// Refuses names that are not in the list, the first one in Graph's words.
  static func check(_ given: [String], _ parameter: String) throws(GraphFault) {
    guard let index = given.firstIndex(where: { !names.contains($0) }) else { return }
    let list = names.sorted().joined(separator: ", ")
    throw .parameterMalformed(
      "\(parameter)[\(index)]", "one of {\(list)} - got \"\(given[index].excerpt)\".")
  }

  /// The permissions of which a page's subscription to a field needs one.
  static func permission(for field: String) -> String {
    field.hasPrefix("messag")
      ? "pages_messaging" : field == "leadgen" ? "leads_retrieval" : metadata
  }

  /// The permission that every subscription of a page needs.
  static let metadata = "pages_manage_metadata"
}
