// src/storage/postgres/engine.ts
import { PrismaPg } from "@prisma/adapter-pg";

// src/database-url.ts
function placeOf(databaseUrl) {
  const url2 = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (url2 === null) return "PostgreSQL";
  const host = url2.hostname || url2.searchParams.get("host") || "localhost";
  return `PostgreSQL at ${host}:${url2.port || "5432"}${url2.pathname}`;
}

// src/storage/generated/postgres/client.ts
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import "@prisma/client/runtime/client";

// src/storage/generated/postgres/internal/class.ts
import * as runtime from "@prisma/client/runtime/client";
var config = {
  "previewFeatures": [],
  "clientVersion": "7.10.0",
  "engineVersion": "0edf323efd1d98336f3f0a68684b56f689b900d3",
  "activeProvider": "postgresql",
  "inlineSchema": `// PostgreSQL. The schema of the embedded engine beside it has the same models; only datasource, native types and keys differ.
// Every key of what grows starts with the user, and there is no foreign key: users can be spread over machines.
// Collations, the searched words and the table of changes live in the migrations, out of Prisma's sight.
generator client {
  provider            = "prisma-client"
  output              = "../../src/storage/generated/postgres"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "js"
  compilerBuild       = "small"
}

datasource db {
  provider = "postgresql"
}

model User {
  userId    String   @id
  createdAt DateTime @db.Timestamptz(3)
  // Counts the writes to the user's data, for optimistic locking. Starts at the time of creation, so that it never repeats.
  revision  BigInt

  @@map("users")
}

model ApiKey {
  keyId           String    @id
  userId          String
  name            String
  // SHA-256 of the whole key, hex. The key itself is shown once and kept nowhere.
  hash            String
  // Space-separated: read write delete.
  scopes          String
  maxPrivacyLevel String
  createdAt       DateTime  @db.Timestamptz(3)
  expiresAt       DateTime? @db.Timestamptz(3)
  lastUsedAt      DateTime? @db.Timestamptz(3)
  revokedAt       DateTime? @db.Timestamptz(3)

  @@index([userId])
  @@map("api_keys")
}

model Context {
  // Order of arrival among the user's own.
  seq           BigInt
  userId        String
  contextId     String
  type          String
  tabId         String
  extensionId   String
  capturedAt    DateTime  @db.Timestamptz(3)
  privacyLevel  String
  // Timestamp of the message that wrote it last: the newer message wins.
  writtenAt     DateTime  @db.Timestamptz(3)
  // When the person last looked at it; null for a page that was captured in the background and never viewed.
  viewedAt      DateTime? @db.Timestamptz(3)
  // Time of the last heartbeat.
  lastSeenAt    DateTime? @db.Timestamptz(3)
  contentFormat String
  url           String
  title         String
  // JSON objects.
  tabMetadata   String
  metadata      String
  // Text of HTML, markdown and form content as it is searched; null where the content is plain already.
  plainText     String?
  content       String

  @@id([userId, contextId])
  @@unique([userId, seq])
  @@index([userId, capturedAt(sort: Desc), contextId, type, privacyLevel])
  @@index([contextId])
  @@index([userId, viewedAt(sort: Desc)])
  @@index([userId, tabId, viewedAt(sort: Desc)])
  @@index([userId, extensionId, viewedAt(sort: Desc)])
  @@map("contexts")
}

// The time of a delete, kept so that an older message that arrives later brings nothing back.
model Tombstone {
  userId    String
  contextId String
  // Timestamp of the delete message; for DELETE the server's clock.
  deletedAt DateTime @db.Timestamptz(3)
  // The server's clock, for pruning.
  storedAt  DateTime @db.Timestamptz(3)

  @@id([userId, contextId])
  @@index([storedAt])
  @@map("tombstones")
}

// Outcome of a processed message, for idempotent replays.
model ProcessedMessage {
  userId       String
  extensionId  String
  messageId    String
  // What makes the message the same one: hashes of what no filter touches and of the filtered rest, and the policy; and the level.
  fingerprint  String
  privacyLevel String
  // JSON of the result that was answered.
  result       String
  processedAt  DateTime @db.Timestamptz(3)

  @@id([userId, extensionId, messageId])
  @@index([processedAt])
  @@map("processed_messages")
}

model Extension {
  userId      String
  extensionId String
  lastSeenAt  DateTime  @db.Timestamptz(3)
  // JSON object, filtered, and the timestamp of the message that set it.
  config      String?
  configAt    DateTime? @db.Timestamptz(3)

  @@id([userId, extensionId])
  @@map("extensions")
}

model ExtensionError {
  // Order of arrival among the user's own.
  seq         BigInt
  userId      String
  extensionId String
  code        String
  message     String
  // JSON, filtered.
  details     String?
  occurredAt  DateTime @db.Timestamptz(3)

  @@id([userId, seq])
  @@map("extension_errors")
}

// A user's own privacy rules: sites and words.
model PrivacyRules {
  userId    String   @id
  // Counts the changes, so that what was filtered under older rules is known.
  version   Int
  // JSON object.
  rules     String
  updatedAt DateTime @db.Timestamptz(3)

  @@map("privacy_rules")
}

// How far a user's stored contexts have been filtered again under a policy: a run that was stopped goes on from there.
// There is none once anything was stored under another policy.
model PrivacyProgress {
  userId     String    @id
  policy     String
  // Another one each time that it begins anew.
  run        String
  // The last context that was filtered.
  seq        BigInt
  // JSON object: what the run has done so far.
  counts     String
  // Null while something is left to do.
  finishedAt DateTime? @db.Timestamptz(3)
  updatedAt  DateTime  @db.Timestamptz(3)

  @@map("privacy_progress")
}
`,
  "runtimeDataModel": {
    "models": {},
    "enums": {},
    "types": {}
  },
  "parameterizationSchema": {
    "strings": [],
    "graph": ""
  }
};
config.runtimeDataModel = JSON.parse('{"models":{"User":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"createdAt","kind":"scalar","type":"DateTime"},{"name":"revision","kind":"scalar","type":"BigInt"}],"dbName":"users","schema":null},"ApiKey":{"fields":[{"name":"keyId","kind":"scalar","type":"String"},{"name":"userId","kind":"scalar","type":"String"},{"name":"name","kind":"scalar","type":"String"},{"name":"hash","kind":"scalar","type":"String"},{"name":"scopes","kind":"scalar","type":"String"},{"name":"maxPrivacyLevel","kind":"scalar","type":"String"},{"name":"createdAt","kind":"scalar","type":"DateTime"},{"name":"expiresAt","kind":"scalar","type":"DateTime"},{"name":"lastUsedAt","kind":"scalar","type":"DateTime"},{"name":"revokedAt","kind":"scalar","type":"DateTime"}],"dbName":"api_keys","schema":null},"Context":{"fields":[{"name":"seq","kind":"scalar","type":"BigInt"},{"name":"userId","kind":"scalar","type":"String"},{"name":"contextId","kind":"scalar","type":"String"},{"name":"type","kind":"scalar","type":"String"},{"name":"tabId","kind":"scalar","type":"String"},{"name":"extensionId","kind":"scalar","type":"String"},{"name":"capturedAt","kind":"scalar","type":"DateTime"},{"name":"privacyLevel","kind":"scalar","type":"String"},{"name":"writtenAt","kind":"scalar","type":"DateTime"},{"name":"viewedAt","kind":"scalar","type":"DateTime"},{"name":"lastSeenAt","kind":"scalar","type":"DateTime"},{"name":"contentFormat","kind":"scalar","type":"String"},{"name":"url","kind":"scalar","type":"String"},{"name":"title","kind":"scalar","type":"String"},{"name":"tabMetadata","kind":"scalar","type":"String"},{"name":"metadata","kind":"scalar","type":"String"},{"name":"plainText","kind":"scalar","type":"String"},{"name":"content","kind":"scalar","type":"String"}],"dbName":"contexts","schema":null},"Tombstone":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"contextId","kind":"scalar","type":"String"},{"name":"deletedAt","kind":"scalar","type":"DateTime"},{"name":"storedAt","kind":"scalar","type":"DateTime"}],"dbName":"tombstones","schema":null},"ProcessedMessage":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"extensionId","kind":"scalar","type":"String"},{"name":"messageId","kind":"scalar","type":"String"},{"name":"fingerprint","kind":"scalar","type":"String"},{"name":"privacyLevel","kind":"scalar","type":"String"},{"name":"result","kind":"scalar","type":"String"},{"name":"processedAt","kind":"scalar","type":"DateTime"}],"dbName":"processed_messages","schema":null},"Extension":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"extensionId","kind":"scalar","type":"String"},{"name":"lastSeenAt","kind":"scalar","type":"DateTime"},{"name":"config","kind":"scalar","type":"String"},{"name":"configAt","kind":"scalar","type":"DateTime"}],"dbName":"extensions","schema":null},"ExtensionError":{"fields":[{"name":"seq","kind":"scalar","type":"BigInt"},{"name":"userId","kind":"scalar","type":"String"},{"name":"extensionId","kind":"scalar","type":"String"},{"name":"code","kind":"scalar","type":"String"},{"name":"message","kind":"scalar","type":"String"},{"name":"details","kind":"scalar","type":"String"},{"name":"occurredAt","kind":"scalar","type":"DateTime"}],"dbName":"extension_errors","schema":null},"PrivacyRules":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"version","kind":"scalar","type":"Int"},{"name":"rules","kind":"scalar","type":"String"},{"name":"updatedAt","kind":"scalar","type":"DateTime"}],"dbName":"privacy_rules","schema":null},"PrivacyProgress":{"fields":[{"name":"userId","kind":"scalar","type":"String"},{"name":"policy","kind":"scalar","type":"String"},{"name":"run","kind":"scalar","type":"String"},{"name":"seq","kind":"scalar","type":"BigInt"},{"name":"counts","kind":"scalar","type":"String"},{"name":"finishedAt","kind":"scalar","type":"DateTime"},{"name":"updatedAt","kind":"scalar","type":"DateTime"}],"dbName":"privacy_progress","schema":null}},"enums":{},"types":{}}');
config.parameterizationSchema = {
  strings: JSON.parse('["where","User.findUnique","User.findUniqueOrThrow","orderBy","cursor","User.findFirst","User.findFirstOrThrow","User.findMany","data","User.createOne","User.createMany","User.createManyAndReturn","User.updateOne","User.updateMany","User.updateManyAndReturn","create","update","User.upsertOne","User.deleteOne","User.deleteMany","having","_count","_avg","_sum","_min","_max","User.groupBy","User.aggregate","ApiKey.findUnique","ApiKey.findUniqueOrThrow","ApiKey.findFirst","ApiKey.findFirstOrThrow","ApiKey.findMany","ApiKey.createOne","ApiKey.createMany","ApiKey.createManyAndReturn","ApiKey.updateOne","ApiKey.updateMany","ApiKey.updateManyAndReturn","ApiKey.upsertOne","ApiKey.deleteOne","ApiKey.deleteMany","ApiKey.groupBy","ApiKey.aggregate","Context.findUnique","Context.findUniqueOrThrow","Context.findFirst","Context.findFirstOrThrow","Context.findMany","Context.createOne","Context.createMany","Context.createManyAndReturn","Context.updateOne","Context.updateMany","Context.updateManyAndReturn","Context.upsertOne","Context.deleteOne","Context.deleteMany","Context.groupBy","Context.aggregate","Tombstone.findUnique","Tombstone.findUniqueOrThrow","Tombstone.findFirst","Tombstone.findFirstOrThrow","Tombstone.findMany","Tombstone.createOne","Tombstone.createMany","Tombstone.createManyAndReturn","Tombstone.updateOne","Tombstone.updateMany","Tombstone.updateManyAndReturn","Tombstone.upsertOne","Tombstone.deleteOne","Tombstone.deleteMany","Tombstone.groupBy","Tombstone.aggregate","ProcessedMessage.findUnique","ProcessedMessage.findUniqueOrThrow","ProcessedMessage.findFirst","ProcessedMessage.findFirstOrThrow","ProcessedMessage.findMany","ProcessedMessage.createOne","ProcessedMessage.createMany","ProcessedMessage.createManyAndReturn","ProcessedMessage.updateOne","ProcessedMessage.updateMany","ProcessedMessage.updateManyAndReturn","ProcessedMessage.upsertOne","ProcessedMessage.deleteOne","ProcessedMessage.deleteMany","ProcessedMessage.groupBy","ProcessedMessage.aggregate","Extension.findUnique","Extension.findUniqueOrThrow","Extension.findFirst","Extension.findFirstOrThrow","Extension.findMany","Extension.createOne","Extension.createMany","Extension.createManyAndReturn","Extension.updateOne","Extension.updateMany","Extension.updateManyAndReturn","Extension.upsertOne","Extension.deleteOne","Extension.deleteMany","Extension.groupBy","Extension.aggregate","ExtensionError.findUnique","ExtensionError.findUniqueOrThrow","ExtensionError.findFirst","ExtensionError.findFirstOrThrow","ExtensionError.findMany","ExtensionError.createOne","ExtensionError.createMany","ExtensionError.createManyAndReturn","ExtensionError.updateOne","ExtensionError.updateMany","ExtensionError.updateManyAndReturn","ExtensionError.upsertOne","ExtensionError.deleteOne","ExtensionError.deleteMany","ExtensionError.groupBy","ExtensionError.aggregate","PrivacyRules.findUnique","PrivacyRules.findUniqueOrThrow","PrivacyRules.findFirst","PrivacyRules.findFirstOrThrow","PrivacyRules.findMany","PrivacyRules.createOne","PrivacyRules.createMany","PrivacyRules.createManyAndReturn","PrivacyRules.updateOne","PrivacyRules.updateMany","PrivacyRules.updateManyAndReturn","PrivacyRules.upsertOne","PrivacyRules.deleteOne","PrivacyRules.deleteMany","PrivacyRules.groupBy","PrivacyRules.aggregate","PrivacyProgress.findUnique","PrivacyProgress.findUniqueOrThrow","PrivacyProgress.findFirst","PrivacyProgress.findFirstOrThrow","PrivacyProgress.findMany","PrivacyProgress.createOne","PrivacyProgress.createMany","PrivacyProgress.createManyAndReturn","PrivacyProgress.updateOne","PrivacyProgress.updateMany","PrivacyProgress.updateManyAndReturn","PrivacyProgress.upsertOne","PrivacyProgress.deleteOne","PrivacyProgress.deleteMany","PrivacyProgress.groupBy","PrivacyProgress.aggregate","AND","OR","NOT","userId","policy","run","seq","counts","finishedAt","updatedAt","equals","in","notIn","lt","lte","gt","gte","not","contains","startsWith","endsWith","version","rules","extensionId","code","message","details","occurredAt","userId_seq","lastSeenAt","config","configAt","userId_extensionId","messageId","fingerprint","privacyLevel","result","processedAt","userId_extensionId_messageId","contextId","deletedAt","storedAt","userId_contextId","type","tabId","capturedAt","writtenAt","viewedAt","contentFormat","url","title","tabMetadata","metadata","plainText","content","keyId","name","hash","scopes","maxPrivacyLevel","createdAt","expiresAt","lastUsedAt","revokedAt","revision","set","increment","decrement","multiply","divide"]'),
  graph: "vwJTkAEGnAEAAJMCADCdAQAABAAQngEAAJMCADCfAQEAAAAB2AFAAPYBACHcAQQA9AEAIQEAAAABACABAAAAAQAgBpwBAACTAgAwnQEAAAQAEJ4BAACTAgAwnwEBAPMBACHYAUAA9gEAIdwBBAD0AQAhAAMAAAAEACADAAAFADAEAAABACADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAOfAQEAAAAB2AFAAAAAAdwBBAAAAAEBCAAACQAgA58BAQAAAAHYAUAAAAAB3AEEAAAAAQEIAAALADABCAAACwAwA58BAQCaAgAh2AFAAJ0CACHcAQQAmwIAIQIAAAABACAIAAAOACADnwEBAJoCACHYAUAAnQIAIdwBBACbAgAhAgAAAAQAIAgAABAAIAIAAAAEACAIAAAQACADAAAAAQAgDwAACQAgEAAADgAgAQAAAAEAIAEAAAAEACAFFQAAuwIAIBYAALwCACAXAAC_AgAgGAAAvgIAIBkAAL0CACAGnAEAAJICADCdAQAAFwAQngEAAJICADCfAQEA4wEAIdgBQADmAQAh3AEEAOQBACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIA2cAQAAkQIAMJ0BAAAdABCeAQAAkQIAMJ8BAQDzAQAh0wEBAAAAAdQBAQDzAQAh1QEBAPMBACHWAQEA8wEAIdcBAQDzAQAh2AFAAPYBACHZAUAA9QEAIdoBQAD1AQAh2wFAAPUBACEBAAAAGgAgAQAAABoAIA2cAQAAkQIAMJ0BAAAdABCeAQAAkQIAMJ8BAQDzAQAh0wEBAPMBACHUAQEA8wEAIdUBAQDzAQAh1gEBAPMBACHXAQEA8wEAIdgBQAD2AQAh2QFAAPUBACHaAUAA9QEAIdsBQAD1AQAhA9kBAACUAgAg2gEAAJQCACDbAQAAlAIAIAMAAAAdACADAAAeADAEAAAaACADAAAAHQAgAwAAHgAwBAAAGgAgAwAAAB0AIAMAAB4AMAQAABoAIAqfAQEAAAAB0wEBAAAAAdQBAQAAAAHVAQEAAAAB1gEBAAAAAdcBAQAAAAHYAUAAAAAB2QFAAAAAAdoBQAAAAAHbAUAAAAABAQgAACIAIAqfAQEAAAAB0wEBAAAAAdQBAQAAAAHVAQEAAAAB1gEBAAAAAdcBAQAAAAHYAUAAAAAB2QFAAAAAAdoBQAAAAAHbAUAAAAABAQgAACQAMAEIAAAkADAKnwEBAJoCACHTAQEAmgIAIdQBAQCaAgAh1QEBAJoCACHWAQEAmgIAIdcBAQCaAgAh2AFAAJ0CACHZAUAAnAIAIdoBQACcAgAh2wFAAJwCACECAAAAGgAgCAAAJwAgCp8BAQCaAgAh0wEBAJoCACHUAQEAmgIAIdUBAQCaAgAh1gEBAJoCACHXAQEAmgIAIdgBQACdAgAh2QFAAJwCACHaAUAAnAIAIdsBQACcAgAhAgAAAB0AIAgAACkAIAIAAAAdACAIAAApACADAAAAGgAgDwAAIgAgEAAAJwAgAQAAABoAIAEAAAAdACAGFQAAuAIAIBgAALoCACAZAAC5AgAg2QEAAJQCACDaAQAAlAIAINsBAACUAgAgDZwBAACQAgAwnQEAADAAEJ4BAACQAgAwnwEBAOMBACHTAQEA4wEAIdQBAQDjAQAh1QEBAOMBACHWAQEA4wEAIdcBAQDjAQAh2AFAAOYBACHZAUAA5QEAIdoBQADlAQAh2wFAAOUBACEDAAAAHQAgAwAALwAwFAAAMAAgAwAAAB0AIAMAAB4AMAQAABoAIBecAQAAjQIAMJ0BAAA2ABCeAQAAjQIAMJ8BAQDzAQAhogEEAPQBACGzAQEA8wEAIbgBAACOAgAguQFAAPUBACG_AQEA8wEAIcMBAQDzAQAhxgEAAI8CACDHAQEA8wEAIcgBAQDzAQAhyQFAAPYBACHKAUAA9gEAIcsBQAD1AQAhzAEBAPMBACHNAQEA8wEAIc4BAQDzAQAhzwEBAPMBACHQAQEA8wEAIdEBAQCBAgAh0gEBAPMBACEBAAAAMwAgAQAAADMAIBWcAQAAjQIAMJ0BAAA2ABCeAQAAjQIAMJ8BAQDzAQAhogEEAPQBACGzAQEA8wEAIbkBQAD1AQAhvwEBAPMBACHDAQEA8wEAIccBAQDzAQAhyAEBAPMBACHJAUAA9gEAIcoBQAD2AQAhywFAAPUBACHMAQEA8wEAIc0BAQDzAQAhzgEBAPMBACHPAQEA8wEAIdABAQDzAQAh0QEBAIECACHSAQEA8wEAIQO5AQAAlAIAIMsBAACUAgAg0QEAAJQCACADAAAANgAgAwAANwAwBAAAMwAgAwAAADYAIAMAADcAMAQAADMAIAMAAAA2ACADAAA3ADAEAAAzACASnwEBAAAAAaIBBAAAAAGzAQEAAAABuQFAAAAAAb8BAQAAAAHDAQEAAAABxwEBAAAAAcgBAQAAAAHJAUAAAAABygFAAAAAAcsBQAAAAAHMAQEAAAABzQEBAAAAAc4BAQAAAAHPAQEAAAAB0AEBAAAAAdEBAQAAAAHSAQEAAAABAQgAADsAIBKfAQEAAAABogEEAAAAAbMBAQAAAAG5AUAAAAABvwEBAAAAAcMBAQAAAAHHAQEAAAAByAEBAAAAAckBQAAAAAHKAUAAAAABywFAAAAAAcwBAQAAAAHNAQEAAAABzgEBAAAAAc8BAQAAAAHQAQEAAAAB0QEBAAAAAdIBAQAAAAEBCAAAPQAwAQgAAD0AMBKfAQEAmgIAIaIBBACbAgAhswEBAJoCACG5AUAAnAIAIb8BAQCaAgAhwwEBAJoCACHHAQEAmgIAIcgBAQCaAgAhyQFAAJ0CACHKAUAAnQIAIcsBQACcAgAhzAEBAJoCACHNAQEAmgIAIc4BAQCaAgAhzwEBAJoCACHQAQEAmgIAIdEBAQCpAgAh0gEBAJoCACECAAAAMwAgCAAAQAAgEp8BAQCaAgAhogEEAJsCACGzAQEAmgIAIbkBQACcAgAhvwEBAJoCACHDAQEAmgIAIccBAQCaAgAhyAEBAJoCACHJAUAAnQIAIcoBQACdAgAhywFAAJwCACHMAQEAmgIAIc0BAQCaAgAhzgEBAJoCACHPAQEAmgIAIdABAQCaAgAh0QEBAKkCACHSAQEAmgIAIQIAAAA2ACAIAABCACACAAAANgAgCAAAQgAgAwAAADMAIA8AADsAIBAAAEAAIAEAAAAzACABAAAANgAgCBUAALMCACAWAAC0AgAgFwAAtwIAIBgAALYCACAZAAC1AgAguQEAAJQCACDLAQAAlAIAINEBAACUAgAgFZwBAACMAgAwnQEAAEkAEJ4BAACMAgAwnwEBAOMBACGiAQQA5AEAIbMBAQDjAQAhuQFAAOUBACG_AQEA4wEAIcMBAQDjAQAhxwEBAOMBACHIAQEA4wEAIckBQADmAQAhygFAAOYBACHLAUAA5QEAIcwBAQDjAQAhzQEBAOMBACHOAQEA4wEAIc8BAQDjAQAh0AEBAOMBACHRAQEA_QEAIdIBAQDjAQAhAwAAADYAIAMAAEgAMBQAAEkAIAMAAAA2ACADAAA3ADAEAAAzACAInAEAAIoCADCdAQAATwAQngEAAIoCADCfAQEA8wEAIcMBAQDzAQAhxAFAAPYBACHFAUAA9gEAIcYBAACLAgAgAQAAAEwAIAEAAABMACAHnAEAAIoCADCdAQAATwAQngEAAIoCADCfAQEA8wEAIcMBAQDzAQAhxAFAAPYBACHFAUAA9gEAIQADAAAATwAgAwAAUAAwBAAATAAgAwAAAE8AIAMAAFAAMAQAAEwAIAMAAABPACADAABQADAEAABMACAEnwEBAAAAAcMBAQAAAAHEAUAAAAABxQFAAAAAAQEIAABUACAEnwEBAAAAAcMBAQAAAAHEAUAAAAABxQFAAAAAAQEIAABWADABCAAAVgAwBJ8BAQCaAgAhwwEBAJoCACHEAUAAnQIAIcUBQACdAgAhAgAAAEwAIAgAAFkAIASfAQEAmgIAIcMBAQCaAgAhxAFAAJ0CACHFAUAAnQIAIQIAAABPACAIAABbACACAAAATwAgCAAAWwAgAwAAAEwAIA8AAFQAIBAAAFkAIAEAAABMACABAAAATwAgAxUAALACACAYAACyAgAgGQAAsQIAIAecAQAAiQIAMJ0BAABiABCeAQAAiQIAMJ8BAQDjAQAhwwEBAOMBACHEAUAA5gEAIcUBQADmAQAhAwAAAE8AIAMAAGEAMBQAAGIAIAMAAABPACADAABQADAEAABMACALnAEAAIcCADCdAQAAaAAQngEAAIcCADCfAQEA8wEAIbMBAQDzAQAhvQEBAPMBACG-AQEA8wEAIb8BAQDzAQAhwAEBAPMBACHBAUAA9gEAIcIBAACIAgAgAQAAAGUAIAEAAABlACAKnAEAAIcCADCdAQAAaAAQngEAAIcCADCfAQEA8wEAIbMBAQDzAQAhvQEBAPMBACG-AQEA8wEAIb8BAQDzAQAhwAEBAPMBACHBAUAA9gEAIQADAAAAaAAgAwAAaQAwBAAAZQAgAwAAAGgAIAMAAGkAMAQAAGUAIAMAAABoACADAABpADAEAABlACAHnwEBAAAAAbMBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQAAAAHAAQEAAAABwQFAAAAAAQEIAABtACAHnwEBAAAAAbMBAQAAAAG9AQEAAAABvgEBAAAAAb8BAQAAAAHAAQEAAAABwQFAAAAAAQEIAABvADABCAAAbwAwB58BAQCaAgAhswEBAJoCACG9AQEAmgIAIb4BAQCaAgAhvwEBAJoCACHAAQEAmgIAIcEBQACdAgAhAgAAAGUAIAgAAHIAIAefAQEAmgIAIbMBAQCaAgAhvQEBAJoCACG-AQEAmgIAIb8BAQCaAgAhwAEBAJoCACHBAUAAnQIAIQIAAABoACAIAAB0ACACAAAAaAAgCAAAdAAgAwAAAGUAIA8AAG0AIBAAAHIAIAEAAABlACABAAAAaAAgAxUAAK0CACAYAACvAgAgGQAArgIAIAqcAQAAhgIAMJ0BAAB7ABCeAQAAhgIAMJ8BAQDjAQAhswEBAOMBACG9AQEA4wEAIb4BAQDjAQAhvwEBAOMBACHAAQEA4wEAIcEBQADmAQAhAwAAAGgAIAMAAHoAMBQAAHsAIAMAAABoACADAABpADAEAABlACAJnAEAAIQCADCdAQAAgQEAEJ4BAACEAgAwnwEBAPMBACGzAQEA8wEAIbkBQAD2AQAhugEBAIECACG7AUAA9QEAIbwBAACFAgAgAQAAAH4AIAEAAAB-ACAInAEAAIQCADCdAQAAgQEAEJ4BAACEAgAwnwEBAPMBACGzAQEA8wEAIbkBQAD2AQAhugEBAIECACG7AUAA9QEAIQK6AQAAlAIAILsBAACUAgAgAwAAAIEBACADAACCAQAwBAAAfgAgAwAAAIEBACADAACCAQAwBAAAfgAgAwAAAIEBACADAACCAQAwBAAAfgAgBZ8BAQAAAAGzAQEAAAABuQFAAAAAAboBAQAAAAG7AUAAAAABAQgAAIYBACAFnwEBAAAAAbMBAQAAAAG5AUAAAAABugEBAAAAAbsBQAAAAAEBCAAAiAEAMAEIAACIAQAwBZ8BAQCaAgAhswEBAJoCACG5AUAAnQIAIboBAQCpAgAhuwFAAJwCACECAAAAfgAgCAAAiwEAIAWfAQEAmgIAIbMBAQCaAgAhuQFAAJ0CACG6AQEAqQIAIbsBQACcAgAhAgAAAIEBACAIAACNAQAgAgAAAIEBACAIAACNAQAgAwAAAH4AIA8AAIYBACAQAACLAQAgAQAAAH4AIAEAAACBAQAgBRUAAKoCACAYAACsAgAgGQAAqwIAILoBAACUAgAguwEAAJQCACAInAEAAIMCADCdAQAAlAEAEJ4BAACDAgAwnwEBAOMBACGzAQEA4wEAIbkBQADmAQAhugEBAP0BACG7AUAA5QEAIQMAAACBAQAgAwAAkwEAMBQAAJQBACADAAAAgQEAIAMAAIIBADAEAAB-ACALnAEAAIACADCdAQAAmgEAEJ4BAACAAgAwnwEBAPMBACGiAQQA9AEAIbMBAQDzAQAhtAEBAPMBACG1AQEA8wEAIbYBAQCBAgAhtwFAAPYBACG4AQAAggIAIAEAAACXAQAgAQAAAJcBACAKnAEAAIACADCdAQAAmgEAEJ4BAACAAgAwnwEBAPMBACGiAQQA9AEAIbMBAQDzAQAhtAEBAPMBACG1AQEA8wEAIbYBAQCBAgAhtwFAAPYBACEBtgEAAJQCACADAAAAmgEAIAMAAJsBADAEAACXAQAgAwAAAJoBACADAACbAQAwBAAAlwEAIAMAAACaAQAgAwAAmwEAMAQAAJcBACAHnwEBAAAAAaIBBAAAAAGzAQEAAAABtAEBAAAAAbUBAQAAAAG2AQEAAAABtwFAAAAAAQEIAACfAQAgB58BAQAAAAGiAQQAAAABswEBAAAAAbQBAQAAAAG1AQEAAAABtgEBAAAAAbcBQAAAAAEBCAAAoQEAMAEIAAChAQAwB58BAQCaAgAhogEEAJsCACGzAQEAmgIAIbQBAQCaAgAhtQEBAJoCACG2AQEAqQIAIbcBQACdAgAhAgAAAJcBACAIAACkAQAgB58BAQCaAgAhogEEAJsCACGzAQEAmgIAIbQBAQCaAgAhtQEBAJoCACG2AQEAqQIAIbcBQACdAgAhAgAAAJoBACAIAACmAQAgAgAAAJoBACAIAACmAQAgAwAAAJcBACAPAACfAQAgEAAApAEAIAEAAACXAQAgAQAAAJoBACAGFQAApAIAIBYAAKUCACAXAACoAgAgGAAApwIAIBkAAKYCACC2AQAAlAIAIAqcAQAA_AEAMJ0BAACtAQAQngEAAPwBADCfAQEA4wEAIaIBBADkAQAhswEBAOMBACG0AQEA4wEAIbUBAQDjAQAhtgEBAP0BACG3AUAA5gEAIQMAAACaAQAgAwAArAEAMBQAAK0BACADAAAAmgEAIAMAAJsBADAEAACXAQAgB5wBAAD6AQAwnQEAALMBABCeAQAA-gEAMJ8BAQAAAAGlAUAA9gEAIbEBAgD7AQAhsgEBAPMBACEBAAAAsAEAIAEAAACwAQAgB5wBAAD6AQAwnQEAALMBABCeAQAA-gEAMJ8BAQDzAQAhpQFAAPYBACGxAQIA-wEAIbIBAQDzAQAhAAMAAACzAQAgAwAAtAEAMAQAALABACADAAAAswEAIAMAALQBADAEAACwAQAgAwAAALMBACADAAC0AQAwBAAAsAEAIASfAQEAAAABpQFAAAAAAbEBAgAAAAGyAQEAAAABAQgAALgBACAEnwEBAAAAAaUBQAAAAAGxAQIAAAABsgEBAAAAAQEIAAC6AQAwAQgAALoBADAEnwEBAJoCACGlAUAAnQIAIbEBAgCjAgAhsgEBAJoCACECAAAAsAEAIAgAAL0BACAEnwEBAJoCACGlAUAAnQIAIbEBAgCjAgAhsgEBAJoCACECAAAAswEAIAgAAL8BACACAAAAswEAIAgAAL8BACADAAAAsAEAIA8AALgBACAQAAC9AQAgAQAAALABACABAAAAswEAIAUVAACeAgAgFgAAnwIAIBcAAKICACAYAAChAgAgGQAAoAIAIAecAQAA9wEAMJ0BAADGAQAQngEAAPcBADCfAQEA4wEAIaUBQADmAQAhsQECAPgBACGyAQEA4wEAIQMAAACzAQAgAwAAxQEAMBQAAMYBACADAAAAswEAIAMAALQBADAEAACwAQAgCpwBAADyAQAwnQEAAMwBABCeAQAA8gEAMJ8BAQAAAAGgAQEA8wEAIaEBAQDzAQAhogEEAPQBACGjAQEA8wEAIaQBQAD1AQAhpQFAAPYBACEBAAAAyQEAIAEAAADJAQAgCpwBAADyAQAwnQEAAMwBABCeAQAA8gEAMJ8BAQDzAQAhoAEBAPMBACGhAQEA8wEAIaIBBAD0AQAhowEBAPMBACGkAUAA9QEAIaUBQAD2AQAhAaQBAACUAgAgAwAAAMwBACADAADNAQAwBAAAyQEAIAMAAADMAQAgAwAAzQEAMAQAAMkBACADAAAAzAEAIAMAAM0BADAEAADJAQAgB58BAQAAAAGgAQEAAAABoQEBAAAAAaIBBAAAAAGjAQEAAAABpAFAAAAAAaUBQAAAAAEBCAAA0QEAIAefAQEAAAABoAEBAAAAAaEBAQAAAAGiAQQAAAABowEBAAAAAaQBQAAAAAGlAUAAAAABAQgAANMBADABCAAA0wEAMAefAQEAmgIAIaABAQCaAgAhoQEBAJoCACGiAQQAmwIAIaMBAQCaAgAhpAFAAJwCACGlAUAAnQIAIQIAAADJAQAgCAAA1gEAIAefAQEAmgIAIaABAQCaAgAhoQEBAJoCACGiAQQAmwIAIaMBAQCaAgAhpAFAAJwCACGlAUAAnQIAIQIAAADMAQAgCAAA2AEAIAIAAADMAQAgCAAA2AEAIAMAAADJAQAgDwAA0QEAIBAAANYBACABAAAAyQEAIAEAAADMAQAgBhUAAJUCACAWAACWAgAgFwAAmQIAIBgAAJgCACAZAACXAgAgpAEAAJQCACAKnAEAAOIBADCdAQAA3wEAEJ4BAADiAQAwnwEBAOMBACGgAQEA4wEAIaEBAQDjAQAhogEEAOQBACGjAQEA4wEAIaQBQADlAQAhpQFAAOYBACEDAAAAzAEAIAMAAN4BADAUAADfAQAgAwAAAMwBACADAADNAQAwBAAAyQEAIAqcAQAA4gEAMJ0BAADfAQAQngEAAOIBADCfAQEA4wEAIaABAQDjAQAhoQEBAOMBACGiAQQA5AEAIaMBAQDjAQAhpAFAAOUBACGlAUAA5gEAIQ4VAADoAQAgGAAA8QEAIBkAAPEBACCmAQEAAAABpwEBAAAABKgBAQAAAASpAQEAAAABqgEBAAAAAasBAQAAAAGsAQEAAAABrQEBAPABACGuAQEAAAABrwEBAAAAAbABAQAAAAENFQAA6AEAIBYAAO4BACAXAADvAQAgGAAA7wEAIBkAAO8BACCmAQQAAAABpwEEAAAABKgBBAAAAASpAQQAAAABqgEEAAAAAasBBAAAAAGsAQQAAAABrQEEAO0BACELFQAA6wEAIBgAAOwBACAZAADsAQAgpgFAAAAAAacBQAAAAAWoAUAAAAAFqQFAAAAAAaoBQAAAAAGrAUAAAAABrAFAAAAAAa0BQADqAQAhCxUAAOgBACAYAADpAQAgGQAA6QEAIKYBQAAAAAGnAUAAAAAEqAFAAAAABKkBQAAAAAGqAUAAAAABqwFAAAAAAawBQAAAAAGtAUAA5wEAIQsVAADoAQAgGAAA6QEAIBkAAOkBACCmAUAAAAABpwFAAAAABKgBQAAAAASpAUAAAAABqgFAAAAAAasBQAAAAAGsAUAAAAABrQFAAOcBACEIpgECAAAAAacBAgAAAASoAQIAAAAEqQECAAAAAaoBAgAAAAGrAQIAAAABrAECAAAAAa0BAgDoAQAhCKYBQAAAAAGnAUAAAAAEqAFAAAAABKkBQAAAAAGqAUAAAAABqwFAAAAAAawBQAAAAAGtAUAA6QEAIQsVAADrAQAgGAAA7AEAIBkAAOwBACCmAUAAAAABpwFAAAAABagBQAAAAAWpAUAAAAABqgFAAAAAAasBQAAAAAGsAUAAAAABrQFAAOoBACEIpgECAAAAAacBAgAAAAWoAQIAAAAFqQECAAAAAaoBAgAAAAGrAQIAAAABrAECAAAAAa0BAgDrAQAhCKYBQAAAAAGnAUAAAAAFqAFAAAAABakBQAAAAAGqAUAAAAABqwFAAAAAAawBQAAAAAGtAUAA7AEAIQ0VAADoAQAgFgAA7gEAIBcAAO8BACAYAADvAQAgGQAA7wEAIKYBBAAAAAGnAQQAAAAEqAEEAAAABKkBBAAAAAGqAQQAAAABqwEEAAAAAawBBAAAAAGtAQQA7QEAIQimAQgAAAABpwEIAAAABKgBCAAAAASpAQgAAAABqgEIAAAAAasBCAAAAAGsAQgAAAABrQEIAO4BACEIpgEEAAAAAacBBAAAAASoAQQAAAAEqQEEAAAAAaoBBAAAAAGrAQQAAAABrAEEAAAAAa0BBADvAQAhDhUAAOgBACAYAADxAQAgGQAA8QEAIKYBAQAAAAGnAQEAAAAEqAEBAAAABKkBAQAAAAGqAQEAAAABqwEBAAAAAawBAQAAAAGtAQEA8AEAIa4BAQAAAAGvAQEAAAABsAEBAAAAAQumAQEAAAABpwEBAAAABKgBAQAAAASpAQEAAAABqgEBAAAAAasBAQAAAAGsAQEAAAABrQEBAPEBACGuAQEAAAABrwEBAAAAAbABAQAAAAEKnAEAAPIBADCdAQAAzAEAEJ4BAADyAQAwnwEBAPMBACGgAQEA8wEAIaEBAQDzAQAhogEEAPQBACGjAQEA8wEAIaQBQAD1AQAhpQFAAPYBACELpgEBAAAAAacBAQAAAASoAQEAAAAEqQEBAAAAAaoBAQAAAAGrAQEAAAABrAEBAAAAAa0BAQDxAQAhrgEBAAAAAa8BAQAAAAGwAQEAAAABCKYBBAAAAAGnAQQAAAAEqAEEAAAABKkBBAAAAAGqAQQAAAABqwEEAAAAAawBBAAAAAGtAQQA7wEAIQimAUAAAAABpwFAAAAABagBQAAAAAWpAUAAAAABqgFAAAAAAasBQAAAAAGsAUAAAAABrQFAAOwBACEIpgFAAAAAAacBQAAAAASoAUAAAAAEqQFAAAAAAaoBQAAAAAGrAUAAAAABrAFAAAAAAa0BQADpAQAhB5wBAAD3AQAwnQEAAMYBABCeAQAA9wEAMJ8BAQDjAQAhpQFAAOYBACGxAQIA-AEAIbIBAQDjAQAhDRUAAOgBACAWAADuAQAgFwAA6AEAIBgAAOgBACAZAADoAQAgpgECAAAAAacBAgAAAASoAQIAAAAEqQECAAAAAaoBAgAAAAGrAQIAAAABrAECAAAAAa0BAgD5AQAhDRUAAOgBACAWAADuAQAgFwAA6AEAIBgAAOgBACAZAADoAQAgpgECAAAAAacBAgAAAASoAQIAAAAEqQECAAAAAaoBAgAAAAGrAQIAAAABrAECAAAAAa0BAgD5AQAhB5wBAAD6AQAwnQEAALMBABCeAQAA-gEAMJ8BAQDzAQAhpQFAAPYBACGxAQIA-wEAIbIBAQDzAQAhCKYBAgAAAAGnAQIAAAAEqAECAAAABKkBAgAAAAGqAQIAAAABqwECAAAAAawBAgAAAAGtAQIA6AEAIQqcAQAA_AEAMJ0BAACtAQAQngEAAPwBADCfAQEA4wEAIaIBBADkAQAhswEBAOMBACG0AQEA4wEAIbUBAQDjAQAhtgEBAP0BACG3AUAA5gEAIQ4VAADrAQAgGAAA_wEAIBkAAP8BACCmAQEAAAABpwEBAAAABagBAQAAAAWpAQEAAAABqgEBAAAAAasBAQAAAAGsAQEAAAABrQEBAP4BACGuAQEAAAABrwEBAAAAAbABAQAAAAEOFQAA6wEAIBgAAP8BACAZAAD_AQAgpgEBAAAAAacBAQAAAAWoAQEAAAAFqQEBAAAAAaoBAQAAAAGrAQEAAAABrAEBAAAAAa0BAQD-AQAhrgEBAAAAAa8BAQAAAAGwAQEAAAABC6YBAQAAAAGnAQEAAAAFqAEBAAAABakBAQAAAAGqAQEAAAABqwEBAAAAAawBAQAAAAGtAQEA_wEAIa4BAQAAAAGvAQEAAAABsAEBAAAAAQqcAQAAgAIAMJ0BAACaAQAQngEAAIACADCfAQEA8wEAIaIBBAD0AQAhswEBAPMBACG0AQEA8wEAIbUBAQDzAQAhtgEBAIECACG3AUAA9gEAIQumAQEAAAABpwEBAAAABagBAQAAAAWpAQEAAAABqgEBAAAAAasBAQAAAAGsAQEAAAABrQEBAP8BACGuAQEAAAABrwEBAAAAAbABAQAAAAECnwEBAAAAAaIBBAAAAAEInAEAAIMCADCdAQAAlAEAEJ4BAACDAgAwnwEBAOMBACGzAQEA4wEAIbkBQADmAQAhugEBAP0BACG7AUAA5QEAIQicAQAAhAIAMJ0BAACBAQAQngEAAIQCADCfAQEA8wEAIbMBAQDzAQAhuQFAAPYBACG6AQEAgQIAIbsBQAD1AQAhAp8BAQAAAAGzAQEAAAABCpwBAACGAgAwnQEAAHsAEJ4BAACGAgAwnwEBAOMBACGzAQEA4wEAIb0BAQDjAQAhvgEBAOMBACG_AQEA4wEAIcABAQDjAQAhwQFAAOYBACEKnAEAAIcCADCdAQAAaAAQngEAAIcCADCfAQEA8wEAIbMBAQDzAQAhvQEBAPMBACG-AQEA8wEAIb8BAQDzAQAhwAEBAPMBACHBAUAA9gEAIQOfAQEAAAABswEBAAAAAb0BAQAAAAEHnAEAAIkCADCdAQAAYgAQngEAAIkCADCfAQEA4wEAIcMBAQDjAQAhxAFAAOYBACHFAUAA5gEAIQecAQAAigIAMJ0BAABPABCeAQAAigIAMJ8BAQDzAQAhwwEBAPMBACHEAUAA9gEAIcUBQAD2AQAhAp8BAQAAAAHDAQEAAAABFZwBAACMAgAwnQEAAEkAEJ4BAACMAgAwnwEBAOMBACGiAQQA5AEAIbMBAQDjAQAhuQFAAOUBACG_AQEA4wEAIcMBAQDjAQAhxwEBAOMBACHIAQEA4wEAIckBQADmAQAhygFAAOYBACHLAUAA5QEAIcwBAQDjAQAhzQEBAOMBACHOAQEA4wEAIc8BAQDjAQAh0AEBAOMBACHRAQEA_QEAIdIBAQDjAQAhFZwBAACNAgAwnQEAADYAEJ4BAACNAgAwnwEBAPMBACGiAQQA9AEAIbMBAQDzAQAhuQFAAPUBACG_AQEA8wEAIcMBAQDzAQAhxwEBAPMBACHIAQEA8wEAIckBQAD2AQAhygFAAPYBACHLAUAA9QEAIcwBAQDzAQAhzQEBAPMBACHOAQEA8wEAIc8BAQDzAQAh0AEBAPMBACHRAQEAgQIAIdIBAQDzAQAhAp8BAQAAAAGiAQQAAAABAp8BAQAAAAHDAQEAAAABDZwBAACQAgAwnQEAADAAEJ4BAACQAgAwnwEBAOMBACHTAQEA4wEAIdQBAQDjAQAh1QEBAOMBACHWAQEA4wEAIdcBAQDjAQAh2AFAAOYBACHZAUAA5QEAIdoBQADlAQAh2wFAAOUBACENnAEAAJECADCdAQAAHQAQngEAAJECADCfAQEA8wEAIdMBAQDzAQAh1AEBAPMBACHVAQEA8wEAIdYBAQDzAQAh1wEBAPMBACHYAUAA9gEAIdkBQAD1AQAh2gFAAPUBACHbAUAA9QEAIQacAQAAkgIAMJ0BAAAXABCeAQAAkgIAMJ8BAQDjAQAh2AFAAOYBACHcAQQA5AEAIQacAQAAkwIAMJ0BAAAEABCeAQAAkwIAMJ8BAQDzAQAh2AFAAPYBACHcAQQA9AEAIQAAAAAAAAHdAQEAAAABBd0BBAAAAAHeAQQAAAAB3wEEAAAAAeABBAAAAAHhAQQAAAABAd0BQAAAAAEB3QFAAAAAAQAAAAAABd0BAgAAAAHeAQIAAAAB3wECAAAAAeABAgAAAAHhAQIAAAABAAAAAAAB3QEBAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABRUABhYABxcACBgACRkACgAAAAAABRUABhYABxcACBgACRkACgAAAAMVABAYABEZABIAAAADFQAQGAARGQASAAAABRUAGBYAGRcAGhgAGxkAHAAAAAAABRUAGBYAGRcAGhgAGxkAHAAAAAMVACIYACMZACQAAAADFQAiGAAjGQAkAAAAAxUAKhgAKxkALAAAAAMVACoYACsZACwAAAADFQAyGAAzGQA0AAAAAxUAMhgAMxkANAAAAAUVADoWADsXADwYAD0ZAD4AAAAAAAUVADoWADsXADwYAD0ZAD4AAAAFFQBEFgBFFwBGGABHGQBIAAAAAAAFFQBEFgBFFwBGGABHGQBIAAAABRUAThYATxcAUBgAURkAUgAAAAAABRUAThYATxcAUBgAURkAUgECAQIDAQUGAQYHAQcIAQkKAQoMAgsNAwwPAQ0RAg4SBBETARIUARMVAhoYBRsZCxwbDB0cDB4fDB8gDCAhDCEjDCIlAiMmDSQoDCUqAiYrDicsDCgtDCkuAioxDysyEyw0FC01FC44FC85FDA6FDE8FDI-AjM_FTRBFDVDAjZEFjdFFDhGFDlHAjpKFztLHTxNHj1OHj5RHj9SHkBTHkFVHkJXAkNYH0RaHkVcAkZdIEdeHkhfHklgAkpjIUtkJUxmJk1nJk5qJk9rJlBsJlFuJlJwAlNxJ1RzJlV1AlZ2KFd3Jlh4Jll5Alp8KVt9LVx_Ll2AAS5egwEuX4QBLmCFAS5hhwEuYokBAmOKAS9kjAEuZY4BAmaPATBnkAEuaJEBLmmSAQJqlQExa5YBNWyYATZtmQE2bpwBNm-dATZwngE2caABNnKiAQJzowE3dKUBNnWnAQJ2qAE4d6kBNniqATZ5qwECeq4BOXuvAT98sQFAfbIBQH61AUB_tgFAgAG3AUCBAbkBQIIBuwECgwG8AUGEAb4BQIUBwAEChgHBAUKHAcIBQIgBwwFAiQHEAQKKAccBQ4sByAFJjAHKAUqNAcsBSo4BzgFKjwHPAUqQAdABSpEB0gFKkgHUAQKTAdUBS5QB1wFKlQHZAQKWAdoBTJcB2wFKmAHcAUqZAd0BApoB4AFNmwHhAVM"
};
async function decodeBase64AsWasm(wasmBase64) {
  const { Buffer: Buffer2 } = await import("node:buffer");
  const wasmArray = Buffer2.from(wasmBase64, "base64");
  return new WebAssembly.Module(wasmArray);
}
config.compilerWasm = {
  getRuntime: async () => await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs"),
  getQueryCompilerWasmModule: async () => {
    const { wasm } = await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs");
    return await decodeBase64AsWasm(wasm);
  },
  importName: "./query_compiler_small_bg.js"
};
function getPrismaClientClass() {
  return runtime.getPrismaClient(config);
}

