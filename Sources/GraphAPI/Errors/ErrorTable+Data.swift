// swift-format-ignore-file: one row a line

extension ErrorTable {
  /// The rows of the table, one per line.
  ///
  /// The columns are subject | name | category | reason | retry | proof | hint | source; `init(text:)`
  /// explains them. Sources: [C] stated by Meta's pages or official SDKs, [W] seen in the wild, [U]
  /// uncertain. To add a code, add a row and run the tests: they report what else has to change.
  static let graphErrors = #"""
    # Platform
    1 | API Unknown | transient | server | yes | never | Graph had an internal error, or the request asked for too much: wait and send again, or ask for less data. | [C] error handling guide; ios transient, android other, php server
    1 "reduce the amount of data" | Too much data | transient | server | yes | never | Ask for fewer fields or a smaller limit: the same request will probably fail again. | [W] Airbyte's connector, which halves limit
    2 | API Service | transient | server | yes | never | Graph was down for a moment: wait and send again. | [C] error handling guide; ios and android transient
    2/1504038 | Insights timed out | other | timeout | no | never | Ask for less: a shorter time, fewer fields and breakdowns, or an asynchronous report. The same request would time out again. | [C] insights error codes page
    2/1504041 | Insights breakdowns invalid | other | parameter | no | never | These metrics and breakdowns cannot be combined: choose others. | [C] insights error codes page
    2/1504042 | Insights metrics invalid | other | parameter | no | never | A custom metric is invalid: choose another. | [C] insights error codes page
    3 | API Method | other | permission | no | refusal | The app lacks the capability for this call: ask for it in the app's review settings. | [C] error handling guide
    4 | API Too Many Calls | transient | throttled | yes | always | The app has made too many calls: stop, wait, and spread calls over more time. | [C] rate limits page; ios and android transient
    4/1504022 | Insights throttled | transient | throttled | yes | always | The app has asked for too many insights: wait, and ask less often. | [C] insights error codes page
    4/1504039 | Insights throttled | transient | throttled | yes | always | The app has asked for too many insights: wait, and ask less often. | [C] insights error codes page
    4/2207051 | Instagram suspects spam | other | policy | no | never | Instagram treats the action as spam, but may have published it: check the account, wait for hours, and post less often. | [C] the subcode, Instagram error codes page; [W] a post was live in spite of it, postiz-app pull request 1681
    5 | Unauthorized address | other | policy | no | refusal | This machine's address is not on the app's list of servers: add it in the app's settings. | [W] legacy list in spring-social-facebook
    6 | Wrong host | other | parameter | no | refusal | The method is not available on this host. | [W] legacy list in spring-social-facebook
    7 | Wrong host for uploads | other | parameter | no | refusal | Uploads of this kind go to another host. | [W] legacy list in spring-social-facebook
    8 | Secure connection needed | other | parameter | no | refusal | The method requires https. | [W] legacy list in spring-social-facebook
    9 | API Rate | transient | throttled | yes | always | Too many calls: stop and wait. | [W] legacy list in spring-social-facebook; [C] ios and android transient
    9/2207042 | Instagram publishing limit | other | throttled | no | always | The account has reached its publishing limit for 24 hours: continue tomorrow, and read content_publishing_limit first. | [C] Instagram error codes page
    10 | API Permission Denied | recoverable | permission | yes | refusal | The permission was not granted or was revoked: grant it to the app and get a new token. | [C] error handling guide
    11 | Deprecated | other | parameter | no | refusal | The method was removed: see the changelog of the Graph API for its replacement. | [W] legacy list in spring-social-facebook
    12 | Wrong version | other | parameter | no | refusal | The method does not exist in this version. | [W] legacy list in spring-social-facebook
    15 | Games only | other | policy | no | refusal | Only apps of the category game may call this. | [W] recorded answer in spring-social-facebook
    17 | API User Too Many Calls | transient | throttled | yes | always | This user's token has made too many calls: stop and wait. | [C] rate limits page; ios and android transient
    17/1349172 | Device login polled too fast | transient | throttled | yes | always | Poll less often: use the interval that the login returned. | [C] login for devices; ios
    17/2446079 | Ad account throttled | transient | throttled | yes | always | Too many calls for this ad account: wait. | [C] rate limits page
    18 | Resources exceeded | other | unknown | no | never | The request used too much: ask for less. | [W] legacy list in spring-social-facebook
    25 | Instagram account restricted | other | policy | no | refusal | The account is restricted: its owner must sign in to Instagram and follow the steps there. | [U] the code is seen with subcode 2207050
    25/2207050 | Instagram account restricted | other | policy | no | refusal | The account is restricted: its owner must sign in to Instagram and follow the steps there. | [U] the code; [C] the subcode, Instagram error codes page
    31/1349174 | Device login pending | other | token | yes | refusal | The person has not yet entered the code: continue polling at the interval. | [C] login for devices; ios
    32 | Page throttled | transient | throttled | yes | always | Too many calls for this page: stop and wait. | [C] rate limits page; the ios table says other
    99 | Unknown error | transient | server | yes | never | Wait and send again. | [U] the number is seen as a subcode only
    100 | Invalid parameter | other | parameter | no | refusal | Read Graph's message: it names the parameter, field or permission that is wrong. | [C] error handling guide
    100/33 | No such object | other | not_found | no | refusal | The object does not exist, the token may not see it, or it does not support this: check the id and the token's permissions. | [W] restfb, many reports
    100/1366046 | Photo unreadable | other | parameter | no | refusal | Graph cannot read the file: check that it is a whole photo in a common format. | [W] reports of users
    100/1487534 | Insights ask for too much | other | parameter | no | refusal | Ask for less: a shorter time, fewer fields and breakdowns, or an asynchronous report. | [C] insights error codes page
    100/1504018 | Insights timed out | other | timeout | no | never | Ask for less: a shorter time, fewer fields and breakdowns, or an asynchronous report. The same request would time out again. | [C] insights error codes page
    101 | Invalid app | other | parameter | no | refusal | The app id is wrong or the app is disabled: check the credential profile. | [W] legacy list in spring-social-facebook
    102 | API Session | recoverable | token | yes | refusal | The login has expired: get a new token and set it where the profile takes it from. | [C] error handling guide; ios and android login-recoverable
    102/458 | App not installed | recoverable | token | yes | refusal | The person removed the app: they must log in to it again. | [C] the subcode, error handling guide
    102/459 | User checkpointed | other | token | no | refusal | The person must sign in at facebook.com and answer the check there; then log in again. | [C] the subcode, error handling guide; android by server configuration
    102/460 | Password changed | recoverable | token | yes | refusal | The password was changed: log in again. | [C] the subcode, error handling guide
    102/463 | Expired | recoverable | token | yes | refusal | The session has expired: log in again, and use a long-lived token for jobs. | [C] the subcode, error handling guide
    102/464 | Unconfirmed user | other | token | no | refusal | The person must sign in at facebook.com and confirm the account; then log in again. | [C] the subcode, error handling guide; android by server configuration
    102/467 | Invalid access token | recoverable | token | yes | refusal | The person logged out or the token was withdrawn: log in again. | [C] the subcode, error handling guide
    102/492 | Invalid session | recoverable | token | yes | refusal | The user behind the page token lost the role on the page: restore the role, then fetch a new page token. | [C] the subcode, error handling guide
    104 | Token required | other | token | no | refusal | The call carried no usable token or signature: check the credential profile. | [W] recorded answer in spring-social-facebook
    # Tokens
    190 | Access token invalid | recoverable | token | yes | refusal | The token is expired, revoked or wrong: get a new one and set it where the profile takes it from. | [C] error handling guide; ios and android login-recoverable
    190/458 | App not installed | recoverable | token | yes | refusal | The person removed the app: they must log in to it again. | [C] error handling guide
    190/459 | User checkpointed | other | token | no | refusal | The person must sign in at facebook.com and answer the check there; then log in again. | [C] error handling guide; ios recoverable, android other by server configuration
    190/460 | Password changed | recoverable | token | yes | refusal | The password was changed: log in again. | [C] error handling guide
    190/461 | Session invalid | recoverable | token | yes | refusal | The session is not valid: log in again. | [W] legacy list in spring-social-facebook
    190/462 | Session version stale | recoverable | token | yes | refusal | The session is from an older version: log in again. | [W] legacy list in spring-social-facebook
    190/463 | Expired | recoverable | token | yes | refusal | The token has expired: log in again, and use a long-lived token for jobs. | [C] error handling guide
    190/464 | Unconfirmed user | other | token | no | refusal | The person must sign in at facebook.com and confirm the account; then log in again. | [C] error handling guide; ios recoverable, android other by server configuration
    190/465 | Session user invalid | recoverable | token | yes | refusal | The session belongs to no valid user: log in again. | [W] legacy list in spring-social-facebook
    190/466 | Invalidated by a call | recoverable | token | yes | refusal | The token was revoked by an API call: log in again. | [W] recorded answer in spring-social-facebook
    190/467 | Invalid access token | recoverable | token | yes | refusal | The person logged out or the token was withdrawn: log in again. | [C] error handling guide
    190/468 | Session user missing | recoverable | token | yes | refusal | The session names no user: log in again. | [W] legacy list in spring-social-facebook
    190/490 | Session blocked | other | token | no | refusal | The person must sign in at facebook.com, where the login is blocked or asks for a second factor. | [U] reports of users
    190/492 | Invalid session | recoverable | token | yes | refusal | The user behind the page token lost the role on the page: restore the role, then fetch a new page token. | [C] error handling guide
    190/493 | App inactive for 90 days | recoverable | token | yes | refusal | The person has not used the app for 90 days: log in again. | [C] ios and android; [W] hello.js
    194 | Missing parameter | other | parameter | no | refusal | A required parameter is missing: Graph's message names it. | [C] marketing batch requests page
    # Permissions
    200 | API Permission | recoverable | permission | yes | refusal | A permission or a role is missing: Graph's message names it; grant it to the app and get a new token. What a page does needs the page's token: `as: {page: ID}`. | [C] error handling guide
    210 | Page token required | recoverable | permission | yes | refusal | This needs the token of a page, not of a user: write `as: {page: ID}`. | [W] the text; webhooks pages
    299 | Extended permission required | recoverable | permission | yes | refusal | Graph's message names the permission: grant it to the app and get a new token. | [C] error handling guide; [W] the text
    200...299 | API Permission | recoverable | permission | yes | refusal | A permission is missing or was revoked: grant it to the app and get a new token. | [C] error handling guide
    341 | Application limit reached | transient | throttled | yes | always | The app has reached a limit for this action: stop and wait. | [C] error handling guide; ios and android transient
    352 | Instagram video format | other | parameter | no | refusal | The video's format is not supported: convert it. | [U] the code is seen with subcode 2207026
    352/2207026 | Instagram video format | other | parameter | no | refusal | The video's format is not supported: convert it. | [U] the code; [C] the subcode, Instagram error codes page
    368 | Temporarily blocked | other | policy | no | refusal | Meta blocked the action under its policies: stop, read the policy, and wait a long time before trying again. | [C] error handling guide; ios other
    368 "already" | Already posted | other | duplicate | no | refusal | The same content was posted before: change it. After an attempt without an answer, that attempt may have posted it: check. | [W] koala issue 422
    368/1390008 | Posting too fast | other | policy | no | refusal | Meta limits how often this account may post: continue hours later, and post less often. | [W] postiz-app pull request 2068
    412 | App not installed | recoverable | token | yes | refusal | The person has to log in to the app again. | [C] android login-recoverable
    450 | Session timed out | recoverable | token | yes | refusal | The session has expired: log in again. | [W] koala's list of authentication errors
    452 | Session key invalid | recoverable | token | yes | refusal | The session is not valid: log in again. | [W] koala's list of authentication errors
    463/1349152 | Device login code expired | other | token | no | refusal | The code was not entered in time: start the login again. | [C] login for devices; ios
    506 | Duplicate post | other | duplicate | no | refusal | The same text was posted just before: change it. | [C] error handling guide
    506/1455006 | Duplicate status | other | duplicate | no | refusal | The status is identical to the last one: change it. | [W] recorded answer in spring-social-facebook
    601...699 | FQL error | other | parameter | no | refusal | FQL was removed in 2016: use field expansion, ids= or a batch with references. | [W] a test of the C# SDK; such answers came with status 200
    613 | Custom rate limit | transient | throttled | yes | always | Too many calls of this kind: stop and wait. | [C] rate limits page; the ios table says other
    613/1996 | Inconsistent volume | transient | throttled | yes | always | The number of calls changed too suddenly: wait, and spread them evenly. | [C] rate limits page
    803 | No such alias | other | not_found | no | refusal | The name or one of the ids does not exist, and user names are not resolved: use ids. | [W] recorded answers in spring-social-facebook and mobolic
    900 | No such app | other | parameter | no | refusal | The app id does not exist. | [W] legacy list in spring-social-facebook
    # Batches and paths
    951 | Batch already started | other | parameter | no | refusal | Legacy REST batches were removed: use a Graph batch. | [W] legacy list in spring-social-facebook
    952 | Batch not started | other | parameter | no | refusal | Legacy REST batches were removed: use a Graph batch. | [W] legacy list in spring-social-facebook
    953 | Not allowed in a batch | other | parameter | no | refusal | Send this operation in a call of its own (`batch: alone`). | [W] legacy list in spring-social-facebook
    960 | Batch operation aborted | transient | timeout | yes | never | The batch timed out, or a dependency of the operation failed: smaller batches and fewer fields help. | [W] Airbyte's connector; not in Meta's pages
    2500 | Query parse error | other | parameter | no | refusal | The path or the fields cannot be read, or the path needs a token of a user: check the path and the version. | [W] koala, spring-social-facebook
    2601 | Report not accessible | other | parameter | no | refusal | Request it with `report`, which reads it once its async_status is Job Completed; a failed report has to be requested again. | [C] facebook-python-business-sdk; [W] recorded with subcode 1815107
    2601/1815107 | Report not completed | other | parameter | no | refusal | Request it with `report`, which reads it once its async_status is Job Completed; a failed report has to be requested again. | [C] insights error codes page; [W] recorded with is_transient, facebook-php-business-sdk issue 288
    2635 | Deprecated Ads API version | other | parameter | no | refusal | Ask for the version that the message names (`version:`). | [W] facebook-java-business-sdk issue 136
    10900 | Already replied | other | duplicate | no | refusal | A comment allows one private reply, and already has it. | [W] reports of users
    # Publishing and uploads
    -1 | Instagram server error | transient | server | yes | never | Instagram had an internal error: wait and send again. | [C] Instagram error codes page, with its subcodes
    -1/2207001 | Instagram server error | transient | server | yes | never | Instagram had an internal error: wait and send again. | [C] Instagram error codes page
    -1/2207032 | Instagram media creation failed | transient | server | yes | never | Creating the media failed: send it again. | [C] Instagram error codes page
    -1/2207053 | Instagram upload error | transient | server | yes | never | The upload failed for an unknown reason: upload again. | [C] Instagram error codes page
    -2 | Instagram media failed | other | unknown | no | never | Read Graph's message: the media was not fetched in time, or its container is too old. | [C] Instagram error codes page, with its subcodes
    -2/2207003 | Instagram media fetch timeout | transient | timeout | yes | never | Instagram could not fetch the media in time: serve it from a faster place, then send again. | [C] Instagram error codes page
    -2/2207020 | Instagram container expired | other | parameter | no | refusal | Containers last 24 hours: make a new one. | [C] Instagram error codes page
    -2/2490547 | Insights report failed | transient | server | yes | never | The report could not be created: request it again later. | [C] insights error codes page
    9004 | Instagram media not fetched | other | parameter | no | refusal | The media's address must be public and point to the file itself. | [U] the code is seen with subcode 2207052
    9004/2207052 | Instagram media not fetched | other | parameter | no | refusal | The media's address must be public and point to the file itself. | [U] the code; [C] the subcode, Instagram error codes page
    9007 | Instagram media not ready | other | parameter | no | refusal | Wait until the container's status_code is FINISHED (`until`), then publish. | [C] Instagram error codes page, with its subcode
    9007/2207027 | Instagram media not ready | other | parameter | no | refusal | Wait until the container's status_code is FINISHED (`until`), then publish. | [C] Instagram error codes page
    36000 | Instagram image too large | other | parameter | no | refusal | The image is too large: send a smaller one. | [C] Instagram error codes page, with its subcode
    36000/2207004 | Instagram image too large | other | parameter | no | refusal | The image is too large: send a smaller one. | [C] Instagram error codes page
    36003 | Instagram aspect ratio | other | parameter | no | refusal | The image's aspect ratio is not accepted: crop it. | [U] the code is seen with subcode 2207009
    36003/2207009 | Instagram aspect ratio | other | parameter | no | refusal | The image's aspect ratio is not accepted: crop it. | [U] the code; [C] the subcode, Instagram error codes page
    1609005 | Error posting link | other | parameter | no | refusal | Graph could not read the linked page: check the address, and that it is public. | [C] error handling guide
    */1363019 | Resumable upload failed | other | unknown | no | never | The upload's step failed: start the upload again. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1363021 | Resumable upload failed | other | unknown | no | never | The upload's step failed: start the upload again. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1363030 | Resumable upload failed | other | unknown | no | never | The upload's step failed: start the upload again. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1363033 | Resumable upload failed | other | unknown | no | never | The upload's step failed: start the upload again. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1363037 | Resumable upload out of step | other | parameter | no | refusal | Continue from the offsets in error_data. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1363041 | Resumable upload failed | other | unknown | no | never | The upload's step failed: start the upload again. | [W] list of resumable-upload subcodes in php-graph-sdk
    */1815379 | Invalid relative_url | other | parameter | no | refusal | The relative_url of an asynchronous ads batch is wrong; it may hold no version. | [W] reports of users; whether code or subcode is uncertain
    # Throttles of business use cases
    80000 | Ads insights throttled | transient | throttled | yes | always | Too many insights calls: wait as long as the usage header says, and ask for smaller reports. | [C] rate limits page; the ios table says other
    80000/2446079 | Ads insights throttled | transient | throttled | yes | always | Too many insights calls: wait as long as the usage header says, and ask for smaller reports. | [C] rate limits page
    80001 | Page calls throttled | transient | throttled | yes | always | Too many calls for this page: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80002 | Instagram throttled | transient | throttled | yes | always | Too many calls for this Instagram account: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80003 | Custom audience throttled | transient | throttled | yes | always | Too many custom audience calls: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80003/2446079 | Custom audience throttled | transient | throttled | yes | always | Too many custom audience calls: wait as long as the usage header says. | [C] rate limits page
    80004 | Ads management throttled | transient | throttled | yes | always | Too many calls to this ad account: make fewer, and wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80004/2446079 | Ads management throttled | transient | throttled | yes | always | Too many calls to this ad account: make fewer, and wait as long as the usage header says. | [C] rate limits page
    80005 | Lead ads throttled | transient | throttled | yes | always | Too many lead calls: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80006 | Messenger throttled | transient | throttled | yes | always | Too many Messenger calls: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80008 | WhatsApp throttled | transient | throttled | yes | always | Too many calls for this WhatsApp business account: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80009 | Catalog throttled | transient | throttled | yes | always | Too many catalog calls: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80014 | Catalog batch throttled | transient | throttled | yes | always | Too many catalog batch calls: wait as long as the usage header says. | [C] rate limits page; the ios table says other
    80000...80014 | Business use case throttled | transient | throttled | yes | always | Too many calls: wait as long as the usage header says. | [C] rate limits page, for the range
    # Subcodes under codes without a row
    */99 | Unknown error | transient | server | yes | never | Wait and send again. | [W] Airbyte's retry list
    */1996 | Inconsistent volume | transient | throttled | yes | always | The number of calls changed too suddenly: wait, and spread them evenly. | [C] the subcode, rate limits page
    */1455006 | Duplicate status | other | duplicate | no | refusal | The status is identical to the last one: change it. | [W] recorded answer in spring-social-facebook
    */458 | App not installed | recoverable | token | yes | refusal | The person removed the app: they must log in to it again. | [C] error handling guide
    */459 | User checkpointed | other | token | no | refusal | The person must sign in at facebook.com and answer the check there; then log in again. | [C] error handling guide
    */460 | Password changed | recoverable | token | yes | refusal | The password was changed: log in again. | [C] error handling guide
    */461 | Session invalid | recoverable | token | yes | refusal | The session is not valid: log in again. | [W] legacy list in spring-social-facebook
    */462 | Session version stale | recoverable | token | yes | refusal | The session is from an older version: log in again. | [W] legacy list in spring-social-facebook
    */463 | Expired | recoverable | token | yes | refusal | The token has expired: log in again. | [C] error handling guide
    */464 | Unconfirmed user | other | token | no | refusal | The person must sign in at facebook.com and confirm the account; then log in again. | [C] error handling guide
    */465 | Session user invalid | recoverable | token | yes | refusal | The session belongs to no valid user: log in again. | [W] legacy list in spring-social-facebook
    */466 | Invalidated by a call | recoverable | token | yes | refusal | The token was revoked by an API call: log in again. | [W] recorded answer in spring-social-facebook
    */467 | Invalid access token | recoverable | token | yes | refusal | The token was withdrawn: log in again. | [C] error handling guide
    */468 | Session user missing | recoverable | token | yes | refusal | The session names no user: log in again. | [W] legacy list in spring-social-facebook
    */490 | Session blocked | other | token | no | refusal | The person must sign in at facebook.com, where the login is blocked or asks for a second factor. | [U] reports of users
    */492 | Invalid session | recoverable | token | yes | refusal | The user behind the page token lost the role on the page. | [C] error handling guide
    */493 | App inactive for 90 days | recoverable | token | yes | refusal | The person has not used the app for 90 days: log in again. | [C] ios and android; [W] hello.js
    */1349173 | Device login declined | other | permission | no | refusal | The person declined the login. | [C] login for devices; ios
    */2207001 | Instagram server error | transient | server | yes | never | Instagram had an internal error: wait and send again. | [C] the subcode, Instagram error codes page
    */2207003 | Instagram media fetch timeout | transient | timeout | yes | never | Instagram could not fetch the media in time: serve it from a faster place, then send again. | [C] the subcode, Instagram error codes page
    */2207004 | Instagram image too large | other | parameter | no | refusal | The image is too large: send a smaller one. | [C] the subcode, Instagram error codes page
    */2207009 | Instagram aspect ratio | other | parameter | no | refusal | The image's aspect ratio is not accepted: crop it. | [C] the subcode, Instagram error codes page
    */2207020 | Instagram container expired | other | parameter | no | refusal | Containers last 24 hours: make a new one. | [C] the subcode, Instagram error codes page
    */2207026 | Instagram video format | other | parameter | no | refusal | The video's format is not supported: convert it. | [C] the subcode, Instagram error codes page
    */2207027 | Instagram media not ready | other | parameter | no | refusal | Wait until the container's status_code is FINISHED (`until`), then publish. | [C] the subcode, Instagram error codes page
    */2207032 | Instagram media creation failed | transient | server | yes | never | Creating the media failed: send it again. | [C] the subcode, Instagram error codes page
    */2207042 | Instagram publishing limit | other | throttled | no | always | The account has reached its publishing limit for 24 hours: continue tomorrow, and read content_publishing_limit first. | [C] the subcode, Instagram error codes page
    */2207050 | Instagram account restricted | other | policy | no | refusal | The account is restricted: its owner must sign in to Instagram and follow the steps there. | [C] the subcode, Instagram error codes page
    */2207051 | Instagram suspects spam | other | policy | no | never | Instagram treats the action as spam, but may have published it: check the account, wait for hours, and post less often. | [C] the subcode, Instagram error codes page; [W] a post was live in spite of it, postiz-app pull request 1681
    */2207052 | Instagram media not fetched | other | parameter | no | refusal | The media's address must be public and point to the file itself. | [C] the subcode, Instagram error codes page
    */2207053 | Instagram upload error | transient | server | yes | never | The upload failed for an unknown reason: upload again. | [C] the subcode, Instagram error codes page
    */2446079 | Ad account throttled | transient | throttled | yes | always | Too many calls for this ad account: wait. | [C] rate limits page
    # HTTP statuses, where the body says nothing that is known
    http 400 | Bad request | other | unknown | no | refusal | Read Graph's message. | [W] nearly every error comes with 400
    http 401 | Unauthorized | other | token | no | refusal | Check the token. | [W] WhatsApp's table; elsewhere 400
    http 403 | Forbidden | other | permission | no | refusal | Check the token's permissions and roles. | [C] example in batch requests; elsewhere 400
    http 404 | Not found | other | not_found | no | refusal | Check the id. | [W] old captures; now 400
    http 408 | Request timeout | transient | timeout | yes | never | Send it again. | RFC 9110; not seen from Graph
    http 429 | Too many requests | transient | throttled | yes | always | Stop and wait. | [W] WhatsApp's table; elsewhere 400
    http 400...499 | Refused | other | unknown | no | refusal | Read Graph's message. | RFC 9110
    http 504 | Gateway timeout | transient | timeout | yes | never | Ask for less, and send it again. | RFC 9110
    http 500...599 | Server error | transient | server | yes | never | Graph had an internal error: wait and send again. | [W] codes 1 and 2 come with 500; Airbyte retries every 500
    http 0...999 | Unknown | other | unknown | no | never | Read Graph's message. | nothing is known
    """#
}
