import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { AccountTurn } from '../budget/account-turns.ts';
import { type AppStreamOutcome, appStreamOutcomes, type AppStreamRequest } from '@tongtu/contract';
import { TargetError } from '../session/live-session.ts';

/** A relay that has just lost the device, or restarts, is no reason to fail while another one has it. */
const triesNextRelay: ReadonlySet<AppStreamOutcome> = new Set(['device-offline', 'changed', 'lost']);

export type AppStreamDeps = {
  /** The ports for the gateway of this machine's relays. */
  relayPorts: readonly number[];
  request: AppStreamRequest;
  onBytesToTarget: (count: number) => void;
  onBytesFromTarget: (count: number) => void;
  /** What the target sends is handled when its account has its turn. */
  turn: Pick<AccountTurn, 'run' | 'countSmallRead'>;
};

/** A piece that takes longer than the first is cut, down to the smallest; one that takes less than the second grows again. */
const SLOW_MS = 4;
const FAST_MS = 1;
const MIN_PIECE_BYTES = 4 * 1024;
const MAX_PIECE_BYTES = 64 * 1024;
/** A target that sends byte by byte would fill memory with what surrounds each byte, wherever it is kept. */
const SMALL_BYTES = 512;
const READS_LATER_MS = 20;

const EMPTY = Buffer.alloc(0);
/** Of a socket: what it has not been asked for stays with the system, which puts small pieces together. */
const UNBUFFERED = { readableHighWaterMark: 1 };

/** A connection to the target of a cloud app, through a relay and the device. Its error is a TargetError. */
export class AppStream extends Duplex {
  readonly #deps: AppStreamDeps;
  #socket: Socket | undefined;
  #isConnected = false;
  #hasEnded = false;
  /** Of the last bytes of the target, what has not been handled. Nothing more is read meanwhile. */
  #rest: Buffer = EMPTY;
  #pieceBytes = MAX_PIECE_BYTES;
  #isTurnAsked = false;
  #isWanted = true;
  #readsLater: NodeJS.Timeout | undefined;