// src/storage/generated/postgres/internal/prismaNamespace.ts
import * as runtime2 from "@prisma/client/runtime/client";
var getExtensionContext = runtime2.Extensions.getExtensionContext;
var NullTypes2 = {
  DbNull: runtime2.NullTypes.DbNull,
  JsonNull: runtime2.NullTypes.JsonNull,
  AnyNull: runtime2.NullTypes.AnyNull
};
var TransactionIsolationLevel = runtime2.makeStrictEnum({
  ReadUncommitted: "ReadUncommitted",
  ReadCommitted: "ReadCommitted",
  RepeatableRead: "RepeatableRead",
  Serializable: "Serializable"
});
var defineExtension = runtime2.Extensions.defineExtension;

// src/storage/generated/postgres/client.ts
globalThis["__dirname"] = path.dirname(fileURLToPath(import.meta.url));
var PrismaClient = getPrismaClientClass();

// src/domain-error.ts
var DomainError = class extends Error {
  name = "DomainError";
  code;
  extra;
  // No parameter properties: in tests, worker threads run this file with its types stripped.
  constructor(code, message, extra = {}) {
    super(message, extra.cause === void 0 ? void 0 : { cause: extra.cause });
    this.code = code;
    this.extra = extra;
  }
};
var unavailable = (message, retryAfterSeconds2, cause) => new DomainError("unavailable", message, { retryAfterSeconds: retryAfterSeconds2, cause });

// src/storage/with-unavailable-errors.ts
function withUnavailableErrors(explain) {
  return (store) => {
    const wrapped = Object.entries(store).map(([name, method]) => [
      name,
      async (...input) => {
        try {
          return await method(...input);
        } catch (error) {
          throw error instanceof DomainError ? error : explain(error) ?? error;
        }
      }
    ]);
    return Object.fromEntries(wrapped);
  };
}

// src/access/scope.ts
import { Scope } from "@periscope/schemas";
var allScopes = Scope.options;

