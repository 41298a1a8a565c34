import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { type FrpcFailure, statusOf } from './frpc-target.ts';

/** A target that is not dialled. Its user learns it in the next turn, as of every other target. */
export class RefusedTarget implements TargetStream {
  readonly isWritable = true;
  readonly queuedBytes = 0;
  readonly emptyUpdateCount = 0;
  #isClosed = false;

  constructor(failure: FrpcFailure, events: TargetEvents, onFailed?: (failure: FrpcFailure) => void) {
    setImmediate(() => {
      if (this.#isClosed) return;
      onFailed?.(failure);
      events.onRefused(statusOf[failure]);
    });
  }

  write(): boolean {
    return true;
  }

  end(): void {}

  reset(): void {
    this.#isClosed = true;
  }

  consumed(): void {}
}
