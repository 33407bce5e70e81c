import JSONPath
import Testing

/// A recipe of `docs/guide/cookbook.md`, and what its command leaves in the world of the agency.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// What holds after the run.
  enum Fact: Sendable {
    /// A query of the report's outputs selects these values.
    case output(String, [JSON])
    /// A file that the command names has this number of lines, and this text in it.
    case file(String, lines: Int, holds: String)
    /// A query of what the sandbox answers to `get`, by default as the page, selects these values.
    case graph(String, String, [JSON], profile: String = "page")
  }

  let name: String
  /// The requests that succeed; nil if the time of the day decides.
  let succeeded: Int?
  /// What happened in the world before: the words of a `post` as the page.
  var before: [[String]] = []
  let facts: [Fact]
  var testDescription: String { name }

  init(_ name: String, _ succeeded: Int?, before: [[String]] = [], _ facts: Fact...) {
    (self.name, self.succeeded, self.before, self.facts) = (name, succeeded, before, facts)
  }

  private static let instagram = "17841400000000001"

  static let all = publishing + media + comments + figures + cleaning

  private static let publishing = [
    Recipe(
      "post-with-photo", 3,
      .graph("me/posts fields=message limit=1", "$.data[0].message", ["Rolls at noon"])),
    Recipe(
      "daily-post", 1,
      .graph(
        "me/posts fields=message,is_published limit=1",
        "$.data[?match(@.message, 'Bread of 20[0-9-]+: rye, spelt, and rolls')].is_published",
        [true])),
    Recipe(
      "schedule-posts", 2, .file("scheduled.csv", lines: 3, holds: "sku-2,"),
      .graph(
        "me/scheduled_posts fields=message", "$.data[*].message",
        ["Fresh rye bread, every morning from 6", "Cinnamon rolls: \"the best in town\""])),
    Recipe(
      "schedule-on-pages", 4,
      .file("scheduled.csv", lines: 4, holds: "sku-2,Night Sky Club,"),
      .graph(
        "me/scheduled_posts fields=message", "$.data[*].message",
        [
          "Fresh rye bread, every morning from 6", "Cinnamon rolls: \"the best in town\"",
        ])),
    Recipe(
      "first-comment", 2,
      .graph(
        "me/posts fields=comments{message} limit=1", "$.data[0].comments.data[*].message",
        ["https://www.example.com/recipe"])),
    Recipe(
      "publish-drafts", 2, .output("$.published.rows", [1]),
      .graph(
        "me/feed fields=message limit=100", "$.data[?search(@.message, 'Draft')].message",
        ["Draft 1"])),
    Recipe(
      "edit-posts", 2,
      .graph(
        "122000000000005_122000000000007 fields=message", "$.message",
        ["Bread of the second day"])),
    Recipe(
      "copy-posts", 5, .file("copies.csv", lines: 4, holds: "original,copy"),
      .graph(
        "me/accounts fields=name,feed.limit(10){message}",
        "$.data[?@.name == 'Night Sky Club'].feed.data[0].message", ["Night sky 3"],
        profile: "default")),
    Recipe(
      "from-sdk-batch", 3,
      .graph("me/posts fields=message limit=1", "$.data[0].message", ["Hello"])),
    Recipe(
      "subscribe-pages", 5, .file("subscribed.csv", lines: 3, holds: "Night Sky Club,"),
      .graph("me/subscribed_apps", "$.data[*].subscribed_fields[*]", ["feed"])),
  ]

  private static let media = [
    Recipe(
      "album-from-folder", 5, .output("$.photos", [3]),
      .graph(
        "me/albums fields=name,photos{name}",
        "$.data[?@.name == 'Colours of spring'].photos.data[*].name",
        ["red.png", "green.png", "blue.gif"])),
    Recipe(
      "video-from-url", 2, .output("$.status", ["ready"]),
      .graph("me/videos fields=title", "$.data[*].title", ["Rye bread"])),
    Recipe(
      "instagram-carousel", 6,
      .graph(
        "\(instagram)/media fields=media_type,children{media_type} limit=1",
        "$.data[?count(@.children.data[*]) == 2].media_type", ["CAROUSEL_ALBUM"],
        profile: "default")),
    Recipe(
      "instagram-reel", 5,
      .graph(
        "\(instagram)/media fields=media_product_type limit=1", "$.data[*].media_product_type",
        ["REELS"], profile: "default")),
    Recipe(
      "facebook-and-instagram", 5,
      .graph(
        "\(instagram)/media fields=caption limit=1", "$.data[*].caption", ["Fresh rolls"],
        profile: "default"),
      .graph("me/photos fields=name type=uploaded", "$.data[0].name", ["Fresh rolls"])),
    Recipe(
      "instagram-insights", 4, .file("media.csv", lines: 3, holds: ",Rye bread,"),
      .output("$.media.rows", [2])),
  ]

  private static let comments = [
    Recipe(
      "instagram-hide-comments", 5,
      before: [
        ["122000000000135/comments", "message=Win FREE gold"],
        ["122000000000135/comments", "message=Lovely"],
      ],
      .file("hidden.csv", lines: 2, holds: "Win FREE gold"),
      .graph(
        "122000000000135/comments fields=text,hidden", "$.data[?@.hidden == true].text",
        ["Win FREE gold"])),
    Recipe(
      "hide-comments", 28, .file("hidden.csv", lines: 3, holds: "free iPhones here"),
      .graph(
        "me/posts fields=comments{message,is_hidden} limit=2",
        "$.data[*].comments.data[?@.is_hidden == true].message",
        ["free iPhones here", "FREE followers at http://spam.example"])),
    Recipe(
      "answer-comments", 13,
      .graph(
        "me/posts fields=comments{message,comments{message}} limit=2",
        "$.data[*].comments.data[?@.comments].message",
        ["Is the café open?", "When do you open?"])),
    Recipe(
      "reply-privately", 13,
      .graph(
        "me/posts fields=comments{message,can_reply_privately} limit=2",
        "$.data[*].comments.data[?@.can_reply_privately == false].message",
        ["Is the café open?", "When do you open?"])),
    Recipe(
      "unanswered-comments", 1,
      .output(
        "$.comments[*].message",
        [
          "free iPhones here", "Is the café open?", "FREE followers at http://spam.example",
          "When do you open?",
        ]),
      .file("unanswered.json", lines: 1, holds: "Blake Rivera")),
    Recipe("comments-to-csv", nil, .file("comments.csv", lines: 5, holds: ",Casey Morgan,")),
    Recipe(
      "posts-with-comments", nil, .file("comments.csv", lines: 5, holds: ",Casey Morgan,"),
      .output("$.posts.rows", [122])),
    Recipe(
      "new-comments", nil, .output("$.posts.files", [1]),
      .file("news/comments/comments.manifest.json", lines: 1, holds: ".jsonl\"")),
  ]

  private static let figures = [
    Recipe(
      "insights-of-posts", 101, .output("$.posts.rows", [100]),
      .file("posts.csv", lines: 101, holds: ",Closed on Monday,")),
    Recipe(
      "page-by-day", 1, .output("$[?count(@[*]) != 28]", []),
      .file("days.json", lines: 1, holds: "\"viewers\":[")),
    Recipe(
      "page-insights-nightly", 7, .output("$.days.rows", [21]),
      .file("page-days.csv", lines: 22, holds: ",page_total_media_view_unique,")),
    Recipe("pages-to-csv", 4, .file("pages.csv", lines: 4, holds: ",Old Town Radio,950,")),
    Recipe(
      "campaigns-of-all-accounts", 3,
      .output("$.campaigns[*].campaign_name", ["Spring", "Winter", "Saturn"]),
      .file("campaigns.json", lines: 1, holds: "Night Sky Club's ads")),
    Recipe("ads-by-day", 57, .file("days.csv", lines: 85, holds: ",Spring,")),
    Recipe(
      "ads-nightly", 81, .output("$.days.files", [80]),
      .file("ads/days.manifest.json", lines: 1, holds: "\"missing\":[]")),
    Recipe(
      "ads-by-age", 3, .file("ages.json", lines: 1, holds: "\"age\":\"25-34\""),
      .output(
        "$.rows[?@.age == '18-24' && @.gender == 'male'].account_name",
        [
          "Harbour Bakery's ads", "Night Sky Club's ads",
        ])),
    Recipe(
      "pause-expensive-campaigns", 4, .file("paused.csv", lines: 2, holds: ",Spring,"),
      .graph(
        "me/adaccounts fields=campaigns{name,status}",
        "$.data[*].campaigns.data[?@.status == 'PAUSED'].name", ["Spring"], profile: "default")),
    Recipe(
      "leads-since-yesterday", 3, .output("$.leads.rows", [30]),
      .file("leads.csv", lines: 31, holds: ",guest30@example.com,Guest 30")),
    Recipe(
      "new-leads", 3, .output("$.leads.rows", [30]), .output("$.leads.files", [1]),
      .file("leads/leads.manifest.json", lines: 1, holds: "\"missing\":[]")),
  ]

  private static let cleaning = [
    Recipe(
      "delete-posts", 4, .file("checked.csv", lines: 3, holds: ",Bread of day 3 #daily"),
      .output("$.deleted.rows", [2]),
      .graph(
        "me/feed fields=message until=-5days",
        "$.data[?search(@.message, 'of day [23] ')].message", [])),
    Recipe(
      "delete-old-posts", nil, .output("$.found[?@ < 25]", []),
      .graph("me/feed fields=id until=-4days", "$.data[*].id", []),
      .graph("me/feed fields=message limit=1", "$.data[*].message", ["Closed on Monday"])),
    Recipe(
      "cancel-scheduled-posts", 2,
      before: ["Christmas hours", "Summer hours"].map { text in
        [
          "me/feed", "message=\(text)", "published=false", "scheduled_publish_time=+2 days",
        ]
      },
      .file("cancelled.csv", lines: 2, holds: ",Christmas hours"),
      .graph("me/scheduled_posts fields=message", "$.data[*].message", ["Summer hours"])),
    Recipe(
      "token-for-tonight", 3, .output("$.page", ["Harbour Bakery"]),
      .output("$.tasks[?@ == 'CREATE_CONTENT']", ["CREATE_CONTENT"])),
  ]
}
