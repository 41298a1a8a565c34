import { constants, performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ForwardedLines } from '../../codecs/http/forwarded.ts';
import type { VisitorDeps } from '../routing/visitor-deps.ts';
import type { VisitorOrigin } from '../routing/visitor-origin.ts';
import { FloodGuard } from './flood-guard.ts';
import { SESSION_WINDOW_BYTES, sessionOptions } from './session-options.ts';
import { type StreamDeps, VisitorStream } from './visitor-stream.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;
/** The library's error for a head in too many frames; Node.js has no name for it. */
const TOO_MANY_CONTINUATIONS = -905;
/** The last stream id of the first GOAWAY: all streams in flight are still served (RFC 9113 §6.8). */
const MAX_STREAM_ID = 2 ** 31 - 1;

export type SessionDeps = VisitorDeps & {
  /** The visitor was cut off because it did what no browser does. */
  onAbuse: (reason: string) => void;
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
  #hasResetTooMany = false;
  #hasGreeted = false;
  #hasAsked = false;
  #hasSentGoAway = false;
  /** Since when it has no stream. */
  #idleSinceMs: number;

  constructor(socket: TLSSocket, origin: VisitorOrigin, deps: SessionDeps) {
    this.#deps = deps;
    this.#socket = socket;
    this.#idleSinceMs = deps.monotonicMs();
    this.#guard = new FloodGuard(this.#idleSinceMs);
    this.#resets = new FloodGuard(this.#idleSinceMs);
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
    const peer = { origin, forwarded: new ForwardedLines(origin) };
    const streamDeps: StreamDeps = { ...deps, onClosed: (stream) => this.#onStreamClosed(stream) };
    session.on('stream', (stream, _headers, _flags, raw) => {
      const opened = new VisitorStream(stream, peer, streamDeps);
      this.#streams.add(opened);
      // It may already have been reset.
      if (!stream.closed && !stream.destroyed) opened.begin(raw);
      this.#hasAsked = true;
      if (deps.isDraining()) this.#sendGoAway();
    });
  }

  /** Ends what has timed out. One timer calls it for all connections. */
  sweep(monotonicMs: number): void {
    for (const stream of this.#streams) stream.sweep(monotonicMs);
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
    if (stream.wasReset && !this.#resets.admits('reset', this.#deps.monotonicMs())) this.#hasResetTooMany = true;
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

  #admit(frame: Parameters<FloodGuard['admits']>[0]): void {
    if (this.#guard.admits(frame, this.#deps.monotonicMs())) return;
    if (this.#session.destroyed) return;
    this.#session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
    this.#deps.onAbuse(`too many ${frame} frames`);
  }

  /** The library reports protocol errors here, and also connections that break off. */
  #onError(err: NodeJS.ErrnoException): void {
    if (err.code?.startsWith('ERR_HTTP2') !== true) return;
    if (err.errno === TOO_MANY_CONTINUATIONS) this.#deps.onHeadTooLong();
    // The library ends a flood of resets itself, with the same code as any protocol error.
    this.#deps.onAbuse(this.#hasResetTooMany ? 'too many reset streams' : err.message);
  }
}
