import { constants, performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ForwardedLines } from '../http1/forwarded.ts';
import type { VisitorDeps } from '../visitors/visitor-connection.ts';
import type { VisitorOrigin } from '../visitors/visitor-origin.ts';
import { FloodGuard } from './flood-guard.ts';
import { SESSION_WINDOW_BYTES, sessionOptions } from './session-options.ts';
import { type StreamDeps, VisitorStream } from './visitor-stream.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

export type SessionDeps = VisitorDeps & {
  /** The visitor did what no browser does, and was cut off for it. */
  onAbuse: (reason: string) => void;
};

/** An HTTP/2 connection of a visitor: its streams, each a request by itself, and what ends them all. */
export class VisitorSession {
  readonly #deps: SessionDeps;
  readonly #socket: TLSSocket;
  readonly #session: ServerHttp2Session;
  readonly #streams = new Set<VisitorStream>();
  readonly #guard: FloodGuard;
  #hasGreeted = false;
  /** Since when it has no stream. */
  #idleSinceMs: number;

  constructor(socket: TLSSocket, origin: VisitorOrigin, deps: SessionDeps) {
    this.#deps = deps;
    this.#socket = socket;
    this.#idleSinceMs = deps.now();
    this.#guard = new FloodGuard(this.#idleSinceMs);
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
    });
  }

  /** Ends what has waited too long. Called by one clock for all connections. */
  sweep(nowMs: number): void {
    for (const stream of this.#streams) stream.sweep(nowMs);
    if (this.#streams.size > 0) return;
    const idleMs = nowMs - this.#idleSinceMs;
    const { headTimeoutMs, keepAliveIdleMs, lingerMs } = this.#deps.limits;
    const isOver = this.#session.closed || this.#session.destroyed;
    if (isOver ? idleMs > lingerMs : !this.#hasGreeted && idleMs > headTimeoutMs) this.destroy();
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
    if (this.#streams.size === 0) this.#idleSinceMs = this.#deps.now();
  }

  #admit(frame: Parameters<FloodGuard['admits']>[0]): void {
    if (this.#guard.admits(frame, this.#deps.now())) return;
    if (this.#session.destroyed) return;
    this.#session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
    this.#deps.onAbuse(`too many ${frame} frames`);
  }

  /** Besides what the library finds wrong with a session it is told of connections that break off. */
  #onError(err: NodeJS.ErrnoException): void {
    if (err.code?.startsWith('ERR_HTTP2') === true) this.#deps.onAbuse(err.message);
  }
}