  constructor(deps: AppStreamDeps) {
    super({ allowHalfOpen: true });
    this.#deps = deps;
    this.on('resume', () => process.nextTick(() => this.#goOn()));
  }

  override _construct(callback: (error?: Error | null) => void): void {
    this.#open().then(
      (socket) => {
        this.#use(socket);
        process.nextTick(callback);
      },
      (error: Error) => process.nextTick(callback, error),
    );
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#rest.length === 0) this.#goOn();
    // What is pushed in here would be handled after this turn, together with all that follows.
    else process.nextTick(() => this.#goOn());
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#send([chunk], callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: () => void): void {
    const parts = chunks.map(({ chunk }) => chunk);
    this.#send(parts, callback);
  }

  #send(chunks: readonly Buffer[], callback: () => void): void {
    const socket = this.#socket;
    if (socket === undefined) return callback();
    corkForThisTick(socket);
    let hasRoom = true;
    for (const chunk of chunks) {
      this.#deps.onBytesToTarget(chunk.length);
      hasRoom = socket.write(chunk);
    }
    if (hasRoom) callback();
    else socket.once('drain', callback);
  }

  override _final(callback: () => void): void {
    this.#socket?.end();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#readsLater);
    this.#rest = EMPTY;
    if (this.#hasEnded) this.#socket?.destroy();
    else this.#socket?.resetAndDestroy();
    callback(error);
  }

  async #open(): Promise<Socket> {
    let failure: AppStreamOutcome = 'device-offline';
    for (const port of this.#deps.relayPorts) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true, ...UNBUFFERED });
      socket.write(`${JSON.stringify(this.#deps.request)}\n`);
      const outcome = await readFirstOutcome(socket);
      if (outcome === 'opened' && !this.destroyed) return socket;
      socket.destroy();
      failure = outcome;
      if (!triesNextRelay.has(outcome)) break;
    }
    throw errorOf(failure);
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => {
      if (!this.#isConnected) return this.#fail();
      this.#hasEnded = true;
      this.push(null);
    });
    socket.on('close', () => this.#onClose());
    socket.pause();
  }

  #onData(chunk: Buffer): void {
    let payload = chunk;
    if (!this.#isConnected) {
      const outcome = outcomeOf(chunk);
      if (outcome !== 'connected') {
        this.destroy(errorOf(outcome));
        return;
      }
      this.#isConnected = true;
      payload = chunk.subarray(1);
    }
    this.#deps.onBytesFromTarget(payload.length);
    if (payload.length === 0) return;
    if (payload.length < SMALL_BYTES && !this.#deps.turn.countSmallRead()) this.#readLater();
    this.#rest = payload;
    this.#goOn();
    if (this.#rest.length > 0 || !this.#isWanted || this.#readsLater !== undefined) this.#socket?.pause();
  }

  #goOn(): void {
    if (this.#isTurnAsked || !this.#isWanted || this.destroyed) return;
    if (this.#rest.length === 0) {
      if (this.#readsLater === undefined) this.#socket?.resume();
      return;
    }
    // What a stream keeps for a reader who has paused is handled when that goes on, in the turn of anybody.
    if (this.#isReaderPaused) return;
    this.#isTurnAsked = true;
    this.#deps.turn.run(() => {
      this.#isTurnAsked = false;
      if (!this.destroyed) this.#pushPiece();
      this.#goOn();
    });
  }

  get #isReaderPaused(): boolean {
    return this.readableFlowing === false && this.listenerCount('readable') === 0;
  }

  #pushPiece(): void {
    const piece = this.#rest.subarray(0, this.#pieceBytes);
    this.#rest = this.#rest.subarray(piece.length);
    const begunMs = performance.now();
    this.#isWanted = this.push(piece);
    const tookMs = performance.now() - begunMs;
    if (tookMs > SLOW_MS) this.#pieceBytes = Math.max(MIN_PIECE_BYTES, this.#pieceBytes / 2);
    else if (tookMs < FAST_MS) this.#pieceBytes = Math.min(MAX_PIECE_BYTES, this.#pieceBytes * 2);
  }

  #readLater(): void {
    this.#readsLater ??= setTimeout(() => {
      this.#readsLater = undefined;
      this.#goOn();
    }, READS_LATER_MS);
  }

  /** After its end a target may be lost too: what it has sent is still read, and nothing more is taken. */
  #onClose(): void {
    if (!this.#hasEnded) this.#fail();
    else if (this.readableEnded) this.destroy();
    else this.once('end', () => this.destroy());
  }

  #fail(): void {
    this.destroy(errorOf('lost'));
  }
}

/** Sends in one call what is written in several: ssh2 writes each packet as length, content and tag. */
function corkForThisTick(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** The relay's first answer; `lost` when there is none. The following bytes stay in the socket. */
async function readFirstOutcome(socket: Socket): Promise<AppStreamOutcome> {
  const { promise, resolve } = Promise.withResolvers<AppStreamOutcome>();
  const onReadable = () => {
    const byte = socket.read(1) as Buffer | null; // no encoding is set
    if (byte !== null) resolve(outcomeOf(byte));
  };
  const onClosed = () => resolve('lost');
  socket.on('error', () => {}); // 'close' follows
  socket.on('readable', onReadable).once('close', onClosed).once('end', onClosed);
  const outcome = await promise;
  socket.off('readable', onReadable).off('close', onClosed).off('end', onClosed);
  return outcome;
}

function outcomeOf(chunk: Buffer): AppStreamOutcome {
  return appStreamOutcomes[chunk[0] ?? -1] ?? 'lost';
}

function errorOf(outcome: AppStreamOutcome): TargetError {
  return new TargetError(outcome === 'opened' || outcome === 'connected' ? 'lost' : outcome);
}
