import type { OpenRequest, OpenStatus } from '@tongtu/tunnel';

export type RefusedStatus = Exclude<OpenStatus, 'connected'>;

/** One connection to a target in a device's network, whatever program the device runs. */
export type TargetStream = {
  /** Neither ended by us nor closed. */
  readonly isWritable: boolean;
  readonly queuedBytes: number;
  /** How many marks of an answer the device has sent; always 0 without the feature `marks-answers`. */
  readonly emptyUpdateCount: number;
  /** Between two requests; set by its user. */
  isResting?: boolean;
  /** False: there is a better way to the device for a new exchange. */
  readonly isPlacedWell?: boolean;
  /** Queued always, also before the target is connected; false: wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  /** Ends our direction, as far as the device's program can. */
  end(): void;
  /** Ends both directions at once; calls no event. */
  reset(): void;
  /** Gives the device room for as many further bytes. */
  consumed(bytes: number): void;
};

export type TargetEvents = {
  /** There is no connection to the target. No event follows. */
  onRefused(status: RefusedStatus): void;
  /** The receiver owns the chunk, and calls `consumed` when it has passed it on. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** No event follows. */
  onReset(): void;
  onDrain(): void;
};

/** Throws UpstreamBusyError at a limit, MuxClosedError when the device's connection is closing. */
export type OpenTarget = (request: OpenRequest, events: TargetEvents) => TargetStream;
