// Written by `make record` from workflows/worlds/default.yaml; a test compares them.

/// The world that a sandbox starts with, as a world file.
enum StandardWorld {
  /// The file's text.
  static let text = #"""
    # yaml-language-server: $schema=../../schemas/world.schema.json
    #
    # The world that a sandbox starts with. Print it with `graphflow sandbox --print-world`, change it,
    # and start a sandbox with `--world FILE`.
    world: 1
    start: 2026-01-15T12:00:00Z

    application:
      name: GraphFlow Sandbox

    users:
      alex:
        name: Alex Taylor
        fields: {email: alex@example.com}
        friends: [blake, casey, dana, eli, finley, gray, harper, indigo, jules, kai, lane, marlow]
        permissions:
          granted:
            - public_profile
            - email
            - user_friends
            - user_photos
            - user_posts
            - pages_show_list
            - pages_read_engagement
            - pages_read_user_content
            - pages_manage_posts
            - pages_manage_engagement
            - pages_manage_metadata
            - read_insights
            - publish_video
            - business_management
            - instagram_basic
            - instagram_content_publish
          declined: [user_birthday]
          expired: [user_location]
        posts:
          - message: First light over the harbour
            likes: [blake]
          - message: Trying a new recipe
            likes: [blake, casey]
            comments:
              - {by: blake, message: Lovely!}
          - message: Weekend walk
            likes: [blake, casey, dana]
            comments:
              - {by: blake, message: Lovely!}
              - {by: casey, message: Lovely!}
        photos: [Harbour, Kitchen]
      blake: {name: Blake Rivera}
      casey: {name: Casey Morgan}
      dana: {name: Dana Okafor}
      eli: {name: Eli Novak}
      finley: {name: Finley Hart}
      gray: {name: Gray Lindqvist}
      harper: {name: Harper Sato}
      indigo: {name: Indigo Braun}
      jules: {name: Jules Moreau}
      kai: {name: Kai Andersen}
      lane: {name: Lane Costa}
      marlow: {name: Marlow Chen}

    pages:
      bakery:
        name: Harbour Bakery
        category: Bakery
        fields: {about: The sandbox's Harbour Bakery, fan_count: 120, followers_count: 130}
        roles:
          alex: [ADVERTISE, ANALYZE, CREATE_CONTENT, MESSAGING, MODERATE, MANAGE]
        posts:
          # Sixty of them, an hour apart; {n} is the number.
          - {message: "Harbour Bakery: news {n}", count: 60}
        photos: [Harbour Bakery from outside]
        instagram: {username: harbour.bakery, id: "17841400000000001"}
      club:
        name: Night Sky Club
        category: Club
        fields: {about: The sandbox's Night Sky Club, fan_count: 120, followers_count: 130}
        roles:
          alex: [ADVERTISE, ANALYZE, CREATE_CONTENT, MESSAGING, MODERATE, MANAGE]
        posts:
          - {message: "Night Sky Club: news {n}", count: 3}
        photos: [Night Sky Club from outside]
      radio:
        name: Old Town Radio
        category: Radio station
        fields: {about: The sandbox's Old Town Radio, fan_count: 120, followers_count: 130}
        roles:
          alex: [ANALYZE]
        posts:
          - "Old Town Radio: news {n}"
        photos: [Old Town Radio from outside]

    # The token named default is the one that is used unless a request asks for another.
    tokens:
      default: {user: alex}
      page: {page: bakery, user: alex}

    """#
}
