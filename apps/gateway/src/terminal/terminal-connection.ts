import { parseJson } from '@tongtu/base';
import { type AppFailure, TerminalFromBrowser, type TerminalFromGateway } from '@tongtu/contract';
import type { RawData, WebSocket } from 'ws';
import { type LiveSession, NoCommonAlgorithmError, SessionEndedError, TargetError } from '../session/live-session.ts';
import { CredentialsError } from '../ssh/credentials.ts';
import { HostKeyChangedError } from '../session/host-keys.ts';
import { InputWindow } from './input-window.ts';
import { OutputPacing } from './output-pacing.ts';
import { RunningShell, type ShellViewer } from './running-shell.ts';
import type { OpenShell, Shell, TerminalSize } from './shell.ts';
import { openSshShell } from './ssh-shell.ts';
import { openTelnetShell } from './telnet-shell.ts';

const MAX_TEXT_BYTES = 128 * 1024;
const MAX_INPUT_BYTES = 1024 * 1024;
/** Of what goes to the target: input, and messages about the window's size. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Of logins that the target refused. */
const MAX_REFUSALS = 5;

const POLICY_VIOLATION = 1008;
const NORMAL_CLOSURE = 1000;

export type TerminalOptions = { answerTimeoutMs?: number };

/**
 * Connects a terminal in the browser with a shell at the target: with the one of the session that still runs, or another
 * one. The shell ends with the session, not with the browser's connection.
 */
export function connectTerminal(session: LiveSession, socket: WebSocket, options: TerminalOptions = {}): void {
  const openShell = session.facts.kind === 'telnet' ? openTelnetShell : openSshShell;
  new TerminalConnection(session, socket, (deps) => openShell({ ...deps, ...options })).begin();
}

/** A relay cuts what may not go on at once, and the server says up to this later why. */
const REASON_WITHIN_MS = 1_000;

type Start = Extract<TerminalFromBrowser, { type: 'start' }>;

/**
 * It reads the WebSocket at all times. Were it to stop while the target takes no input, what the browser says about drawn
 * output would wait too, and a target that waits until its output is read would never take the input.
 */
class TerminalConnection implements ShellViewer {
  readonly #session: LiveSession;
  readonly #socket: WebSocket;
  readonly #openShell: OpenShell;
  readonly #pacing: OutputPacing;
  readonly #input = new InputWindow();
  #size: TerminalSize = { columns: 80, rows: 24 };
  /** Of the shell that is open or being opened. */
  #attempt: AbortController | undefined;
  /** Also while it is being opened. */
  #running: RunningShell | undefined;
  #onAnswers: ((answers: readonly string[]) => void) | undefined;
  #onTrust: ((isTrusted: boolean) => void) | undefined;
  #refusals = 0;
  /** Runs while the reason of a lost connection may still come. */
  #lostTimer: NodeJS.Timeout | undefined;

  constructor(session: LiveSession, socket: WebSocket, openShell: OpenShell) {
    this.#session = session;
    this.#socket = socket;
    this.#openShell = openShell;
    this.#pacing = new OutputPacing(socket, () => this.#reportTaken());
  }

