import type { TunnelAddress } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import type { Device } from '../state/device.ts';
import { connectRelay } from './connect-relay.ts';
import { reasonOf } from '../net/reason-of.ts';
import { RelaySession, type SessionEnd, type Welcome } from './relay-session.ts';
import { RetryDelay } from './retry-delay.ts';
import { wait } from '../net/wait.ts';

export type Credentials = { token: string; name: string };
type Refusal = Extract<SessionEnd, { type: 'refused' }>;

/** What the tunnels of one device decide together. */
export type TunnelCouncil = {
  /** What this login shows besides the key; only to enrol. */
  credentialsFor(tunnel: Tunnel): Credentials | undefined;
  /** Rejects when what must be kept could not be. */
  onUp(tunnel: Tunnel, welcome: Welcome): Promise<void>;
  onDown(tunnel: Tunnel, end: SessionEnd): void;
  /** What follows a refusal that is meant to be final. Throws AgentError when going on is pointless. */
  afterRefusal(tunnel: Tunnel, refusal: Refusal, shown: { token: boolean }): 'later' | 'now';
  /** Throws AgentError when going on is pointless. */
  onUnsupported(tunnel: Tunnel, relayProtocol: number): void;
  /** Before the next try, which does not wait for what is found out. */
  beforeRetry(end: SessionEnd): void;
};

export type TunnelDeps = {
  device: Device;
  /** From an address as the relays tell it to the one to dial. */
  reach: (address: TunnelAddress) => TunnelAddress;
  agentVersion: string;
  platform: string;
  random: () => number;
  now: () => number;
};

/** The connection to one relay, made again and again until it is stopped or left. */
export class Tunnel {
  readonly address: TunnelAddress;
  readonly #deps: TunnelDeps;
  readonly #council: TunnelCouncil;
  readonly #delay: RetryDelay;
  readonly #over = new AbortController();
  #session: RelaySession | undefined;

  constructor(address: TunnelAddress, deps: TunnelDeps, council: TunnelCouncil) {
    this.address = address;
    this.#deps = deps;
    this.#council = council;
    this.#delay = new RetryDelay(deps);
  }

  /** Resolves once it is stopped or left. Throws AgentError when going on is pointless. */
  async run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      const shown = this.#council.credentialsFor(this);
      const end = await this.#connectOnce(shown);
      // The device is gone whichever tunnel is told, and even while this one is being left.
      if (end.type === 'bye' && end.retryAfterMs === null) throw new AgentError('device.removed');
      const pauseMs = signal.aborted ? 0 : this.#pauseAfter(end, { token: shown !== undefined });
      this.#council.onDown(this, end);
      await wait(pauseMs, signal);
      if (!signal.aborted) this.#council.beforeRetry(end);
    }
  }

  /** Says bye and ends. */
  stop(): void {
    this.#over.abort();
    void this.#session?.stop();
  }

  /** Ends once nothing runs over it, or after a while. */
  leave(): void {
    this.#over.abort();
    this.#session?.retire();
  }

  async #connectOnce(credentials: Credentials | undefined): Promise<SessionEnd> {
    const { device, reach } = this.#deps;
    const { relayPin } = device;
    const saves: Promise<void>[] = [];
    try {
      const socket = await connectRelay({ ...reach(this.address), relayPin }, this.#over.signal);
      const session = new RelaySession(socket, {
        ...this.#deps,
        identity: device.identity,
        relayPin,
        credentials,
        onWelcome: (welcome) => {
          this.#delay.onWelcome();
          const save = this.#council.onUp(this, welcome);
          saves.push(save);
          save.catch(() => session.stop()); // thrown below, once the session has ended
        },
      });
      this.#session = session;
    } catch (error) {
      return { type: 'lost', reason: reasonOf(error) };
    }
    if (this.#over.signal.aborted) void this.#session.stop();
    const end = await this.#session.ended;
    this.#session = undefined;
    await Promise.all(saves);
    return end;
  }

  #pauseAfter(end: SessionEnd, shown: { token: boolean }): number {
    this.#delay.onEnded();
    if (end.type === 'unsupported') this.#council.onUnsupported(this, end.relayProtocol);
    if (end.type === 'refused' && !end.retry && this.#council.afterRefusal(this, end, shown) === 'now') return 0;
    return this.#delay.pauseMs(end);
  }
}
