import { terminalInputWindowBytes } from '@tongtu/contract/terminal-input';

/** How far the pastes are that have not left the page. */
export type PasteProgress = { sentBytes: number; totalBytes: number };

export type InputEvents = {
  send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** A paste waits, or none does any more. */
  onPasting: (isPasting: boolean) => void;
  onPasteStopped: (stopped: PasteStopped) => void;
};

/** The user has interrupted pastes, or the connection ended. */
export type PasteStopped = {
  unsentBytes: number;
  /** The target takes nothing, so that also the interrupt waits until it does. */
  isTargetStuck: boolean;
};

/** One message. What was sent before Ctrl+C is ahead of it on a slow network. */
const partBytes = 8_192;
/** A target that has taken nothing for so long is stuck. */
export const stuckAfterMs = 3_000;
/** Of keys and mouse reports that wait behind a paste, or for a target that takes nothing. Further ones are dropped. */
const maxQueuedKeyBytes = 64 * 1024;
/** Of pastes that wait. */
export const maxQueuedPasteBytes = 64 * 1024 * 1024;
/** Ctrl+C, Ctrl+Z, Ctrl+\: what makes a terminal send a signal. */
const interrupts: ReadonlySet<number> = new Set([3, 26, 28]);

type Queued = { type: 'keys'; bytes: Uint8Array<ArrayBuffer> } | QueuedPaste;
type QueuedPaste = {
  type: 'paste';
  bytes: Uint8Array<ArrayBuffer>;
  sentBytes: number;
  /** Ends it also where it is interrupted: a program in bracketed paste mode would wait for it. */
  endMark: Uint8Array<ArrayBuffer>;
};

/**
 * What the user types and pastes, in its order, and no faster than the target takes it. The rest waits here and not in the
 * WebSocket, where keys and reports of drawn output would wait behind it.
 */
export class TerminalInput {
  readonly #events: InputEvents;
  #queue: Queued[] = [];
  #queuedKeyBytes = 0;
  #untakenBytes = 0;
  /** Of all pastes since the queue was empty. */
  #progress: PasteProgress = { sentBytes: 0, totalBytes: 0 };
  #tookAtMs = 0;

  constructor(events: InputEvents) {
    this.#events = events;
  }

  /** Undefined when no paste waits. */
  get pasteProgress(): PasteProgress | undefined {
    return this.#unsentPasteBytes > 0 ? { ...this.#progress } : undefined;
  }

  /** Another shell begins, which has got nothing yet. */
  reset(): void {
    this.#untakenBytes = 0;
    this.#empty();
  }

  /** The shell is over. The user learns that a paste has not arrived whole. */
  lose(): void {
    const unsentBytes = this.#unsentPasteBytes;
    this.reset();
    if (unsentBytes > 0) this.#events.onPasteStopped({ unsentBytes, isTargetStuck: false });
  }

  type(bytes: Uint8Array<ArrayBuffer>): void {
    if (isInterrupt(bytes)) {
      this.stopPastes();
      return this.#send(bytes);
    }
    if (this.#queue.length === 0 && this.#hasRoom()) return this.#send(bytes);
    if (this.#queuedKeyBytes + bytes.length > maxQueuedKeyBytes) return;
    this.#queuedKeyBytes += bytes.length;
    this.#queue.push({ type: 'keys', bytes });
  }

  /** False when too much waits already. */
  paste(bytes: Uint8Array<ArrayBuffer>, endMark: Uint8Array<ArrayBuffer> = new Uint8Array()): boolean {
    if (this.#unsentPasteBytes + bytes.length > maxQueuedPasteBytes) return false;
    if (this.#queue.length === 0) this.#tookAtMs = performance.now();
    this.#queue.push({ type: 'paste', bytes, sentBytes: 0, endMark });
    this.#progress.totalBytes += bytes.length;
    this.#pump();
    return true;
  }

  get #unsentPasteBytes(): number {
    return this.#progress.totalBytes - this.#progress.sentBytes;
  }

  addTaken(bytes: number): void {
    this.#untakenBytes = Math.max(0, this.#untakenBytes - bytes);
    this.#tookAtMs = performance.now();
    this.#pump();
  }

  /** Drops what was not sent, also what was typed behind it: it was meant for what the paste would have done. */
  stopPastes(): void {
    const unsentBytes = this.#unsentPasteBytes;
    if (unsentBytes === 0) return;
    const isTargetStuck = performance.now() - this.#tookAtMs > stuckAfterMs;
    const [first] = this.#queue;
    this.#empty();
    if (first?.type === 'paste' && first.sentBytes > 0) this.#send(first.endMark);
    this.#events.onPasteStopped({ unsentBytes, isTargetStuck });
  }

  #pump(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#hasRoom(); next = this.#queue[0]) {
      if (next.type === 'keys') {
        this.#queue.shift();
        this.#queuedKeyBytes -= next.bytes.length;
        this.#send(next.bytes);
      } else this.#sendPart(next);
    }
    if (this.#queue.length === 0) this.#progress = { sentBytes: 0, totalBytes: 0 };
    this.#report();
  }

  #sendPart(paste: QueuedPaste): void {
    const part = paste.bytes.subarray(paste.sentBytes, paste.sentBytes + partBytes);
    paste.sentBytes += part.length;
    this.#progress.sentBytes += part.length;
    this.#send(part);
    if (paste.sentBytes < paste.bytes.length) return;
    this.#send(paste.endMark);
    this.#queue.shift();
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) return;
    this.#untakenBytes += bytes.length;
    this.#events.send(bytes);
  }

  #hasRoom(): boolean {
    return this.#untakenBytes + partBytes <= terminalInputWindowBytes;
  }

  #empty(): void {
    this.#queue = [];
    this.#queuedKeyBytes = 0;
    this.#progress = { sentBytes: 0, totalBytes: 0 };
    this.#report();
  }

  #report(): void {
    this.#events.onPasting(this.#unsentPasteBytes > 0);
  }
}

function isInterrupt(bytes: Uint8Array): boolean {
  const [first] = bytes;
  return bytes.length === 1 && first !== undefined && interrupts.has(first);
}
