import type { ServerHttp2Stream } from 'node:http2';
import type { UnsentLimit } from '../../tcp/unsent-limit.ts';
import { DEFAULT_PRIORITY, type Priority } from '../../codecs/http/priority.ts';

/** An answer that begins with no more than this waits for no turn: it costs the others next to nothing. */
const SMALL_BYTES = 4 * 1024;
/** A download of more than this only fills what other answers leave, whatever its urgency: it would stop them for long. */
const LONG_BYTES = 2 * 1024 * 1024;
const LONG_URGENCY = 6;

export type AnswerStream = Pick<ServerHttp2Stream, 'id' | 'write' | 'end' | 'cork' | 'uncork'>;

export type ScheduledEvents = {
  /** The socket has written bytes that `write` did not accept at once. */
  onSent: (bytes: number) => void;
  /** And all of them. */
  onDrain: () => void;
};

type Share = Pick<UnsentLimit, 'shareBytes' | 'add'>;

/** A write that the library has not finished. */
type Flight = { bytes: number; isCounted: boolean };

/** The answers of one HTTP/2 session: which of them sends next, by urgency (RFC 9218), and in turns among equals. */
export class AnswerScheduler {
  /** With bytes to send, and no write in flight. */
  readonly #waiting = new Set<ScheduledAnswer>();
  /** In the order in which they began. */
  readonly #flights = new Set<Flight>();
  readonly #unsent: Share;
  #inFlightBytes = 0;
  #turn = 0;
  #hasProgressed = false;
  #isPumping = false;

  constructor(unsent: Share) {
    this.#unsent = unsent;
  }

  open(stream: AnswerStream, events: ScheduledEvents): ScheduledAnswer {
    return new ScheduledAnswer(this, stream, events);
  }

