/** As `engines` in the package's manifest has it. */
const minimum = [22, 12] as const;

/** Oldest Node that the server runs on, such as `22.12`. */
export const nodeMinimum: string = minimum.join(".");

/** Whether Node's version, such as `24.1.0`, is one that the server runs on. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}
