import JSONPath

@testable import GraphSandbox

/// A valid request, before it is broken.
///
/// `%T` is a token, `%A` the application's, `%U` a test user's; `%I` is the id of an object that an
/// earlier request has made, `%(feed)` of one that was made at this edge.
struct SeedRequest: Sendable {
  let method: String
  let target: String
  var type = ""
  var body = ""

  /// `POST /me/feed message=Hi`: a body's token is in the body, otherwise it is in the query, unless
  /// the line has one.
  init(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    method = parts[0]
    let hasToken = line.contains("access_token=")
    if parts.count == 3 {
      target = parts[1]
      body = parts[2] + (hasToken ? "" : "&access_token=%T")
    } else {
      target =
        parts[1] + (hasToken ? "" : (parts[1].contains("?") ? "&" : "?") + "access_token=%T")
    }
  }

  init(_ method: String, _ target: String, type: String = "", body: String) {
    (self.method, self.target, self.type, self.body) = (method, target, type, body)
  }
}

extension SeedRequest {
  static let all = own + recorded
  static let own = lines.map { SeedRequest($0) } + bodies

  private static let account = "17841400000000001"
  private static let lastWeek = "{'since':'2026-01-10','until':'2026-01-17'}"

  private static let lines = nodes + insights + publishing + moderation + credentials + encodings

  private static let nodes = [
    "GET /v25.0/me/feed?fields=id,from{name},comments.limit(2).summary(true){from}&limit=3"
      + "&after=QVFI00000001ZD",
    "GET /?ids=me,122000000000003,122000000000023&fields=name",
    "GET /me/accounts?fields=name,tasks,access_token",
    "GET /me/picture?redirect=false",
    "GET /%I?fields=id,created_time,from{name,picture}",
    "DELETE /%(feed)",
    "DELETE /%I",
    "GET /me/businesses?fields=name,owned_pages{about},client_pages",
    "GET /me/leadgen_forms?fields=leads.limit(3){field_data,created_time}",
    "GET /300/leads?since=2026-01-02&filtering="
      + #"[{"field":"time_created","operator":"GREATER_THAN","value":1767312000}]"#,
    "GET /act_77/campaigns?fields=name,ads{name}&effective_status=[\"ACTIVE\",'PAUSED']"
      + "&filtering=[{field:'name',operator:'CONTAIN',value:'s'}]",
    "GET /act_77?fields=campaigns.limit(2){adsets{ads{insights.date_preset(maximum){spend}}}}",
    "GET /search?type=adinterest&q=x",
    "GET /me?metadata=1&callback=show",
  ]

  private static let insights = [
    "GET /act_77/insights?level=ad&fields=ad_name,impressions,ctr,actions&date_preset=last_7d"
      + "&time_increment=1&limit=2",
    "GET /act_77/insights?breakdowns=['age','gender']&time_range=\(lastWeek)&default_summary=true"
      + "&sort=['spend_descending']&filtering=[{field:'spend',operator:'GREATER_THAN',value:0}]",
    "POST /act_77/insights level=campaign&date_preset=maximum&time_increment=monthly",
    "GET /%(insights)?fields=async_status,async_percent_completion",
    "GET /%(insights)/insights?limit=2&after=QVFI00000001ZD",
    "GET /122000000000023/insights?metric=page_media_view,page_follows&period=day&since=-1+week",
    "GET /122000000000023/insights/page_total_media_view_unique/days_28?date_preset=last_30d",
    "GET /me/posts?fields=insights.metric(post_media_view,post_clicks){name,values}&limit=2",
    "GET /%I/insights?metric=post_media_view,reach,views&breakdown=is_from_ads",
    "GET /%I/video_insights?metric=total_video_views&period=lifetime",
    "GET /\(account)/insights?metric=reach,views&period=day&metric_type=total_value"
      + "&breakdown=media_product_type&timeframe=this_week",
    "GET /\(account)/media?fields=insights.metric(reach,likes),children{media_url},comments{text}",
  ]