// src/storage/access.prisma-store.ts
function createAccessStore(prisma, write, {
  onRemoved = async () => {
  },
  lockFirstKey = async () => {
  }
} = {}) {
  const hasAnybody = async (db) => await db.apiKey.findFirst({ select: { keyId: true } }) !== null || await db.user.findFirst({ select: { userId: true } }) !== null;
  return {
    createUser: (userId, at) => write(userId, async (tx) => {
      if (await tx.user.findUnique({ where: { userId } })) return false;
      await tx.user.create({ data: newUser(userId, at) });
      return true;
    }),
    async listUsers() {
      const users = await prisma.user.findMany({ orderBy: { createdAt: "asc" } });
      return users.map(({ userId, createdAt }) => ({ userId, createdAt: createdAt.getTime() }));
    },
    deleteUser: (userId) => write(userId, async (tx) => {
      await onRemoved(tx, userId);
      return await deleteUser(tx, userId);
    }),
    createKey: (key) => write(key.userId, async (tx) => {
      const { userId } = key;
      if (!await tx.user.findUnique({ where: { userId } })) await tx.user.create({ data: newUser(userId, key.createdAt) });
      await tx.apiKey.create({ data: toRow(key) });
    }),
    async createFirstKey(key) {
      if (await hasAnybody(prisma)) return false;
      return await write(null, async (tx) => {
        await lockFirstKey(tx);
        if (await hasAnybody(tx)) return false;
        await tx.user.create({ data: newUser(key.userId, key.createdAt) });
        await tx.apiKey.create({ data: toRow(key) });
        return true;
      });
    },
    async findKey(keyId) {
      const row = await prisma.apiKey.findUnique({ where: { keyId } });
      return row && keyFromRow(row);
    },
    async listKeys(userId) {
      const rows = await prisma.apiKey.findMany({ where: userId === void 0 ? {} : { userId }, orderBy: { createdAt: "asc" } });
      return rows.map(keyFromRow);
    },
    revokeKey: (keyId, at) => write(null, async (tx) => {
      await onRemoved(tx, null);
      const key = await tx.apiKey.findUnique({ where: { keyId } });
      if (key && !key.revokedAt) await tx.apiKey.update({ where: { keyId }, data: { revokedAt: new Date(at) } });
      return key !== null;
    }),
    touchKey: ({ keyId }, at) => write(null, async (tx) => void await tx.apiKey.updateMany({ where: { keyId }, data: { lastUsedAt: new Date(at) } }))
  };
}
var newUser = (userId, at) => ({ userId, createdAt: new Date(at), revision: BigInt(at) });
async function deleteUser(tx, userId) {
  const where = { userId };
  if (!await tx.user.findUnique({ where })) return false;
  await tx.apiKey.deleteMany({ where });
  await tx.context.deleteMany({ where });
  await tx.tombstone.deleteMany({ where });
  await tx.processedMessage.deleteMany({ where });
  await tx.extension.deleteMany({ where });
  await tx.extensionError.deleteMany({ where });
  await tx.privacyRules.deleteMany({ where });
  await tx.privacyProgress.deleteMany({ where });
  await tx.user.delete({ where });
  return true;
}
var optionalMillis = (at) => at === null ? null : Number(at);
var optionalDate = (at) => at === null ? null : new Date(at);
function toRow(key) {
  return {
    ...key,
    scopes: key.scopes.join(" "),
    createdAt: new Date(key.createdAt),
    expiresAt: optionalDate(key.expiresAt),
    lastUsedAt: optionalDate(key.lastUsedAt),
    revokedAt: optionalDate(key.revokedAt)
  };
}
function keyFromRow(row) {
  return {
    ...row,
    scopes: row.scopes.split(" ").map((scope) => Scope.parse(scope)),
    maxPrivacyLevel: row.maxPrivacyLevel,
    createdAt: Number(row.createdAt),
    expiresAt: optionalMillis(row.expiresAt),
    lastUsedAt: optionalMillis(row.lastUsedAt),
    revokedAt: optionalMillis(row.revokedAt)
  };
}

// src/storage/rules.prisma-store.ts
function createRulesStore(write) {
  return {
    replace: (userId, rules, at) => write(userId, async (tx) => {
      if (!await tx.user.findUnique({ where: { userId } })) return null;
      await tx.user.update({ where: { userId }, data: { revision: { increment: 1 } } });
      const data = { rules: JSON.stringify(rules), updatedAt: new Date(at) };
      const row = await tx.privacyRules.upsert({
        where: { userId },
        create: { userId, version: 1, ...data },
        update: { version: { increment: 1 }, ...data }
      });
      return rulesFromRow(row);
    })
  };
}
function rulesFromRow({ version, rules, updatedAt }) {
  return { version, rules: JSON.parse(rules), updatedAt: Number(updatedAt) };
}

// src/storage/context-columns.ts
import { privacyLevels } from "@periscope/privacy";
var contextColumns = [
  { name: "userId", kind: "text" },
  { name: "contextId", kind: "text" },
  { name: "type", kind: "text" },
  { name: "tabId", kind: "text" },
  { name: "extensionId", kind: "text" },
  { name: "capturedAt", kind: "time" },
  { name: "privacyLevel", kind: "text" },
  { name: "writtenAt", kind: "time" },
  { name: "viewedAt", kind: "time", isNullable: true },
  { name: "lastSeenAt", kind: "time", isNullable: true },
  { name: "contentFormat", kind: "text" },
  { name: "url", kind: "text" },
  { name: "title", kind: "text" },
  { name: "tabMetadata", kind: "json" },
  { name: "metadata", kind: "json" },
  { name: "plainText", kind: "text", isNullable: true },
  { name: "content", kind: "text" }
];
function columnValue(context, { name, kind }) {
  const value = context[name];
  return kind === "json" ? JSON.stringify(value) : value;
}
function contextFromRow(row) {
  const fields = contextColumns.map(({ name, kind }) => {
    const value = row[name];
    if (kind === "time") return [name, value === null ? null : Number(value)];
    return [name, kind === "json" ? JSON.parse(String(value)) : value];
  });
  return Object.fromEntries(fields);
}
function levelsUpTo(bound) {
  return privacyLevels.slice(0, privacyLevels.indexOf(bound) + 1);
}

// src/storage/postgres/binary-array.ts
var types = { "text[]": 25, "float8[]": 701, "bytea[]": 17, "tsvector[]": 3614 };
var headerBytes = 20;
var lengthBytes = 4;
var numberBytes = 8;
var nullLength = -1;
function binaryArray(type, values) {
  const lengths = values.map(lengthOf);
  const total = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), headerBytes);
  const array = Buffer.allocUnsafe(total);
  const header = [values.length === 0 ? 0 : 1, values.includes(null) ? 1 : 0, types[type], values.length, 1];
  header.forEach((number, index) => array.writeInt32BE(number, index * 4));
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? nullLength;
    at = array.writeInt32BE(length, at);
    if (typeof value === "string") at += array.write(value, at, length, "utf8");
    else if (typeof value === "number") at = array.writeDoubleBE(value, at);
    else if (value !== null) {
      array.set(value, at);
      at += length;
    }
  }
  return values.length === 0 ? array.subarray(0, 12) : array;
}
function lengthOf(value) {
  if (value === null) return nullLength;
  if (typeof value === "string") return Buffer.byteLength(value);
  return typeof value === "number" ? numberBytes : value.length;
}

// src/storage/postgres/context-statements.ts
var millis = (column) => `(extract(epoch FROM "${column}") * 1000)::float8 AS "${column}"`;
var readColumns = contextColumns.map(({ name, kind }) => kind === "time" ? millis(name) : `"${name}"`).join(", ");
var answerColumns = readColumns.replace('"plainText"', 'NULL AS "plainText"');
var written = contextColumns.filter(({ name }) => name !== "userId");
var arrayType = ({ kind }) => kind === "time" ? "float8[]" : "text[]";
var names = written.map(({ name }) => `"${name}"`).join(", ");
var arrays = written.map((column, index) => `$${index + 2}::${arrayType(column)}`).join(", ");
var sent = ({ name, kind }) => kind === "time" ? `to_timestamp(r."${name}" / 1000)` : `r."${name}"`;
function toArrays(contexts) {
  return written.map(
    (column) => binaryArray(
      arrayType(column),
      contexts.map((context) => columnValue(context, column))
    )
  );
}
var insertContexts = {
  name: "insert_contexts",
  text: `INSERT INTO contexts ("userId", seq, ${names})
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM contexts WHERE "userId" = $1), 0), ${written.map(sent).join(", ")}
    FROM users u, unnest(${arrays}) WITH ORDINALITY AS r(${names}, place) WHERE u."userId" = $1`
};
var replaceContexts = {
  name: "replace_contexts",
  text: `UPDATE contexts c SET ${written.map((column) => `"${column.name}" = ${sent(column)}`).join(", ")}
    FROM unnest(${arrays}) AS r(${names}) WHERE c."userId" = $1 AND c."contextId" = r."contextId"`
};
var markViewed = {
  name: "mark_viewed",
  text: `UPDATE contexts c SET "viewedAt" = to_timestamp(r.viewed / 1000), "lastSeenAt" = to_timestamp(r.seen / 1000)
    FROM unnest($2::text[], $3::float8[], $4::float8[]) AS r("contextId", viewed, seen)
    WHERE c."userId" = $1 AND c."contextId" = r."contextId"`
};
var deleteContexts = {
  name: "delete_contexts",
  text: `DELETE FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`
};
var writeTombstones = {
  name: "write_tombstones",
  text: `INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT u."userId", r."contextId", to_timestamp(r.at / 1000), to_timestamp($4::float8 / 1000)
    FROM users u, unnest($2::text[], $3::float8[]) AS r("contextId", at) WHERE u."userId" = $1
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt"`
};

// src/search/index-terms.ts
var wordTerm = (term) => `:${term}`;
var urlTerm = (characters) => `/${characters}`;
var languageTerm = (language) => `@${language}`;
var levelTerm = (level) => `%${level}`;
var typeTerm = (type) => `!${type}`;
var anyTerm = "*";
var dayMs = 864e5;
var monthDays = 32;
var rangeTermsMax = 64;
var dayOf = (time) => Math.floor(time / dayMs);
var isDayStart = (time) => time % dayMs === 0;
var dayTerm = (day) => `#d${day.toString(36)}`;
var monthTerm = (month) => `#m${month.toString(36)}`;
var numbers = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
function timeTerms(capturedAt) {
  const day = dayOf(capturedAt);
  return [dayTerm(day), monthTerm(Math.floor(day / monthDays))];
}
function timeRangeTerms(since, until) {
  const [first, last] = [dayOf(since), dayOf(until - 1)];
  if (last < first || last - first > rangeTermsMax * monthDays) return void 0;
  const firstMonth = Math.ceil(first / monthDays);
  const endMonth = Math.floor((last + 1) / monthDays);
  if (firstMonth >= endMonth) return last - first < rangeTermsMax ? numbers(first, last).map(dayTerm) : void 0;
  return [
    ...numbers(first, firstMonth * monthDays - 1).map(dayTerm),
    ...numbers(firstMonth, endMonth - 1).map(monthTerm),
    ...numbers(endMonth * monthDays, last).map(dayTerm)
  ];
}
function anyOf(matches) {
  const [only, ...others] = matches;
  return only !== void 0 && others.length === 0 ? only : { any: matches };
}
function allOf(matches, none = []) {
  const all = matches.length > 0 ? matches : [anyTerm];
  const [only, ...others] = all;
  if (only !== void 0 && others.length === 0 && none.length === 0) return only;
  return none.length === 0 ? { all } : { all, none };
}

// src/storage/postgres/pool.ts
import pg from "pg";

// src/contexts/capture.ts
import {
  contentFormatOf
} from "@periscope/schemas";

// src/search/html-text.ts
import { Tokenizer } from "htmlparser2";
var hiddenElements = /* @__PURE__ */ new Set(["script", "style", "noscript", "template", "svg", "title", "iframe", "object", "canvas"]);
var inlineElements = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb ruby s samp small span strike strong sub sup time tt u var wbr".split(" ")
);
var blockEdge = "\uFDD0";
function htmlText(html) {
  const collector = new TextCollector(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, collector);
  tokenizer.write(html);
  tokenizer.end();
  return collector.toString();
}
var TextCollector = class {
  pieces = [];
  tag = "";
  inAlt = false;
  hiddenBy = "";
  hiddenDepth = 0;
  html;
  // No parameter property: the search thread runs this file as it stands in tests, with its types stripped.
  constructor(html) {
    this.html = html;
  }
  ontext(start2, end2) {
    if (this.hiddenDepth === 0) this.pieces.push(this.html.slice(start2, end2));
  }
  ontextentity(codePoint) {
    if (this.hiddenDepth === 0) this.pieces.push(String.fromCodePoint(codePoint));
  }
  onopentagname(start2, end2) {
    this.tag = this.html.slice(start2, end2).toLowerCase();
    if (!inlineElements.has(this.tag)) this.pieces.push(blockEdge);
    if (this.hiddenDepth > 0) {
      if (this.tag === this.hiddenBy) this.hiddenDepth++;
    } else if (hiddenElements.has(this.tag)) {
      this.hiddenBy = this.tag;
      this.hiddenDepth = 1;
    }
  }
  onselfclosingtag() {
    if (this.tag === "svg") this.leave("svg");
  }
  onclosetag(start2, end2) {
    const name = this.html.slice(start2, end2).toLowerCase();
    if (!inlineElements.has(name)) this.pieces.push(blockEdge);
    this.leave(name);
  }
  onattribname(start2, end2) {
    this.inAlt = this.hiddenDepth === 0 && end2 - start2 === 3 && this.html.slice(start2, end2).toLowerCase() === "alt";
  }
  onattribdata(start2, end2) {
    if (this.inAlt) this.pieces.push(this.html.slice(start2, end2));
  }
  onattribentity(codePoint) {
    if (this.inAlt) this.pieces.push(String.fromCodePoint(codePoint));
  }
  onattribend() {
    if (this.inAlt) this.pieces.push(blockEdge);
    this.inAlt = false;
  }
  oncdata(start2, end2) {
    this.ontext(start2, end2);
  }
  oncomment() {
  }
  ondeclaration() {
  }
  onend() {
  }
  onopentagend() {
  }
  onprocessinginstruction() {
  }
  toString() {
    return this.pieces.join("").replace(/[\s\ufdd0]{2,}|[^\S ]|\ufdd0/g, (gap) => gap.includes(blockEdge) ? "\n" : " ").trim();
  }
  leave(name) {
    if (this.hiddenDepth > 0 && name === this.hiddenBy) this.hiddenDepth--;
  }
};

// src/search/markdown-text.ts
var fence = /^ {0,3}(`{3,}|~{3,})/;
var ruler = /^[\s|:=*_-]+$/;
var definition = /^ {0,3}\[[^\]]+\]:\s/;
var blockMarks = /^(?:\s{0,64}(?:#{1,6}(?=\s)|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+(?:\s+\[[ xX]\](?=\s))?/;
var verbatim = /\\[!-/:-@[-`{-~]|(?<!`)(`{1,8})(?!`)[^`]*\1(?!`)/g;
var autolink = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/g;
var link = /!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;
var stars = /(?<=\S)\*{1,3}|\*{1,3}(?=\S)|~~/g;
var underscores = /(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu;
var placeholder = "\uFDD1";
function markdownText(markdown) {
  const lines = [];
  let openFence = "";
  for (const line of markdown.split("\n")) {
    const marker = fence.exec(line)?.[1] ?? "";
    if (openFence !== "") {
      if (marker.startsWith(openFence)) openFence = "";
      else lines.push(escapeHtml(line));
    } else if (marker !== "") {
      openFence = marker;
    } else if (line !== "" && !ruler.test(line) && !definition.test(line)) {
      lines.push(lineText(line));
    }
  }
  return htmlText(lines.join("\n"));
}
var inlineMark = /[\\`<>[\]*_~|]/;
function lineText(line) {
  const inner = line.replace(blockMarks, "");
  if (!inlineMark.test(inner)) return inner;
  if (!inner.includes("`") && !inner.includes("\\")) return unmark(inner);
  const kept = [];
  const marked = inner.replace(verbatim, (match) => {
    kept.push(escapeHtml(match.startsWith("\\") ? match.slice(1) : match.replaceAll("`", "")));
    return placeholder;
  });
  let next2 = 0;
  return unmark(marked).replaceAll(placeholder, () => kept[next2++] ?? "");
}
function unmark(line) {
  let plain = line;
  if (plain.includes("<")) plain = plain.replace(autolink, "$1");
  if (plain.includes("]")) plain = plain.replace(link, "$1");
  if (plain.includes("*") || plain.includes("~~")) plain = plain.replace(stars, "");
  if (plain.includes("_")) plain = plain.replace(underscores, "");
  return plain.includes("|") ? plain.replaceAll("|", " ") : plain;
}
function escapeHtml(text) {
  if (!text.includes("<") && !text.includes("&")) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

// src/search/plain-text.ts
var markdownCharsMax = 65536;
function excerptTextOf(contentFormat, content2) {
  return contentFormat === "markdown" && content2.length <= markdownCharsMax ? markdownText(content2) : content2;
}

// src/contexts/capture.ts
function storableText(text) {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

// src/storage/postgres/pool.ts
var connectTimeoutMs = 5e3;
var silenceMs = 2e3;
function openPool(databaseUrl, { connectionsMax, statementTimeoutMs }) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: "periscope",
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 3e4,
    keepAlive: true,
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs / 3),
    idle_in_transaction_session_timeout: 6e4,
    query_timeout: statementTimeoutMs + silenceMs
  });
  pool.on("error", () => {
  });
  pool.on("connect", (client) => client.on("error", () => {
  }));
  return pool;
}
async function run(connection, [statement, values]) {
  const storableValues = values.map((value) => typeof value === "string" ? storableText(value) : value);
  return await connection.query({ ...statement, values: storableValues });
}
async function rowsOf(connection, ...query) {
  return (await run(connection, query)).rows;
}
async function connect(databaseUrl, options) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 1e4, ...options });
  client.on("error", () => {
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer";
    const explanation = explanations[code] ?? `cannot be reached (${code}). Start it, or correct DATABASE_URL.`;
    throw new Error(`${placeOf(databaseUrl)} ${explanation}`, { cause: error });
  }
}
var wrongUser = "does not accept the user or the password that DATABASE_URL gives.";
var explanations = {
  "3D000": "does not exist: the server has no database of this name. Create it with createdb, or correct DATABASE_URL.",
  "28P01": wrongUser,
  "28000": wrongUser,
  "53300": "has no connection left. End some, or raise its max_connections."
};
var advisoryLocks = {
  /** Held while migrations are applied, or tables spread. */
  migration: 7352e3,
  /** Held by the process that prunes; the others skip it. */
  prune: 7352001,
  /** Held by the process that makes the first key. */
  firstKey: 7352002
};

// src/storage/postgres/search-index.ts
import { limits } from "@periscope/schemas";

