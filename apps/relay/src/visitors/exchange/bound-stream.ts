import type { UpstreamStream } from '../../upstream/upstream-stream.ts';

/** The stream that a visitor's connection has to itself between two requests; see connection-bound.ts. */
export class BoundStream {
  #kept: { stream: UpstreamStream; host: string } | undefined;

  keep(stream: UpstreamStream, host: string): void {
    const drop = () => {
      if (this.#kept?.stream === stream) this.#kept = undefined;
      stream.reset();
    };
    stream.events = { onData: drop, onEnd: drop, onFailed: drop, onDrain() {} };
    this.#kept = { stream, host };
  }

  /** The stream, when the request is for its host; otherwise the stream is closed. */
  take(host: string): UpstreamStream | undefined {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    this.#kept = undefined;
    if (kept.host === host) return kept.stream;
    kept.stream.reset();
    return undefined;
  }

  reset(): void {
    this.#kept?.stream.reset();
    this.#kept = undefined;
  }
}
