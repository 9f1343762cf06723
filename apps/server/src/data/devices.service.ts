import type { AccessService, KeyInfo } from "../access/access.service.js";
import type { DataStore } from "./data.store.js";
import type { Clock } from "../deps.js";
import { notFound } from "../domain-error.js";
import { toTimestamp } from "../formats.js";

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
  /** null where it is not known. */
  key: DeviceKey | null;
  /** What the extension said of itself, such as the length of its queue. */
  settings: Record<string, unknown>;
  settingsAt: string | null;
  /** What it could not do in the last seven days, the latest first. */
  troubles: Trouble[];
}

export interface DevicesServiceOptions {
  data: DataStore;
  access: Pick<AccessService, "listKeys" | "revokeOwnKey">;
  clock: Clock;
}

const devicesMax = 100;
const troublesMax = 200;
const troubleMs = 7 * 86_400_000;

/** The extensions that send a person's contexts. */
export type DevicesService = ReturnType<typeof createDevicesService>;

export function createDevicesService({ data, access, clock }: DevicesServiceOptions) {
  const isValid = ({ revokedAt, expiresAt }: KeyInfo) => revokedAt === null && (expiresAt ?? Infinity) > clock();
  return {
    /** Every extension of a user, the one heard of last first. */
    async list(userId: string): Promise<Device[]> {
      const [extensions, keys, errors] = await Promise.all([
        data.readExtensions(userId, "", devicesMax),
        access.listKeys(userId),
        data.reportedErrors(userId, clock() - troubleMs, troublesMax),
      ]);
      const keysById = new Map(keys.map((key) => [key.keyId, key]));
      return extensions
        .toSorted((one, other) => other.lastSeenAt - one.lastSeenAt)
        .map(({ extensionId, lastSeenAt, keyId, config, configAt }) => {
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
    },

    /** Revokes the key of an extension. Throws `not_found` where there is none. */
    async unpair(userId: string, extensionId: string): Promise<void> {
      const extensions = await data.readExtensions(userId, "", devicesMax);
      const keyId = extensions.find((each) => each.extensionId === extensionId)?.keyId;
      if (!keyId) throw notFound("There is no such device, or its key is not known.");
      await access.revokeOwnKey(userId, keyId);
    },
  };
}
