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
/** Told as the last stream that will be served: those that are already under way are, whichever they are (RFC 9113 §6.8). */
const MAX_STREAM_ID = 2 ** 31 - 1;

export type SessionDeps = VisitorDeps & {
  /** The visitor did what no browser does, and was cut off for it. */
  onAbuse: (reason: string) => void;
  /** The session has ended over a head that is longer than HTTP/2 can be answered: many cookies do it. */
  onHeadTooLong: () => void;
};

/** An HTTP/2 connection of a visitor: its streams, each a request by itself, and what ends them all. */
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
    // HTTP/2 knows no connection that is half closed.
    socket.allowHalfOpen = false;
    socket.once('close', () => deps.onClosed());
    const session = performServerHandshake(socket, sessionOptions);
    this.#session = session;
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    // Whatever it is, it ends the session, and with it the socket.
    session.on('error', (err) => this.#onError(err));
    session.on('remoteSettings', () => {
      this.#hasGreeted = true;
      this.#admit('settings');
    });
    session.on('ping', () => this.#admit('ping'));
    const streamDeps: StreamDeps = {
      ...deps,
      forwarded: new ForwardedLines(origin),
      onClosed: (stream) => this.#onStreamClosed(stream),
    };
    session.on('stream', (stream, _headers, _flags, raw) => {
      const opened = new VisitorStream(stream, origin, streamDeps);
      this.#streams.add(opened);
      // It may have been reset again before anybody looked at it.
      if (!stream.closed && !stream.destroyed) opened.begin(raw);
      this.#hasAsked = true;
      if (deps.isDraining()) this.#sendGoAway();
    });
  }

  /** Ends what has waited too long. Called by one clock for all connections. */
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

  /** No more streams; those that are open may finish. The visitor is told which ones were still seen. */
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

  /** Like the last answer of an HTTP/1 connection: what the visitor asks for in this moment is served. */
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

  /** Besides what the library finds wrong with a session it is told of connections that break off. */
  #onError(err: NodeJS.ErrnoException): void {
    if (err.code?.startsWith('ERR_HTTP2') !== true) return;
    if (err.errno === TOO_MANY_CONTINUATIONS) this.#deps.onHeadTooLong();
    // The library ends a flood of resets itself, and calls it a protocol error as it does anything else.
    this.#deps.onAbuse(this.#hasResetTooMany ? 'too many reset streams' : err.message);
  }
}
