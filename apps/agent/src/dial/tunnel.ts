import { type DiagnosisReport, JOIN_PROTOCOL, type TunnelAddress } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { Device } from '../state/device.ts';
import type { Exchange } from './channels.ts';
import { type ConnectOptions, connectRelay } from './connect-relay.ts';
import type { RelayConnections } from '../line/relay-connections.ts';
import { reasonOf } from '../net/reason-of.ts';
import { RelayHost } from './relay-host.ts';
import { RelaySession, type SessionEnd, type Welcome } from './relay-session.ts';
import { RetryDelay } from './retry-delay.ts';
import { formatAddress } from './tunnel-addresses.ts';
import { wait } from '../net/wait.ts';
import type { Upgrader } from '../upgrade/create-upgrader.ts';
import type { Waker } from '../wake/create-waker.ts';

export type Credentials = { token: string; name: string };
type Refusal = Extract<SessionEnd, { type: 'refused' }>;

/** Decides for all tunnels of one device together. */
export type TunnelCoordinator = {
  /** The token and name for this login; only to enrol. */
  credentialsFor(tunnel: Tunnel): Credentials | undefined;
  /** Rejects when the state folder cannot be written. */
  onUp(tunnel: Tunnel, welcome: Welcome): Promise<void>;
  onDown(tunnel: Tunnel, end: SessionEnd): void;
  /** The session is silent for so long that the relay reports the device as offline; and then it goes on. */
  onAway(tunnel: Tunnel): void;
  onBack(tunnel: Tunnel): void;
  onExchanged(tunnel: Tunnel, exchange: Exchange): void;
  /** When to try again after a refusal with `retry: false`. Throws AgentError when the agent must end. */
  afterRefusal(tunnel: Tunnel, refusal: Refusal, shown: { token: boolean }): 'later' | 'now';
  /** Throws AgentError when the agent must end. */
  onUnsupported(tunnel: Tunnel, relayProtocol: number): void;
  /** Called before the next try. It starts work that the try does not wait for. */
  beforeRetry(end: SessionEnd): void;
};

export type TunnelDeps = {
  device: Device;
  /** Maps an address from a relay to the one to dial. */
  reach: (address: TunnelAddress) => TunnelAddress;
  agentVersion: string;
  platform: string;
  random: () => number;
  monotonicMs: () => number;
  wallClockMs: () => number;
  /** One for all tunnels, because it limits what they ask together. */
  wake: Waker;
  upgrade: Upgrader | undefined;
  discovery: Discovery;
  diagnose: () => Promise<DiagnosisReport>;
  /** All of the agent's. */
  connections: RelayConnections;
};

/** The connection to one relay, which reconnects until it is stopped or left. */
export class Tunnel {
  readonly address: TunnelAddress;
  readonly #deps: TunnelDeps;
  readonly #coordinator: TunnelCoordinator;
  readonly #delay: RetryDelay;
  readonly #dialled: TunnelAddress;
  readonly #addresses: RelayHost;
  readonly #over = new AbortController();
  #session: RelaySession | undefined;

  constructor(address: TunnelAddress, deps: TunnelDeps, coordinator: TunnelCoordinator) {
    this.address = address;
    this.#deps = deps;
    this.#coordinator = coordinator;
    this.#delay = new RetryDelay(deps);
    this.#dialled = deps.reach(address);
    this.#addresses = new RelayHost(this.#dialled.host);
  }

  /** Resolves when it is stopped or left. Throws AgentError when the agent must end. */
  async run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      const shown = this.#coordinator.credentialsFor(this);
      const end = await this.#connectOnce(shown);
      // The device was deleted. This holds for all tunnels, even if this one is being left.
      if (end.type === 'bye' && end.retryAfterMs === null) throw new AgentError('device.removed');
      const pauseMs = signal.aborted ? 0 : this.#pauseAfter(end, { token: shown !== undefined });
      this.#coordinator.onDown(this, end);
      await wait(pauseMs, signal);
      if (!signal.aborted) this.#coordinator.beforeRetry(end);
    }
  }

  /** Sends bye and ends. */
  stop(): void {
    this.#over.abort();
    void this.#session?.stop();
  }

  /** Ends when no stream is open, or after RETIRE_WITHIN_MS. */
  leave(): void {
    this.#over.abort();
    this.#session?.retire();
  }

  async #connectOnce(credentials: Credentials | undefined): Promise<SessionEnd> {
    const { device, connections } = this.#deps;
    const { relayPin } = device;
    const connect = async (options: ConnectOptions) =>
      await connectRelay({ ...this.#dialled, relayPin, addresses: this.#addresses, connections }, options);
    const saves: Promise<void>[] = [];
    try {
      const socket = await connect({ signal: this.#over.signal });
      const session = new RelaySession(socket, {
        ...this.#deps,
        identity: device.identity,
        relayPin,
        credentials,
        connect: async (options) => await connect({ ...options, protocol: JOIN_PROTOCOL }),
        onAway: () => this.#coordinator.onAway(this),
        onBack: () => this.#coordinator.onBack(this),
        onExchanged: (exchange) => this.#coordinator.onExchanged(this, exchange),
        takeSent: async () => await connections.takeSent(formatAddress(this.#dialled)),
        onWelcome: (welcome) => {
          this.#delay.onWelcome();
          const save = this.#coordinator.onUp(this, welcome);
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
    if (end.type === 'unsupported') this.#coordinator.onUnsupported(this, end.relayProtocol);
    if (end.type === 'refused' && !end.retry && this.#coordinator.afterRefusal(this, end, shown) === 'now') return 0;
    return this.#delay.pauseMs(end);
  }
}