  private static let publishing = [
    "POST /me/feed message=Hello+%C3%BC&link=https://a.example",
    "POST /me/feed message=Later&published=false&scheduled_publish_time=%2B1+hour",
    "GET /me/scheduled_posts?fields=message,scheduled_publish_time,is_published",
    "POST /%I is_published=true",
    "POST /%I message=New&scheduled_publish_time=tomorrow+noon",
    "POST /me/photos url=https://x.example/a.jpg&fields=images{source}&published=0",
    #"POST /me/feed attached_media=[{"media_fbid":"%(photos)"},{"media_fbid":"%(photos)"}]"#,
    #"POST /me/feed message=One&attached_media[0]={"media_fbid":"%(photos)"}"#,
    "POST /me/videos file_url=https://x.example/a.mp4&description=Film",
    "POST /me/videos upload_phase=start&file_size=100",
    "POST /\(account)/media image_url=https://x.example/a.jpg&is_carousel_item=true",
    "POST /\(account)/media media_type=CAROUSEL&children=%(media),%(media)&caption=Two",
    "POST /\(account)/media media_type=REELS&video_url=https://x.example/a.mp4",
    "POST /\(account)/media_publish creation_id=%(media)",
    "GET /\(account)/content_publishing_limit?fields=config,quota_usage",
    "POST /act_77/campaigns name=New&objective=OUTCOME_TRAFFIC&special_ad_categories=[]",
    "POST /%I status=PAUSED&execution_options=[\"validate_only\"]",
  ]

  private static let moderation = [
    "POST /%I/comments message=Question",
    "GET /%I/comments?filter=stream&order=reverse_chronological&summary=true"
      + "&fields=message,can_hide,can_remove,is_hidden,parent{id}",
    "GET /%I?fields=attachments{media_type,subattachments},reactions.type(LIKE).summary(true),shares",
    "POST /%(comments) is_hidden=true",
    "POST /%(comments) hide=true",
    "POST /%(comments)/replies message=Answer",
    "POST /%(feed)/likes x=1",
  ]

  private static let credentials = [
    "GET /debug_token?input_token=%T",
    "GET /debug_token?input_token=%A&access_token=%A",
    "DELETE /me/permissions/user_posts",
    "GET /oauth/access_token?grant_type=fb_exchange_token&client_id=122000000000001"
      + "&client_secret=x&fb_exchange_token=%T",
    "GET /oauth/access_token?grant_type=client_credentials&client_id=122000000000001"
      + "&client_secret=x",
    "GET /dialog/oauth?client_id=122000000000001&redirect_uri=https://x.example/&scope=email",
    "POST /device/login access_token=122000000000001|x&scope=email,user_likes",
    "POST /122000000000001/accounts/test-users name=Robin&permissions=email&access_token=%A",
    "GET /122000000000001/accounts/test-users?access_token=%A",
    "POST /%(test-users)/friends/%(test-users) access_token=%U",
    "POST /122000000000001/subscriptions object=page&callback_url=http://127.0.0.1:9/&fields=feed"
      + "&verify_token=x&access_token=%A",
    "GET /122000000000001/subscriptions?access_token=%A",
    "DELETE /122000000000001/subscriptions?object=page&access_token=%A",
    "POST /me/subscribed_apps subscribed_fields=feed,leadgen",
    "GET /me/subscribed_apps",
    "DELETE /me/subscribed_apps",
  ]

  private static let encodings = [
    #"GET /?ids=["me","122000000000023"]&fields=["id","name"]"#,
    #"GET /feed?ids=["me"]&fields=["message","comments.limit(1){message}"]"#,
    "GET /me/feed?method=post&message=Hi",
    "POST /%I?method=delete x=1",
    "GET /me/feed?since=last+monday&until=now&date_format=U&limit=2&summary=total_count",
    "GET /me/posts?date_format=l+jS+F+Y&until=2026-01-15+%2B2+days",
    "HEAD /me?fields=name",
    "OPTIONS /me/feed",
  ]