// src/storage/postgres/search-lexemes.ts
import { createHash } from "node:crypto";
var prefixes = 36 ** 4;
var vectorBytesMax = 104e4;
var lexemeBytesMax = 2e3;
var positionsMax = 255;
var lastPosition = 16383;
var fieldGap = 8;
var weights = { title: 3, meta: 2, forms: 1, content: 0 };
function ownerPrefix(userId) {
  return (createHash("sha256").update(userId).digest().readUInt32BE() % prefixes).toString(36);
}
function toVector(prefix, document) {
  const vector = new VectorBuilder(prefix);
  for (const terms of [document.filters, document.urlGrams]) for (const term of terms.split(" ")) vector.add(term);
  let position = 1;
  for (const field of ["title", "meta", "content"]) {
    if (document[field] === "") continue;
    for (const term of document[field].split(" ")) {
      vector.add(term, weights[field], position < lastPosition - 1 ? position : lastPosition);
      position++;
    }
    position += fieldGap;
  }
  for (const term of document.forms.split(" ")) vector.add(term, weights.forms, lastPosition);
  return vector.toBytes();
}
var VectorBuilder = class {
  #positions = /* @__PURE__ */ new Map();
  #bytes = 0;
  prefix;
  constructor(prefix) {
    this.prefix = prefix;
  }
  add(term, weight = 0, position = 0) {
    if (term.length < 2 && term !== anyTerm) return;
    let positions = this.#positions.get(term);
    if (!positions) {
      const bytes = this.prefix.length + Buffer.byteLength(term);
      if (bytes > lexemeBytesMax || this.#bytes + bytes + 5 > vectorBytesMax) return;
      this.#bytes += bytes + 3;
      positions = [];
      this.#positions.set(term, positions);
    }
    if (position === 0 || positions.length === positionsMax || this.#bytes + 2 > vectorBytesMax) return;
    if (position === ((positions.at(-1) ?? 0) & lastPosition)) return;
    positions.push(weight << 14 | position);
    this.#bytes += 2;
  }
  toBytes() {
    const bytes = Buffer.allocUnsafe(4 + this.#bytes + this.#positions.size);
    let at = bytes.writeUInt32BE(this.#positions.size);
    for (const [term, positions] of this.#positions) {
      at += bytes.write(this.prefix, at, "latin1");
      at += bytes.write(term, at, "utf8");
      at = bytes.writeUInt8(0, at);
      at = bytes.writeUInt16BE(positions.length, at);
      for (const position of positions) at = bytes.writeUInt16BE(position, at);
    }
    return bytes.subarray(0, at);
  }
};
var quoted = (lexeme) => `'${storableText(lexeme).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
function toQuery(prefix, match, phrases = "exact") {
  if (typeof match === "string") return quoted(prefix + match);
  if ("prefix" in match) return `${quoted(prefix + match.prefix)}:*`;
  const list = (matches, by) => `(${matches.map((each) => toQuery(prefix, each, phrases)).join(by)})`;
  if ("phrase" in match) return list(match.phrase, phrases === "loose" || isUrlPhrase(match.phrase) ? " & " : " <-> ");
  if ("any" in match) return list(match.any, " | ");
  const all = list(match.all, " & ");
  const none = phrases === "loose" ? match.none?.filter((each) => !hasPhrase(each)) : match.none;
  return none === void 0 || none.length === 0 ? all : `(${all} & !${list(none, " | ")})`;
}
function hasPhrase(match) {
  if (typeof match === "string" || "prefix" in match) return false;
  if ("phrase" in match) return match.phrase.length > 1 && !isUrlPhrase(match.phrase);
  return ("any" in match ? match.any : [...match.all, ...match.none ?? []]).some(hasPhrase);
}
function hasPrefix(match) {
  if (typeof match === "string" || "phrase" in match) return false;
  if ("prefix" in match) return true;
  return ("any" in match ? match.any : [...match.all, ...match.none ?? []]).some(hasPrefix);
}
var isUrlPhrase = (terms) => terms.every((term) => term.startsWith("/"));
var bucketBits = 10;
var largeBits = 5;
var bucketsMax = 8;
var bucketRows = 1 << bucketBits;
var largeBucketRows = bucketRows << largeBits;
var placeLexemes = (seq, prefix) => `array_to_tsvector(ARRAY[${prefix} || '+' || (${seq} >> ${bucketBits}), ${prefix} || '-' || (${seq} >> ${bucketBits + largeBits})])`;
var bucketQuery = (prefix, bucket) => `'${prefix}+${bucket}'`;
var middleSteps = [5, 8];
var firstOfTwo = 16;
function stepsOf(prefix, { oldest, newest }, isCostly = false) {
  const steps2 = [];
  const middle = [...middleSteps];
  let high = newest + 1;
  let rows = (isCostly ? firstOfTwo : 1) * bucketRows + (high % bucketRows || bucketRows);
  for (let large = 1; high > oldest; ) {
    const low = Math.max(oldest, high - rows);
    steps2.push({ query: low === oldest && high > newest ? null : rangeQuery(prefix, low, high), low, high });
    high = low;
    if (isCostly && high > oldest) return [...steps2, { query: null, low: oldest, high }];
    const buckets = middle.shift();
    if (buckets !== void 0) rows = buckets * bucketRows;
    else if (high % largeBucketRows > 0) rows = high % largeBucketRows;
    else {
      rows = large * largeBucketRows;
      large *= 2;
    }
  }
  return steps2;
}
function rangeQuery(prefix, low, high) {
  const isLarge = (high - low) / bucketRows > bucketsMax;
  const [sign, rows] = isLarge ? ["-", largeBucketRows] : ["+", bucketRows];
  const [first, last] = [Math.floor(low / rows), Math.floor((high - 1) / rows)];
  return Array.from({ length: last - first + 1 }, (_, index) => `'${prefix}${sign}${first + index}'`).join(" | ");
}

// src/storage/postgres/search-index.ts
var removeTerms = {
  name: "remove_terms",
  text: `DELETE FROM search_terms t USING contexts c WHERE c."userId" = $1 AND c."contextId" = ANY ($2::text[])
    AND t."userId" = $1 AND t.seq = c.seq`
};
var addTerms = {
  name: "add_terms",
  text: `INSERT INTO search_terms ("userId", seq, "capturedAt", "contextId", url, terms, stored)
    SELECT c."userId", c.seq, c."capturedAt", c."contextId", r.url, r.terms || ${placeLexemes("c.seq", "$6::text")}, r.stored
    FROM unnest($2::text[], $3::text[], $4::tsvector[], $5::bytea[]) AS r("contextId", url, terms, stored)
    JOIN contexts c ON c."userId" = $1 AND c."contextId" = r."contextId"`
};
function removals(userId, contextIds) {
  return contextIds.length === 0 ? [] : [[removeTerms, [userId, contextIds]]];
}
function additions(userId, contexts) {
  if (contexts.length === 0) return [];
  const prefix = ownerPrefix(userId);
  const arrays2 = [
    binaryArray(
      "text[]",
      contexts.map(({ contextId }) => contextId)
    ),
    binaryArray(
      "text[]",
      contexts.map(({ url: url2 }) => url2.toLowerCase())
    ),
    binaryArray(
      "tsvector[]",
      contexts.map(({ search }) => toVector(prefix, search))
    ),
    binaryArray(
      "bytea[]",
      contexts.map(({ search }) => search.stored)
    )
  ];
  return [[addTerms, [userId, ...arrays2, prefix]]];
}
var readRange = {
  name: "search_range",
  text: `SELECT min(seq)::float8 AS oldest, max(seq)::float8 AS newest FROM contexts WHERE "userId" = $1`
};
var readCaptured = {
  name: "search_captured",
  text: `SELECT (extract(epoch FROM min("capturedAt")) * 1000)::float8 AS first, (extract(epoch FROM max("capturedAt")) * 1000)::float8 AS last
    FROM contexts WHERE "userId" = $1`
};
var phraseRowsMax = 2e4;
var phrasesEnough = 1e3;
var rankedMax = 2e3;
var totalMax = limits.searchTotalMax + 1;
var fieldWeights = "{0.25, 0.1, 0.3, 1}";
var byLength = 1;
var walk = (match, limit, isFiltered) => `SELECT r.seq, r.terms
  FROM unnest($2::tsquery[], $3::bigint[], $4::bigint[]) AS s(query, low, high) CROSS JOIN LATERAL (
    SELECT t.seq, t.terms FROM search_terms t
    WHERE t."userId" = $1 AND t.terms @@ (CASE WHEN s.query IS NULL THEN ${match} ELSE ${match} && s.query END)
      AND t.seq + 0 >= s.low AND t.seq + 0 < s.high${isFiltered ? ` AND t."capturedAt" >= to_timestamp($5::float8 / 1000) AND t."capturedAt" < to_timestamp($6::float8 / 1000) AND t.url LIKE $7` : ""} ORDER BY t.seq + 0 DESC LIMIT ${limit}
  ) r LIMIT ${limit}`;
var countRows = {
  name: "search_count",
  text: `SELECT c.* FROM unnest($5::tsquery[], $6::tsquery[]) WITH ORDINALITY AS m(loose, exact, place) CROSS JOIN LATERAL (
      SELECT count(*)::float8 AS count, min(f.seq)::float8 AS low FROM (
        SELECT w.seq FROM (${walk("m.loose", `CASE WHEN m.exact IS NULL THEN $7::bigint ELSE ${phraseRowsMax} END`, false)}) w
        WHERE m.exact IS NULL OR w.terms @@ m.exact LIMIT $7::bigint) f
    ) c ORDER BY m.place`
};
function rankRows(isFiltered, isPhrase, isRanked) {
  let place = isFiltered ? 7 : 4;
  const [match, limit] = [`$${++place}::tsquery`, `$${++place}::bigint`];
  const enough = `(SELECT CASE WHEN count(*) > ${phraseRowsMax} THEN ${phrasesEnough} ELSE ${totalMax} END FROM looked)`;
  const exact = isPhrase ? ` WHERE terms @@ $${++place}::tsquery` : "";
  const words = isRanked ? `unnest($${++place}::tsquery[], $${++place}::float8[]) AS w(query, weight)` : "";
  const rows = isRanked ? `SELECT seq, row_number() OVER (ORDER BY score DESC, seq DESC) AS place FROM (
          SELECT f.seq, (SELECT sum(w.weight * ts_rank('${fieldWeights}', f.terms, w.query, ${byLength})) FROM ${words}) AS score
          FROM (SELECT seq, setweight(terms, 'D', '{}') AS terms FROM found LIMIT ${rankedMax}) f) r
        UNION ALL SELECT seq, ${rankedMax} + row_number() OVER () FROM (SELECT seq FROM found OFFSET ${rankedMax}) f` : `SELECT seq, row_number() OVER () AS place FROM found`;
  return {
    name: `search_rank${isFiltered ? "_filtered" : ""}${isPhrase ? "_phrase" : ""}${isRanked ? "_words" : ""}`,
    text: `WITH looked AS MATERIALIZED (${walk(match, String(isPhrase ? phraseRowsMax + 1 : totalMax), isFiltered)}),
      found AS MATERIALIZED (SELECT seq, terms FROM looked${exact} LIMIT ${isPhrase ? enough : totalMax})
      SELECT (SELECT count(*) FROM looked)::float8 AS looked, (SELECT count(*) FROM found)::float8 AS total,
        array_to_json(ARRAY(SELECT seq FROM (${rows}) o ORDER BY place LIMIT ${limit})) AS rows`
  };
}
var readCandidates = {
  name: "search_candidates",
  text: `SELECT seq::float8 AS row, "contextId", ${millis("capturedAt")}, encode(stored, 'base64') AS terms
    FROM search_terms WHERE "userId" = $1 AND seq = ANY ($2::bigint[])`
};
var readPage = {
  name: "search_page",
  text: `SELECT c.seq::float8 AS row, c."contextId", c.type, c.url, c.title, ${millis("capturedAt")}, c."privacyLevel",
      c."contentFormat", c."plainText", CASE WHEN c."plainText" IS NULL THEN c.content ELSE '' END AS content
    FROM (SELECT t.*, p.place, sum(octet_length(coalesce(t."plainText", t.content))) OVER (ORDER BY p.place)
          - octet_length(coalesce(t."plainText", t.content)) AS before
        FROM unnest($2::bigint[]) WITH ORDINALITY AS p(seq, place) JOIN contexts t ON t."userId" = $1 AND t.seq = p.seq) c
    WHERE c.before < $3::bigint ORDER BY c.place`
};
var pageRowsMax = 250;
var pageBytesMax = 4 * 1024 * 1024;
function openIndex(ask, userId, range) {
  const prefix = ownerPrefix(userId);
  const query = (match) => toQuery(prefix, match);
  const loose = (match) => toQuery(prefix, match, "loose");
  const walkValues = (matches) => {
    const steps2 = stepsOf(prefix, range, matches.some(hasPrefix));
    return [userId, steps2.map((step) => step.query), steps2.map(({ low }) => low), steps2.map(({ high }) => high)];
  };
  return {
    async capturedSpan() {
      const [{ first, last } = { first: null, last: null }] = await ask(readCaptured, [
        userId
      ]);
      return first === null || last === null ? void 0 : { first, last };
    },
    async count(matches, max) {
      if (matches.length === 0) return [];
      const exact = matches.map((match) => hasPhrase(match) ? query(match) : null);
      const values = [...walkValues(matches), matches.map(loose), exact, max];
      const counts = await ask(countRows, values);
      return counts.map(({ count: count2, low }) => {
        const walked = range.newest - (low ?? range.oldest) + 1;
        return { count: count2, estimate: count2 < max ? count2 : Math.round(count2 * (range.newest - range.oldest + 1) / walked) };
      });
    },
    async rank({ match, filter, words, limit }) {
      const isPhrase = hasPhrase(match);
      const values = walkValues([match]);
      if (filter) values.push(...filterValues(filter));
      values.push(loose(match), limit);
      if (isPhrase) values.push(query(match));
      if (words.length > 0)
        values.push(
          words.map((word2) => query(word2.match)),
          words.map(({ weight }) => weight)
        );
      const statement = rankRows(filter !== void 0, isPhrase, words.length > 0);
      const [answer] = await ask(statement, values);
      const { looked, total, rows } = answer ?? { looked: 0, total: 0, rows: [] };
      return { rows, total, totalIsExact: !isPhrase || looked <= phraseRowsMax };
    },
    async candidates(rows) {
      if (rows.length === 0) return [];
      const read = await ask(readCandidates, [userId, rows]);
      return read.map((candidate) => ({ ...candidate, terms: Buffer.from(candidate.terms, "base64") }));
    },
    async *page(rows) {
      for (let at = 0; at < rows.length; ) {
        const some = rows.slice(at, at + pageRowsMax);
        const read = await ask(readPage, [userId, some, pageBytesMax]);
        for (const { contentFormat, plainText, content: content2, ...found } of read)
          yield { ...found, text: plainText ?? excerptTextOf(contentFormat, content2) };
        const last = read.at(-1);
        at += last ? some.indexOf(last.row) + 1 : some.length;
      }
    }
  };
}
function filterValues({ since = -Infinity, until = Infinity, urlPattern }) {
  return [since, until, urlPattern === void 0 ? "%" : toLike(urlPattern)];
}
function toLike(pattern) {
  const escaped = pattern.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return escaped.includes("*") ? escaped.replaceAll("*", "%") : `%${escaped}%`;
}

// src/storage/postgres/transaction.ts
import { setTimeout as pause } from "node:timers/promises";

// src/storage/postgres/database-gone.ts
var causes = [
  [/^53100$/, "The database server's disk is full. Free some room there, then try again."],
  [/^25006$/, "The database server is read-only and accepts no writes. Try again when it does."],
  [/^53300$/, "The database server has no connection left. Try again in a moment."],
  // Connection trouble (08), no room or memory (53), shutting down or starting (57P), a timeout of ours (57014, 55P03, 25P03), failing
  // disks (58, XX001, XX002), and conflicts that were tried again in vain (40001, 40P01).
  [/^(?:08...|53...|57P..|57014|55P03|25P03|58...|XX001|XX002|40001|40P01)$/, "The database does not answer. Try again in a moment."]
];
var socketCodes = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
var driverMessages = /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;
var prismaCodes = /^P(?:1001|1002|1008|1017|2024|2028|2034|2037)$/;
var adapterKinds = /^(?:DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/;
var retryAfterSeconds = 5;
function databaseGone(error) {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = next(cause), depth++) {
    const code = stateOf(cause) ?? "";
    const message = causes.find(([states]) => states.test(code))?.[1];
    if (message !== void 0) return unavailable(message, retryAfterSeconds, error);
    if (driverMessages.test(cause.message) || socketCodes.test(code) || prismaCodes.test(code) || adapterKinds.test(kindOf(cause)))
      return unavailable("The connection to the database is lost. Try again in a moment.", retryAfterSeconds, error);
  }
  return void 0;
}
var readOnly = () => unavailable(causes[1]?.[1] ?? "", retryAfterSeconds);
function isConflict(error) {
  const code = stateOf(error);
  return code === "40001" || code === "40P01" || code === "P2034";
}
function isDuplicate(error) {
  const code = stateOf(error);
  return code === "23505" || code === "P2002";
}
function isCancelled(error) {
  return stateOf(error) === "57014";
}
function stateOf(error) {
  if (!(error instanceof Error)) return void 0;
  const { meta, cause, code } = error;
  const original = (given) => typeof given === "object" && given !== null && "originalCode" in given ? given.originalCode : void 0;
  const found = original(meta?.driverAdapterError?.cause) ?? original(cause) ?? code;
  return typeof found === "string" ? found : void 0;
}
function kindOf(error) {
  const { meta, cause } = error;
  const mapped = meta?.driverAdapterError?.cause ?? cause;
  return typeof mapped === "object" && mapped !== null && "kind" in mapped ? String(mapped.kind) : "";
}
function next(error) {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

// src/storage/postgres/transaction.ts
var attemptsMax = 4;
var bumpRevision = {
  name: "bump_revision",
  text: `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 RETURNING 1`
};
var bumpRevisionFrom = {
  name: "bump_revision_from",
  text: `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 AND revision = $2::bigint RETURNING 1`
};
async function writeTransaction(pool, first, writes) {
  for (let attempt = 1; ; attempt++) {
    const connection = await pool.connect();
    try {
      const [, opened] = await pipelined(connection, [[begin, []], first]);
      if (opened?.rowCount === 0) {
        release(connection, connection.query("ROLLBACK"));
        return void 0;
      }
      const results = await pipelined(connection, [...writes, [commit, []]]);
      if (results.pop()?.command !== "COMMIT") throw new Error("The transaction was rolled back.");
      connection.release();
      return results;
    } catch (error) {
      release(connection, connection.query("ROLLBACK"));
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
    await pause(attempt * 10 * Math.random());
  }
}
var begin = { name: "begin", text: "BEGIN" };
var commit = { name: "commit", text: "COMMIT" };
var beginReading = { name: "begin_reading", text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" };
async function readTogether(pool, queries) {
  const connection = await pool.connect();
  try {
    const results = await pipelined(connection, [[beginReading, []], ...queries, [commit, []]]);
    connection.release();
    return results.slice(1, -1);
  } catch (error) {
    release(connection, connection.query("ROLLBACK"));
    throw error;
  }
}
async function pipelined(connection, queries) {
  const sent2 = queries.map((query) => run(connection, query));
  const settled = await Promise.allSettled(sent2);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}
function release(connection, ending) {
  void ending.then(
    () => connection.release(),
    (broken) => connection.release(broken)
  );
}
var waitingMax = 64;
var waitMaxMs = 1e4;
var PerUserQueue = class {
  #queues = /* @__PURE__ */ new Map();
  #waitMs;
  /** @param waitMs milliseconds that a writer waits at most */
  constructor(waitMs = waitMaxMs) {
    this.#waitMs = waitMs;
  }
  /**
   * Runs `work` when all earlier work of the same user has ended, well or not. Rejects with `unavailable` at once when too many wait, and
   * when its turn has not come in time; then nothing was run.
   */
  async run(userId, work) {
    const queue = this.#queues.get(userId);
    if (queue) await this.#wait(queue);
    else this.#queues.set(userId, { waiting: [], ended: Promise.withResolvers() });
    try {
      return await work();
    } finally {
      this.#next(userId);
    }
  }
  /** Resolves when nothing is waiting or running. */
  async idle() {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ ended }) => ended.promise));
  }
  async #wait({ waiting }) {
    if (waiting.length >= waitingMax) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers();
    waiting.push(resolve);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(tooMany());
    }, this.#waitMs);
    await promise.finally(() => clearTimeout(timer));
  }
  #next(userId) {
    const queue = this.#queues.get(userId);
    const start2 = queue?.waiting.shift();
    if (start2) return start2();
    this.#queues.delete(userId);
    queue?.ended.resolve();
  }
};
var tooMany = () => unavailable("Too many changes of this user wait for each other. Send fewer at once, or in one batch.", 1);

// src/storage/postgres/delete-user.ts
var sliceRows = 1e3;
var deleteSlice = {
  name: "delete_slice",
  text: `DELETE FROM contexts WHERE "userId" = $1
    AND seq <= (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq OFFSET ${sliceRows - 1} LIMIT 1)`
};
var deleteTerms = {
  name: "delete_terms",
  text: `DELETE FROM search_terms WHERE "userId" = $1 AND terms @@ $2::tsquery`
};
var countChange = { name: "count_access_change", text: `UPDATE access_changes SET count = count + 1 WHERE id = 1` };
var revokeKeys = {
  name: "revoke_keys",
  text: `UPDATE api_keys SET "revokedAt" = now() WHERE "userId" = $1 AND "revokedAt" IS NULL`
};
var deleteUses = { name: "delete_key_uses", text: `DELETE FROM key_uses WHERE "userId" = $1` };
async function deleteInSlices({ pool, queue, userId }, last) {
  const write = async (...writes) => await queue.run(userId, () => writeTransaction(pool, [bumpRevision, [userId]], writes)) ?? [];
  await write([countChange, []], [revokeKeys, [userId]]);
  const [range] = await rowsOf(pool, readRange, [userId]);
  const { oldest, newest } = range ?? { oldest: null, newest: null };
  if (oldest !== null && newest !== null)
    for (let bucket = Math.floor(oldest / bucketRows); bucket * bucketRows <= newest; bucket++)
      await write([deleteTerms, [userId, bucketQuery(ownerPrefix(userId), bucket)]]);
  while ((await write([deleteSlice, [userId]]))[0]?.rowCount) ;
  const found = await queue.run(userId, last);
  await rowsOf(pool, deleteUses, [userId]);
  return found;
}
async function deleteBeside(tx, userId) {
  await tx.$executeRaw`DELETE FROM search_terms WHERE "userId" = ${userId} AND terms @@ ${toQuery(ownerPrefix(userId), anyTerm)}::tsquery`;
  await tx.$executeRaw`DELETE FROM key_uses WHERE "userId" = ${userId}`;
}

// src/storage/postgres/access.ts
var findKey = {
  name: "find_key",
  text: `SELECT "keyId", "userId", name, hash, scopes, "maxPrivacyLevel", ${["createdAt", "expiresAt", "lastUsedAt", "revokedAt"].map(millis).join(", ")}
    FROM api_keys WHERE "keyId" = $1`
};
var findRules = {
  name: "find_rules",
  text: `SELECT version, rules, ${millis("updatedAt")} FROM privacy_rules WHERE "userId" = $1`
};
var touchAgain = {
  name: "touch_key",
  text: `UPDATE key_uses SET "lastUsedAt" = to_timestamp($3::float8 / 1000) WHERE "userId" = $1 AND "keyId" = $2 RETURNING 1`
};
var touchFirst = {
  name: "touch_key_first",
  text: `INSERT INTO key_uses AS u ("userId", "keyId", "lastUsedAt")
    SELECT "userId", $2, to_timestamp($3::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId", "keyId") DO UPDATE SET "lastUsedAt" = greatest(u."lastUsedAt", excluded."lastUsedAt")`
};
var usesOfAll = { name: "read_key_uses", text: `SELECT "keyId", ${millis("lastUsedAt")} FROM key_uses` };
var usesOfUser = { name: "read_key_uses_of_user", text: `${usesOfAll.text} WHERE "userId" = $1` };
function createPostgresAccess({ pool, prisma, write, queue }) {
  const shared = createAccessStore(prisma, write, {
    async onRemoved(tx, userId) {
      await countAccessChange(tx);
      if (userId !== null) await deleteBeside(tx, userId);
    },
    lockFirstKey: (tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.firstKey})::text`
  });
  return {
    ...shared,
    deleteUser: (userId) => deleteInSlices({ pool, queue, userId }, () => shared.deleteUser(userId)),
    async findKey(keyId) {
      const [row] = await rowsOf(pool, findKey, [keyId]);
      return row ? keyFromRow(row) : null;
    },
    async touchKey({ userId, keyId }, at) {
      const values = [userId, keyId, at];
      const again = await rowsOf(pool, touchAgain, values);
      if (again.length === 0) await rowsOf(pool, touchFirst, values);
    },
    async listKeys(userId) {
      const keys = await shared.listKeys(userId);
      const [statement, values] = userId === void 0 ? [usesOfAll, []] : [usesOfUser, [userId]];
      const uses = await rowsOf(pool, statement, values);
      const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
      return keys.map((record) => ({ ...record, lastUsedAt: lastUses.get(record.keyId) ?? record.lastUsedAt }));
    }
  };
}
function createPostgresRules({ pool, write, queue }) {
  const { replace } = createRulesStore(write);
  return {
    replace: (userId, rules, at) => queue.run(userId, () => replace(userId, rules, at)),
    async find(userId) {
      const [row] = await rowsOf(pool, findRules, [userId]);
      return row ? rulesFromRow(row) : null;
    }
  };
}
function countAccessChange(tx) {
  return tx.$executeRaw`UPDATE access_changes SET count = count + 1 WHERE id = 1`;
}
var freshMs = 1e3;
var staleMs = 3e3;
var readCount = { name: "access_changes", text: `SELECT count FROM access_changes WHERE id = 1` };
var AccessChanges = class {
  #pool;
  #revision = 0;
  #count;
  #readAt = -Infinity;
  #reading = false;
  constructor(pool) {
    this.#pool = pool;
  }
  /** Changes whenever known keys may be outdated. Never waits. */
  revision() {
    const age = performance.now() - this.#readAt;
    if (age > freshMs && !this.#reading) void this.#read();
    return age > staleMs ? ++this.#revision : this.#revision;
  }
  async #read() {
    this.#reading = true;
    const askedAt = performance.now();
    try {
      const [row] = (await this.#pool.query(readCount)).rows;
      if (row?.count !== this.#count) this.#revision++;
      this.#count = row?.count;
      this.#readAt = askedAt;
    } catch {
    } finally {
      this.#reading = false;
    }
  }
};

// src/storage/postgres/context-store.ts
var findContext = {
  name: "find_context",
  text: `SELECT ${answerColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = $2`
};
var buryContext = {
  name: "bury_context",
  text: `INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT "userId", "contextId", greatest(to_timestamp($3::float8 / 1000), "writtenAt" + interval '1 ms'), to_timestamp($3::float8 / 1000)
    FROM contexts WHERE "userId" = $1 AND "contextId" = $2
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt" RETURNING 1`
};
var findForeign = { name: "find_foreign", text: `SELECT 1 FROM contexts WHERE "contextId" = $1 LIMIT 1` };
function createContextStore(pool, queue) {
  return {
    async current(scope, { tabId, extensionId }) {
      const query = new Conditions(scope);
      if (tabId !== void 0) query.add("t", (value) => `"tabId" = ${value}`, tabId);
      if (extensionId !== void 0) query.add("e", (value) => `"extensionId" = ${value}`, extensionId);
      const read = (name, condition, order) => rowsOf(
        pool,
        query.statement(name, (where) => `SELECT ${answerColumns} FROM contexts ${where}${condition} ORDER BY ${order} LIMIT 1`),
        query.values
      );
      const [viewed] = await read("viewed", ' AND "viewedAt" IS NOT NULL', 'contexts."viewedAt" DESC, seq DESC');
      const [row] = viewed ? [viewed] : await read("newest", "", 'contexts."capturedAt" DESC, seq DESC');
      return row ? contextFromRow(row) : null;
    },
    async find({ userId, maxPrivacyLevel }, contextId) {
      const [row] = await rowsOf(pool, findContext, [userId, contextId]);
      if (!row) return null;
      const context = contextFromRow(row);
      return levelsUpTo(maxPrivacyLevel).includes(context.privacyLevel) ? context : null;
    },
    async history(scope, filter) {
      const [contexts, total] = await Promise.all([readPage2(pool, scope, filter), filter.knownTotal ?? count(pool, scope, filter)]);
      return { contexts, total };
    },
    async remove(userId, contextId, at) {
      const results = await queue.run(
        userId,
        () => writeTransaction(
          pool,
          [bumpRevision, [userId]],
          [
            [buryContext, [userId, contextId, at]],
            ...removals(userId, [storableText(contextId)]),
            [deleteContexts, [userId, [storableText(contextId)]]]
          ]
        )
      );
      if (results?.[0]?.rowCount) return "removed";
      return (await rowsOf(pool, findForeign, [contextId])).length > 0 ? "foreign" : "missing";
    }
  };
}
async function readPage2(pool, scope, filter) {
  const query = matching(scope, filter);
  if (filter.after) {
    const { capturedAt, contextId } = filter.after;
    const at = query.value(capturedAt);
    const id = query.value(contextId);
    const time = `to_timestamp(${at}::float8 / 1000)`;
    query.where("a", `"capturedAt" <= ${time} AND ("capturedAt" < ${time} OR "contextId" > ${id})`);
  }
  const bounds = `LIMIT ${query.value(filter.limit)}::bigint OFFSET ${query.value(filter.offset)}::bigint`;
  const statement = query.statement(
    "history",
    (where) => `SELECT "contextId", type, url, title, "privacyLevel", ${millis("capturedAt")} FROM contexts ${where}
      ORDER BY contexts."capturedAt" DESC, "contextId" ${bounds}`
  );
  return await rowsOf(pool, statement, query.values);
}
async function count(pool, scope, filter) {
  const query = matching(scope, filter);
  const statement = query.statement("count", (where) => `SELECT count(*)::float8 AS total FROM contexts ${where}`);
  const [row] = await rowsOf(pool, statement, query.values);
  return row?.total ?? 0;
}
function matching(scope, { since, until, type, privacyLevel }) {
  const query = new Conditions(scope);
  if (since !== void 0) query.add("s", (value) => `"capturedAt" >= to_timestamp(${value}::float8 / 1000)`, since);
  if (until !== void 0) query.add("u", (value) => `"capturedAt" < to_timestamp(${value}::float8 / 1000)`, until);
  if (type !== void 0) query.add("k", (value) => `type = ${value}`, type);
  if (privacyLevel !== void 0) query.add("p", (value) => `"privacyLevel" = ${value}`, privacyLevel);
  return query;
}
var Conditions = class {
  values = [];
  #sql = [];
  #letters = "";
  constructor({ userId, maxPrivacyLevel }) {
    this.add("", (value) => `"userId" = ${value}`, userId);
    if (maxPrivacyLevel !== "restricted") this.add("l", (value) => `"privacyLevel" = ANY (${value}::text[])`, levelsUpTo(maxPrivacyLevel));
  }
  /** Gives a value its place, such as `$3`. */
  value(value) {
    return `$${this.values.push(value)}`;
  }
  where(letter, sql) {
    this.#letters += letter;
    this.#sql.push(sql);
  }
  add(letter, sql, value) {
    this.where(letter, sql(this.value(value)));
  }
  statement(name, text) {
    return { name: `${name}_${this.#letters}`, text: text(`WHERE ${this.#sql.join(" AND ")}`) };
  }
};

// src/storage/postgres/migrate.ts
import { createHash as createHash2, randomUUID } from "node:crypto";
import { setTimeout as pause2 } from "node:timers/promises";

// src/storage/migrations.ts
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname as dirname2, join as join2 } from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
function shippedMigrations(engine) {
  const folder = migrationsFolder(engine);
  const names2 = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names2.map(({ name }) => ({ name, sql: readFileSync(join2(folder, name, "migration.sql"), "utf8") })).sort((a, b2) => a.name < b2.name ? -1 : 1);
}
function newerDatabase(unknown) {
  return new Error(
    `The database was written by a newer version of Periscope (migration ${unknown.join(", ")}); start that version or newer.`
  );
}
function migrationsFolder(engine) {
  for (let folder = dirname2(fileURLToPath2(import.meta.url)); ; folder = dirname2(folder)) {
    const candidate = join2(folder, "prisma", engine, "migrations");
    if (existsSync(candidate)) return candidate;
    if (folder === dirname2(folder)) throw new Error("The migrations are missing from this installation; install it again.");
  }
}

// src/storage/postgres/migrate.ts
var bookkeeping = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT, "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;
var tableWaitMs = 2e3;
var tableRetryMs = 1e3;
var lockRetryMs = 100;
async function migratePostgres(databaseUrl, migrations = shippedMigrations("postgres")) {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    if ((await missingIn(client, migrations)).length === 0) return [];
    return await withMigrationLock(client, async () => {
      await client.query(bookkeeping);
      const missing = await missingIn(client, migrations);
      for (const migration of missing) await apply(client, migration);
      return missing.map(({ name }) => name);
    });
  } finally {
    await client.end();
  }
}
async function withMigrationLock(client, work) {
  for (; ; ) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${advisoryLocks.migration}) AS mine`);
    if (rows[0]?.mine) break;
    await pause2(lockRetryMs);
  }
  try {
    return await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${advisoryLocks.migration})`).catch(() => {
    });
  }
}
async function apply(client, { name, sql }) {
  const checksum = createHash2("sha256").update(sql).digest("hex");
  const startedAt = /* @__PURE__ */ new Date();
  for (; ; ) {
    await client.query("BEGIN");
    try {
      await client.query(`SET LOCAL lock_timeout = ${tableWaitMs}`);
      await client.query(sql);
      await client.query(
        `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ($1, $2, $3, $4, now(), 1)`,
        [randomUUID(), checksum, name, startedAt]
      );
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {
      });
      if (!isLockTimeout(error)) throw error;
    }
    await pause2(tableRetryMs);
  }
}
var isLockTimeout = (error) => error instanceof Error && "code" in error && error.code === "55P03";
async function appliedMigrations(client) {
  const { rows: found } = await client.query(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS there`);
  if (!found[0]?.there) return [];
  const { rows } = await client.query(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL`
  );
  return rows.map(({ name }) => name);
}
async function missingIn(client, migrations) {
  const applied = await appliedMigrations(client);
  const known3 = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known3.has(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  return migrations.filter(({ name }) => !applied.includes(name));
}
async function inspectPostgres(databaseUrl, now = Date.now()) {
  const client = await connect(databaseUrl, { query_timeout: 3e4 });
  try {
    await client.query("SET default_transaction_read_only = on");
    const applied = await appliedMigrations(client);
    const shipped = shippedMigrations("postgres").map(({ name }) => name);
    return {
      damage: [],
      pending: shipped.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !shipped.includes(name)),
      ...applied.length > 0 ? await countAccess(client, now) : { users: 0, keys: 0, latest: null }
    };
  } finally {
    await client.end();
  }
}
async function countAccess(client, now) {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM users)::float8 AS users,
      (SELECT count(*) FROM api_keys WHERE "revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > to_timestamp($1::float8 / 1000)))::float8 AS keys,
      (SELECT (extract(epoch FROM greatest((SELECT max("createdAt") FROM users), max("createdAt"), max("lastUsedAt"), (SELECT max("lastUsedAt") FROM key_uses))) * 1000)::float8
       FROM api_keys) AS latest`,
    [now]
  );
  return rows[0] ?? { users: 0, keys: 0, latest: null };
}

// src/storage/postgres/distribute.ts
var references = ["api_keys", "access_changes"];
var spread = [
  "users",
  "key_uses",
  "contexts",
  "tombstones",
  "processed_messages",
  "extensions",
  "extension_errors",
  "privacy_rules",
  "privacy_progress",
  "rate_windows",
  "search_terms"
];
async function distributePostgres(databaseUrl) {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    return await withMigrationLock(client, () => distributeHere(client, placeOf(databaseUrl)));
  } finally {
    await client.end();
  }
}
async function distributeHere(client, place) {
  if (!await hasCitus(client))
    throw new Error(
      `${place} is no Citus cluster: its database does not have the extension "citus". Nothing was changed. Install Citus on every machine of the cluster, run CREATE EXTENSION citus in the database, and try again.`
    );
  const { rows: machines } = await client.query("SELECT 1 FROM pg_dist_node WHERE isactive AND shouldhaveshards LIMIT 1");
  if (machines.length === 0)
    throw new Error(
      `${place} knows no machine to spread the tables over. Nothing was changed. Name the coordinator by citus_set_coordinator_host and each worker by citus_add_node, and try again.`
    );
  return await distributeTables(client);
}
async function distributeTables(client) {
  const known3 = await distributedTables(client);
  const { rows: made } = await client.query(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
  );
  const there = new Set(made.map(({ name }) => name));
  const missing = (tables) => tables.filter((table) => there.has(table) && !known3.has(table));
  const { rows: unlogged } = await client.query(
    "SELECT relname AS name FROM pg_class WHERE relpersistence = 'u' AND relnamespace = current_schema()::regnamespace AND relname = ANY ($1)",
    [spread]
  );
  for (const { name } of unlogged) await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} SET LOGGED`);
  for (const table of missing(references)) await client.query("SELECT create_reference_table($1::regclass)", [table]);
  for (const table of missing(spread)) {
    const beside = table === "users" ? "none" : "users";
    await client.query("SELECT create_distributed_table($1::regclass, 'userId', colocate_with => $2)", [table, beside]);
  }
  const { rows: leavings } = await client.query(
    "SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE logicalrelid::text = ANY ($1) AND pg_relation_size(logicalrelid) > 0",
    [[...references, ...spread]]
  );
  for (const { name } of leavings) await client.query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [name]);
  return missing([...references, ...spread]);
}
async function hasCitus(client) {
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}
async function distributedTables(client) {
  const { rows } = await client.query("SELECT logicalrelid::text AS name FROM pg_dist_partition");
  return new Set(rows.map(({ name }) => name));
}

