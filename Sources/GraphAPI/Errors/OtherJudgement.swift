/// What somebody else makes of an error: Meta's pages, Meta's SDKs, libraries with experience.
public struct OtherJudgement: Hashable, Sendable {
  /// Who judges.
  public let judge: String

  /// What they say, in their own words.
  public let verdict: String

  /// What that means in the SDKs' terms; nil if they say nothing of it.
  public let category: ErrorCategory?

  /// Where it is written.
  public let source: String
}

extension OtherJudgement {
  /// What others make of an error of type `OAuthException`, as nearly all are.
  ///
  /// None of them looks at the HTTP status or keeps apart whether a retry is safe.
  public static func all(code: Int, subcode: Int?) -> [OtherJudgement] {
    [
      pages(code), ios(code), android(code), php(code, subcode), koala(code),
      airbyte(code, subcode),
    ]
  }

  private static func pages(_ code: Int) -> OtherJudgement {
    let (verdict, category): (String, ErrorCategory?) =
      switch code {
      case 1, 2: ("temporary: wait and send again", .transient)
      case 3: ("a capability or permission is missing", .other)
      case 4, 17, 32, 341, 613, 80_000...80_014: ("too many calls: wait", .transient)
      case 10, 200...299: ("a permission is missing: grant it", .recoverable)
      case 102, 190: ("get a new token", .recoverable)
      case 368: ("blocked for a while: wait and send again", .transient)
      case 506: ("a duplicate: change the content", .other)
      case 1_609_005: ("the link cannot be read: check it", .other)
      default: ("nothing", nil)
      }
    return OtherJudgement(
      judge: "Meta's pages",
      verdict: verdict,
      category: category,
      source: "error handling guide; rate limits page"
    )
  }

  private static func ios(_ code: Int) -> OtherJudgement {
    let category: ErrorCategory =
      switch code {
      case 102, 190: .recoverable
      case 1, 2, 4, 9, 17, 341: .transient
      default: .other
      }
    return OtherJudgement(
      judge: "iOS SDK",
      verdict: category.rawValue,
      category: category,
      source: "facebook-ios-sdk, FBSDKErrorConfiguration.m"
    )
  }

  private static func android(_ code: Int) -> OtherJudgement {
    let category: ErrorCategory =
      switch code {
      case 102, 190, 412: .recoverable
      case 2, 4, 9, 17, 341: .transient
      default: .other
      }
    return OtherJudgement(
      judge: "Android SDK",
      verdict: category == .recoverable ? "login_recoverable" : category.rawValue,
      category: category,
      source: "facebook-android-sdk, FacebookRequestErrorClassification.kt"
    )
  }

  private static func php(_ code: Int, _ subcode: Int?) -> OtherJudgement {
    let (verdict, category): (String, ErrorCategory) =
      switch (code, subcode) {
      case (_, 458), (_, 459), (_, 460), (_, 463), (_, 464), (_, 467):
        ("authentication", .recoverable)
      case (100, _), (102, _), (190, _): ("authentication", .recoverable)
      case (1, _), (2, _): ("server", .transient)
      case (4, _), (17, _), (32, _), (341, _), (613, _): ("throttle", .transient)
      case (506, _): ("client", .other)
      case (10, _), (200...299, _): ("authorization", .recoverable)
      default: ("authentication, as all that it does not know", .recoverable)
      }
    return OtherJudgement(
      judge: "PHP SDK",
      verdict: verdict,
      category: category,
      source: "php-graph-sdk, FacebookResponseException.php"
    )
  }

  private static func koala(_ code: Int) -> OtherJudgement {
    let isAuthentication = [102, 190, 450, 452, 2500].contains(code)
    return OtherJudgement(
      judge: "Koala",
      verdict: isAuthentication ? "authentication" : "client, or server by the status",
      category: isAuthentication ? .recoverable : nil,
      source: "koala, graph_error_checker.rb"
    )
  }

  private static func airbyte(_ code: Int, _ subcode: Int?) -> OtherJudgement {
    let isRetried =
      switch code {
      case 2, 4, 17, 32, 104, 613, 960, 80_000...80_006, 80_008: true
      default: subcode == 99
      }
    return OtherJudgement(
      judge: "Airbyte",
      verdict: isRetried ? "sent again" : "not sent again, but after a status of 500",
      // It knows no recovery, so of what can be recovered it says nothing.
      category: isRetried ? .transient : ios(code).category == .recoverable ? nil : .other,
      source: "Airbyte's Facebook Marketing connector"
    )
  }
}