  private static let bodies = [
    SeedRequest(
      "POST", "/", type: "application/json",
      body: #"{"access_token":"%T","batch":[{"relative_url":"me","name":"a"},"#
        + #"{"relative_url":"{result=a:$..id}?fields={result=a:$.x[0:9:2]}","#
        + #""headers":[{"name":"If-None-Match","value":"\"x\""}],"depends_on":"a"}]}"#),
    SeedRequest(
      "POST", "/",
      body: "include_headers=false&access_token=%T&batch=["
        + #"{"method":"POST","relative_url":"me/feed","body":"message=a%26b","name":"p"},"#
        + #"{"method":"DELETE","relative_url":"{result=p:$.id}"},"#
        + #"{"method":"GET","relative_url":"{result=p:$['id','x',*]}?fields=id"}]"#),
    SeedRequest(
      "POST", "/",
      body: "access_token=%T&batch=["
        + #"{"method":"POST","relative_url":"act_77/insights","body":"level=ad","name":"run"},"#
        + #"{"relative_url":"{result=run:$.report_run_id}/insights"},"#
        + #"{"relative_url":"me/posts?fields=insights.metric(post_clicks)","method":"GET"},"#
        + #"{"relative_url":"me?method=delete"},{"relative_url":"debug_token?input_token=%T"}]"#),
    SeedRequest(
      "POST", "/\(account)/media", type: "application/json",
      body: #"{"access_token":"%T","media_type":"CAROUSEL","children":["%(media)","%(media)"]}"#),
    SeedRequest(
      "POST", "/", type: "multipart/form-data; boundary=XX",
      body: part("access_token", "%T")
        + part("batch", #"[{"method":"POST","relative_url":"me/photos","attached_files":"f"}]"#)
        + file("f") + "--XX--"),
    SeedRequest(
      "POST", "/me/photos", type: "multipart/form-data; boundary=XX",
      body: part("access_token", "%T") + part("published", "false") + file("source") + "--XX--"),
  ]

  private static func part(_ name: String, _ value: String) -> String {
    "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
  }

  private static func file(_ name: String) -> String {
    "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"x\"\r\n"
      + "Content-Type: image/gif\r\n\r\nabc\r\n"
  }

  private static let recorded = RecordedExchange.all.map { exchange in
    let isBatch = exchange.arguments.hasPrefix("batch=")
    let form = (isBatch ? recordedBatch : exchange.arguments) + "&access_token=%T"
    let path = exchange.path.isEmpty ? "/" : exchange.path
    return exchange.method == "post"
      ? SeedRequest("POST", path, body: form)
      : SeedRequest(exchange.method.uppercased(), "\(path)?\(form)", body: "")
  }

  private static let recordedBatch =
    #"batch=[{"method":"get","relative_url":"me/friends?limit=5","name":"get-friends"},"#
    + #"{"method":"get","relative_url":"?ids=%7Bresult%3Dget-friends%3A%24.data.%2A.id%7D"}]"#

  /// Parts of requests that mutations insert, by the services that read them.
  static let fragments: [[UInt8]] =
    [
      "{result=", "{result=a:$.", "}", "{", "[", "]", "(", ")", "\"", "'", "\\", ",", ".", "..",
      "*", ":", ";", "=", "&", "?", "%", "%00", "%7B", "%e2%82", "/", "//", "$", "-", "\r\n", "\0",
      "9223372036854775807", "-9223372036854775808", "1e999", "99999999999999999999", "null",
      "true", "limit=-1", "limit=99999999999", "after=", "before=", "fields=", "ids=", "batch=[",
      ".limit(0)", ".limit(99999999999999999999)", ".as(x)", "summary=1", "&method=delete", "me",
      "access_token=", "v25.0/", "v999999999999.0/", "\\ud800", "\\u0000", "\u{1f388}", "--XX",
      "depends_on", "omit_response_on_success", "\"name\":\"a\"", "attached_files", "[::-1]",
      "[-1]", "&method=post", "&method=[", "&since=yesterday", "&until=-99999+years",
      "&since=+1+fortnight+-1+sec", "&since=@9223372036854775807", "&date_format=U",
      "&date_format=\\\\%FF", "&order=reverse_chronological", "&order=", "&filter=stream",
      "&summary=true", ".filter(stream)", ".summary(true)", ".order(chronological)",
      "&metric=reach", "&period=day", "&breakdowns=age", "&level=ad", "&time_increment=1",
      "&time_range={'since':'0000-01-01','until':'9999-12-31'}", "&filtering=[{}]",
      "&scheduled_publish_time=0", "&published=false", "&attached_media=[{}]", "&children=%I,%I",
      "&effective_status=[[]]", "/insights", "/subscribed_apps", "/subscriptions", "/comments",
      "/accounts/test-users", "&subscribed_fields=feed", "&input_token=%A", "&access_token=%A",
      "&callback=x", "%I", "%I,%I",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80]]
}

extension SeedRequest {
  /// The default world, with ads, leads and a business, and every permission for its user.
  static let world: WorldDescription = {
    var world = WorldDescription.open
    let facts = FactWorld.description
    let granted = Set(world.users[0].value.permissions.map(\.name))
    world.users[0].value.permissions +=
      (facts.users[0].value.permissions
      + ["instagram_manage_comments", "instagram_manage_insights", "read_insights"].map {
        .init($0, .granted)
      }).filter { !granted.contains($0.name) }
    world.users[0].value.details = facts.users[0].value.details
    world.pages[0].value.details.edges += facts.pages[0].value.details.edges
    var account = facts.adAccounts[0].value
    account.users = [world.users[0].key]
    var adSet = WorldDescription.AdSet(name: "Town")
    adSet.ads = [.init(name: "Bread"), .init(name: "Cake")]
    var campaign = WorldDescription.Campaign(name: "Autumn")
    campaign.adSets = [adSet]
    account.campaigns = [campaign]
    world.adAccounts = [.init("main", account)]
    world.tokens.append(.init("app", .init(.application)))
    return world
  }()
}
