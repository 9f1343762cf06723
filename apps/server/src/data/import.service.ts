import { type ImportReport, limits } from "@periscope/schemas";
import { PrivacyRulesBody } from "../privacy/rules.service.js";
import type { AccessStore } from "../access/access.store.js";
import { firstOf, toDetails } from "../contexts/issues.js";
import type { UserDataStore } from "../contexts/context.store.js";
import type { FilterWorkers } from "../contexts/prepare.js";
import type { Clock } from "../deps.js";
import { badRequest, DomainError, rateLimited } from "../domain-error.js";
import { toMillis, toTimestamp } from "../formats.js";
import { checkJsonBounds } from "../json-bounds.js";
import type { RulesStore } from "../privacy/rules.store.js";
import type { UserFilters } from "../privacy/user-filters.js";
import { createPause } from "../workers/pause.js";
import { ContextImport, type ImportItem, type ImportOutcome } from "./context-import.js";
import type { DataStore } from "./data.store.js";
import { type Line, type LineKind, lineSchemas } from "./export-lines.js";
import type { OnProgress } from "./export.service.js";
import { kindOf, type NumberedLine, readHeader, readLines, verifyExport } from "./line-reader.js";
import { RetentionBody } from "./retention.service.js";
import type { SignInStore } from "./data.store.js";
import { type Source, Spool } from "./spool.js";

export interface ImportServiceOptions {
  store: UserDataStore;
  rules: RulesStore;
  data: Pick<DataStore, "findRetention" | "replaceRetention" | "findExtension">;
  access: AccessStore;
  signIns: SignInStore;
  filters: UserFilters;
  pool: FilterWorkers;
  clock: Clock;
  /** Where an import lies, encrypted, until it is checked. */
  directory: string;
  onOutcome?: (outcome: ImportOutcome | "failed") => void;
}

export interface ImportOptions {
  /** Takes what is whole of an export that was cut off or changed. */
  allowPartial: boolean;
  /** Whether who imports may set retention rules, which delete contexts. */
  mayDelete: boolean;
  /** Called before each slice. Throws when who asked may import no more, such as after their key was revoked. */
  checkAllowed?: (() => Promise<void>) | undefined;
  /** Only the start of an export names its contexts. */
  onProgress?: OnProgress | undefined;
  /** Ends it after the slice that is being written. */
  signal?: AbortSignal | undefined;
}

/** Imports of a user that are in progress at most: each has a file. */
const importsMax = 2;
const tombstonesMax = 500;
const installationKinds: ReadonlySet<LineKind> = new Set(["tombstone", "user", "program", "invite", "account", "key"]);

/** Imports exports: whole and unchanged ones, or what is left of them. Doing it again changes nothing. */
export function createImportService(options: ImportServiceOptions) {
  const { directory } = options;
  const inProgress = new Map<string, number>();

  return {
    /**
     * Keeps what arrives and checks it to its end; then `run` imports it for the user. Throws `bad_request`, `payload_too_large`, and
     * `rate_limited` when too many of the user's are in progress.
     */
    async accept(userId: string, source: AsyncIterable<Uint8Array>, how: Omit<ImportOptions, "onProgress" | "signal">) {
      const running = inProgress.get(userId) ?? 0;
      if (running >= importsMax)
        throw rateLimited(`${importsMax} imports of this user are in progress. Wait for one to end.`, 5, "user_requests");
      inProgress.set(userId, running + 1);
      let spool: Spool | undefined;
      const end = async () => {
        const left = (inProgress.get(userId) ?? 1) - 1;
        if (left > 0) inProgress.set(userId, left);
        else inProgress.delete(userId);
        await spool?.[Symbol.asyncDispose]();
      };
      try {
        const kept = (spool = await Spool.create(directory));
        requireOneUser(await checkSource(kept.write(source), how.allowPartial));
        return {
          async run(signal?: AbortSignal, onProgress?: OnProgress): Promise<ImportReport> {
            try {
              return await new Import(options, { ...how, signal, onProgress }, userId).run(kept);
            } finally {
              await end();
            }
          },
        };
      } catch (error) {
        await end();
        throw error;
      }
    },

    /**
     * Imports for one user, or without one for the user or the users that the export names. Throws `bad_request` when it is not whole
     * and unchanged, unless `allowPartial`.
     */
    async fromSource(source: Source, userId: string | undefined, how: ImportOptions): Promise<ImportReport> {
      const header = await checkSource(source.read(), how.allowPartial);
      if (userId !== undefined) {
        requireOneUser(header);
        await options.access.createUser(userId, options.clock());
      }
      return await new Import(options, how, userId).run(source);
    },
  };
}

/** The header of an export. Throws unless the export may be imported. */
async function checkSource(bytes: AsyncIterable<Uint8Array>, allowPartial: boolean): Promise<Line<"header">> {
  if (!allowPartial) return await verifyExport(readLines(bytes));
  let header: Line<"header"> | undefined;
  try {
    for await (const line of readLines(bytes)) header ??= readHeader(line);
  } catch (error) {
    // What comes before the damage is whole.
    if (!header || !(error instanceof DomainError) || error.code !== "bad_request") throw error;
  }
  if (!header) throw badRequest("This is not an export of Periscope: it has no whole line. Choose the file of an export.");
  return header;
}

