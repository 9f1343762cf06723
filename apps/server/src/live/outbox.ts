import { type ByeFrame, type ByeReason, limits } from "@periscope/schemas";

/** A frame as JSON, with the id of its event. */
export interface Frame {
  json: string;
  id?: string | undefined;
}

/** What carries frames to one client. */
export interface Transport {
  /** Bytes that were written and that the client's side has not taken yet. */
  readonly unreadBytes: number;
  /** @param taken called once the frame has left this process */
  write(frame: Frame, taken: () => void): void;
  /** Writes a last frame and ends the connection soon. */
  end(bye: Frame, reason: ByeReason): void;
}

/** Bytes past which frames wait here for the client to read. */
const unreadBytesMax = 65_536;

/** UTF-16 units of frames that wait at most: a user has many connections, and each may wait with events of its own. */
const waitingUnitsMax = 8_388_608;

/** Sends frames in order, as fast as the client reads. One that falls too far behind is sent away. */
export class Outbox {
  readonly #waiting: Frame[] = [];
  #waitingUnits = 0;
  #isEnded = false;

  constructor(
    private readonly transport: Transport,
    private readonly onEnd: (reason: ByeReason) => void,
  ) {}

  send(frame: Frame): void {
    if (this.#isEnded) return;
    this.#waiting.push(frame);
    this.#waitingUnits += frame.json.length;
    this.#flush();
    if (this.#waiting.length > limits.liveQueueMax || this.#waitingUnits > waitingUnitsMax) this.end("too_slow", 1);
  }

  /** Says why the connection ends, and ends it. What waits is dropped. */
  end(reason: ByeReason, retryAfterSeconds?: number): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.length = 0;
    const bye: ByeFrame = { type: "bye", reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
    this.transport.end({ json: JSON.stringify(bye) }, reason);
    this.onEnd(reason);
  }

  readonly #flush = (): void => {
    while (this.#waiting.length > 0 && this.transport.unreadBytes < unreadBytesMax) {
      const frame = this.#waiting.shift();
      if (!frame) return;
      this.#waitingUnits -= frame.json.length;
      this.transport.write(frame, this.#flush);
    }
  };
}
