import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "@periscope/schemas";
import { payloadTooLarge, unavailable } from "../domain-error.js";

/** Bytes that can be read more than once. */
export interface Source {
  read(): AsyncIterable<Uint8Array>;
}

const algorithm = "aes-256-ctr";

/**
 * A file for bytes that arrive once and are read twice: an import is checked to its end before anything of it is stored. The bytes are
 * encrypted under a key that only this process has, since nothing unfiltered may reach the disk in clear text. It is gone when the process
 * ends, too.
 */
export class Spool implements Source, AsyncDisposable {
  readonly #key = randomBytes(32);
  readonly #iv = randomBytes(16);
  #bytes = 0;

  private constructor(
    private readonly directory: string,
    private readonly file: Awaited<ReturnType<typeof open>>,
  ) {}

  static async create(parent: string): Promise<Spool> {
    const directory = await makeDirectory(parent);
    const file = await open(join(directory, "spool"), "wx+", 0o600);
    // Where the system allows it, the file has no name any more, so that no crash leaves it behind.
    await rm(directory, { recursive: true, force: true }).catch(() => {});
    return new Spool(directory, file);
  }

  /** Passes bytes on as they are written. Throws `payload_too_large` past the limit. */
  async *write(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const cipher = createCipheriv(algorithm, this.#key, this.#iv);
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      if (this.#bytes > limits.importBytesMax)
        throw payloadTooLarge(
          `The import is larger than ${limits.importBytesMax} bytes. Export parts by since and until, or let the operator import a file with \`periscope import FILE\`.`,
          limits.importBytesMax,
        );
      await this.file.appendFile(cipher.update(chunk));
      yield chunk;
    }
  }

  read(): AsyncIterable<Uint8Array> {
    const decipher = createDecipheriv(algorithm, this.#key, this.#iv);
    return this.file.createReadStream({ start: 0, autoClose: false }).pipe(decipher);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** With PostgreSQL, nothing else needs the directory above, so it may be missing, or read-only. */
async function makeDirectory(parent: string): Promise<string> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(parent, "import-"));
  } catch (error) {
    if (!/^(?:EACCES|EPERM|EROFS|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw unavailable("The server has nowhere to keep an import: its data directory cannot be written. Correct PERISCOPE_DATA_DIR.", 60);
  }
}
