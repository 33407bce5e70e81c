// Written by `make record` from schemas/world.schema.json; a test compares them.

/// The published JSON Schema of a world.
enum WorldSchema {
  /// The file's text.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:graphflow:schema:world:1",
      "title": "GraphFlow world, version 1",
      "description": "What is in a sandbox at the start: users, pages, tokens, limits. What a schema cannot say (keys that lead nowhere, ids given twice) `graphflow sandbox --world` checks.",
      "type": "object",
      "required": [
        "world",
        "tokens"
      ],
      "properties": {
        "world": {"description": "The version of world files; always 1.", "const": 1},
        "start": {"description": "When the first object was made; 2026-01-15T12:00:00Z if absent.", "$ref": "#/$defs/time"},
        "application": {
          "description": "The application that all tokens are for.",
          "type": "object",
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "id": {"$ref": "#/$defs/id"},
            "secret": {
              "description": "Its secret; `appsecret_proof` and token exchange are checked with it.",
              "type": "string",
              "minLength": 1
            },
            "client_token": {"description": "The token of clients that log devices in.", "type": "string", "minLength": 1},
            "require_proof": {"description": "Whether calls must carry an `appsecret_proof`; needs `secret`.", "type": "boolean"}
          },
          "additionalProperties": false
        },
        "users": {
          "description": "The users, by keys of your own.",
          "type": "object",
          "additionalProperties": {"$ref": "#/$defs/user"}
        },
        "pages": {
          "description": "The pages, by keys of your own.",
          "type": "object",
          "additionalProperties": {"$ref": "#/$defs/page"}
        },
        "ad_accounts": {
          "description": "The ad accounts, by keys of your own.",
          "type": "object",
          "additionalProperties": {"$ref": "#/$defs/adAccount"}
        },
        "tokens": {
          "description": "The access tokens that the sandbox tells, by name; `default` is used unless another is asked for.",
          "type": "object",
          "required": ["default"],
          "additionalProperties": {"$ref": "#/$defs/token"}
        },
        "limits": {
          "description": "How much may be asked within the window; 10,000,000 calls for each limit that is absent, `feed` and `custom` none.",
          "type": "object",
          "properties": {
            "window": {"description": "After how long a call counts no longer; 1h if absent.", "$ref": "#/$defs/duration"},
            "penalty": {
              "description": "How much longer a block becomes by each call; 10s if absent.",
              "$ref": "#/$defs/duration"
            },
            "app": {"$ref": "#/$defs/limit"},
            "user": {"$ref": "#/$defs/limit"},
            "page": {"$ref": "#/$defs/limit"},
            "feed": {"$ref": "#/$defs/limit"},
            "custom": {"$ref": "#/$defs/limit"},
            "pages": {"$ref": "#/$defs/limit"},
            "instagram": {"$ref": "#/$defs/limit"},
            "ads_management": {"$ref": "#/$defs/limit"},
            "ads_insights": {"$ref": "#/$defs/limit"}
          },
          "additionalProperties": false
        },
        "manners": {
          "description": "How the sandbox answers where Graph has several ways, or nobody knows its way.",
          "type": "object",
          "properties": {
            "aborted": {"description": "How a batch shows operations that were not run.", "enum": [null, "null", "error960"]},
            "statuses": {"description": "Which statuses errors travel under.", "enum": ["graph", "all-400"]},
            "forbidden": {"description": "What a list shows of which a permission is missing.", "enum": ["error", "empty"]},
            "shuffle": {
              "description": "A seed: operations of a batch that do not wait for each other are executed in another order.",
              "type": "integer",
              "minimum": 0
            },
            "dependency_lists": {"description": "Whether `depends_on` may be a list.", "type": "boolean"},
            "open_timelines": {
              "description": "Whether users may post on their own timelines, which the real API ended in 2018; true if absent.",
              "type": "boolean"
            },
            "default_version": {"description": "The version of calls that name none.", "type": "string", "pattern": "^v2[0-6]\\.0$"}
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false,
      "$defs": {
        "key": {"description": "The key of a user or page.", "type": "string", "minLength": 1},
        "id": {"description": "An id; the next free one if absent.", "type": "string", "pattern": "^[0-9]{1,20}$"},
        "time": {
          "description": "A time in UTC: seconds since 1970, a day, or a day and a time.",
          "type": ["string", "integer"],
          "examples": ["2026-01-15T12:00:00Z"]
        },
        "duration": {"description": "A whole number and ms, s, m or h.", "type": "string", "pattern": "^[0-9]+(ms|s|m|h)$"},
        "user": {
          "description": "A user.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "First and last name.", "type": "string", "minLength": 1},
            "id": {"$ref": "#/$defs/id"},
            "fields": {
              "description": "Other fields.",
              "type": "object",
              "properties": {
                "about": true,
                "age_range": true,
                "birthday": true,
                "email": true,
                "first_name": true,
                "gender": true,
                "hometown": true,
                "installed": true,
                "last_name": true,
                "link": true,
                "locale": true,
                "location": true,
                "middle_name": true,
                "name_format": true,
                "picture": true,
                "quotes": true,
                "short_name": true,
                "timezone": true,
                "updated_time": true,
                "verified": true,
                "website": true
              },
              "additionalProperties": false
            },
            "friends": {
              "description": "Keys of users; friendship goes both ways.",
              "type": "array",
              "items": {"$ref": "#/$defs/key"}
            },
            "permissions": {
              "description": "What the user was asked for.",
              "type": "object",
              "properties": {
                "granted": {
                  "description": "What the user has agreed to.",
                  "type": "array",
                  "items": {"type": "string", "minLength": 1}
                },
                "declined": {
                  "description": "What the user has refused.",
                  "type": "array",
                  "items": {"type": "string", "minLength": 1}
                },
                "expired": {
                  "description": "What the user has agreed to long ago.",
                  "type": "array",
                  "items": {"type": "string", "minLength": 1}
                }
              },
              "additionalProperties": false
            },
            "posts": {"$ref": "#/$defs/posts"},
            "photos": {"$ref": "#/$defs/photos"},
            "albums": {"$ref": "#/$defs/albums"}
          },
          "additionalProperties": false
        },
        "page": {
          "description": "A page.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "id": {"$ref": "#/$defs/id"},
            "category": {"description": "What kind of page it is.", "type": "string", "minLength": 1},
            "fields": {
              "description": "Other fields.",
              "type": "object",
              "properties": {
                "about": true,
                "category": true,
                "category_list": true,
                "cover": true,
                "description": true,
                "emails": true,
                "fan_count": true,
                "followers_count": true,
                "is_published": true,
                "link": true,
                "location": true,
                "phone": true,
                "picture": true,
                "username": true,
                "verification_status": true,
                "website": true
              },
              "additionalProperties": false
            },
            "roles": {
              "description": "The tasks that users have on it, by their keys.",
              "type": "object",
              "additionalProperties": {
                "description": "Tasks, such as CREATE_CONTENT.",
                "type": "array",
                "items": {"type": "string", "minLength": 1}
              }
            },
            "posts": {"$ref": "#/$defs/posts"},
            "photos": {"$ref": "#/$defs/photos"},
            "albums": {"$ref": "#/$defs/albums"},
            "instagram": {
              "description": "Its Instagram account.",
              "type": "object",
              "required": ["username"],
              "properties": {
                "username": {"description": "Its user name.", "type": "string", "minLength": 1},
                "name": {"description": "Its name; the page's if absent.", "type": "string", "minLength": 1},
                "id": {"$ref": "#/$defs/id"},
                "media": {
                  "description": "The captions of its media, the oldest first.",
                  "type": "array",
                  "items": {"type": "string", "minLength": 1}
                }
              },
              "additionalProperties": false
            }
          },
          "additionalProperties": false
        },
        "posts": {
          "description": "Posts, the oldest first.",
          "type": "array",
          "items": {
            "anyOf": [
              {"type": "string", "minLength": 1},
              {
                "description": "A post, or several that differ in a number.",
                "type": "object",
                "properties": {
                  "message": {"description": "The text; {n} stands for the number.", "type": "string", "minLength": 1},
                  "count": {
                    "description": "How many such posts there are.",
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 5000000
                  },
                  "every": {
                    "description": "How much younger each is than what came before; 1h if absent.",
                    "$ref": "#/$defs/duration"
                  },
                  "link": {"description": "An address that it leads to.", "type": "string", "minLength": 1},
                  "published": {"description": "Whether it stands in the feed.", "type": "boolean"},
                  "likes": {"$ref": "#/$defs/likes"},
                  "comments": {"$ref": "#/$defs/comments"}
                },
                "additionalProperties": false,
                "anyOf": [{"required": ["message"]}, {"required": ["link"]}]
              }
            ]
          }
        },
        "photos": {
          "description": "Photos, the oldest first.",
          "type": "array",
          "items": {
            "anyOf": [
              {"type": "string"},
              {
                "description": "A photo.",
                "type": "object",
                "properties": {
                  "caption": {"description": "The text beside it.", "type": "string"},
                  "likes": {"$ref": "#/$defs/likes"},
                  "comments": {"$ref": "#/$defs/comments"}
                },
                "additionalProperties": false
              }
            ]
          }
        },
        "albums": {
          "description": "Albums, the oldest first.",
          "type": "array",
          "items": {
            "description": "An album.",
            "type": "object",
            "required": ["name"],
            "properties": {
              "name": {"description": "Its name.", "type": "string", "minLength": 1},
              "photos": {"$ref": "#/$defs/photos"}
            },
            "additionalProperties": false
          }
        },
        "comments": {
          "description": "Comments, the oldest first.",
          "type": "array",
          "items": {
            "description": "A comment.",
            "type": "object",
            "required": ["by", "message"],
            "properties": {
              "by": {"$ref": "#/$defs/key"},
              "message": {"description": "The text.", "type": "string", "minLength": 1},
              "likes": {"$ref": "#/$defs/likes"}
            },
            "additionalProperties": false
          }
        },
        "likes": {"description": "Who likes it.", "type": "array", "items": {"$ref": "#/$defs/key"}},
        "token": {
          "description": "An access token: of a user, of a page for a user who has a role there, or of the application.",
          "type": "object",
          "properties": {
            "user": {"$ref": "#/$defs/key"},
            "page": {"$ref": "#/$defs/key"},
            "application": {"description": "Whether it is the application's own.", "const": true},
            "state": {
              "description": "What has become of it.",
              "enum": [
                "valid",
                "expired",
                "revoked",
                "removed",
                "checkpoint",
                "password_changed",
                "unconfirmed",
                "logged_out",
                "inactive"
              ]
            },
            "expires": {"description": "When it ends; never if absent.", "$ref": "#/$defs/time"}
          },
          "additionalProperties": false,
          "oneOf": [{"required": ["user"]}, {"required": ["application"]}]
        },
        "limit": {
          "description": "A number of calls within the window.",
          "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": 1000000000000},
            {
              "description": "A limit.",
              "type": "object",
              "required": ["calls"],
              "properties": {
                "calls": {"description": "How many calls.", "type": "integer", "minimum": 1, "maximum": 1000000000000},
                "processor_time": {"description": "How much processor time.", "$ref": "#/$defs/duration"},
                "time": {"description": "How much time.", "$ref": "#/$defs/duration"},
                "used": {"description": "How many calls count as made at the start.", "type": "integer", "minimum": 0}
              },
              "additionalProperties": false
            }
          ]
        },
        "amount": {"type": "integer", "minimum": 0, "maximum": 1000000000000},
        "adAccount": {
          "description": "An ad account.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "id": {"$ref": "#/$defs/id"},
            "currency": {"description": "The currency of its amounts; EUR if absent.", "type": "string", "minLength": 1},
            "users": {
              "description": "The keys of those who may use it.",
              "type": "array",
              "items": {"$ref": "#/$defs/key"}
            },
            "campaigns": {
              "description": "Campaigns, the oldest first.",
              "type": "array",
              "items": {"$ref": "#/$defs/campaign"}
            }
          },
          "additionalProperties": false
        },
        "campaign": {
          "description": "A campaign.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "objective": {"description": "What it is for.", "type": "string", "minLength": 1},
            "status": {"description": "ACTIVE, PAUSED and so on.", "type": "string", "minLength": 1},
            "ad_sets": {"description": "Ad sets, the oldest first.", "type": "array", "items": {"$ref": "#/$defs/adSet"}}
          },
          "additionalProperties": false
        },
        "adSet": {
          "description": "An ad set.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "status": {"description": "ACTIVE, PAUSED and so on.", "type": "string", "minLength": 1},
            "daily_budget": {"description": "What it may cost a day, in cents.", "$ref": "#/$defs/amount"},
            "ads": {"description": "Ads, the oldest first.", "type": "array", "items": {"$ref": "#/$defs/ad"}}
          },
          "additionalProperties": false
        },
        "ad": {
          "description": "An ad, and what insights tell of it; figures of its own if absent.",
          "type": "object",
          "required": ["name"],
          "properties": {
            "name": {"description": "Its name.", "type": "string", "minLength": 1},
            "status": {"description": "ACTIVE, PAUSED and so on.", "type": "string", "minLength": 1},
            "impressions": {"description": "How often it was shown.", "$ref": "#/$defs/amount"},
            "reach": {"description": "To how many people.", "$ref": "#/$defs/amount"},
            "clicks": {"description": "How often it was clicked on.", "$ref": "#/$defs/amount"},
            "spend": {"description": "What it has cost, in cents.", "$ref": "#/$defs/amount"}
          },
          "additionalProperties": false
        }
      }
    }

    """#
}
