import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, rmdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = ([program = "", ...words]: readonly string[]) => void execFileSync(program, words, { stdio: "ignore" });

/** A disk of its own in memory, so that it can be full while nothing else is; gone at the end of the block. */
export class SmallDisk implements Disposable {
  #mounts = 1;
  readonly #ballast: string;

  private constructor(
    readonly path: string,
    private readonly asRoot: readonly string[],
  ) {
    this.#ballast = join(path, "ballast");
  }

  /** null where this user may not mount one, by itself or by a sudo that asks no password. */
  static mount(mebibytes: number): SmallDisk | null {
    const path = mkdtempSync(join(tmpdir(), "periscope-disk-"));
    for (const asRoot of [[], ["sudo", "-n"]]) {
      try {
        run([...asRoot, "mount", "-t", "tmpfs", "-o", `size=${mebibytes}m,mode=777`, "tmpfs", path]);
        return new SmallDisk(path, asRoot);
      } catch {
        // The other way, or none.
      }
    }
    rmdirSync(path);
    return null;
  }

  /** Takes all room but some. */
  fill(freeBytes: number): void {
    const { bavail, bsize } = statfsSync(this.path);
    run(["fallocate", "-l", String(bavail * bsize - freeBytes), this.#ballast]);
  }

  makeRoom(): void {
    rmSync(this.#ballast);
  }

  /** Lets nobody write by any name on it; what is open for writing stays so. */
  makeReadOnly(): void {
    run([...this.asRoot, "mount", "--bind", this.path, this.path]);
    this.#mounts++;
    run([...this.asRoot, "mount", "-o", "remount,bind,ro", this.path]);
  }

  [Symbol.dispose](): void {
    for (; this.#mounts > 0; this.#mounts--) run([...this.asRoot, "umount", "--lazy", this.path]);
    rmdirSync(this.path);
  }
}
