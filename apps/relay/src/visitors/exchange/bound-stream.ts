import type { UpstreamStream } from '../../upstream/upstream-stream.ts';

/** Where a stream leads: a mapping, and one of the targets of its rules. */
type Place = { host: string; targetKey: string | undefined };

/** The stream that a visitor's connection has to itself between two requests; see connection-bound.ts. */
export class BoundStream {
  #kept: (Place & { stream: UpstreamStream }) | undefined;

  keep(stream: UpstreamStream, place: Place): void {
    const drop = () => {
      if (this.#kept?.stream === stream) this.#kept = undefined;
      stream.reset();
    };
    stream.events = { onData: drop, onEnd: drop, onFailed: drop, onDrain() {} };
    this.#kept = { stream, ...place };
  }

  /** The stream, when the request is for its place; otherwise the stream is closed. */
  take({ host, targetKey }: Place): UpstreamStream | undefined {
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    this.#kept = undefined;
    if (kept.host === host && kept.targetKey === targetKey) return kept.stream;
    kept.stream.reset();
    return undefined;
  }

  reset(): void {
    this.#kept?.stream.reset();
    this.#kept = undefined;
  }
}