function requireOneUser({ userId }: Line<"header">): void {
  if (userId === undefined)
    throw badRequest(
      "This is an export of a whole installation. Import it with `periscope import`, without --user, which makes its users.",
    );
}

class Import {
  readonly #report: ImportReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    newer: 0,
    deleted: 0,
    rejected: 0,
    failed: 0,
    settings: 0,
    failures: [],
  };
  /** Whose lines these are; undefined before the first user, and after a line that may have named the next one. */
  #user: { userId: string; contexts: ContextImport } | undefined;
  #tombstones: Array<Line<"tombstone">> = [];
  /** Whether the export is one of an installation, so that users and keys may be in it. */
  #isInstallation = false;
  #isBegun = false;
  #done = 0;
  #total = 0;

  constructor(
    private readonly options: ImportServiceOptions,
    private readonly how: ImportOptions,
    /** Whose contexts they become; undefined for the users that the export names. */
    private readonly target: string | undefined,
  ) {}

  async run(source: Source): Promise<ImportReport> {
    const pause = createPause();
    try {
      for await (const line of readLines(source.read())) {
        if (this.how.signal?.aborted) break;
        await this.#take(line);
        await pause();
      }
    } catch (error) {
      // As with a last line that is cut off: everything before the damage is imported.
      if (!this.how.allowPartial || !(error instanceof DomainError) || error.code !== "bad_request") throw error;
    }
    await this.#flush();
    this.#report.failures.sort((one, other) => one.line - other.line);
    return this.#report;
  }

  async #take(line: NumberedLine): Promise<void> {
    const kind = line.number === 1 ? "header" : kindOf(line);
    if (kind === undefined || !Object.hasOwn(lineSchemas, kind)) {
      // It may have been the line of a user.
      if (this.#isInstallation && this.how.allowPartial) await this.#endUser();
      return this.#fail(line, 'kind: must be one that exports have, such as "context"');
    }
    try {
      await this.#import(kind as LineKind, line);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.#fail(line, error.message, error.contextId);
    }
  }

  async #import(kind: LineKind, line: NumberedLine): Promise<void> {
    if (installationKinds.has(kind) && !this.#isInstallation)
      throw new LineError("kind: only an export of a whole installation has users, accounts, keys and deletes");
    switch (kind) {
      case "header":
        return this.#begin(parse("header", line));
      case "context": {
        const context = parse("context", line);
        const { contextId, timestamp, writtenAt, viewedAt, lastSeenAt } = context;
        this.#checkTimes({ timestamp, writtenAt, viewedAt, lastSeenAt }, contextId);
        return await this.#requireUser().contexts.add({ number: line.number, context });
      }
      case "tombstone":
        this.#requireUser();
        this.#tombstones.push(parse("tombstone", line));
        return this.#tombstones.length >= tombstonesMax ? await this.#storeTombstones() : undefined;
      case "user": {
        await this.#endUser();
        const { userId, createdAt } = parse("user", line);
        return await this.#startUser(userId, createdAt);
      }
      case "program": {
        const { kind: _kind, ...program } = parse("program", line);
        return await this.options.signIns.addProgram(program);
      }
      case "invite": {
        const { kind: _kind, ...invite } = parse("invite", line);
        return await this.options.signIns.addInvite(invite);
      }
      case "account": {
        const { userId } = this.#requireUser();
        const account = parse("account", line);
        if (!(await this.options.signIns.addAccount(userId, account)))
          throw new LineError(`${account.person.email}: is the email address of another person here`);
        return;
      }
      case "key": {
        const { userId } = this.#requireUser();
        const { kind: _kind, ...key } = parse("key", line);
        await this.options.access.createKey({ ...key, userId });
        return;
      }
      case "rules":
        return await this.#rules(parse("rules", line));
      case "retention":
        return await this.#retention(parse("retention", line));
      case "extension": {
        const extension = parse("extension", line);
        const { lastSeenAt, configAt } = extension;
        this.#checkTimes({ lastSeenAt, configAt });
        return await this.#extension(extension);
      }
      case "end":
        return;
    }
  }

  async #begin({ userId, contexts }: Line<"header">): Promise<void> {
    // A part that goes on after a cut has a header, too.
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#total = contexts;
    this.#isInstallation = userId === undefined;
    if (userId !== undefined) await this.#startUser(this.target ?? userId, this.options.clock());
  }

  /** What follows is of this user, who is made where missing, unless a key has named them. */
  async #startUser(userId: string, createdAt: number): Promise<void> {
    if (this.target === undefined) await this.options.access.createUser(userId, createdAt);
    const { store, filters, pool, clock } = this.options;
    const { checkAllowed } = this.how;
    const onOutcome = (item: ImportItem, outcome: ImportOutcome, reasons?: readonly string[]) => this.#count(item, outcome, reasons);
    this.#user = { userId, contexts: new ContextImport({ userId, store, filters, pool, clock, checkAllowed, onOutcome }) };
  }

  /** What follows is of nobody until a user is named. */
  async #endUser(): Promise<void> {
    await this.#flush();
    this.#user = undefined;
  }

  #requireUser() {
    if (!this.#user)
      throw new LineError("belongs to no user, since a line above it is missing or damaged. Export again, or repair that line.");
    return this.#user;
  }

  /** Rules that are set already stay, unless a whole installation is moved and they are older. */
  async #rules({ rules, updatedAt }: Line<"rules">): Promise<void> {
    await this.#flush();
    const { data, error } = PrivacyRulesBody.safeParse(rules);
    if (error) throw new LineError(firstOf(toDetails(error.issues, "rules")));
    const { userId } = this.#requireUser();
    const stored = await this.options.rules.find(userId);
    if (stored && !(this.#isInstallation && stored.updatedAt < toMillis(updatedAt))) return;
    await this.how.checkAllowed?.();
    await this.options.rules.replace(userId, data, toMillis(updatedAt));
    this.#report.settings++;
  }

  async #retention({ rules, updatedAt }: Line<"retention">): Promise<void> {
    if (!this.how.mayDelete)
      throw new LineError("rules: retention rules delete contexts. Import them with a key that has the scope delete.");
    const { data, error } = RetentionBody.safeParse({ rules });
    if (error) throw new LineError(firstOf(toDetails(error.issues, "rules")));
    const { userId } = this.#requireUser();
    const stored = await this.options.data.findRetention(userId);
    if (stored && !(this.#isInstallation && stored.updatedAt < toMillis(updatedAt))) return;
    await this.how.checkAllowed?.();
    await this.options.data.replaceRetention(userId, data.rules, toMillis(updatedAt));
    this.#report.settings++;
  }

  /** Settings that are as new already stay. */
  async #extension(extension: Line<"extension">): Promise<void> {
    await this.#flush();
    const { extensionId, config, configAt, lastSeenAt } = extension;
    const { userId, contexts } = this.#requireUser();
    const stored = await this.options.data.findExtension(userId, extensionId);
    const isNewer = config !== undefined && toMillis(configAt ?? lastSeenAt) > (stored?.configAt ?? -Infinity);
    await contexts.configure(extension);
    if (!stored || isNewer) this.#report.settings++;
  }

  async #flush(): Promise<void> {
    await this.#storeTombstones();
    await this.#user?.contexts.flush();
  }

  async #storeTombstones(): Promise<void> {
    const tombstones = this.#tombstones.splice(0);
    if (tombstones.length > 0) await this.#requireUser().contexts.storeTombstones(tombstones);
  }

  /** A time far ahead would win over everything that is written later, for ever. */
  #checkTimes(times: Readonly<Record<string, string | undefined>>, contextId?: string): void {
    const latest = this.options.clock() + limits.clockAheadMsMax;
    for (const [name, time] of Object.entries(times))
      if (time !== undefined && toMillis(time) > latest)
        throw new LineError(`${name}: is after ${toTimestamp(latest)}, more than 24 hours ahead`, contextId);
  }

  #count({ number, context: { contextId } }: ImportItem, outcome: ImportOutcome, reasons: readonly string[] = []): void {
    this.#report[outcome]++;
    this.options.onOutcome?.(outcome);
    this.how.onProgress?.(++this.#done, Math.max(this.#total, this.#done));
    if (outcome === "rejected") this.#note(number, `This page is not captured (${reasons.join(", ")}).`, contextId);
  }

  #fail({ number }: NumberedLine, message: string, contextId?: string): void {
    this.#report.failed++;
    this.options.onOutcome?.("failed");
    this.#note(number, message, contextId);
  }

  #note(line: number, message: string, contextId: string | undefined): void {
    const { failures } = this.#report;
    if (failures.length < limits.importFailuresMax) failures.push({ line, ...(contextId !== undefined && { contextId }), message });
  }
}

class LineError extends Error {
  constructor(
    message: string,
    readonly contextId?: string,
  ) {
    super(message);
  }
}

/** A line of a kind. Throws {@link LineError}. */
function parse<Kind extends LineKind>(kind: Kind, { bytes }: NumberedLine): Line<Kind> {
  let json: unknown;
  try {
    checkJsonBounds(bytes);
    json = JSON.parse(bytes.toString());
  } catch (error) {
    throw new LineError(error instanceof DomainError ? error.message : "is not valid JSON");
  }
  const { data, error } = lineSchemas[kind].safeParse(json);
  if (!error) return data as Line<Kind>;
  const { contextId } = Object(json) as { contextId?: unknown };
  throw new LineError(
    firstOf(toDetails(error.issues, "line")),
    typeof contextId === "string" ? contextId.slice(0, limits.idCharsMax) : undefined,
  );
}
