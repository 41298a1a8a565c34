import { type Backoff, createBackoff } from '@tongtu/base';
import { errorCatalogue, isErrorCode } from '@tongtu/contract/errors';
import { AgentError } from '../agent-error.ts';
import type { AgentLog } from '../agent-log.ts';
import type { Device } from '../state/device.ts';
import { connectRelay } from './connect-relay.ts';
import { PIN_MISMATCH, reasonOf } from './reason-of.ts';
import { RelaySession, type SessionEnd, type Welcome } from './relay-session.ts';
import { wait } from './wait.ts';

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 20_000;
/** A connection that lived this long was a good one: the next failure starts the backoff anew. */
const STABLE_AFTER_MS = 30_000;
/** After this many failures in a row the relay may have moved, so the server is asked again. */
const FAILURES_BEFORE_REDISCOVERY = 3;
const MAX_BYE_WAIT_MS = 3_600_000;

export type KeepConnectedDeps = {
  device: Device;
  token: string | undefined;
  name: string;
  agentVersion: string;
  platform: string;
  random: () => number;
  now: () => number;
  log: AgentLog;
  onOnline: (uid: string) => void;
  onOffline: () => void;
};

/** Keeps one device connected to its relay until the signal aborts. Throws AgentError when going on is pointless. */
export async function keepConnected(deps: KeepConnectedDeps, signal: AbortSignal): Promise<void> {
  await new Connector(deps, signal).run();
}

class Connector {
  readonly #deps: KeepConnectedDeps;
  readonly #signal: AbortSignal;
  readonly #backoff: Backoff;
  #failures = 0;
  #isOnline = false;
  #lastReason: string | undefined;
  #welcomedAtMs: number | undefined;
  /** The relay does not know our key (the device was deleted), so the token is shown once more. */
  #enrolsAgain = false;

  constructor(deps: KeepConnectedDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#backoff = createBackoff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random: deps.random });
  }

  async run(): Promise<void> {
    if (this.#deps.device.uid === null) {
      this.#deps.log.info({ event: 'enrolling', serverUrl: this.#deps.device.serverUrl }, 'enrolling this device');
    }
    while (!this.#signal.aborted) {
      const end = await this.#connectOnce();
      if (this.#signal.aborted) return;
      const pauseMs = this.#pauseAfter(end); // throws for an end that is final
      this.#wentOffline(end);
      await wait(pauseMs, this.#signal);
      // A stranger at the relay's address: it has moved, or something is in between. Only the server can tell.
      const isStranger = end.type === 'lost' && end.reason === PIN_MISMATCH;
      if (isStranger || this.#failures >= FAILURES_BEFORE_REDISCOVERY) await this.#rediscover();
    }
  }

  async #connectOnce(): Promise<SessionEnd> {
    const { device } = this.#deps;
    let session: RelaySession;
    this.#welcomedAtMs = undefined;
    const saves: Promise<void>[] = [];
    try {
      const socket = await connectRelay(device.relay, this.#signal);
      session = new RelaySession(socket, {
        ...this.#deps,
        identity: device.identity,
        relayPin: device.relay.relayPin,
        credentials: this.#credentials(),
        onWelcome: (welcome) => {
          const save = this.#wentOnline(welcome);
          saves.push(save);
          save.catch(() => session.stop()); // thrown below, once the session has ended
        },
      });
    } catch (error) {
      if (error instanceof AgentError) throw error;
      return { type: 'lost', reason: reasonOf(error) };
    }
    const stop = () => void session.stop();
    this.#signal.addEventListener('abort', stop, { once: true });
    if (this.#signal.aborted) stop();
    const end = await session.ended;
    this.#signal.removeEventListener('abort', stop);
    await Promise.all(saves);
    return end;
  }

  #credentials(): { token: string; name: string } | undefined {
    const { device, token, name } = this.#deps;
    if (token === undefined) return undefined;
    return device.uid === null || this.#enrolsAgain ? { token, name } : undefined;
  }

  async #wentOnline(welcome: Welcome): Promise<void> {
    const { device, log, now, onOnline } = this.#deps;
    this.#welcomedAtMs = now();
    this.#failures = 0;
    this.#enrolsAgain = false;
    this.#isOnline = true;
    this.#lastReason = undefined;
    await device.rememberUid(welcome.uid);
    const { tunnelHost, tunnelPort } = device.relay;
    log.info({ event: 'online', uid: welcome.uid, relay: `${tunnelHost}:${tunnelPort}` }, 'online');
    onOnline(welcome.uid);
  }

  /** Told once for each change: a relay that stays away for a night is one line, not four thousand. */
  #wentOffline(end: SessionEnd): void {
    const reason = end.type === 'lost' ? end.reason : end.type === 'unsupported' ? end.type : end.code;
    if (this.#isOnline) this.#deps.onOffline();
    if (this.#isOnline || reason !== this.#lastReason) {
      this.#deps.log.warn({ event: 'offline', reason }, 'offline');
    }
    this.#isOnline = false;
    this.#lastReason = reason;
  }

  #pauseAfter(end: SessionEnd): number {
    const livedMs = this.#welcomedAtMs === undefined ? 0 : this.#deps.now() - this.#welcomedAtMs;
    if (livedMs >= STABLE_AFTER_MS) this.#backoff.reset();
    switch (end.type) {
      case 'lost':
        this.#failures++;
        return this.#backoff.nextMs();
      case 'bye':
        if (end.retryAfterMs === null) throw new AgentError('device.removed');
        return Math.min(end.retryAfterMs, MAX_BYE_WAIT_MS);
      case 'unsupported':
        throw new AgentError('protocol.unsupported', { detail: `服务器 ${end.relayProtocol}` });
      case 'refused':
        return end.retry ? this.#backoff.nextMs() : this.#afterRefusal(end.code);
    }
  }

  #afterRefusal(code: string): number {
    switch (code) {
      case 'device.unknown':
        if (this.#deps.token === undefined || this.#enrolsAgain) throw new AgentError('device.removed');
        this.#enrolsAgain = true;
        this.#deps.log.info({ event: 'device-unknown' }, 'the relay does not know this device: enrolling again');
        return 0;
      case 'enrolment.token-invalid':
        throw new AgentError('token.invalid');
      case 'protocol.unsupported':
        throw new AgentError('protocol.unsupported');
      default:
        throw new AgentError('device.refused', { detail: isErrorCode(code) ? errorCatalogue[code].detail : code });
    }
  }

  async #rediscover(): Promise<void> {
    this.#failures = 0;
    const relay = await this.#deps.device.rediscoverRelay(this.#signal);
    if (relay === 'moved') {
      const { tunnelHost, tunnelPort } = this.#deps.device.relay;
      this.#deps.log.info({ event: 'relay-moved', relay: `${tunnelHost}:${tunnelPort}` }, 'the relay has moved');
    }
  }
}