// src/storage/postgres/prune.ts
var sliceMs = 6e4;
async function prune(pool, before, isClosing) {
  const connection = await pool.connect();
  try {
    const { rows } = await connection.query(`SELECT pg_try_advisory_lock(${advisoryLocks.prune}) AS mine`);
    if (!rows[0]?.mine) return;
    try {
      await dropOld(connection, { table: "processed_messages", column: "processedAt", before, isClosing });
      await dropOld(connection, { table: "tombstones", column: "storedAt", before, isClosing });
      await connection.query(`DELETE FROM rate_windows WHERE "window" < $1`, [Math.floor(before / 6e4)]);
    } finally {
      await connection.query(`SELECT pg_advisory_unlock(${advisoryLocks.prune})`);
    }
  } finally {
    connection.release();
  }
}
async function dropOld(connection, { table, column, before, isClosing }) {
  const oldest = `SELECT (extract(epoch FROM min("${column}")) * 1000)::float8 AS at FROM ${table}`;
  while (!isClosing()) {
    const { rows } = await connection.query(oldest);
    const at = rows[0]?.at ?? null;
    if (at === null || at >= before) return;
    const until = Math.min(at + sliceMs, before);
    await connection.query(`DELETE FROM ${table} WHERE "${column}" < to_timestamp($1::float8 / 1000)`, [until]);
  }
}

// src/storage/postgres/rate-store.ts
var clock = (value) => `coalesce(${value}::float8, extract(epoch FROM now())::float8 * 1000)`;
var goesOn = `r."window" - excluded."window" IN (0, 1)`;
var takeOne = {
  name: "take_rate",
  text: `INSERT INTO rate_windows AS r ("userId", budget, "window", used, at)
    VALUES ($1, $2, floor(${clock("$4")} / 60000)::bigint, 1, ${clock("$4")})
    ON CONFLICT ("userId", budget) DO UPDATE SET
      "window" = CASE WHEN ${goesOn} THEN r."window" ELSE excluded."window" END,
      used = CASE WHEN ${goesOn} THEN least(r.used, $3::bigint) + 1 ELSE 1 END, at = excluded.at
    RETURNING used::float8, "window"::float8, at`
};
var readBudgets = {
  name: "read_rates",
  text: `SELECT budget, used::float8, "window"::float8 FROM rate_windows WHERE "userId" = $1 AND budget = ANY ($2::text[])`
};
var readClock = { name: "read_clock", text: `SELECT ${clock("$1")} AS at` };
var minuteMs = 6e4;
function createRateStore(pool, testClock) {
  return {
    async take(subject, budget, limit) {
      const values = [subject, budget, limit, testClock() ?? null];
      const [row] = await rowsOf(pool, takeOne, values);
      if (!row) throw new Error("The rate budget has no row.");
      return toCount(row.used, row.window, row.at);
    },
    async peek(subject, budgets) {
      const [rows, [now]] = await Promise.all([
        rowsOf(pool, readBudgets, [subject, budgets]),
        rowsOf(pool, readClock, [testClock() ?? null])
      ]);
      const at = now?.at ?? Date.now();
      const current = Math.floor(at / minuteMs);
      const used = new Map(rows.filter(({ window }) => window === current).map((row) => [row.budget, row.used]));
      return new Map(budgets.map((budget) => [budget, toCount(used.get(budget) ?? 0, current, at)]));
    }
  };
}
function toCount(used, window, at) {
  const end2 = (window + 1) * minuteMs;
  return { used, resetAt: end2 / 1e3, resetInMs: end2 - at };
}

// src/storage/postgres/user-data-store.ts
import { limits as limits2 } from "@periscope/schemas";
var readRevision = {
  name: "read_revision",
  text: `SELECT revision::float8 AS revision FROM users WHERE "userId" = $1`
};
var readRulesVersion = {
  name: "read_rules_version",
  text: `SELECT version, ${millis("updatedAt")} FROM privacy_rules WHERE "userId" = $1`
};
var readProcessed = {
  name: "read_processed",
  text: `SELECT p."extensionId", p."messageId", p.fingerprint, p."privacyLevel", p.result, ${millis("processedAt")}
    FROM unnest($2::text[], $3::text[]) AS k("extensionId", "messageId")
    JOIN processed_messages p ON p."userId" = $1 AND p."extensionId" = k."extensionId" AND p."messageId" = k."messageId"`
};
var readContexts = {
  name: "read_contexts",
  text: `SELECT ${readColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`
};
var readTombstones = {
  name: "read_tombstones",
  text: `SELECT "contextId", ${millis("deletedAt")} FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`
};
var deleteTombstones = {
  name: "delete_tombstones",
  text: `DELETE FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`
};
var writeExtensions = {
  name: "write_extensions",
  text: `INSERT INTO extensions AS e ("userId", "extensionId", "lastSeenAt", config, "configAt")
    SELECT u."userId", r."extensionId", to_timestamp(r.seen / 1000), r.config, to_timestamp(r.at / 1000)
    FROM users u, unnest($2::text[], $3::float8[], $4::text[], $5::float8[]) AS r("extensionId", seen, config, at) WHERE u."userId" = $1
    ON CONFLICT ("userId", "extensionId") DO UPDATE SET
      "lastSeenAt" = greatest(e."lastSeenAt", excluded."lastSeenAt"),
      config = CASE WHEN excluded."configAt" >= coalesce(e."configAt", excluded."configAt") THEN excluded.config ELSE e.config END,
      "configAt" = greatest(e."configAt", excluded."configAt")`
};
var insertErrors = {
  name: "insert_errors",
  text: `INSERT INTO extension_errors ("userId", seq, "extensionId", code, message, details, "occurredAt")
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM extension_errors WHERE "userId" = $1), 0),
      r."extensionId", r.code, r.message, r.details, to_timestamp(r.at / 1000)
    FROM users u,
      unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) WITH ORDINALITY AS r("extensionId", code, message, details, at, place)
    WHERE u."userId" = $1`
};
var trimErrors = {
  name: "trim_errors",
  text: `DELETE FROM extension_errors WHERE "userId" = $1
    AND seq <= (SELECT seq FROM extension_errors WHERE "userId" = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`
};
var insertProcessed = {
  name: "insert_processed",
  text: `INSERT INTO processed_messages ("userId", "extensionId", "messageId", fingerprint, "privacyLevel", result, "processedAt")
    SELECT u."userId", r."extensionId", r."messageId", r.fingerprint, r.level, r.result, to_timestamp(r.at / 1000)
    FROM users u, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[])
      AS r("extensionId", "messageId", fingerprint, level, result, at) WHERE u."userId" = $1`
};
var dropProgress = {
  name: "drop_progress",
  text: `DELETE FROM privacy_progress WHERE "userId" = $1 AND policy <> $2`
};
function createUserDataStore(pool, queue) {
  return {
    async load(userId, { messages, contextIds }) {
      const keys = [messages.map(({ extensionId }) => extensionId), messages.map(({ messageId }) => messageId)];
      const [users, rules, processed, contexts, tombstones] = await readTogether(pool, [
        [readRevision, [userId]],
        [readRulesVersion, [userId]],
        [readProcessed, [userId, ...keys]],
        [readContexts, [userId, contextIds]],
        [readTombstones, [userId, contextIds]]
      ]);
      const [user] = users?.rows ?? [];
      if (!user) return null;
      const [rulesVersion = null] = rules?.rows ?? [];
      return {
        revision: user.revision,
        rulesVersion,
        processed: processed?.rows ?? [],
        contexts: (contexts?.rows ?? []).map(contextFromRow),
        tombstones: new Map(
          (tombstones?.rows ?? []).map(({ contextId, deletedAt }) => [
            contextId,
            deletedAt
          ])
        )
      };
    },
    commit: (userId, changes) => queue.run(userId, async () => {
      const first = [bumpRevisionFrom, [userId, changes.revision]];
      const writes = [
        ...contextWrites(userId, changes),
        ...otherWrites(changes).map(([statement, values]) => [statement, [userId, ...values]])
      ];
      return await writeTransaction(pool, first, writes) !== void 0;
    })
  };
}
function contextWrites(userId, { policy, now, replaced: replaced2, removed, created = [], viewed = [] }) {
  const removedIds = removed.map(({ contextId }) => contextId);
  const writes = [[dropProgress, [userId, policy]]];
  const reindexed = replaced2.flatMap((context) => context.search ? [{ ...context, search: context.search }] : []);
  writes.push(...removals(userId, [...reindexed.map(({ contextId }) => contextId), ...removedIds]));
  if (removed.length > 0) {
    writes.push([deleteContexts, [userId, removedIds]]);
    writes.push([writeTombstones, [userId, removedIds, removed.map(({ deletedAt }) => deletedAt), now]]);
  }
  if (replaced2.length > 0) writes.push([replaceContexts, [userId, ...toArrays(replaced2)]]);
  if (viewed.length > 0) {
    const times = [viewed.map(({ viewedAt }) => viewedAt), viewed.map(({ lastSeenAt }) => lastSeenAt)];
    writes.push([markViewed, [userId, viewed.map(({ contextId }) => contextId), ...times]]);
  }
  if (created.length > 0) writes.push([insertContexts, [userId, ...toArrays(created)]]);
  writes.push(...additions(userId, [...reindexed, ...created]));
  return writes;
}
function otherWrites({ revived, extensions, errors, processed }) {
  const writes = [];
  if (revived.length > 0) writes.push([deleteTombstones, [revived]]);
  if (extensions.length > 0)
    writes.push([
      writeExtensions,
      [
        extensions.map(({ extensionId }) => extensionId),
        extensions.map(({ lastSeenAt }) => lastSeenAt),
        extensions.map(({ config: config2 }) => config2?.json ?? null),
        extensions.map(({ config: config2 }) => config2?.at ?? null)
      ]
    ]);
  if (errors.length > 0) {
    const columns = ["extensionId", "code", "message", "details", "occurredAt"].map(
      (name) => errors.map((error) => error[name])
    );
    writes.push([insertErrors, columns], [trimErrors, [limits2.extensionErrorsMax]]);
  }
  if (processed.length > 0) {
    const columns = ["extensionId", "messageId", "fingerprint", "privacyLevel", "result"].map(
      (name) => binaryArray(
        "text[]",
        processed.map((message) => message[name])
      )
    );
    writes.push([insertProcessed, [...columns, processed.map(({ processedAt }) => processedAt)]]);
  }
  return writes;
}

// src/storage/postgres/refilter-store.ts
var readProgress = {
  name: "read_progress",
  text: `SELECT policy, run, seq::float8 AS seq, counts, ${millis("finishedAt")} FROM privacy_progress WHERE "userId" = $1`
};
var readArrived = {
  name: "read_arrived",
  text: `SELECT contexts.seq::float8 AS seq, ${readColumns} FROM contexts WHERE "userId" = $1 AND seq > $2::bigint
    ORDER BY contexts.seq LIMIT $3::bigint`
};
var countArrived = {
  name: "count_arrived",
  text: `SELECT count(*)::float8 AS count FROM contexts WHERE "userId" = $1 AND seq > $2::bigint`
};
var readConfigs = {
  name: "read_configs",
  text: `SELECT "extensionId", config FROM extensions WHERE "userId" = $1 AND "extensionId" > $2 AND config IS NOT NULL
    ORDER BY "extensionId" LIMIT $3::bigint`
};
var readErrors = {
  name: "read_errors",
  text: `SELECT seq::float8 AS seq, code, message, details FROM extension_errors WHERE "userId" = $1 AND seq > $2::bigint
    ORDER BY extension_errors.seq LIMIT $3::bigint`
};
var readFingerprints = {
  name: "read_fingerprints",
  text: `SELECT "extensionId", "messageId", fingerprint FROM processed_messages
    WHERE "userId" = $1 AND ("extensionId", "messageId") > ($2, $3) ORDER BY "extensionId", "messageId" LIMIT $4::bigint`
};
var replaceConfig = {
  name: "replace_config",
  text: `UPDATE extensions SET config = $3 WHERE "userId" = $1 AND "extensionId" = $2`
};
var replaceError = {
  name: "replace_error",
  text: `UPDATE extension_errors SET code = $3, message = $4, details = $5 WHERE "userId" = $1 AND seq = $2::bigint`
};
var replaceFingerprint = {
  name: "replace_fingerprint",
  text: `UPDATE processed_messages SET fingerprint = $4 WHERE "userId" = $1 AND "extensionId" = $2 AND "messageId" = $3`
};
var saveProgress = {
  name: "save_progress",
  text: `INSERT INTO privacy_progress ("userId", policy, run, seq, counts, "finishedAt", "updatedAt")
    SELECT "userId", $2, $3, $4::bigint, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId") DO UPDATE SET policy = excluded.policy, run = excluded.run, seq = excluded.seq, counts = excluded.counts,
      "finishedAt" = excluded."finishedAt", "updatedAt" = excluded."updatedAt"`
};
function createRefilterStore(pool, queue) {
  return {
    async read(userId, after) {
      const results = await readTogether(pool, [
        [readRevision, [userId]],
        [readRulesVersion, [userId]],
        [readProgress, [userId]],
        ...pageQueries(userId, after)
      ]);
      const [users, rules, progress, ...parts] = results.map(({ rows }) => rows);
      const [user] = users ?? [];
      if (!user) return null;
      const next2 = (isAsked) => isAsked === void 0 ? [] : parts.shift() ?? [];
      const contexts = next2(after.contexts).map((row) => ({ ...contextFromRow(row), seq: row.seq }));
      const [left] = next2(after.contexts);
      const page = {
        revision: user.revision,
        rulesVersion: (rules ?? [])[0] ?? null,
        progress: progressOf(progress ?? []),
        contexts,
        contextsLeft: left?.count ?? 0,
        configs: next2(after.configs),
        errors: next2(after.errors),
        fingerprints: next2(after.fingerprints)
      };
      return page;
    },
    commit: (userId, changes) => queue.run(userId, async () => {
      const { revision: revision2, now, configs, errors, fingerprints, progress } = changes;
      const writes = [
        ...contextWrites(userId, changes),
        ...configs.map(({ extensionId, config: config2 }) => [replaceConfig, [userId, extensionId, config2]]),
        ...errors.map(({ seq, code, message, details }) => [replaceError, [userId, seq, code, message, details]]),
        ...fingerprints.map((each) => [replaceFingerprint, [userId, each.extensionId, each.messageId, each.fingerprint]])
      ];
      if (progress) {
        const { policy, run: run2, seq, counts, finishedAt } = progress;
        writes.push([saveProgress, [userId, policy, run2, seq, JSON.stringify(counts), finishedAt, now]]);
      }
      return await writeTransaction(pool, [bumpRevisionFrom, [userId, revision2]], writes) !== void 0;
    })
  };
}
function pageQueries(userId, { contexts, configs, errors, fingerprints }) {
  const queries = [];
  if (contexts) queries.push([readArrived, [userId, contexts.seq, contexts.limit]], [countArrived, [userId, contexts.seq]]);
  if (configs) queries.push([readConfigs, [userId, configs.extensionId, configs.limit]]);
  if (errors) queries.push([readErrors, [userId, errors.seq, errors.limit]]);
  if (fingerprints) queries.push([readFingerprints, [userId, fingerprints.extensionId, fingerprints.messageId, fingerprints.limit]]);
  return queries;
}
function progressOf([row]) {
  return row ? { ...row, counts: JSON.parse(row.counts) } : null;
}

// src/search/run-search.ts
import { limits as limits3 } from "@periscope/schemas";
import { setImmediate as nextTurn } from "node:timers/promises";

// src/search/analysis/languages.ts
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";

// src/search/analysis/fold.ts
var letters = {
  \u00DF: "ss",
  \u00E6: "ae",
  \u0153: "oe",
  \u00F8: "o",
  \u0142: "l",
  \u0111: "d",
  \u00F0: "d",
  \u00FE: "th",
  \u0127: "h",
  \u0131: "i",
  \u014B: "n",
  \u03C2: "\u03C3",
  \u0451: "\u0435"
};
var special = /[ßæœøłđðþħıŋςё]/g;
var accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]/g;
var shortI = /и\u0306/g;
var signs = /[^a-z0-9\u0080-\uffff]/g;
function foldWord(word2) {
  const lower = word2.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower.normalize("NFKD").replace(shortI, "\u0439").replace(accents, "").normalize("NFC").toLowerCase().replace(special, replaced).replace(signs, "");
}
var replaced = (letter) => letters[letter] ?? letter;
function isAscii(word2) {
  for (let at = 0; at < word2.length; at++) if (word2.charCodeAt(at) > 127) return false;
  return true;
}

// src/search/analysis/stem-english.ts
var exceptions = {
  skis: "ski",
  skies: "sky",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
  sky: "sky",
  news: "news",
  howe: "howe",
  atlas: "atlas",
  cosmos: "cosmos",
  bias: "bias",
  andes: "andes"
};
var afterStep1a = /* @__PURE__ */ new Set(["evening", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]);
var regionPrefix = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;
var nonVowelAfterVowel = /[aeiouy][^aeiouy]/;
var step2 = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["ogist", "og"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""]
];
var step3 = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""]
];
var step4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic".split(" ");
function stemEnglish(word2) {
  if (word2.length < 3) return word2;
  const known3 = Object.hasOwn(exceptions, word2) ? exceptions[word2] : void 0;
  if (known3 !== void 0) return known3;
  let stem = word2.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = regionPrefix.exec(stem)?.[0].length ?? afterNonVowel(stem, 0);
  const r2 = afterNonVowel(stem, r1);
  stem = plural(stem);
  if (afterStep1a.has(stem)) return stem;
  stem = verbEnding(stem, r1);
  if (/[^aeiouy][yY]$/.test(stem) && stem.length > 2) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnding(stem, step2, r1, r2);
  stem = replaceEnding(stem, step3, r1, r2);
  const ending = step4.find((candidate) => stem.endsWith(candidate));
  if (ending !== void 0 && stem.length - ending.length >= r2 && (ending !== "ion" || /[st]ion$/.test(stem)))
    stem = stem.slice(0, -ending.length);
  if (stem.endsWith("e") && (stem.length - 1 >= r2 || stem.length - 1 >= r1 && !endsShort(stem.slice(0, -1)))) stem = stem.slice(0, -1);
  else if (stem.endsWith("ll") && stem.length - 1 >= r2) stem = stem.slice(0, -1);
  return stem.replaceAll("Y", "y");
}
function afterNonVowel(stem, from) {
  const found = nonVowelAfterVowel.exec(stem.slice(from));
  return found ? from + found.index + 2 : stem.length;
}
function plural(stem) {
  if (stem.endsWith("sses")) return stem.slice(0, -2);
  if (/ie[sd]$/.test(stem)) return stem.slice(0, stem.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(stem)) return stem;
  return stem.endsWith("s") && /[aeiouy]/.test(stem.slice(0, -2)) ? stem.slice(0, -1) : stem;
}
function verbEnding(stem, r1) {
  const eed = /eed(?:ly)?$/.exec(stem);
  if (eed) return eed.index >= r1 ? `${stem.slice(0, eed.index)}ee` : stem;
  const found = /(?:ed|edly|ing|ingly)$/.exec(stem);
  if (!found) return stem;
  const rest = stem.slice(0, found.index);
  if (found[0] === "ing" && /^[^aeiouy][yY]$/.test(rest)) return `${rest[0] ?? ""}ie`;
  if (!/[aeiouy]/.test(rest)) return stem;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return /^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest) ? rest : rest.slice(0, -1);
  return rest.length <= r1 && endsShort(rest) ? `${rest}e` : rest;
}
function replaceEnding(stem, endings, r1, r2) {
  const found = endings.find(([ending2]) => stem.endsWith(ending2));
  if (!found) return stem;
  const [ending, by] = found;
  const rest = stem.slice(0, -ending.length);
  if (rest.length < r1) return stem;
  if (ending === "ogi" && !rest.endsWith("l")) return stem;
  if (ending === "li" && !/[cdeghkmnrt]$/.test(rest)) return stem;
  if (ending === "ative" && rest.length < r2) return stem;
  return rest + by;
}
function endsShort(stem) {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(stem) || /^[aeiouy][^aeiouy]$/.test(stem) || stem === "past";
}

