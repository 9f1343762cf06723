import type { KeyInfo } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import { notFound } from "../domain-error.js";
import { dayMs, toTimestamp } from "../formats.js";

/** Something that an extension could not do, in its own words. */
export interface Trouble {
  extensionId: string;
  code: string;
  message: string;
  occurredAt: string;
  times: number;
}

/** The key that an extension sends with. */
export interface DeviceKey {
  keyId: string;
  name: string;
  /** Whether the extension can still send. */
  isValid: boolean;
  /** Other extensions that send with it. */
  sharedBy: number;
}

/** An extension in one browser. */
export interface Device {
  extensionId: string;
  lastSeenAt: string;
  key: DeviceKey | null;
  /** What the extension said of itself, such as the length of its queue. */
  settings: Record<string, unknown>;
  settingsAt: string | null;
  /** What it could not do in the last seven days, the latest first. */
  troubles: Trouble[];
}

const devicesMax = 100;
const troublesMax = 200;
const troubleMs = 7 * dayMs;

/** The extensions that send a person's contexts, at most 100: the one heard of last first. */
export async function listDevices({ stores, access, clock }: Pick<Deps, "stores" | "access" | "clock">, userId: string): Promise<Device[]> {
  const now = clock();
  const [extensions, keys, errors] = await Promise.all([
    stores.data.latestExtensions(userId, devicesMax),
    access.listKeys(userId),
    stores.data.reportedErrors(userId, now - troubleMs, troublesMax),
  ]);
  const isValid = ({ revokedAt, expiresAt }: KeyInfo) => revokedAt === null && (expiresAt ?? Infinity) > now;
  const keysById = new Map(keys.map((key) => [key.keyId, key]));
  return extensions.map(({ extensionId, lastSeenAt, keyId, config, configAt }) => {
    const key = keysById.get(keyId ?? "");
    const sharedBy = extensions.filter((other) => other.keyId === keyId).length - 1;
    return {
      extensionId,
      lastSeenAt: toTimestamp(lastSeenAt),
      key: key ? { keyId: key.keyId, name: key.name, isValid: isValid(key), sharedBy } : null,
      settings: config === null ? {} : (JSON.parse(config) as Record<string, unknown>),
      settingsAt: configAt === null ? null : toTimestamp(configAt),
      troubles: errors
        .filter((error) => error.extensionId === extensionId)
        .map(({ occurredAt, ...error }) => ({ ...error, occurredAt: toTimestamp(occurredAt) })),
    };
  });
}

/** Revokes the key of an extension. Throws `not_found` where there is none. */
export async function unpairDevice(
  { stores, access }: Pick<Deps, "stores" | "access">,
  userId: string,
  extensionId: string,
): Promise<void> {
  const keyId = (await stores.data.findExtension(userId, extensionId))?.keyId;
  if (!keyId) throw notFound("There is no such device, or its key is not known.");
  await access.revokeOwnKey(userId, keyId);
}