  /** Called once a second. Writes that all wait for their visitors' windows hold up no others any longer. */
  sweep(): void {
    if (!this.#hasProgressed && this.#waiting.size > 0) for (const flight of this.#flights) this.#discount(flight);
    this.#hasProgressed = false;
    if (this.#waiting.size > 0) this.#pumpLater();
  }

  await(answer: ScheduledAnswer): void {
    this.#waiting.add(answer);
    this.#pumpLater();
  }

  /** Whether bytes that nobody waits before may be sent without a turn. */
  hasRoomFor(bytes: number): boolean {
    return this.#waiting.size === 0 && this.#inFlightBytes + bytes <= (this.#unsent.shareBytes * 3) / 4;
  }

  /** Its stream has closed. */
  remove(answer: ScheduledAnswer, flight: Flight | undefined): void {
    this.#waiting.delete(answer);
    if (flight !== undefined) this.#discount(flight);
    if (this.#waiting.size > 0) this.#pumpLater();
  }

  begin(bytes: number): Flight {
    const flight = { bytes, isCounted: true };
    this.#flights.add(flight);
    this.#inFlightBytes += bytes;
    return flight;
  }

  land(flight: Flight): void {
    this.#hasProgressed = true;
    // The library sends what it can: older writes that are not finished wait for the windows of their streams.
    if (flight.isCounted)
      for (const older of this.#flights) {
        if (older === flight) break;
        this.#discount(older);
      }
    this.#discount(flight);
    this.#unsent.add(flight.bytes);
    if (this.#waiting.size > 0) this.#pumpLater();
  }

  /** After the library has read, which it does not while a write waits for the socket: else it would never read. */
  #pumpLater(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  /**
   * An answer gets three quarters of what may be under way, or takes turns with others of its rank. The rest is for what is
   * less urgent: an answer whose visitor does not read it, which nobody can see, must not stop the others.
   */
  #pump(): void {
    const { shareBytes } = this.#unsent;
    const quarter = shareBytes / 4;
    for (;;) {
      const room = shareBytes - this.#inFlightBytes;
      const next = room < quarter ? undefined : this.#choose();
      if (next === undefined) return;
      this.#waiting.delete(next);
      next.send(Math.min(room, this.#hasEqual(next) ? quarter : 3 * quarter), ++this.#turn);
    }
  }

  #hasEqual(answer: ScheduledAnswer): boolean {
    for (const other of this.#waiting) if (answer.isEqual(other)) return true;
    return false;
  }

  #discount(flight: Flight): void {
    if (!flight.isCounted) return;
    flight.isCounted = false;
    this.#flights.delete(flight);
    this.#inFlightBytes -= flight.bytes;
  }

  #choose(): ScheduledAnswer | undefined {
    let best: ScheduledAnswer | undefined;
    for (const answer of this.#waiting) if (best === undefined || answer.isBefore(best)) best = answer;
    return best;
  }
}

/** The body of one answer. */
export class ScheduledAnswer {
  priority: Priority = DEFAULT_PRIORITY;
  readonly #scheduler: AnswerScheduler;
  readonly #stream: AnswerStream;
  readonly #events: ScheduledEvents;
  readonly #id: number;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #sentBytes = 0;
  #flight: Flight | undefined;
  /** When it was its turn last. */
  #turn = 0;
  #onEnd: (() => void) | undefined;

  constructor(scheduler: AnswerScheduler, stream: AnswerStream, events: ScheduledEvents) {
    this.#scheduler = scheduler;
    this.#stream = stream;
    this.#events = events;
    this.#id = stream.id ?? 0;
  }

  /** Not yet handed to the library. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** False: it waits; `onSent` and `onDrain` follow. */
  write(payload: Buffer): boolean {
    if (this.#sentBytes === 0 && this.#queuedBytes === 0 && payload.length <= SMALL_BYTES) {
      this.#sentBytes = payload.length;
      this.#stream.write(payload);
      return true;
    }
    this.#queue.push(payload);
    this.#queuedBytes += payload.length;
    if (this.#flight !== undefined) return false;
    if (this.#scheduler.hasRoomFor(this.#queuedBytes)) this.send(this.#queuedBytes, 0);
    else this.#scheduler.await(this);
    return false;
  }

  /** Ends the stream after all that was written, and then calls back. */
  end(onEnd: () => void): void {
    this.#onEnd = onEnd;
    if (this.#queuedBytes === 0) this.#end();
  }

  /** The stream has closed. */
  dispose(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#onEnd = undefined;
    this.#scheduler.remove(this, this.#flight);
    this.#flight = undefined;
  }

  /** Whether it goes first, of two that wait. */
  isBefore(other: ScheduledAnswer): boolean {
    if (this.#urgency !== other.#urgency) return this.#urgency < other.#urgency;
    if (this.#isWhole !== other.#isWhole) return this.#isWhole;
    return this.#isWhole ? this.#id < other.#id : this.#turn < other.#turn;
  }

  /** Whether the two take turns. */
  isEqual(other: ScheduledAnswer): boolean {
    return this.#urgency === other.#urgency && !this.#isWhole && !other.#isWhole;
  }

  /** Hands bytes to the library. */
  send(maxBytes: number, turn: number): void {
    this.#turn = turn;
    const pieces = this.#take(maxBytes);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    const flight = this.#scheduler.begin(bytes);
    this.#flight = flight;
    this.#sentBytes += bytes;
    const last = pieces.pop();
    if (pieces.length > 0) this.#stream.cork();
    for (const piece of pieces) this.#stream.write(piece);
    this.#stream.write(last, () => this.#onWritten(flight));
    if (pieces.length > 0) this.#stream.uncork();
    if (this.#queuedBytes === 0 && this.#onEnd !== undefined) this.#end();
  }

  #take(maxBytes: number): Buffer[] {
    const pieces: Buffer[] = [];
    let left = maxBytes;
    while (left > 0) {
      const [first] = this.#queue;
      if (first === undefined) break;
      const piece = first.length > left ? first.subarray(0, left) : first;
      if (piece === first) this.#queue.shift();
      else this.#queue[0] = first.subarray(left);
      pieces.push(piece);
      left -= piece.length;
    }
    this.#queuedBytes -= maxBytes - left;
    return pieces;
  }

  #onWritten(flight: Flight): void {
    if (this.#flight !== flight) return; // the stream has closed
    this.#flight = undefined;
    if (this.#queuedBytes > 0) this.#scheduler.await(this);
    this.#scheduler.land(flight);
    this.#events.onSent(flight.bytes);
    if (this.#queuedBytes === 0) this.#events.onDrain();
  }

  #end(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    this.#stream.end();
    onEnd?.();
  }

  get #isLong(): boolean {
    return this.#sentBytes > LONG_BYTES;
  }

  get #urgency(): number {
    const { urgency } = this.priority;
    return this.#isLong ? Math.max(urgency, LONG_URGENCY) : urgency;
  }

  /** Whether its client has no use for a part of it: then it is sent before others of its urgency, in their order. */
  get #isWhole(): boolean {
    return this.priority.isIncremental === false && !this.#isLong;
  }
}