// src/search/analysis/stop-word-lists.ts
var stopWordLists = {
  en: "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing a an the and but if or because as until while of at by for with about against between into through during before after above below to from up down in out on off over under again further then once here there when where why how all any both each few more most other some such no nor not only own same so than too very s t can will just don should now",
  de: "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm andern anderr anders auch auf aus bei bin bis bist da damit dann der den des dem die das da\xDF derselbe derselben denselben desselben demselben dieselbe dieselben dasselbe dazu dein deine deinem deinen deiner deines denn derer dessen dich dir du dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er ihn ihm es etwas euer eure eurem euren eurer eures f\xFCr gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich mich mir ihr ihre ihrem ihren ihrer ihres euch im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines k\xF6nnen k\xF6nnte machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie ihnen sind so solche solchem solchen solcher solches soll sollte sondern sonst \xFCber um und uns unse unsem unsen unser unses unter viel vom von vor w\xE4hrend war waren warst was weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird wirst wo wollen wollte w\xFCrde w\xFCrden zu zum zur zwar zwischen",
  fr: "au aux avec ce ces dans de des du elle en et eux il je la le leur lui ma mais me m\xEAme mes moi mon ne nos notre nous on ou par pas pour qu que qui sa se ses son sur ta te tes toi ton tu un une vos votre vous c d j l \xE0 m n s t y \xE9t\xE9 \xE9t\xE9e \xE9t\xE9es \xE9t\xE9s \xE9tant \xE9tante \xE9tants \xE9tantes suis es est sommes \xEAtes sont serai seras sera serons serez seront serais serait serions seriez seraient \xE9tais \xE9tait \xE9tions \xE9tiez \xE9taient fus fut f\xFBmes f\xFBtes furent sois soit soyons soyez soient fusse fusses f\xFBt fussions fussiez fussent ayant ayante ayantes ayants eu eue eues eus ai as avons avez ont aurai auras aura aurons aurez auront aurais aurait aurions auriez auraient avais avait avions aviez avaient eut e\xFBmes e\xFBtes eurent aie aies ait ayons ayez aient eusse eusses e\xFBt eussions eussiez eussent",
  es: "de la que el en y a los del se las por un para con no una su al lo como m\xE1s pero sus le ya o este s\xED porque esta entre cuando muy sin sobre tambi\xE9n me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos e esto m\xED antes algunos qu\xE9 unos yo otro otras otra \xE9l tanto esa estos mucho quienes nada muchos cual poco ella estar estas algunas algo nosotros mi mis t\xFA te ti tu tus ellas nosotras vosostros vosostras os m\xEDo m\xEDa m\xEDos m\xEDas tuyo tuya tuyos tuyas suyo suya suyos suyas nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras esos esas estoy est\xE1s est\xE1 estamos est\xE1is est\xE1n est\xE9 est\xE9s estemos est\xE9is est\xE9n estar\xE9 estar\xE1s estar\xE1 estaremos estar\xE9is estar\xE1n estar\xEDa estar\xEDas estar\xEDamos estar\xEDais estar\xEDan estaba estabas est\xE1bamos estabais estaban estuve estuviste estuvo estuvimos estuvisteis estuvieron estuviera estuvieras estuvi\xE9ramos estuvierais estuvieran estuviese estuvieses estuvi\xE9semos estuvieseis estuviesen estando estado estada estados estadas estad he has ha hemos hab\xE9is han haya hayas hayamos hay\xE1is hayan habr\xE9 habr\xE1s habr\xE1 habremos habr\xE9is habr\xE1n habr\xEDa habr\xEDas habr\xEDamos habr\xEDais habr\xEDan hab\xEDa hab\xEDas hab\xEDamos hab\xEDais hab\xEDan hube hubiste hubo hubimos hubisteis hubieron hubiera hubieras hubi\xE9ramos hubierais hubieran hubiese hubieses hubi\xE9semos hubieseis hubiesen habiendo habido habida habidos habidas soy eres es somos sois son sea seas seamos se\xE1is sean ser\xE9 ser\xE1s ser\xE1 seremos ser\xE9is ser\xE1n ser\xEDa ser\xEDas ser\xEDamos ser\xEDais ser\xEDan era eras \xE9ramos erais eran fui fuiste fue fuimos fuisteis fueron fuera fueras fu\xE9ramos fuerais fueran fuese fueses fu\xE9semos fueseis fuesen sintiendo sentido sentida sentidos sentidas siente sentid tengo tienes tiene tenemos ten\xE9is tienen tenga tengas tengamos teng\xE1is tengan tendr\xE9 tendr\xE1s tendr\xE1 tendremos tendr\xE9is tendr\xE1n tendr\xEDa tendr\xEDas tendr\xEDamos tendr\xEDais tendr\xEDan ten\xEDa ten\xEDas ten\xEDamos ten\xEDais ten\xEDan tuve tuviste tuvo tuvimos tuvisteis tuvieron tuviera tuvieras tuvi\xE9ramos tuvierais tuvieran tuviese tuvieses tuvi\xE9semos tuvieseis tuviesen teniendo tenido tenida tenidos tenidas tened",
  pt: "de a o que e do da em um para com n\xE3o uma os no se na por mais as dos como mas ao ele das \xE0 seu sua ou quando muito nos j\xE1 eu tamb\xE9m s\xF3 pelo pela at\xE9 isso ela entre depois sem mesmo aos seus quem nas me esse eles voc\xEA essa num nem suas meu \xE0s minha numa pelos elas qual n\xF3s lhe deles essas esses pelas este dele tu te voc\xEAs vos lhes meus minhas teu tua teus tuas nosso nossa nossos nossas dela delas esta estes estas aquele aquela aqueles aquelas isto aquilo estou est\xE1 estamos est\xE3o estive esteve estivemos estiveram estava est\xE1vamos estavam estivera estiv\xE9ramos esteja estejamos estejam estivesse estiv\xE9ssemos estivessem estiver estivermos estiverem hei h\xE1 havemos h\xE3o houve houvemos houveram houvera houv\xE9ramos haja hajamos hajam houvesse houv\xE9ssemos houvessem houver houvermos houverem houverei houver\xE1 houveremos houver\xE3o houveria houver\xEDamos houveriam sou somos s\xE3o era \xE9ramos eram fui foi fomos foram fora f\xF4ramos seja sejamos sejam fosse f\xF4ssemos fossem for formos forem serei ser\xE1 seremos ser\xE3o seria ser\xEDamos seriam tenho tem temos t\xE9m tinha t\xEDnhamos tinham tive teve tivemos tiveram tivera tiv\xE9ramos tenha tenhamos tenham tivesse tiv\xE9ssemos tivessem tiver tivermos tiverem terei ter\xE1 teremos ter\xE3o teria ter\xEDamos teriam",
  it: "ad al allo ai agli all agl alla alle con col coi da dal dallo dai dagli dall dagl dalla dalle di del dello dei degli dell degl della delle in nel nello nei negli nell negl nella nelle su sul sullo sui sugli sull sugl sulla sulle per tra contro io tu lui lei noi voi loro mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre mi ti ci vi lo la li le gli ne il un uno una ma ed se perch\xE9 anche come dov dove che chi cui non pi\xF9 quale quanto quanti quanta quante quello quelli quella quelle questo questi questa queste si tutto tutti a c e i l o ho hai ha abbiamo avete hanno abbia abbiate abbiano avr\xF2 avrai avr\xE0 avremo avrete avranno avrei avresti avrebbe avremmo avreste avrebbero avevo avevi aveva avevamo avevate avevano ebbi avesti ebbe avemmo aveste ebbero avessi avesse avessimo avessero avendo avuto avuta avuti avute sono sei \xE8 siamo siete sia siate siano sar\xF2 sarai sar\xE0 saremo sarete saranno sarei saresti sarebbe saremmo sareste sarebbero ero eri era eravamo eravate erano fui fosti fu fummo foste furono fossi fosse fossimo fossero essendo faccio fai facciamo fanno faccia facciate facciano far\xF2 farai far\xE0 faremo farete faranno farei faresti farebbe faremmo fareste farebbero facevo facevi faceva facevamo facevate facevano feci facesti fece facemmo faceste fecero facessi facesse facessimo facessero facendo sto stai sta stiamo stanno stia stiate stiano star\xF2 starai star\xE0 staremo starete staranno starei staresti starebbe staremmo stareste starebbero stavo stavi stava stavamo stavate stavano stetti stesti stette stemmo steste stettero stessi stesse stessimo stessero stando",
  nl: "de en van ik te dat die in een hij het niet zijn is was op aan met als voor had er maar om hem dan zou of wat mijn men dit zo door over ze zich bij ook tot je mij uit der daar haar naar heb hoe heeft hebben deze u want nog zal me zij nu ge geen omdat iets worden toch al waren veel meer doen toen moet ben zonder kan hun dus alles onder ja eens hier wie werd altijd doch wordt wezen kunnen ons zelf tegen na reeds wil kon niets uw iemand geweest andere",
  sv: "och det att i en jag hon som han p\xE5 den med var sig f\xF6r s\xE5 till \xE4r men ett om hade de av icke mig du henne d\xE5 sin nu har inte hans honom skulle hennes d\xE4r min man ej vid kunde n\xE5got fr\xE5n ut n\xE4r efter upp vi dem vara vad \xF6ver \xE4n dig kan sina h\xE4r ha mot alla under n\xE5gon eller allt mycket sedan ju denna sj\xE4lv detta \xE5t utan varit hur ingen mitt ni bli blev oss din dessa n\xE5gra deras blir mina samma vilken er s\xE5dan v\xE5r blivit dess inom mellan s\xE5dant varf\xF6r varje vilka ditt vem vilket sitta s\xE5dana vart dina vars v\xE5rt v\xE5ra ert era vilkas",
  ru: "\u0438 \u0432 \u0432\u043E \u043D\u0435 \u0447\u0442\u043E \u043E\u043D \u043D\u0430 \u044F \u0441 \u0441\u043E \u043A\u0430\u043A \u0430 \u0442\u043E \u0432\u0441\u0435 \u043E\u043D\u0430 \u0442\u0430\u043A \u0435\u0433\u043E \u043D\u043E \u0434\u0430 \u0442\u044B \u043A \u0443 \u0436\u0435 \u0432\u044B \u0437\u0430 \u0431\u044B \u043F\u043E \u0442\u043E\u043B\u044C\u043A\u043E \u0435\u0435 \u043C\u043D\u0435 \u0431\u044B\u043B\u043E \u0432\u043E\u0442 \u043E\u0442 \u043C\u0435\u043D\u044F \u0435\u0449\u0435 \u043D\u0435\u0442 \u043E \u0438\u0437 \u0435\u043C\u0443 \u0442\u0435\u043F\u0435\u0440\u044C \u043A\u043E\u0433\u0434\u0430 \u0434\u0430\u0436\u0435 \u043D\u0443 \u0432\u0434\u0440\u0443\u0433 \u043B\u0438 \u0435\u0441\u043B\u0438 \u0443\u0436\u0435 \u0438\u043B\u0438 \u043D\u0438 \u0431\u044B\u0442\u044C \u0431\u044B\u043B \u043D\u0435\u0433\u043E \u0434\u043E \u0432\u0430\u0441 \u043D\u0438\u0431\u0443\u0434\u044C \u043E\u043F\u044F\u0442\u044C \u0443\u0436 \u0432\u0430\u043C \u0432\u0435\u0434\u044C \u0442\u0430\u043C \u043F\u043E\u0442\u043E\u043C \u0441\u0435\u0431\u044F \u043D\u0438\u0447\u0435\u0433\u043E \u0435\u0439 \u043C\u043E\u0436\u0435\u0442 \u043E\u043D\u0438 \u0442\u0443\u0442 \u0433\u0434\u0435 \u0435\u0441\u0442\u044C \u043D\u0430\u0434\u043E \u043D\u0435\u0439 \u0434\u043B\u044F \u043C\u044B \u0442\u0435\u0431\u044F \u0438\u0445 \u0447\u0435\u043C \u0431\u044B\u043B\u0430 \u0441\u0430\u043C \u0447\u0442\u043E\u0431 \u0431\u0435\u0437 \u0431\u0443\u0434\u0442\u043E \u0447\u0435\u0433\u043E \u0440\u0430\u0437 \u0442\u043E\u0436\u0435 \u0441\u0435\u0431\u0435 \u043F\u043E\u0434 \u0431\u0443\u0434\u0435\u0442 \u0436 \u0442\u043E\u0433\u0434\u0430 \u043A\u0442\u043E \u044D\u0442\u043E\u0442 \u0442\u043E\u0433\u043E \u043F\u043E\u0442\u043E\u043C\u0443 \u044D\u0442\u043E\u0433\u043E \u043A\u0430\u043A\u043E\u0439 \u0441\u043E\u0432\u0441\u0435\u043C \u043D\u0438\u043C \u0437\u0434\u0435\u0441\u044C \u044D\u0442\u043E\u043C \u043E\u0434\u0438\u043D \u043F\u043E\u0447\u0442\u0438 \u043C\u043E\u0439 \u0442\u0435\u043C \u0447\u0442\u043E\u0431\u044B \u043D\u0435\u0435 \u0441\u0435\u0439\u0447\u0430\u0441 \u0431\u044B\u043B\u0438 \u043A\u0443\u0434\u0430 \u0437\u0430\u0447\u0435\u043C \u0432\u0441\u0435\u0445 \u043D\u0438\u043A\u043E\u0433\u0434\u0430 \u043C\u043E\u0436\u043D\u043E \u043F\u0440\u0438 \u043D\u0430\u043A\u043E\u043D\u0435\u0446 \u0434\u0432\u0430 \u043E\u0431 \u0434\u0440\u0443\u0433\u043E\u0439 \u0445\u043E\u0442\u044C \u043F\u043E\u0441\u043B\u0435 \u043D\u0430\u0434 \u0431\u043E\u043B\u044C\u0448\u0435 \u0442\u043E\u0442 \u0447\u0435\u0440\u0435\u0437 \u044D\u0442\u0438 \u043D\u0430\u0441 \u043F\u0440\u043E \u0432\u0441\u0435\u0433\u043E \u043D\u0438\u0445 \u043A\u0430\u043A\u0430\u044F \u043C\u043D\u043E\u0433\u043E \u0440\u0430\u0437\u0432\u0435 \u0442\u0440\u0438 \u044D\u0442\u0443 \u043C\u043E\u044F \u0432\u043F\u0440\u043E\u0447\u0435\u043C \u0445\u043E\u0440\u043E\u0448\u043E \u0441\u0432\u043E\u044E \u044D\u0442\u043E\u0439 \u043F\u0435\u0440\u0435\u0434 \u0438\u043D\u043E\u0433\u0434\u0430 \u043B\u0443\u0447\u0448\u0435 \u0447\u0443\u0442\u044C \u0442\u043E\u043C \u043D\u0435\u043B\u044C\u0437\u044F \u0442\u0430\u043A\u043E\u0439 \u0438\u043C \u0431\u043E\u043B\u0435\u0435 \u0432\u0441\u0435\u0433\u0434\u0430 \u043A\u043E\u043D\u0435\u0447\u043D\u043E \u0432\u0441\u044E \u043C\u0435\u0436\u0434\u0443"
};

// src/search/analysis/languages.ts
var languages = ["en", "de", "fr", "es", "pt", "it", "nl", "sv", "ru"];
var defaultLanguage = "en";
var stemmers = {
  en: stemEnglish,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  nl: dutch,
  sv: swedish,
  ru: russian
};
var stopWords = {
  en: stopSet("en"),
  de: stopSet("de"),
  fr: stopSet("fr"),
  es: stopSet("es"),
  pt: stopSet("pt"),
  it: stopSet("it"),
  nl: stopSet("nl"),
  sv: stopSet("sv"),
  ru: stopSet("ru")
};
function stopSet(language) {
  return new Set(stopWordLists[language].split(/[ '\u2019]/).map(foldWord));
}

// src/search/analysis/detect-language.ts
var sampleUnits = 300;
var wordPattern = /[\p{L}\p{M}]+/gu;
var letterPattern = /[\p{L}\p{M}]/u;
var declaredWeight = 2;
var letters2 = [
  ["\xDF", ["de"]],
  ["\xE4\xF6", ["de", "sv"]],
  ["\xFC", ["de"]],
  ["\xE5", ["sv"]],
  ["\xF1\xBF\xA1", ["es"]],
  ["\xE3\xF5", ["pt"]],
  ["\xE7", ["fr", "pt"]],
  ["\u0153\xF9\xFB\xEE", ["fr"]],
  ["\xE8\xE0", ["fr", "it"]],
  ["\xEC\xF2", ["it"]],
  ["\xEA\xE2\xF4", ["fr", "pt"]],
  ["\xED\xF3\xFA\xE1", ["es", "pt"]],
  ["\xE9", ["fr", "es", "pt"]],
  ["\xEB", ["nl"]]
];
var byLetter = new Map(letters2.flatMap(([all, of]) => Array.from(all, (letter) => [letter, of])));
var byEnding = new Map(
  Object.entries({
    de: "ung ich isch keit heit chen lich eit",
    fr: "eux eau ent eur oir ait que aux tion",
    es: "ci\xF3n dad ado ida i\xF3n ones oso iento",
    pt: "\xE7\xE3o \xF5es ade ado inho agem mento",
    it: "zione t\xE0 it\xE0 ato iere elli etto oni ogni",
    nl: "ijk oor aan ijd aal eid ing oen",
    sv: "het lig ning arna erna ade era",
    en: "tion ing ness ight ould ous ly ment"
  }).flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language]))
);
var letterWeight = 0.4;
var endingWeight = 0.25;
var stopLanguages = /* @__PURE__ */ new Map();
for (const language of languages)
  for (const word2 of stopWords[language]) stopLanguages.set(word2, [...stopLanguages.get(word2) ?? [], language]);
var knownClues = /* @__PURE__ */ new Map();
var knownMax = 1e4;
function cluesOf(word2) {
  const known3 = knownClues.get(word2);
  if (known3) return known3;
  const found = findClues(word2);
  if (word2.length > 12) return found;
  if (knownClues.size >= knownMax) knownClues.clear();
  knownClues.set(word2, found);
  return found;
}
var isInWord = new Uint8Array(65536);
var [no, yes] = [1, 2];
function detectPageLanguage(title, text, declared) {
  return languageOfSample(sampleOf(`${title}
`, text), declared);
}
function languageOfSample(sample, declared) {
  const scores = new Float64Array(languages.length);
  const named = languages.findIndex((language) => language === declared.toLowerCase().split("-")[0]);
  if (named >= 0) scores[named] = declaredWeight;
  eachWord(sample.toLowerCase(), (text, start2, end2) => {
    for (const { place, weight } of cluesOf(text.slice(start2, end2))) scores[place] = (scores[place] ?? 0) + weight;
  });
  let best = languages.indexOf(defaultLanguage);
  for (let place = 0; place < scores.length; place++) if ((scores[place] ?? 0) > (scores[best] ?? 0) + 1e-9) best = place;
  return languages[best] ?? defaultLanguage;
}
function sampleOf(head, text) {
  const length = head.length + text.length;
  if (length <= 2 * sampleUnits) return head + text;
  const middle = (length >> 1) - head.length;
  const first = (head.slice(0, sampleUnits) + text.slice(0, sampleUnits)).slice(0, sampleUnits);
  const second = middle >= 0 ? text.slice(middle, middle + sampleUnits) : (head + text).slice(length >> 1, (length >> 1) + sampleUnits);
  return `${first} ${second}`;
}
function eachWord(text, take) {
  if (hasPairs.test(text)) {
    for (const { 0: word2, index } of text.matchAll(wordPattern)) take(text, index, index + word2.length);
    return;
  }
  for (let at = 0; at < text.length; at++) {
    if (!isLetterAt(text, at)) continue;
    const start2 = at;
    while (at < text.length && isLetterAt(text, at)) at++;
    take(text, start2, at);
  }
}
var hasPairs = /[\ud800-\udfff]/;
function isLetterAt(text, at) {
  const unit = text.charCodeAt(at);
  return (isInWord[unit] ||= letterPattern.test(text.charAt(at)) ? yes : no) === yes;
}
function findClues(word2) {
  const found = [];
  const add = (of, weight) => void found.push(...of.map((language) => ({ place: languages.indexOf(language), weight: weight / of.length })));
  const first = word2.charCodeAt(0);
  if (first >= 1024 && first < 1328) {
    add(["ru"], 1);
    return found;
  }
  add(stopLanguages.get(foldWord(word2)) ?? [], 1);
  for (let length = 2; length <= 5 && length < word2.length; length++) {
    const ending = byEnding.get(word2.slice(-length));
    if (ending) add([ending], endingWeight);
  }
  for (const letter of word2) add(byLetter.get(letter) ?? [], letterWeight);
  return found;
}

