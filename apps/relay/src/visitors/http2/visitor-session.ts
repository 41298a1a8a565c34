import { constants, performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ForwardedLines } from '../../codecs/http/forwarded.ts';
import type { VisitorDeps } from '../routing/visitor-deps.ts';
import type { Visitor, VisitorOrigin } from '../routing/visitor-origin.ts';
import { UnsentLimit } from '../../tcp/unsent-limit.ts';
import { AnswerScheduler } from './answer-scheduler.ts';
import { FloodGuard, SMALL_PIECE_BYTES } from './flood-guard.ts';
import { SESSION_WINDOW_BYTES, sessionOptions } from './session-options.ts';
import { type ArrivedStream, type StreamDeps, VisitorStream } from './visitor-stream.ts';
import { type Traffic, WastedBytes } from './wasted-bytes.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;
/** The library's error for a head in too many frames; Node.js has no name for it. */
const TOO_MANY_CONTINUATIONS = -905;
/** And for what breaks the protocol. */
const PROTOCOL_ERROR = -505;
/** Of a connection that the library ends, or with many resets: a client that opens them again and again is no browser. */
const BROKEN_COST = 700;
/** Uses up the share of a network at once: of frames that no browser sends in such a number. */
const FLOOD_COST = Infinity;
/** The last stream id of the first GOAWAY: all streams in flight are still served (RFC 9113 §6.8). */
const MAX_STREAM_ID = 2 ** 31 - 1;

export type SessionDeps = VisitorDeps & {
  /** The visitor was cut off because it did what no browser does. */
  onAbuse: (reason: string) => void;
  /** Counts work that carries no request for the visitor's network. False: that has caused too much of it. */
  admitsWork: (cost: number) => boolean;
  /** The session ended because a head was too long for any answer over HTTP/2, for example with many cookies. */
  onHeadTooLong: () => void;
};

/** An HTTP/2 connection of a visitor, with its streams and the limits that end it. */
export class VisitorSession {
  readonly #deps: SessionDeps;
  readonly #socket: TLSSocket;
  readonly #session: ServerHttp2Session;
  readonly #streams = new Set<VisitorStream>();
  readonly #guard: FloodGuard;
  readonly #resets: FloodGuard;
  readonly #pieces: FloodGuard;
  readonly #wasted: WastedBytes;
  readonly #scheduler: AnswerScheduler;
  /** Requests of this turn of the event loop, each with its head. */
  #arrived: Array<ArrivedStream & { raw: string[] }> = [];
  #isCutOff = false;
  #hasGreeted = false;
  #hasAsked = false;
  #hasSentGoAway = false;
  /** The visitor has sent GOAWAY. */
  #hasSaidGoodbye = false;
  #hasSpokenGrpc = false;
  /** Since when it has no stream. */
  #idleSinceMs: number;

