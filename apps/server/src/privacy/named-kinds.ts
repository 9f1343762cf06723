import { detectorKinds, isFloorKind } from "@periscope/privacy";

/** The kinds that an operator may name in one place. */
export interface NamedKinds {
  kinds: readonly string[];
  /** The kinds as they are told to somebody who named another. */
  allowed: string;
  /** What is wrong with a name, beyond that it is none of them. */
  objection: (name: unknown) => string | undefined;
}

const all = detectorKinds.map(({ kind }) => kind);

/** Kinds to look for at every level: any. */
export const kindsOn: NamedKinds = named(all, () => undefined);

/** Kinds not to look for: any but those of the floor, which are looked for whatever is set. */
export const kindsOff: NamedKinds = named(
  all.filter((kind) => !isFloorKind(kind)),
  (name) => (typeof name === "string" && isFloorKind(name) ? "belongs to the floor, which cannot be switched off" : undefined),
);

function named(kinds: readonly string[], objection: NamedKinds["objection"]): NamedKinds {
  return { kinds, allowed: kinds.join(", "), objection };
}