// src/search/analysis/scan.ts
var kinds = {
  separator: 1,
  /** A letter that is not upper case, a number that is no digit, a private-use character. */
  letter: 2,
  upper: 3,
  digit: 4,
  /** A combining mark: part of the character before it. */
  mark: 5,
  /** A character of a script that puts no spaces between words, or whose words grow by what is written onto them. */
  dense: 6,
  /** A sign that may join words into one: `node.js`, `snake_case`, `wi-fi`, `l'été`. */
  joiner: 7
};
var densePattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u;
var markPattern = /[\p{M}\uff9e\uff9f]/u;
var upperPattern = /[\p{Lu}\p{Lt}]/u;
var digitPattern = /\p{Nd}/u;
var letterPattern2 = /[\p{L}\p{N}\p{Co}]/u;
var joiners = "-._'\u2019\u2010\u2011";
var known = new Uint8Array(65536);
function kindAt(text, at) {
  const unit = text.charCodeAt(at);
  if (unit >= 55296 && unit <= 57343) return kindOfPair(text, at, unit);
  return (known[unit] ||= kindOf2(String.fromCharCode(unit))) || kinds.separator;
}
function kindOfPair(text, at, unit) {
  const start2 = unit >= 56320 ? at - 1 : at;
  const point = start2 < 0 ? void 0 : text.codePointAt(start2);
  return point === void 0 || point < 65536 ? kinds.separator : kindOf2(String.fromCodePoint(point));
}
function kindOf2(character) {
  if (joiners.includes(character)) return kinds.joiner;
  if (markPattern.test(character)) return kinds.mark;
  if (densePattern.test(character)) return letterPattern2.test(character) ? kinds.dense : kinds.separator;
  if (upperPattern.test(character)) return kinds.upper;
  if (digitPattern.test(character)) return kinds.digit;
  return letterPattern2.test(character) ? kinds.letter : kinds.separator;
}
var joinedWordsMax = 6;
var joinedUnitsMax = 64;
var hasLetter = /\p{L}/u;
function scan(text, sink, from = 0, to = text.length) {
  let at = from;
  while (at < to && sink.isDone !== true) {
    const kind = kindAt(text, at);
    if (kind === kinds.dense) at = scanDense(text, at, to, sink);
    else if (kind === kinds.letter || kind === kinds.upper || kind === kinds.digit) at = scanIdentifier(text, at, to, sink);
    else at++;
  }
}
function scanIdentifier(text, from, to, sink) {
  let at = from;
  let words = 0;
  let segments = 0;
  let lastStart = at;
  for (; ; ) {
    const segmentStart = at;
    const wordsBefore = words;
    for (; ; ) {
      const end2 = wordEnd(text, at, to);
      sink.word(at, end2);
      lastStart = at;
      words++;
      at = end2;
      if (at >= to || !isWordKind(kindAt(text, at))) break;
    }
    segments++;
    const parts = words - wordsBefore;
    if (parts > 1) join3(sink, text, { start: segmentStart, end: at, words: parts });
    const joins = at + 1 < to && kindAt(text, at) === kinds.joiner && isWordKind(kindAt(text, at + 1));
    if (!joins) break;
    at++;
  }
  if (segments > 1) join3(sink, text, { start: from, end: at, words });
  const signed = signedAround(text, { start: lastStart, end: at, isAlone: lastStart === from }, to);
  if (signed) sink.joined(signed.start, signed.end, 1);
  return at;
}
function signedAround(text, { start: start2, end: end2, isAlone }, to) {
  const sign = end2 < to ? text.charCodeAt(end2) : 0;
  if (sign === plus)
    return end2 + 1 < to && text.charCodeAt(end2 + 1) === plus && end2 - start2 <= joinedUnitsMax ? { start: start2, end: end2 + 2 } : void 0;
  if (sign === sharp)
    return end2 - start2 === 1 && hasLetter.test(text[start2] ?? "") && !(end2 + 1 < to && isWordKind(kindAt(text, end2 + 1))) ? { start: start2, end: end2 + 1 } : void 0;
  const isNet = isAlone && end2 - start2 === 3 && start2 > 0 && text[start2 - 1] === "." && isSigned(text.slice(start2 - 1, end2));
  return isNet && !(start2 > 1 && isWordKind(kindAt(text, start2 - 2))) ? { start: start2 - 1, end: end2 } : void 0;
}
var plus = 43;
var sharp = 35;
function join3(sink, text, { start: start2, end: end2, words }) {
  if (words > joinedWordsMax || end2 - start2 > joinedUnitsMax) return;
  if (hasLetterIn(text, start2, end2)) sink.joined(start2, end2, words);
}
function hasLetterIn(text, start2, end2) {
  for (let at = start2; at < end2; at++) {
    const unit = text.charCodeAt(at) | 32;
    if (unit >= 97 && unit <= 122) return true;
    if (unit > 127) return hasLetter.test(text.slice(at, end2));
  }
  return false;
}
function isWordKind(kind) {
  return kind === kinds.letter || kind === kinds.upper || kind === kinds.digit;
}
function wordEnd(text, start2, to) {
  let at = start2;
  let before = kinds.separator;
  let beforeThat = kinds.separator;
  while (at < to) {
    const kind = kindAt(text, at);
    if (kind === kinds.letter && before === kinds.letter) {
      beforeThat = kinds.letter;
      at++;
      continue;
    }
    const isPairEnd = (text.charCodeAt(at) & 64512) === 56320;
    if (kind === kinds.mark || isPairEnd && at > start2) {
      at++;
      continue;
    }
    if (!isWordKind(kind)) return at;
    if (kind === kinds.upper && before === kinds.letter) return at;
    if (kind === kinds.letter && before === kinds.upper && beforeThat === kinds.upper && !isPlural(text, at, to)) return at - 1;
    beforeThat = before;
    before = kind;
    at++;
  }
  return at;
}
function isPlural(text, at, to) {
  return text[at] === "s" && (at + 1 >= to || !isWordKind(kindAt(text, at + 1)));
}
function scanDense(text, from, to, sink) {
  let start2 = from;
  let end2 = clusterEnd(text, start2, to);
  while (end2 < to && kindAt(text, end2) === kinds.dense && sink.isDone !== true) {
    const next2 = clusterEnd(text, end2, to);
    sink.gram(start2, end2, next2);
    start2 = end2;
    end2 = next2;
  }
  sink.gram(start2, end2, end2);
  return end2;
}
function clusterEnd(text, start2, to) {
  let at = start2 + 1;
  if ((text.charCodeAt(start2) & 64512) === 55296) at++;
  while (at < to && kindAt(text, at) === kinds.mark) at++;
  return at;
}
var joinerPattern = new RegExp(`[${joiners}]`, "g");
var signPattern = /(?:\+\+|#)$|^\.net$/i;
var isSigned = (text) => signPattern.test(text);
function withoutJoiners(text) {
  const named = isSigned(text) ? text.replace("++", "plusplus").replace("#", "sharp").replace(/^\./, "dot") : text;
  return named.replace(joinerPattern, "");
}

// src/search/analysis/term-stream.ts
function readTerms(text, language, sink) {
  const termsOf3 = wordTermsIn(language);
  let pending;
  let isAfterDense = false;
  const flush = () => {
    if (pending) sink.term(pending.term, pending.start, pending.end);
    pending = void 0;
  };
  scan(text, {
    get isDone() {
      return sink.isDone === true;
    },
    word(start2, end2) {
      flush();
      if (sink.isWantedAt?.(start2) === false) {
        pending = { term: "", start: start2, end: end2 };
        return;
      }
      const { term, accented } = termsOf3(text.slice(start2, end2));
      if (term === "") return;
      pending = { term, start: start2, end: end2 };
      if (accented !== void 0) sink.form(accented, "accented", start2, end2);
    },
    joined(start2, end2) {
      if (sink.isWantedAt?.(start2) === false) return;
      const whole = text.slice(start2, end2);
      const { term } = termsOf3(whole);
      if (term === "") return;
      if (isSigned(whole) && pending) {
        if (pending.term !== "") sink.form(pending.term, "joined", pending.start, pending.end);
        pending = { term, start: start2, end: end2 };
      } else {
        sink.form(term, "joined", start2, end2);
      }
    },
    gram(start2, end2, pairEnd) {
      flush();
      const character = foldWord(text.slice(start2, end2));
      if (pairEnd > end2) sink.term(foldWord(text.slice(start2, pairEnd)), start2, pairEnd);
      else if (!isAfterDense) sink.term(character, start2, end2);
      if (pairEnd > end2 || isAfterDense) sink.form(character, "character", start2, end2);
      isAfterDense = pairEnd > end2;
    }
  });
  flush();
}
function wordsOf(text) {
  const words = [];
  let runStart = -1;
  scan(text, {
    word: (start2, end2) => void words.push(foldWord(text.slice(start2, end2))),
    joined(start2, end2) {
      const whole = text.slice(start2, end2);
      if (isSigned(whole)) words.splice(-1, 1, foldWord(withoutJoiners(whole)));
    },
    gram(start2, end2, pairEnd) {
      if (runStart < 0) runStart = start2;
      if (pairEnd > end2) return;
      words.push(foldWord(text.slice(runStart, end2)));
      runStart = -1;
    }
  });
  return words.filter((word2) => word2 !== "");
}
var unitsMax = 64;
var wordsMax = 2e4;
var known2 = /* @__PURE__ */ new Map();
function wordTermsIn(language) {
  const words = known2.get(language) ?? /* @__PURE__ */ new Map();
  known2.set(language, words);
  return (word2) => {
    const found = words.get(word2);
    if (found) return found;
    const terms = termsOf(withoutJoiners(word2), language);
    if (word2.length <= unitsMax) {
      if (words.size >= wordsMax) words.clear();
      words.set(copyOf(word2), terms);
    }
    return terms;
  };
}
function termsOf(word2, language) {
  const plain = foldWord(word2).slice(0, unitsMax);
  const term = stemOf(plain, language);
  const accented = isAscii(word2) ? term : foldWord(stemOf(word2.normalize("NFC").toLowerCase().slice(0, unitsMax), language));
  return { term, accented: accented === term || accented === "" ? void 0 : accented };
}
function stemOf(word2, language) {
  return word2.length < 3 || /\d/.test(word2) ? word2 : stemmers[language](word2) || word2;
}
var sliceUnitsMin = 13;
var copyOf = (slice) => slice.length < sliceUnitsMin ? slice : slice.split("").join("");

// src/search/correct-query.ts
var alphabets = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^[а-я]+$/, "\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439\u043A\u043B\u043C\u043D\u043E\u043F\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u0449\u044A\u044B\u044C\u044D\u044E\u044F"],
  [/^[α-ω]+$/, "\u03B1\u03B2\u03B3\u03B4\u03B5\u03B6\u03B7\u03B8\u03B9\u03BA\u03BB\u03BC\u03BD\u03BE\u03BF\u03C0\u03C1\u03C3\u03C4\u03C5\u03C6\u03C7\u03C8\u03C9"]
];
var [lettersMin, lettersMax] = [4, 24];
var wordsMax2 = 3;
var countMax = 1e3;
var candidatesMax = 3;
var textsMax = 5;
var textUnitsMax = 5e4;
var partsMax = 8;
async function correctQuery(index, { query, unknown, languages: languages2, visible }) {
  const lookups = languages2.map((language) => wordTermsIn(language));
  for (const { word: word2 = "" } of unknown.slice(0, wordsMax2)) {
    const near = edits(word2);
    const matches = /* @__PURE__ */ new Map();
    for (const text2 of near) {
      const terms = [...new Set(lookups.map((termsOf3) => termsOf3(text2).term))];
      matches.set(terms.join(" "), allOf([anyOf(terms.map(wordTerm)), ...visible]));
    }
    const there = await existing(index, [...matches.values()]);
    const text = await mostFrequent(index, there, new Set(near));
    const corrected = text === void 0 ? void 0 : replaceWord(query, word2, text);
    if (corrected !== void 0) return corrected;
  }
  return void 0;
}
function edits(word2) {
  const letters3 = alphabets.find(([pattern]) => pattern.test(word2))?.[1];
  if (letters3 === void 0 || word2.length < lettersMin || word2.length > lettersMax) return [];
  const found = /* @__PURE__ */ new Set();
  const cut = (from, by, to) => void found.add(word2.slice(0, from) + by + word2.slice(to));
  for (let at = 0; at + 1 < word2.length; at++) cut(at, word2.charAt(at + 1) + word2.charAt(at), at + 2);
  for (let at = 0; at <= word2.length; at++) for (const letter of letters3) cut(at, letter, at);
  for (let at = 0; at < word2.length; at++) for (const letter of letters3) cut(at, letter, at + 1);
  for (let at = 0; at < word2.length; at++) cut(at, "", at + 1);
  found.delete(word2);
  return [...found];
}
async function existing(index, matches, parts = partsMax) {
  const size = Math.max(1, Math.ceil(matches.length / parts));
  const groups = Array.from({ length: Math.ceil(matches.length / size) }, (_, at) => matches.slice(at * size, (at + 1) * size));
  if (groups.length === 0) return [];
  const counts = await index.count(groups.map(anyOf), 1);
  const found = [];
  for (const [at, group] of groups.entries())
    if ((counts[at]?.count ?? 0) > 0) found.push(...group.length === 1 ? group : await existing(index, group));
  return found;
}
async function mostFrequent(index, matches, near) {
  const counts = await index.count(matches, countMax);
  const byCount = matches.map((match, at) => ({ match, count: counts[at]?.count ?? 0 })).sort((one, other) => other.count - one.count);
  for (const { match } of byCount.slice(0, candidatesMax)) {
    const { rows } = await index.rank({ match, words: [], limit: textsMax });
    const words = /* @__PURE__ */ new Map();
    for await (const { title, url: url2, text } of index.page(rows.slice(0, textsMax)))
      for (const written2 of wordsOf(`${title}
${text.slice(0, textUnitsMax)}
${url2}`))
        if (near.has(written2)) words.set(written2, (words.get(written2) ?? 0) + 1);
    const [best] = [...words].sort(([, one], [, other]) => other - one);
    if (best) return best[0];
  }
  return void 0;
}
function replaceWord(query, word2, by) {
  let isFound = false;
  const corrected = query.replace(/[\p{L}\p{N}\p{M}\p{Co}]+/gu, (typed) => {
    if (foldWord(typed) !== word2) return typed;
    isFound = true;
    return by;
  });
  return isFound ? corrected : void 0;
}

