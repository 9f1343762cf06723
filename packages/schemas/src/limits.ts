/**
 * Every bound of the contract, in one place for server, SDK and sync helper.
 * Sizes are bytes of UTF-8 unless the name says otherwise.
 */
export const limits = {
  /** Bytes of `content`. Past it the item fails with `validation_error`. */
  contentBytesMax: 1_048_576,
  /** Bytes of `url`. */
  urlBytesMax: 8_192,
  /** Bytes of `title`. */
  titleBytesMax: 2_048,
  /** Bytes of `metadata` as JSON. */
  metadataBytesMax: 16_384,
  /** Bytes of `tabMetadata` as JSON. */
  tabMetadataBytesMax: 16_384,
  /** Bytes of a `config` or `error` payload as JSON. */
  payloadBytesMax: 16_384,
  /** Levels of nesting in the free-form parts of a `config` or `error` payload. */
  payloadDepthMax: 32,
  /** Bytes of a request body, also after gzip, br or deflate decoding. */
  bodyBytesMax: 16_777_216,
  /** Bytes of an import as they are sent. */
  importBytesMax: 4_294_967_296,
  /** Bytes of one line of an import. */
  importLineBytesMax: 16_777_216,
  /** Rejected and failed lines that an import names. */
  importFailuresMax: 100,
  /** Days that a retention rule can keep contexts. */
  retentionDaysMax: 36_500,
  /** Retention rules of a user. */
  retentionRulesMax: 100,
  /** Messages in a batch; at least one. */
  batchMessagesMax: 100,
  /** Characters of a context id, message id, extension id or tab id. */
  idCharsMax: 128,
  /** How far ahead of the server's clock a `capturedAt` or message `timestamp` may be, in milliseconds. */
  clockAheadMsMax: 86_400_000,
  historyLimitDefault: 50,
  historyLimitMax: 200,
  searchLimitDefault: 20,
  searchLimitMax: 1_000,
  /** Bytes of a search `query` or `urlPattern`. */
  queryBytesMax: 1_024,
  /** Matches past which `total` stops being exact. */
  searchTotalMax: 10_000,
  /** Code points of a search snippet. */
  snippetCharsMax: 240,
  /** UTF-16 units that `maxChars` may ask for. */
  maxCharsMax: 1_048_576,
  /** Extension errors kept per user. */
  extensionErrorsMax: 1_000,
  /** Days for which a message's outcome and the time of a delete are kept. */
  replayDays: 7,
  /** Bytes of a user's privacy rules as JSON. */
  privacyRulesBytesMax: 65_536,
  /** Entries in each list of a user's privacy rules. */
  privacyRulesMax: 1_000,
  /** Characters of a site in a privacy rule. */
  siteCharsMax: 500,
  /** Characters of an entry of a user's deny-list; at least two. */
  deniedCharsMax: 200,
  /** Live connections of a user to one server process. */
  liveConnectionsMax: 20,
  /** Frames that a client may send in a second. */
  liveFramesPerSecondMax: 10,
  /** Bytes of a frame that a client sends. */
  liveFrameBytesMax: 16_384,
  /** Events that wait for a client that reads slowly. */
  liveQueueMax: 1_000,
  /** Seconds for which a ticket can be used. */
  liveTicketSeconds: 30,
} as const;
