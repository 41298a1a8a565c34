import type { AppFailure } from '@tongtu/contract';
import type { LiveSession } from '../session/live-session.ts';
import { HeldInput } from './held-input.ts';
import { OutputHistory } from './output-history.ts';
import type { Shell, TerminalSize } from './shell.ts';
import { UnseenOutput } from './unseen-output.ts';

/** The page that shows the shell. */
export type ShellViewer = {
  onOutput(bytes: Buffer): void;
  /** The target has taken input. */
  onSent(): void;
  onEnd(reason: AppFailure): void;
  /** Another page shows it from now on. */
  onTakenOver(): void;
};

const running = new WeakMap<LiveSession, RunningShell>();
/** When the connection is lost, the server says up to this later why. */
const REASON_WITHIN_MS = 1_000;

/**
 * A shell that goes on while no page shows it, as when the page is loaded again. What it says meanwhile is read and kept,
 * within limits. Its session decides how long it may.
 */
export class RunningShell {
  readonly heldInput = new HeldInput();
  readonly #session: LiveSession;
  readonly #controller: AbortController;
  readonly #history: OutputHistory;
  #viewer: ShellViewer | undefined;
  #shell: Shell | undefined;
  #unseen: UnseenOutput | undefined;
  #size: TerminalSize;
  #isOver = false;

  /** `controller`: of the attempt to open it. Its output may come before `begin`. */
  constructor(session: LiveSession, controller: AbortController, viewer: ShellViewer, size: TerminalSize) {
    this.#session = session;
    this.#controller = controller;
    this.#history = new OutputHistory(session.memory);
    this.#viewer = viewer;
    this.#size = size;
  }

  static of(session: LiveSession): RunningShell | undefined {
    return running.get(session);
  }

  /** The target has let us in. */
  begin(shell: Shell): void {
    this.#shell = shell;
    running.set(this.#session, this);
    this.#session.keepWithoutPage(true);
  }

  get shell(): Shell | undefined {
    return this.#shell;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  onOutput(bytes: Buffer): void {
    this.#history.add(bytes);
    if (this.#viewer !== undefined) return this.#viewer.onOutput(bytes);
    this.#unseen?.add(bytes.length);
  }

  onSent(): void {
    if (this.#shell !== undefined) this.heldInput.release(this.#shell);
    this.#viewer?.onSent();
  }

  onEnd(reason: AppFailure): void {
    const viewer = this.#viewer;
    this.end();
    if (viewer !== undefined) return viewer.onEnd(reason);
    setTimeout(() => this.#session.end(reason), reason === 'lost' ? REASON_WITHIN_MS : 0).unref();
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#shell?.resize(size);
  }

  /** The page is closed. */
  leave(viewer: ShellViewer): void {
    if (this.#viewer !== viewer || this.#shell === undefined) return;
    this.#viewer = undefined;
    this.#unseen = new UnseenOutput(this.#shell);
    this.#shell.resume(); // what the page had not drawn no longer holds it back
  }

  /** Shows the shell in another page. Returns the output that brings it to the same screen. */
  show(viewer: ShellViewer): { bytes: Buffer; mustRedraw: boolean } {
    const before = this.#viewer;
    this.#viewer = viewer;
    before?.onTakenOver();
    this.#unseen?.[Symbol.dispose]();
    this.#unseen = undefined;
    this.#shell?.resume();
    return this.#history.read();
  }

  /** A program that fills the screen draws it anew when the size changes. */
  redraw(): void {
    const { columns, rows } = this.#size;
    this.#shell?.resize({ columns, rows: rows > 2 ? rows - 1 : rows + 1 });
    this.#shell?.resize(this.#size);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const hadShell = this.#shell !== undefined;
    this.#viewer = undefined;
    this.#shell = undefined;
    this.#unseen?.[Symbol.dispose]();
    this.#history[Symbol.dispose]();
    this.heldInput.clear();
    if (running.get(this.#session) === this) running.delete(this.#session);
    if (hadShell) this.#session.keepWithoutPage(false);
    this.#controller.abort();
  }
}