// src/search/parse-query.ts
var brackets = /[()[\]{}<>^*,;|!?"]+/;
var typographicQuotes = /[\u201c-\u201f\u00ab\u00bb\uff02]/g;
function parseQuery(query) {
  const tokens = tokensOf(query.replace(typographicQuotes, '"'));
  const language = languageOf(tokens);
  return expressionOf(tokens, language) ?? (language === "en" ? void 0 : expressionOf(tokens, "en"));
}
function expressionOf(tokens, language) {
  const all = /* @__PURE__ */ new Map();
  const none = /* @__PURE__ */ new Map();
  for (const group of groupsOf(tokens)) {
    const [first] = group;
    if (first.excluded) none.set(keyOf(first.term), first.term);
    const terms = group.filter((token) => !token.excluded && !isStop(token.term, language)).map(({ term }) => term);
    if (terms.length > 0) all.set(terms.map(keyOf).join("|"), terms);
  }
  return all.size === 0 ? void 0 : { all: [...all.values()], none: [...none.values()] };
}
function groupsOf(tokens) {
  const groups = [];
  let joins = false;
  for (const [at, token] of tokens.entries()) {
    const last = groups.at(-1);
    if (joins && last) {
      last.push(token);
      joins = false;
    } else if (token.isOr && last && canJoin(last[0]) && canJoin(tokens[at + 1])) {
      joins = true;
    } else {
      groups.push([token]);
    }
  }
  return groups;
}
function canJoin(token) {
  return token !== void 0 && !token.isOr && !token.excluded;
}
var keyOf = ({ words, isPhrase }) => isPhrase ? `"${words.join(" ")}` : words.join(" ");
function isStop({ words, isPhrase }, language) {
  return (!isPhrase || words.length === 1) && words.every((word2) => stopWords.en.has(word2) || stopWords[language].has(word2));
}
function languageOf(tokens) {
  const words = new Set(
    tokens.filter(({ term, excluded, isOr }) => !term.isPhrase && !excluded && !isOr).flatMap(({ term }) => term.words)
  );
  const stops = (language) => [...words].filter((word2) => stopWords[language].has(word2)).length;
  let best = "en";
  for (const language of languages) if (stops(language) >= 2 && stops(language) > stops(best)) best = language;
  return best;
}
function tokensOf(query) {
  const tokens = [];
  const push = (text, kind, excluded) => {
    const words = wordsOf(text);
    if (words.length > 0) tokens.push({ term: { text, words, isPhrase: kind === "phrase" }, isOr: kind === "or", excluded });
  };
  let at = 0;
  while (at < query.length) {
    if (isSpace(query, at)) {
      at++;
      continue;
    }
    const atStart = at === 0 || isSpace(query, at - 1);
    const excluded = atStart && query[at] === "-" && at + 1 < query.length && query[at + 1] !== "-" && !isSpace(query, at + 1);
    const start2 = excluded ? at + 1 : at;
    const close = query[start2] === '"' ? query.indexOf('"', start2 + 1) : -1;
    if (close > start2) {
      push(query.slice(start2 + 1, close), "phrase", excluded);
      at = close + 1;
      continue;
    }
    let end2 = start2 + 1;
    while (end2 < query.length && !isSpace(query, end2) && !opensPhrase(query, end2)) end2++;
    const text = query.slice(start2, end2);
    if (text === "OR" && !excluded) push(text, "or", false);
    else for (const part of text.split(brackets)) push(part, "word", excluded);
    at = end2;
  }
  return tokens;
}
function isSpace(query, at) {
  return /\s/.test(query.charAt(at));
}
function opensPhrase(query, at) {
  return query[at] === '"' && query.includes('"', at + 1);
}

// src/search/query-plan.ts
var groupsMax = 32;
function planQuery({ all, none }, languages2) {
  const groups = all.flatMap((alternatives) => groupOf(alternatives, languages2) ?? []);
  const excluded = none.flatMap((term) => groupOf([term], languages2) ?? []);
  return { groups: groups.slice(0, groupsMax), none: excluded.slice(0, 8 * groupsMax) };
}
function groupOf(alternatives, languages2) {
  const phrases = distinct(alternatives.flatMap((term) => languages2.flatMap((language) => phrasesOf(term, language))));
  if (phrases.length === 0) return void 0;
  const [only, ...others] = alternatives;
  const isSingle = only !== void 0 && others.length === 0;
  return {
    phrases,
    word: isSingle && only.words.length === 1 ? only.words[0] : void 0,
    isRequired: !isSingle || only.isPhrase,
    parts: isSingle && !only.isPhrase ? partsOf(phrases) : [],
    isDense: isSingle && isDense(only.text)
  };
}
function phrasesOf({ text, isPhrase }, language) {
  const terms = [];
  const forms = [];
  let starts = -1;
  let ends = 0;
  const whole = [];
  readTerms(text, language, {
    term(term, start2, end2) {
      terms.push(term);
      starts = starts < 0 ? start2 : starts;
      ends = end2;
    },
    form(form, kind, start2, end2) {
      if (kind === "accented") forms.push(form);
      else if (kind === "joined") whole.push({ form, start: start2, end: end2 });
    }
  });
  if (terms.length === 0) return [];
  const alternatives = [terms];
  if (terms.length === 1) alternatives.push(...forms.map((form) => [form]));
  if (!isPhrase) alternatives.push(...whole.filter(({ start: start2, end: end2 }) => start2 <= starts && end2 >= ends).map(({ form }) => [form]));
  return alternatives;
}
function partsOf(phrases) {
  const longest = Math.max(...phrases.map(({ length }) => length));
  if (longest < 2) return [];
  const [lists, wholes] = [phrases.filter(({ length }) => length === longest), phrases.filter(({ length }) => length === 1)];
  return Array.from({ length: longest }, (_, at) => ({
    // Who has it as one word has each of its parts.
    phrases: distinct([...lists.map((list) => [list[at] ?? ""]), ...wholes]),
    word: void 0,
    isRequired: false,
    parts: [],
    isDense: false
  }));
}
function isDense(text) {
  let hasCharacters = false;
  readTerms(text, defaultLanguage, { term: () => {
  }, form: (_form, kind) => void (hasCharacters ||= kind === "character") });
  return hasCharacters;
}
function distinct(phrases) {
  return [...new Map(phrases.map((phrase) => [phrase.join(" "), phrase])).values()];
}
function matchOf({ phrases }) {
  return anyOf(phrases.map((phrase) => phrase.length === 1 ? wordTerm(phrase[0] ?? "") : { phrase: phrase.map(wordTerm) }));
}
function matchAll(groups, none) {
  return allOf(groups.map(matchOf), none.map(matchOf));
}

// src/search/stored-terms.ts
import { deflateRawSync, inflateRawSync } from "node:zlib";
var contentTermsMax = 8e3;
function encodeTerms({ language, title, meta, content: content2, forms }) {
  const lines = [
    `${language} ${title.length} ${meta.length} ${content2.length}`,
    title.join(" "),
    meta.join(" "),
    (content2.length > contentTermsMax ? content2.slice(0, contentTermsMax) : content2).join(" "),
    forms.join(" ")
  ];
  return deflateRawSync(lines.join("\n"), { level: 2, memLevel: 9 });
}
function decodeTerms(bytes) {
  const [head = "", title = "", meta = "", content2 = "", forms = ""] = inflateRawSync(bytes).toString("utf8").split("\n");
  const [name, ...counts] = head.split(" ");
  const [titleLength = 0, metaLength = 0, contentLength = 0] = counts.map(Number);
  return {
    language: languages.find((language) => language === name) ?? defaultLanguage,
    title: ` ${title} `,
    meta: ` ${meta} `,
    content: ` ${content2} `,
    forms: ` ${forms} `,
    lengths: [titleLength, metaLength, contentLength]
  };
}

// src/search/ranking.ts
var [k1, b] = [1.2, 0.75];
var fieldWeights2 = [4, 1, 1];
var content = 2;
var nearShare = 0.2;
var nearMax = 8;
var nearCharsMax = 200;
var occurrencesMax = 100;
var steps = 1e3;
function idf(frequency, size) {
  const all = Math.max(size, frequency);
  return Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
}
function rankCandidates(candidates, input) {
  const read = candidates.map((candidate) => ({ candidate, terms: decodeTerms(candidate.terms) }));
  const averages = usualLengths.map(
    (usual, field) => averageLength(
      read.map(({ terms }) => terms.lengths[field] ?? 0),
      usual
    )
  );
  const isTitle = titleTest(input.query);
  const scored = read.map(({ candidate, terms }) => ({
    candidate,
    terms,
    score: isTitle(terms) ? 1 : Math.min(0.999, strength(terms, input, averages))
  }));
  const isTopic = input.groups.length >= 3 && !input.groups.some(({ isRequired }) => isRequired);
  if (isTopic) addFeedback(scored, input.groups, averages);
  const ranked = scored.map(({ candidate: { row, contextId, capturedAt }, terms, score }) => ({
    row,
    contextId,
    capturedAt,
    language: terms.language,
    relevance: Math.max(1, Math.round(score * steps)) / steps
  }));
  return ranked.sort(
    (one, other) => other.relevance - one.relevance || other.capturedAt - one.capturedAt || (one.contextId < other.contextId ? -1 : Number(one.contextId > other.contextId))
  );
}
var usualLengths = [6, 12, 300];
function averageLength(lengths, usual) {
  return (lengths.reduce((sum, each) => sum + each, 0) + usual) / (lengths.length + 1);
}
function titleTest(query) {
  const byLanguage = /* @__PURE__ */ new Map();
  return ({ language, title }) => {
    let wanted = byLanguage.get(language);
    if (wanted === void 0) {
      const terms = [];
      readTerms(query, language, { term: (term) => void terms.push(term), form: () => {
      } });
      byLanguage.set(language, wanted = ` ${terms.join(" ")} `);
    }
    return wanted.trim() !== "" && title === wanted;
  };
}
function strength(terms, { groups, weights: weights2 }, averages) {
  const fields = [terms.title, terms.meta, terms.content];
  const places = groups.map(({ phrases }) => fields.map((field) => placesOf(phrases, field)));
  let [reached, all, near, nearAll] = [0, 0, 0, 0];
  for (const [index, group] of groups.entries()) {
    const weight = weights2[index] ?? 0;
    const own = places[index] ?? [];
    const counts = own.map((places2) => places2.length);
    if (!counts.some((count2) => count2 > 0) && placesOf(group.phrases, terms.forms).length > 0) counts[content] = 1;
    all += weight;
    reached += weight * saturated(counts, terms.lengths, averages);
    const before = places[index - 1];
    if (!before) continue;
    const pairWeight = Math.min(weight, weights2[index - 1] ?? 0);
    nearAll += pairWeight;
    near += pairWeight * Math.max(...fields.map((field, at) => nearness(field, before[at] ?? [], own[at] ?? [])));
  }
  if (all === 0) return 0;
  const matched = reached / all;
  return nearAll === 0 ? matched : matched + (1 - matched) * nearShare * near / nearAll;
}
function saturated(counts, lengths, averages) {
  let frequency = 0;
  for (const [field, count2] of counts.entries())
    if (count2 > 0) frequency += (fieldWeights2[field] ?? 1) * count2 / (1 - b + b * (lengths[field] ?? 0) / (averages[field] ?? 1));
  return frequency / (frequency + k1);
}
function placesOf(phrases, field) {
  const places = [];
  for (const phrase of phrases) {
    const wanted = ` ${phrase.join(" ")} `;
    for (let at = field.indexOf(wanted); at >= 0 && places.length < occurrencesMax; at = field.indexOf(wanted, at + wanted.length - 1))
      places.push(at);
  }
  return phrases.length > 1 ? places.sort((one, other) => one - other) : places;
}
function nearness(field, before, after) {
  let best = nearMax + 1;
  let next2 = 0;
  for (const place of before) {
    while (next2 < after.length && (after[next2] ?? 0) < place) next2++;
    for (const other of [after[next2], after[next2 - 1]]) {
      if (other === void 0 || Math.abs(other - place) > nearCharsMax) continue;
      const apart = wordsBetween(field, Math.min(place, other), Math.max(place, other));
      best = Math.min(best, Math.max(1, other < place ? apart + 1 : apart));
    }
    if (best === 1) break;
  }
  return best > nearMax ? 0 : 1 / best;
}
function wordsBetween(field, from, to) {
  let words = 0;
  for (let at = from + 1; at <= to; at++) if (field.charCodeAt(at) === space) words++;
  return words;
}
var modelsMax = 8;
var modelPart = 0.5;
var poolMin = 20;
var wordsLookedMax = 150;
var wordsMax3 = 20;
var feedbackShare = 0.4;
function addFeedback(scored, groups, averages) {
  if (scored.length < poolMin) return;
  const known3 = new Set(groups.flatMap(({ phrases }) => phrases.flat()));
  const best = scored.toSorted((one, other) => other.score - one.score).slice(0, modelsMax);
  const models = best.filter(({ score }) => score >= modelPart * (best[0]?.score ?? 0));
  const shares = /* @__PURE__ */ new Map();
  for (const { terms, score } of models) {
    const words = [...terms.title.split(" "), ...terms.content.split(" ")];
    for (const word2 of words) if (word2 !== "" && !known3.has(word2)) shares.set(word2, (shares.get(word2) ?? 0) + score ** 2 / words.length);
  }
  const looked = [...shares].sort(([, one], [, other]) => other - one).slice(0, wordsLookedMax);
  const indexes = new Map(looked.map(([word2], index) => [hashOf(word2), index]));
  const counts = scored.map(({ terms }) => [countsIn(terms.title, indexes), countsIn(terms.content, indexes)]);
  const frequencies = looked.map((_, index) => counts.filter(([title, content2]) => (title[index] ?? 0) + (content2[index] ?? 0) > 0).length);
  const telling = looked.map(([, share], index) => ({ index, weight: share * idf(frequencies[index] ?? 0, scored.length) })).filter(({ index }) => (frequencies[index] ?? 0) > 1 && (frequencies[index] ?? 0) <= scored.length / 2).sort((one, other) => other.weight - one.weight).slice(0, wordsMax3);
  const all = telling.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return;
  for (const [at, each] of scored.entries()) {
    const [title, content2] = counts[at] ?? [[], []];
    const held = telling.reduce(
      (sum, { index, weight }) => sum + weight * saturated([title[index] ?? 0, 0, content2[index] ?? 0], each.terms.lengths, averages),
      0
    );
    if (each.score < 1) each.score += (0.999 - each.score) * feedbackShare * held / all;
  }
}
function countsIn(field, indexes) {
  const counts = [];
  let hash = hashStart;
  for (let at = 0; at < field.length; at++) {
    const unit = field.charCodeAt(at);
    if (unit !== space) {
      hash = hashStep(hash, unit);
      continue;
    }
    const index = indexes.get(hash);
    if (index !== void 0) counts[index] = (counts[index] ?? 0) + 1;
    hash = hashStart;
  }
  return counts;
}
var hashStart = 2166136261 | 0;
var hashStep = (hash, unit) => Math.imul(hash ^ unit, 16777619);
var hashOf = (word2) => {
  let hash = hashStart;
  for (let at = 0; at < word2.length; at++) hash = hashStep(hash, word2.charCodeAt(at));
  return hash;
};
var space = 32;

// src/search/best-span.ts
function bestSpan(text, wanted, { width, language }) {
  const weightMax = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const counts = wanted.map(() => 0);
  const hits = [];
  let shown = 0;
  let best;
  let bestShown = 0;
  const dropFirst = () => {
    const hit = hits.shift();
    if (!hit) return;
    const left = (counts[hit.group] ?? 0) - 1;
    counts[hit.group] = left;
    if (left === 0) shown -= wanted[hit.group]?.weight ?? 0;
  };
  const finder = new HitFinder(text, wanted, (hit) => {
    hits.push(hit);
    const count2 = counts[hit.group] ?? 0;
    counts[hit.group] = count2 + 1;
    if (count2 === 0) shown += wanted[hit.group]?.weight ?? 0;
    for (let [first] = hits; first && first !== hit; [first] = hits) {
      if (first.start >= hit.end - width && (counts[first.group] ?? 0) < 2) break;
      dropFirst();
    }
    if (shown <= bestShown + 1e-9) return;
    best = { start: Math.min(...hits.map(({ start: start2 }) => start2)), end: hit.end };
    bestShown = shown;
    if (shown >= weightMax - 1e-9) finder.isDone = true;
  });
  readTerms(text, language, finder);
  return best;
}
var HitFinder = class {
  isDone = false;
  #text;
  #report;
  /** Phrases by their last term. */
  #endings = /* @__PURE__ */ new Map();
  /** Units with which a wanted word may begin, as far as they are ASCII. */
  #initials = /* @__PURE__ */ new Set();
  #longest;
  #recent = [];
  constructor(text, wanted, report) {
    this.#text = text;
    this.#report = report;
    let longest = 1;
    for (const [index, { group }] of wanted.entries()) {
      for (const phrase of group.phrases) {
        const last = phrase.at(-1) ?? "";
        longest = Math.max(longest, phrase.length);
        this.#endings.set(last, [...this.#endings.get(last) ?? [], { group: index, phrase }]);
        for (const term of phrase) this.#initials.add(term.charCodeAt(0)).add(term.toUpperCase().charCodeAt(0));
      }
    }
    if ([...this.#endings.keys()].some((term) => term.startsWith("dot"))) this.#initials.add(".".charCodeAt(0));
    this.#longest = longest;
  }
  isWantedAt(start2) {
    const unit = this.#text.charCodeAt(start2);
    return unit > 127 || this.#initials.has(unit);
  }
  term(term, start2, end2) {
    this.#recent.push({ term, start: start2 });
    if (this.#recent.length > 4 * this.#longest) this.#recent = this.#recent.slice(-this.#longest);
    for (const { group, phrase } of this.#endings.get(term) ?? []) {
      const from = this.#recent.length - phrase.length;
      const first = this.#recent[from];
      if (first && phrase.every((each, index) => this.#recent[from + index]?.term === each))
        this.#report({ group, start: first.start, end: end2 });
    }
  }
  form(form, _kind, start2, end2) {
    for (const { group, phrase } of this.#endings.get(form) ?? []) if (phrase.length === 1) this.#report({ group, start: start2, end: end2 });
  }
};

// src/search/snippet.ts
var reach = 1e3;
function snippetOf(text, { wanted, language, charsMax }) {
  const match = wanted.length > 0 && bestSpan(text, wanted, { width: Math.floor(charsMax * 0.8), language }) || startOf(text);
  const pieces = piecesOf(text, { start: match.start - reach, end: Math.min(match.end, match.start + reach) + reach }, charsMax);
  return around(pieces, match, charsMax) || Array.from(text.slice(match.start, match.start + 2 * charsMax)).slice(0, charsMax).join("").trim();
}
function startOf(text) {
  const start2 = Math.max(0, text.search(/\S/));
  return { start: start2, end: start2 };
}
function around(pieces, match, charsMax) {
  const at = pieces.findIndex((piece) => piece.end > match.start);
  const matched = at < 0 ? pieces.length : at;
  const excerpt = new Excerpt(pieces, pieces[matched]?.tooLong ? matched + 1 : matched, charsMax);
  excerpt.growAfter(match.end);
  excerpt.growBefore(Math.floor(excerpt.room * 2 / 3));
  excerpt.growAfter(Number.POSITIVE_INFINITY);
  excerpt.growBefore(0);
  if (!excerpt.isEmpty) return excerpt.toString();
  const before = new Excerpt(pieces, matched, charsMax);
  before.growBefore(0);
  return before.toString();
}
var Excerpt = class {
  room;
  first;
  last;
  pieces;
  constructor(pieces, at, room) {
    this.pieces = pieces;
    this.first = at;
    this.last = at;
    this.room = room;
  }
  get isEmpty() {
    return this.first === this.last;
  }
  growAfter(end2) {
    for (let piece = this.pieces[this.last]; piece && piece.start < end2; piece = this.pieces[this.last]) {
      if (!this.take(piece, this.isEmpty ? void 0 : piece, 0)) return;
      this.last++;
    }
  }
  /** Leaves at least `floor` code points of room. */
  growBefore(floor) {
    for (let piece = this.pieces[this.first - 1]; piece; piece = this.pieces[this.first - 1]) {
      if (!this.take(piece, this.isEmpty ? void 0 : this.pieces[this.first], floor)) return;
      this.first--;
    }
  }
  toString() {
    const shown = this.pieces.slice(this.first, this.last);
    return shown.map(({ text, spaceBefore }, index) => index > 0 && spaceBefore ? ` ${text}` : text).join("");
  }
  take(piece, behindGap, floor) {
    const cost = piece.chars + (behindGap?.spaceBefore ? 1 : 0);
    if (piece.tooLong || this.room - cost < floor) return false;
    this.room -= cost;
    return true;
  }
};
var segmenter = new Intl.Segmenter(void 0, { granularity: "word" });
function piecesOf(text, range, charsMax) {
  const start2 = Math.max(0, range.start);
  const end2 = Math.min(text.length, range.end);
  const pieces = [];
  for (const match of text.slice(start2, end2).matchAll(/\S+/g)) {
    const run2 = pieceOf(match[0], start2 + match.index, charsMax);
    const cutBefore = run2.start === start2 && start2 > 0 && isSolid(text, start2 - 1);
    const cutAfter = run2.end === end2 && end2 < text.length && isSolid(text, end2);
    if (run2.tooLong) pieces.push(...wordsWithin(run2, { cutBefore, cutAfter }, charsMax));
    else if (!cutBefore && !cutAfter) pieces.push(run2);
  }
  return pieces;
}
function wordsWithin(run2, cut, charsMax) {
  const segments = [...segmenter.segment(run2.text)].map(({ segment, index }) => ({
    ...pieceOf(segment, run2.start + index, charsMax),
    spaceBefore: index === 0
  }));
  return segments.slice(cut.cutBefore ? 1 : 0, cut.cutAfter ? -1 : void 0);
}
function pieceOf(text, start2, charsMax) {
  const chars = codePoints(text);
  return { text, start: start2, end: start2 + text.length, chars, spaceBefore: true, tooLong: chars > charsMax };
}
function isSolid(text, at) {
  return /\S/.test(text.charAt(at));
}
function codePoints(text) {
  let count2 = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= 55296 && text.charCodeAt(at) <= 56319 && text.charCodeAt(at + 1) >= 56320 && text.charCodeAt(at + 1) <= 57343)
      at++;
    count2++;
  }
  return count2;
}

// src/search/url-pattern.ts
var [start, end] = ["\uE000", "\uE001"];
var pieceCharsMax = 48;
var clean = (text) => text.toLowerCase().replace(/[\s\0]/g, "_");
function urlGrams(url2) {
  return gramsOf(`${start}${clean(url2)}${end}${end}`);
}
function urlMatches(pattern) {
  const pieces = clean(pattern).split("*");
  const isWildcard = pieces.length > 1;
  return pieces.flatMap((piece, index) => {
    if (piece === "") return [];
    const head = isWildcard && index === 0 ? start : "";
    const tail = isWildcard && index === pieces.length - 1 ? end + end : "";
    const text = tail === "" ? (head + piece).slice(0, pieceCharsMax) : (head + piece + tail).slice(-pieceCharsMax);
    return text.length < 3 ? [{ prefix: urlTerm(text) }] : [{ phrase: gramsOf(text) }];
  });
}
function gramsOf(text) {
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => urlTerm(text.slice(at, at + 3)));
}

// src/search/run-search.ts
var rerankedMax = 100;
var countMax2 = 5e3;
var partialMax = 1e4;
var partialGroupsMin = 3;
var turnMs = 10;
var levels = ["public", "private", "filtered", "restricted"];
async function runSearch(index, { maxPrivacyLevel }, request) {
  const seen = levels.slice(0, levels.indexOf(maxPrivacyLevel) + 1);
  const visible = seen.length === levels.length ? [] : [anyOf(seen.map(levelTerm))];
  const conditions = await conditionsOf(index, visible, request);
  if (!conditions) return { results: [], total: 0, totalIsExact: true };
  const search = new Search(index, visible, conditions, request);
  const answer = request.query === void 0 ? await search.byUrl() : await search.byWords(request.query);
  const { rows, total, totalIsExact } = answer.found;
  const pool = await index.candidates(rows.slice(0, rerankedMax));
  const page = pageOf(answer, pool, request);
  const wanted = answer.plan.groups.map((group, at) => ({ group, weight: answer.weights[at] ?? 1 }));
  const results = [];
  let turnEnds = performance.now() + turnMs;
  for await (const { row, text, ...context } of index.page([...page.keys()])) {
    if (!seen.includes(context.privacyLevel)) continue;
    const { relevance, language = detectPageLanguage(context.title, text, "") } = page.get(row) ?? { relevance: 0 };
    results.push({ ...context, relevance, snippet: snippetOf(text, { wanted, language, charsMax: limits3.snippetCharsMax }) });
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + turnMs;
  }
  return {
    results,
    total: Math.min(total, limits3.searchTotalMax),
    totalIsExact: totalIsExact && total <= limits3.searchTotalMax,
    ...request.query !== void 0 && answer.query !== request.query && { correctedQuery: answer.query }
  };
}
function pageOf({ found, plan, query, weights: weights2 }, pool, { limit, offset }) {
  const ranked = plan.groups.length > 0 ? rankCandidates(pool, { query, groups: plan.groups, weights: weights2 }) : pool.toSorted((one, other) => other.capturedAt - one.capturedAt || (one.contextId < other.contextId ? -1 : 1)).map(({ row }) => ({ row, relevance: 1 }));
  const relevance = ranked.at(-1)?.relevance ?? 1;
  const rest = found.rows.slice(rerankedMax).map((row) => ({ row, relevance }));
  return new Map([...ranked, ...rest].slice(offset, offset + limit).map(({ row, ...each }) => [row, each]));
}
async function conditionsOf(index, visible, request) {
  const { type, privacyLevel, startTime, endTime, urlPattern } = request;
  const matches = [...visible];
  if (type !== void 0) matches.push(typeTerm(type));
  if (privacyLevel !== void 0) matches.push(levelTerm(privacyLevel));
  if (urlPattern !== void 0) matches.push(...urlMatches(urlPattern));
  let [since, until] = [startTime, endTime];
  if (since !== void 0 || until !== void 0) {
    const span = await index.capturedSpan();
    if (!span) return void 0;
    const [first, end2] = [Math.max(since ?? span.first, span.first), Math.min(until ?? span.last + 1, span.last + 1)];
    if (first >= end2) return void 0;
    const days = timeRangeTerms(first, end2);
    if (days) matches.push(anyOf(days));
    if (since !== void 0 && (since <= span.first || days && isDayStart(since))) since = void 0;
    if (until !== void 0 && (until > span.last || days && isDayStart(until))) until = void 0;
  }
  const hasFilter = since !== void 0 || until !== void 0 || urlPattern !== void 0;
  return { matches, filter: hasFilter ? { since, until, urlPattern } : void 0 };
}
var nothing = { rows: [], total: 0, totalIsExact: true };
var Search = class {
  #index;
  #visible;
  #conditions;
  #limit;
  /** @param visible what every context must match that the key may see; empty when it may see all */
  constructor(index, visible, conditions, { limit, offset }) {
    this.#index = index;
    this.#visible = visible;
    this.#conditions = conditions;
    this.#limit = Math.max(rerankedMax, offset + limit);
  }
  /** Matches of the URL alone are all equally good: the newest come first. */
  async byUrl() {
    return { found: await this.#rank(allOf(this.#conditions.matches), [], []), plan: { groups: [], none: [] }, weights: [], query: "" };
  }
  async byWords(query) {
    const known3 = await this.#languages();
    const expression = parseQuery(query);
    const plan = expression ? planQuery(expression, known3) : { groups: [], none: [] };
    if (plan.groups.length === 0) return { found: nothing, plan, weights: [], query };
    const strict = await this.#answer(query, plan);
    const unknown = strict.unknown.filter(({ word: word2 }) => word2 !== void 0);
    const corrected = unknown.length > 0 ? await correctQuery(this.#index, { query, unknown, languages: known3, visible: this.#visible }) : void 0;
    if (corrected) {
      const again = parseQuery(corrected);
      const answer = again && await this.#answer(corrected, planQuery(again, known3));
      if (answer && answer.found.total > 0) return answer;
    }
    return strict.found.total > 0 ? strict : await this.#loose(query, plan);
  }
  /** Languages in which the user has contexts. */
  async #languages() {
    const counts = await this.#index.count(
      languages.map((language) => allOf([languageTerm(language), ...this.#visible])),
      1
    );
    return languages.filter((_, index) => (counts[index]?.count ?? 0) > 0);
  }
  /** One or two groups are all wanted; of three and more, those that are not required may be some. */
  async #answer(query, plan) {
    const { groups, none } = plan;
    const [only, ...others] = groups;
    if (only && others.length === 0) {
      const found2 = await this.#rank(this.#match(matchAll(groups, none)), groups, [1]);
      return { found: found2, plan, weights: [1], query, unknown: found2.total === 0 ? groups : [] };
    }
    const { frequencies, weights: weights2 } = await this.#weights(groups);
    const unknown = groups.filter((_, index) => frequencies[index] === 0);
    if (groups.length < partialGroupsMin)
      return {
        found: unknown.length > 0 ? nothing : await this.#rank(this.#match(matchAll(groups, none)), groups, weights2),
        plan,
        weights: weights2,
        query,
        unknown
      };
    const found = await this.#some({ groups, none }, frequencies, weights2);
    return { found, plan, weights: weights2, query, unknown };
  }
  /** Contexts with any of the rarer words, as many words as stay under the bound; required groups always hold. */
  async #some({ groups, none }, frequencies, weights2) {
    const required = groups.filter(({ isRequired }) => isRequired);
    const optional = groups.map((group, index) => ({ group, frequency: frequencies[index] ?? 0 })).filter(({ group, frequency }) => !group.isRequired && frequency > 0).sort((one, other) => one.frequency - other.frequency);
    if (optional.length === 0 && required.length === 0) return nothing;
    const rare = [];
    let sum = 0;
    for (const { group, frequency } of optional) {
      sum += frequency;
      if (rare.length > 0 && sum > partialMax) break;
      rare.push(group);
    }
    const all = [...required.map(matchOf), ...rare.length > 0 ? [anyOf(rare.map(matchOf))] : []];
    return await this.#rank(this.#match(allOf(all, none.map(matchOf))), groups, weights2);
  }
  /** Nothing has all of them: takes apart what is written together, and of two words takes those with the rarer one. */
  async #loose(query, { groups, none }) {
    const loose = groups.flatMap((group) => group.parts.length > 0 && (group.isDense || groups.length > 1) ? group.parts : [group]);
    const plan = { groups: loose, none };
    if (loose.length < 2) return { found: nothing, plan: { groups, none }, weights: [1], query };
    const { frequencies, weights: weights2 } = await this.#weights(loose);
    const isPair = loose.length === 2 && loose.every(({ isRequired }) => !isRequired);
    if (!isPair) return { found: await this.#some(plan, frequencies, weights2), plan, weights: weights2, query };
    const there = loose.map((group, index) => ({ group, frequency: frequencies[index] ?? 0 })).filter(({ frequency }) => frequency > 0);
    const [rarest] = there.sort((one, other) => one.frequency - other.frequency);
    const found = rarest ? await this.#rank(this.#match(matchAll([rarest.group], none)), loose, weights2) : nothing;
    return { found, plan, weights: weights2, query };
  }
  async #weights(groups) {
    const [all, ...each] = await this.#index.count(
      [anyTerm, ...groups.map(matchOf)].map((match) => allOf([match, ...this.#visible])),
      countMax2
    );
    const frequencies = each.map(({ estimate }) => estimate);
    return { frequencies, weights: frequencies.map((frequency) => idf(frequency, all?.estimate ?? 0)) };
  }
  #match(words) {
    return allOf([words, ...this.#conditions.matches]);
  }
  async #rank(match, groups, weights2) {
    const words = groups.map((group, index) => ({ match: matchOf(group), weight: weights2[index] ?? 1 }));
    return await this.#index.rank({ match, filter: this.#conditions.filter, words, limit: this.#limit });
  }
};

// src/storage/postgres/search-store.ts
var waitingMax2 = 100;
var workMemory = "16MB";
var workMemorySql = `SELECT set_config('work_mem', '${workMemory}', true) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('${workMemory}')`;
var SearchTimeout = class extends Error {
  name = "SearchTimeout";
};
function createSearchStore(pool, { timeoutMs, onTimeout, slots: slotCount }) {
  const slots = new SearchSlots(slotCount, waitingMax2);
  return {
    search: (scope, request) => slots.run(scope.userId, async () => {
      try {
        return await searchOnce(pool, timeoutMs, scope, request);
      } catch (error) {
        if (!isCancelled(error) && !(error instanceof SearchTimeout)) throw error;
        onTimeout();
        throw unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error);
      }
    })
  };
}
async function searchOnce(pool, timeoutMs, scope, request) {
  const connection = await pool.connect();
  try {
    const opening = connection.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL enable_seqscan = off; SET LOCAL jit = off;
       ${workMemorySql}`
    );
    opening.catch(() => {
    });
    const ask = timedAsk(connection, timeoutMs);
    const [range] = await ask(readRange, [scope.userId]);
    await opening;
    const { oldest, newest } = range ?? { oldest: null, newest: null };
    const page = oldest === null || newest === null ? nothing2 : await runSearch(openIndex(ask, scope.userId, { oldest, newest }), scope, request);
    release(connection, connection.query("ROLLBACK"));
    return page;
  } catch (error) {
    const ending = connection.query("ROLLBACK");
    release(connection, ending);
    if (isCancelled(error)) await ending.catch(() => {
    });
    throw error;
  }
}
var nothing2 = { results: [], total: 0, totalIsExact: true };
var retimedPart = 0.1;
function timedAsk(connection, timeoutMs) {
  const until = performance.now() + timeoutMs;
  let allowed = timeoutMs;
  return async (statement, values) => {
    const left = Math.ceil(until - performance.now());
    if (left <= 0) throw new SearchTimeout(`The search took longer than ${timeoutMs} ms.`);
    if (left < (1 - retimedPart) * allowed) {
      allowed = left;
      connection.query(`SET LOCAL statement_timeout = ${left}`).catch(() => {
      });
    }
    return await rowsOf(connection, statement, values);
  };
}
var SearchSlots = class {
  #waiting = [];
  #running = /* @__PURE__ */ new Map();
  #waitingMax;
  #free;
  constructor(slots, waitingLimit) {
    this.#free = slots;
    this.#waitingMax = waitingLimit;
  }
  /** Runs `work` when there is room. Rejects with `unavailable` at once when too many wait. */
  async run(userId, work) {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= this.#waitingMax) throw unavailable("Too many searches at once. Try again shortly.", 1);
    else await new Promise((start2) => this.#waiting.push({ userId, start: start2 }));
    this.#running.set(userId, (this.#running.get(userId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
      this.#next();
    }
  }
  #next() {
    const counts = this.#waiting.map(({ userId }) => this.#running.get(userId) ?? 0);
    const [next2] = this.#waiting.splice(counts.indexOf(Math.min(...counts)), 1);
    if (next2) next2.start();
    else this.#free++;
  }
};

// src/storage/postgres/engine.ts
function postgresEngine(databaseUrl) {
  return {
    name: "postgres",
    place: placeOf(databaseUrl),
    open: (options) => openPostgres(databaseUrl, options),
    migrate: () => migratePostgres(databaseUrl),
    pending: async () => (await inspectPostgres(databaseUrl)).pending,
    inspect: () => inspectPostgres(databaseUrl),
    distribute: () => distributePostgres(databaseUrl)
  };
}
async function openPostgres(databaseUrl, options) {
  const {
    searchTimeoutMs,
    connectionsMax = 10,
    statementTimeoutMs = 3e4,
    onSearchTimeout = () => {
    },
    rateClock = () => void 0
  } = options;
  await migratePostgres(databaseUrl);
  const pool = openPool(databaseUrl, { connectionsMax, statementTimeoutMs });
  const prisma = openPrisma(pool);
  const queue = new PerUserQueue();
  const changes = new AccessChanges(pool);
  const access = { pool, prisma, write: prismaWrite(prisma), queue };
  const search = { timeoutMs: searchTimeoutMs, onTimeout: onSearchTimeout, slots: Math.ceil(connectionsMax / 2) };
  const withErrors = withUnavailableErrors(databaseGone);
  let isClosing = false;
  return {
    contexts: withErrors(createContextStore(pool, queue)),
    userData: withErrors(createUserDataStore(pool, queue)),
    refilter: withErrors(createRefilterStore(pool, queue)),
    search: withErrors(createSearchStore(pool, search)),
    access: withErrors(createPostgresAccess(access)),
    rules: withErrors(createPostgresRules(access)),
    rates: withErrors(createRateStore(pool, rateClock)),
    accessRevision: () => changes.revision(),
    ...withErrors({ check: () => check(pool), prune: (before) => prune(pool, before, () => isClosing) }),
    // PostgreSQL clears removed rows away itself: by its vacuum, and in its log and backups in their time.
    scrub: async () => {
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await queue.idle();
      await prisma.$disconnect();
      await pool.end();
    }
  };
}
async function check(pool) {
  const { rows } = await pool.query({
    name: "check",
    text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly" FROM access_changes`
  });
  if (rows[0]?.isReadOnly) throw readOnly();
}
var transactionOptions = { maxWait: 5e3, timeout: 6e4 };
var attemptsMax2 = 4;
function openPrisma(pool) {
  const client = new PrismaClient({ adapter: new PrismaPg(pool) });
  return client;
}
function prismaWrite(prisma) {
  return async (userId, work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await prisma.$transaction(async (tx) => {
          if (userId !== null) await tx.$queryRaw`SELECT 1 FROM users WHERE "userId" = ${userId} FOR NO KEY UPDATE`;
          return await work(tx);
        }, transactionOptions);
      } catch (error) {
        if (attempt === attemptsMax2 || !(isConflict(error) || isDuplicate(error))) throw error;
      }
    }
  };
}

// src/search/search-document.ts
function searchDocument(context) {
  const { title, url: url2, plainText, content: content2, tabMetadata } = context;
  const text = plainText ?? content2;
  const language = detectPageLanguage(title, text, tabMetadata.lang ?? "");
  const forms = /* @__PURE__ */ new Set();
  const lists = {
    language,
    title: termsOf2([title], language, forms),
    meta: termsOf2([readableUrl(url2), ...metadataValues(context)], language, forms),
    content: termsOf2([text], language, forms),
    forms: [...forms]
  };
  const filters = [
    anyTerm,
    languageTerm(language),
    levelTerm(context.privacyLevel),
    typeTerm(context.type),
    ...timeTerms(context.capturedAt)
  ];
  const document = {
    title: wordTerms(lists.title),
    meta: wordTerms(lists.meta),
    content: wordTerms(lists.content),
    forms: wordTerms(lists.forms),
    filters: filters.join(" "),
    urlGrams: urlGrams(url2).join(" "),
    stored: encodeTerms(lists)
  };
  return document;
}
var wordTerms = (terms) => terms.length === 0 ? "" : `:${terms.join(" :")}`;
function termsOf2(texts, language, forms) {
  const terms = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) terms.push("");
    readTerms(text, language, {
      term: (term) => void terms.push(term),
      form: (form) => void forms.add(form)
    });
  }
  return terms;
}
function readableUrl(url2) {
  const rest = url2.replace(/^[a-z][a-z0-9+.-]*:\/*/i, "");
  if (!rest.includes("%")) return rest;
  return rest.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return " ";
    }
  });
}
function metadataValues({ metadata, tabMetadata, title, url: url2 }) {
  const tab = Object.entries(tabMetadata).filter(([key, value]) => key !== "lastUpdated" && value !== title && value !== url2);
  return [...Object.values(metadata), ...tab.map(([, value]) => value)].flatMap(
    (value) => typeof value === "string" || typeof value === "number" ? [String(value)] : []
  );
}

// test/postgres-database.ts
import pg2 from "pg";
import { inject } from "vitest";

// test/postgres-storage.ts
var noChanges = {
  now: 2e3,
  policy: "p",
  created: [],
  replaced: [],
  viewed: [],
  removed: [],
  revived: [],
  processed: [],
  extensions: [],
  errors: []
};
function writtenContext(userId, contextId, given = {}) {
  const context = {
    userId,
    contextId,
    type: "page",
    tabId: "t",
    extensionId: "e",
    capturedAt: 1e3,
    privacyLevel: "private",
    writtenAt: 1e3,
    viewedAt: null,
    lastSeenAt: null,
    contentFormat: "text",
    url: `https://site.test/${contextId}`,
    title: "",
    tabMetadata: {},
    metadata: {},
    plainText: null,
    content: "",
    ...given
  };
  return { ...context, search: searchDocument(context) };
}

// ../../../../../tmp/pgspike/fill.ts
var url = process.argv[2].replace(/\/postgres$/, "/spike");
var n = Number(process.argv[3] ?? 1e5);
var storage = await postgresEngine(url).open({ searchTimeoutMs: 2e4 });
await storage.access.createUser("u", 1e3);
var st = 7;
var rnd = () => (st = Math.imul(st, 1103515245) + 12345 & 2147483647) / 2147483648;
var word = () => Math.floor(Math.exp(rnd() * Math.log(6e4)));
var syl = "ba ko ri me tu lan ser po ni ga".split(" ");
var w = (i) => String(i).split("").map((d) => syl[Number(d)]).join("");
var toks = (m) => Array.from({ length: m }, () => w(word())).join(" ");
var t0 = Date.now();
var state = await storage.userData.load("u", { messages: [], contextIds: [] });
var revision = state.revision;
for (let at = 0; at < n; at += 100) {
  const created = Array.from({ length: 100 }, (_, k) => {
    const seq = at + k + 1;
    return writtenContext("u", `ctx_01ARZ3NDEKTSV4RRFFQ69G5F${seq}`, { capturedAt: 17e11 + seq * 6e4, viewedAt: 17e11 + seq * 6e4, title: toks(8), content: toks(750) + (seq % 3333 === 0 ? " zebra giraffe" : seq % 333 === 0 ? " zebra and the giraffe" : ""), url: `https://www.site${(word() % 300).toString(36)}.com/${word().toString(36)}/${word().toString(36)}-${word()}` });
  });
  if (!await storage.userData.commit("u", { ...noChanges, created, revision })) throw new Error("refused");
  revision++;
  if (at % 5e3 === 0) console.log(at, Date.now() - t0);
}
await storage[Symbol.asyncDispose]();
console.log("done", (Date.now() - t0) / n);
export {
  w
};
