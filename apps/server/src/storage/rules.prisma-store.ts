import type { PrivacyRules } from "@periscope/schemas";
import type { RulesStore, StoredRules } from "../privacy/rules.store.js";
import type { PrismaWrite } from "./access.prisma-store.js";

/** Writes of users' privacy rules. */
export function createRulesStore(write: PrismaWrite): Pick<RulesStore, "replace"> {
  return {
    replace: (userId, rules, at) =>
      write(userId, async (tx) => {
        if (!(await tx.user.findUnique({ where: { userId } }))) return null;
        // Changes that were worked out under the older rules are refused.
        await tx.user.update({ where: { userId }, data: { revision: { increment: 1 } } });
        const data = { rules: JSON.stringify(rules), updatedAt: new Date(at) };
        const row = await tx.privacyRules.upsert({
          where: { userId },
          create: { userId, version: 1, ...data },
          update: { version: { increment: 1 }, ...data },
        });
        return rulesFromRow(row);
      }),
  };
}

/** A row of rules with its time as a driver gives it: milliseconds, or a date. */
export interface RawRules {
  version: number;
  rules: string;
  updatedAt: number | Date;
}

/** The rules of a row; they were checked before they were written. */
export function rulesFromRow({ version, rules, updatedAt }: RawRules): StoredRules {
  return { version, rules: JSON.parse(rules) as PrivacyRules, updatedAt: Number(updatedAt) };
}