  constructor(socket: TLSSocket, origin: VisitorOrigin, deps: SessionDeps) {
    this.#deps = deps;
    this.#socket = socket;
    this.#scheduler = new AnswerScheduler(new UnsentLimit(socket));
    this.#idleSinceMs = deps.monotonicMs();
    this.#guard = new FloodGuard(this.#idleSinceMs);
    this.#resets = new FloodGuard(this.#idleSinceMs);
    this.#pieces = new FloodGuard(this.#idleSinceMs);
    this.#wasted = new WastedBytes(this.#idleSinceMs);
    // HTTP/2 has no half-closed connections.
    socket.allowHalfOpen = false;
    socket.once('close', () => deps.onClosed());
    const session = performServerHandshake(socket, sessionOptions);
    this.#session = session;
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    // Every error ends the session, and with it the socket.
    session.on('error', (err) => this.#onError(err));
    session.on('remoteSettings', () => {
      this.#hasGreeted = true;
      this.#admit('settings');
    });
    session.on('ping', () => this.#admit('ping'));
    session.on('goaway', () => (this.#hasSaidGoodbye = true));
    const peer = { origin, forwarded: new ForwardedLines(origin) };
    const streamDeps: StreamDeps = {
      ...deps,
      scheduler: this.#scheduler,
      onBody: (chunk) => this.#onBody(chunk),
      onClosed: (stream) => this.#onStreamClosed(stream),
    };
    session.on('stream', (stream, _headers, _flags, raw) => {
      stream.on('error', () => {}); // always followed by 'close'
      if (this.#arrived.length === 0) setImmediate(() => this.#begin(peer, streamDeps));
      const arrived: ArrivedStream & { raw: string[] } = { stream, raw, trailers: undefined };
      stream.once('trailers', (_trailers, _flags, trailers) => (arrived.trailers = trailers));
      this.#arrived.push(arrived);
      this.#wasted.addRequest(raw, { hasBody: !stream.endAfterHeaders });
    });
  }

  /**
   * Begins the requests that were read in one turn. Those that were reset in the same turn, as in a flood of resets, are
   * never begun: they cost their head and nothing more.
   */
  #begin(peer: Visitor, streamDeps: StreamDeps): void {
    for (const arrived of this.#arrived.splice(0)) {
      const { stream, raw } = arrived;
      if (this.#session.destroyed) return;
      this.#hasAsked = true;
      if (stream.closed || stream.destroyed) {
        this.#onReset();
        continue;
      }
      const opened = new VisitorStream(arrived, peer, streamDeps);
      this.#streams.add(opened);
      opened.begin(raw);
      this.#hasSpokenGrpc ||= opened.isGrpc;
    }
    if (this.#deps.isDraining()) this.#sendGoAway();
  }

  /** Ends what has timed out. One timer calls it for all connections. */
  sweep(monotonicMs: number): void {
    for (const stream of this.#streams) stream.sweep(monotonicMs);
    this.#scheduler.sweep();
    if (!this.#wasted.admits(this.#traffic, monotonicMs)) return this.#cutOff('too many bytes without a request');
    if (this.#streams.size > 0) return;
    const idleMs = monotonicMs - this.#idleSinceMs;
    const { headTimeoutMs, keepAliveIdleMs, lingerMs } = this.#deps.limits;
    const isOver = this.#session.closed || this.#session.destroyed;
    const mustAsk = !this.#hasGreeted || (this.#deps.isDraining() && !this.#hasAsked);
    if (isOver ? idleMs > lingerMs : mustAsk && idleMs > headTimeoutMs) this.destroy();
    else if (idleMs > keepAliveIdleMs) this.drain();
  }

  /** Refuses new streams; open ones may finish. GOAWAY names the last stream that was seen. */
  drain(): void {
    if (!this.#session.closed && !this.#session.destroyed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #onStreamClosed(stream: VisitorStream): void {
    this.#streams.delete(stream);
    if (stream.wasReset) this.#onReset();
    if (this.#streams.size > 0) return;
    this.#idleSinceMs = this.#deps.monotonicMs();
    if (this.#hasSentGoAway) this.drain();
  }

  /** Like `Connection: close` in HTTP/1: requests in flight are still served. */
  #sendGoAway(): void {
    if (this.#hasSentGoAway || this.#session.closed || this.#session.destroyed) return;
    this.#hasSentGoAway = true;
    this.#session.goaway(NGHTTP2_NO_ERROR, MAX_STREAM_ID);
  }

  #onReset(): void {
    const isOfFew = this.#deps.admitsWork(1);
    if (!this.#resets.admits('reset', this.#deps.monotonicMs()) || !isOfFew)
      this.#cutOff('too many reset streams', BROKEN_COST);
  }

  #onBody(chunk: Buffer): void {
    this.#wasted.addBody(chunk);
    if (chunk.length < SMALL_PIECE_BYTES && !this.#pieces.admits('piece', this.#deps.monotonicMs()))
      this.#cutOff('too many small pieces of a body');
  }

  #admit(frame: Parameters<FloodGuard['admits']>[0]): void {
    const isOfFew = this.#deps.admitsWork(1);
    if (!this.#guard.admits(frame, this.#deps.monotonicMs()) || !isOfFew) this.#cutOff(`too many ${frame} frames`);
  }

  #cutOff(reason: string, cost = FLOOD_COST): void {
    if (this.#isCutOff) return;
    this.#isCutOff = true;
    this.#deps.admitsWork(cost);
    this.#deps.onAbuse(reason);
    if (!this.#session.destroyed) this.#session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
  }

  get #traffic(): Traffic {
    let waiting = 0;
    for (const stream of this.#streams) waiting += stream.waitingBytes;
    return { received: this.#socket.bytesRead - waiting, sent: this.#socket.bytesWritten };
  }

  /** The library reports protocol errors here, and also connections that break off. */
  #onError(err: NodeJS.ErrnoException): void {
    if (err.code?.startsWith('ERR_HTTP2') !== true) return;
    if (err.errno === TOO_MANY_CONTINUATIONS) this.#deps.onHeadTooLong();
    if (this.#isCutOff) return;
    // The library ends a flood of resets itself, with the same code as any protocol error.
    for (const { stream } of this.#arrived) if (stream.closed) this.#resets.admits('reset', this.#deps.monotonicMs());
    if (this.#resets.isHalfUsed) return this.#cutOff('too many reset streams', BROKEN_COST);
    // The library also reports a GOAWAY with an error, which Firefox sends for each connection when it is closed.
    if (this.#hasSaidGoodbye && err.code === 'ERR_HTTP2_SESSION_ERROR') return void this.#deps.admitsWork(1);
    // grpc-go names a stream of its own in the GOAWAY of each connection that it closes, which breaks the protocol.
    if (this.#hasSpokenGrpc && err.errno === PROTOCOL_ERROR) return void this.#deps.admitsWork(1);
    this.#deps.admitsWork(BROKEN_COST);
    this.#deps.onAbuse(err.message);
  }
}