  begin(): void {
    const { signal } = this.#session;
    const socket = this.#socket;
    const onAbort = (): void => {
      this.#fail(signal.reason instanceof SessionEndedError ? signal.reason.code : 'lost');
      this.#close(NORMAL_CLOSURE);
    };
    const stopWarnings = this.#session.onIdleWarning((seconds) => this.#send({ type: 'idle_warning', seconds }));
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', () => {}); // "close" follows
    socket.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      stopWarnings();
      clearTimeout(this.#lostTimer);
      this.#leave();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const bytes = asBuffer(data);
    if (bytes.length > (isBinary ? MAX_INPUT_BYTES : MAX_TEXT_BYTES)) return this.#close(POLICY_VIOLATION);
    if (isBinary) return this.#type(bytes);
    const { data: message } = TerminalFromBrowser.safeParse(parseJson(bytes.toString()));
    if (message === undefined) return this.#close(POLICY_VIOLATION);
    this.#obey(message);
  }

  #obey(message: TerminalFromBrowser): void {
    switch (message.type) {
      case 'start':
        if (this.#attempt !== undefined) return this.#close(POLICY_VIOLATION);
        this.#session.touch();
        this.#size = { columns: message.columns, rows: message.rows };
        if (this.#resume()) return;
        return void this.#open(message);
      case 'resize':
        this.#size = { columns: message.columns, rows: message.rows };
        if (this.#shell !== undefined) this.#running?.resize(this.#size);
        return this.#assertRoom();
      case 'drawn':
        return this.#pacing.addDrawn(message.bytes);
      case 'answers':
        this.#session.touch();
        return this.#onAnswers?.(message.answers);
      case 'trust_host_key':
        this.#session.touch();
        return this.#onTrust?.(message.trusted);
      case 'stay':
        return this.#session.touch();
    }
  }

  get #shell(): Shell | undefined {
    return this.#running?.shell;
  }

  /** The shell of the session that still runs, as after the page was loaded again. */
  #resume(): boolean {
    const running = RunningShell.of(this.#session);
    const shell = running?.shell;
    if (running === undefined || shell === undefined) return false;
    this.#attempt = new AbortController();
    this.#running = running;
    const { bytes, mustRedraw } = running.show(this);
    this.#send({ type: 'resumed', ...running.size, bytes: bytes.length });
    if (bytes.length > 0) this.#pacing.send(bytes);
    this.#pacing.attach(shell);
    if (mustRedraw) running.redraw();
    return true;
  }

  async #open(typed: Start): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#pacing.reset();
    const size = this.#size;
    const running = new RunningShell(this.#session, attempt, this, size);
    this.#running = running;
    try {
      const shell = await this.#openShell({
        session: this.#session,
        size,
        typed,
        user: { trustHostKey: (print) => this.#askTrust(print), answerPrompts: (prompts) => this.#askAnswers(prompts) },
        signal: attempt.signal,
        onOutput: (bytes) => running.onOutput(bytes),
        onSent: () => running.onSent(),
        onEnd: (reason) => running.onEnd(reason),
      });
      if (this.#attempt !== attempt) return; // it has ended in between
      running.begin(shell);
      this.#input.reset();
      this.#send({ type: 'connected' });
      this.#pacing.attach(shell);
      if (size !== this.#size) running.resize(this.#size);
    } catch (error) {
      if (this.#attempt === attempt) this.#ended(error);
    }
  }

  #type(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#session.touch();
    // What was typed while there is no shell was meant for the one before.
    if (this.#shell === undefined) return;
    if (!this.#input.add(bytes.length)) return this.#close(POLICY_VIOLATION);
    this.#running?.heldInput.write(this.#shell, bytes);
    this.#assertRoom();
  }

  #assertRoom(): void {
    if (this.#unsentBytes > MAX_UNSENT_BYTES) this.#close(POLICY_VIOLATION);
  }

  get #unsentBytes(): number {
    return (this.#shell?.unsentBytes ?? 0) + (this.#running?.heldInput.bytes ?? 0);
  }

  onOutput(bytes: Buffer): void {
    this.#pacing.send(bytes);
  }

  onSent(): void {
    this.#reportTaken();
  }

  onEnd(reason: AppFailure): void {
    this.#ended(new TargetError(reason));
  }

  onTakenOver(): void {
    this.#running = undefined;
    this.#fail('taken-over');
    this.#close(NORMAL_CLOSURE);
  }

  /** The browser has closed the connection. A shell that is open goes on; a login that waits for the user does not. */
  #leave(): void {
    if (this.#shell === undefined) return this.#cutTarget();
    this.#pacing.detach();
    this.#running?.leave(this);
    this.#running = undefined;
    this.#attempt = undefined;
  }

  /** Input may become output here (Telnet without echo), so a browser that does not draw gets no room for more. */
  #reportTaken(): void {
    if (this.#shell === undefined || this.#pacing.isPaused) return;
    const bytes = this.#input.takeReport(this.#unsentBytes);
    if (bytes > 0) this.#send({ type: 'taken', bytes });
  }

  #askTrust(fingerprint: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#onTrust = (isTrusted) => {
      this.#onTrust = undefined;
      resolve(isTrusted);
    };
    this.#send({ type: 'host_key', fingerprint });
    return promise;
  }

  #askAnswers(prompts: Omit<Extract<TerminalFromGateway, { type: 'prompts' }>, 'type'>): Promise<readonly string[]> {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    this.#onAnswers = (answers) => {
      this.#onAnswers = undefined;
      resolve(answers);
    };
    this.#send({ type: 'prompts', ...prompts });
    return promise;
  }

  /** The connection to the target has failed or ended. The browser may start another one. */
  #ended(error: unknown): void {
    this.#cutTarget();
    if (error instanceof HostKeyChangedError) {
      const { known, fingerprint } = error;
      return this.#send({ type: 'host_key_changed', known, fingerprint });
    }
    if (error instanceof NoCommonAlgorithmError) this.#send({ type: 'no_common_algorithm', ...error.mismatch });
    if (error instanceof TargetError && error.code === 'lost') return this.#loseTarget();
    if (!(error instanceof CredentialsError)) return this.#fail(error instanceof TargetError ? error.code : 'protocol');
    if (error.refused) this.#refusals += 1;
    if (this.#refusals < MAX_REFUSALS)
      return this.#send({ type: 'credentials', refused: error.refused, wanted: [...error.wanted] });
    this.#fail('login-failed');
    this.#close(NORMAL_CLOSURE);
  }

  #loseTarget(): void {
    clearTimeout(this.#lostTimer);
    this.#lostTimer = setTimeout(() => this.#fail('lost'), REASON_WITHIN_MS);
  }

  #cutTarget(): void {
    const running = this.#running;
    this.#attempt = undefined;
    this.#running = undefined;
    this.#onAnswers = undefined;
    this.#onTrust = undefined;
    this.#pacing.detach();
    running?.end();
  }

  #close(code: number): void {
    this.#cutTarget();
    this.#pacing.flush();
    this.#socket.close(code);
  }

  #fail(reason: AppFailure): void {
    clearTimeout(this.#lostTimer);
    this.#send({ type: 'failed', reason });
  }

  #send(message: TerminalFromGateway): void {
    this.#pacing.flush();
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
