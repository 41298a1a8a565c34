import type { Grant } from '../access/judge-access.ts';
import { noMeter } from '../usage/mapping-meter.ts';
import type { UpstreamEvents, UpstreamPool, UpstreamStream } from '../upstream/upstream-stream.ts';

/** A device with one service, which echoes everything. */
export const echoPool: UpstreamPool = { meter: noMeter, take: (_reuse, grant) => new EchoStream(grant) };

class EchoStream implements UpstreamStream {
  events: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };
  readonly isReused = false;
  readonly queuedBytes = 0;
  grant: Grant | undefined;

  constructor(grant: Grant) {
    this.grant = grant;
  }

  write(chunk: Buffer): boolean {
    setImmediate(() => this.events.onData(chunk));
    return true;
  }

  end(): void {
    setImmediate(() => this.events.onEnd());
  }

  reset(): void {}

  consumed(): void {}

  release(): void {}
}
