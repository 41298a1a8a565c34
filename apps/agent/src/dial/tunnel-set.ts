import { errorCatalogue, isErrorCode } from '@tongtu/contract/errors';
import type { TunnelAddress } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import type { AgentLog } from '../events/agent-log.ts';
import { PIN_MISMATCH } from '../net/reason-of.ts';
import type { Exchange } from './channels.ts';
import type { SessionEnd, Welcome } from './relay-session.ts';
import { type Credentials, Tunnel, type TunnelCoordinator, type TunnelDeps } from './tunnel.ts';
import { formatAddress, isSameAddress, resolveTunnels } from './tunnel-addresses.ts';

/** After so many failures in a row of every tunnel, the agent asks the server whether the relay has moved. */
const FAILURES_BEFORE_REDISCOVERY = 3;
/** The server is asked less often than the relays are dialled. */
const REDISCOVERY_EVERY_MS = 15_000;
/** After so many failures in a row while another relay is connected, a line is logged. */
const FAILURES_BEFORE_LOG = 5;
/** For so long after one relay has welcomed a new device, the others may not have its routes yet. */
const ROUTE_UPDATE_WITHIN_MS = 30_000;

export type TunnelSetDeps = TunnelDeps & {
  token: string | undefined;
  name: string;
  log: AgentLog;
  onOnline: (uid: string) => void;
  onOffline: () => void;
};

/** Tokens that enrol once (docs/protocol.md); the account token enrols again and again. */
const ONE_TIME_TOKEN = /^t[bc]_/;

/** The tunnels of one device, one to each relay: it is online while any of them is. */
export class TunnelSet implements TunnelCoordinator {
  readonly #deps: TunnelSetDeps;
  #token: string | undefined;
  readonly #tunnels: Tunnel[] = [];
  /** Includes tunnels that are being left. */
  readonly #running = new Map<Tunnel, Promise<void>>();
  readonly #online = new Set<Tunnel>();
  /** Failures in a row of each tunnel. */
  readonly #failures = new Map<Tunnel, number>();
  /** Reasons logged since the device was last online: a night without network gives one line, not four thousand. */
  readonly #loggedReasons = new Set<string>();
  #failure: { error: unknown } | undefined;
  readonly #stopping = new AbortController();
  #lastWelcome: { tunnel: Tunnel; atMs: number } | undefined;
  /** When the relays do not know the key (the device was deleted), this tunnel shows the token once more. */
  #enroller: Tunnel | undefined;
  #hasLoggedUnknown = false;
  #hasLoggedForeignList = false;
  #rediscovery: Promise<void> | undefined;
  #rediscoveredAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: TunnelSetDeps) {
    this.#deps = deps;
    this.#token = deps.token;
  }

  /** Resolves once all are stopped by the signal. Throws AgentError when going on is pointless. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const stop = () => this.#stopAll();
    signal.addEventListener('abort', stop, { once: true });
    this.#follow(this.#deps.device.tunnels);
    while (this.#running.size > 0) await Promise.race(this.#running.values());
    signal.removeEventListener('abort', stop);
    await this.#rediscovery; // it may be writing to the state folder
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  credentialsFor(tunnel: Tunnel): Credentials | undefined {
    const { device, name } = this.#deps;
    if (this.#token === undefined) return undefined;
    return device.uid === null || this.#enroller === tunnel ? { token: this.#token, name } : undefined;
  }

  async onUp(tunnel: Tunnel, welcome: Welcome): Promise<void> {
    const { device, monotonicMs } = this.#deps;
    const isFirst = this.#online.size === 0;
    this.#online.add(tunnel);
    this.#lastWelcome = { tunnel, atMs: monotonicMs() };
    this.#failures.delete(tunnel);
    this.#loggedReasons.clear();
    if (this.#enroller === tunnel) this.#enroller = undefined;
    this.#hasLoggedUnknown = false;
    // Used up, or not needed. After a later deletion the agent reports `device.removed`, not an invalid token.
    if (this.#token !== undefined && ONE_TIME_TOKEN.test(this.#token)) this.#token = undefined;
    await device.rememberUid(welcome.uid);
    if (isFirst) this.#reportOnline(tunnel, welcome.uid);
    this.#followRelay(tunnel, welcome);
  }

  onDown(tunnel: Tunnel, end: SessionEnd): void {
    const wasOnline = this.#online.delete(tunnel);
    const reason = end.type === 'lost' ? end.reason : end.type === 'unsupported' ? end.type : end.code;
    if (end.type === 'lost') {
      this.#failures.set(tunnel, (this.#failures.get(tunnel) ?? 0) + 1);
      if (this.#enroller === tunnel) this.#enroller = undefined;
    }
    if (this.#online.size > 0) return this.#logIfUnreachable(tunnel, reason);
    if (wasOnline) this.#deps.onOffline();
    if (this.#stopping.signal.aborted) return;
    if (wasOnline || !this.#loggedReasons.has(reason)) this.#deps.log.warn({ event: 'offline', reason }, 'offline');
    this.#loggedReasons.add(reason);
  }

  onAway(tunnel: Tunnel): void {
    if (!this.#online.delete(tunnel) || this.#online.size > 0) return;
    this.#deps.onOffline();
    this.#deps.log.warn({ event: 'offline', reason: 'silent' }, 'offline');
    this.#loggedReasons.add('silent');
  }

  onBack(tunnel: Tunnel): void {
    const isFirst = this.#online.size === 0;
    this.#online.add(tunnel);
    this.#loggedReasons.clear();
    if (isFirst && this.#deps.device.uid !== null) this.#reportOnline(tunnel, this.#deps.device.uid);
  }

  onExchanged(tunnel: Tunnel, { connections, silentMs }: Exchange): void {
    const relay = formatAddress(tunnel.address);
    const seconds = Math.ceil(silentMs / 1000);
    this.#deps.log.info({ event: 'connections-replaced', relay, connections, seconds }, 'went on over new connections');
  }

  afterRefusal(tunnel: Tunnel, { code }: { code: string }, shown: { token: boolean }): 'later' | 'now' {
    if (this.#isOnlineElsewhere(tunnel)) return 'later';
    switch (code) {
      case 'device.unknown':
        return this.#afterUnknown(tunnel, shown);
      case 'enrolment.token-invalid':
        throw new AgentError('token.invalid');
      case 'protocol.unsupported':
        throw new AgentError('protocol.unsupported');
      default:
        throw new AgentError('device.refused', { detail: isErrorCode(code) ? errorCatalogue[code].zh : code });
    }
  }

  onUnsupported(tunnel: Tunnel, relayProtocol: number): void {
    if (this.#isOnlineElsewhere(tunnel)) return;
    throw new AgentError('protocol.unsupported', { detail: `服务器 ${relayProtocol}` });
  }

  beforeRetry(end: SessionEnd): void {
    if (this.#online.size > 0 || this.#rediscovery !== undefined) return;
    // Another key at the relay's address: the relay has moved, or somebody intercepts. The server knows its address.
    const isOther = end.type === 'lost' && end.reason === PIN_MISMATCH;
    if (!isOther && !this.#isRediscoveryDue()) return;
    this.#failures.clear();
    this.#rediscoveredAtMs = this.#deps.monotonicMs();
    // Not awaited: a slow server must not delay the reconnection to a relay that is back.
    this.#rediscovery = this.#rediscover()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#rediscovery = undefined));
  }

  #reportOnline(tunnel: Tunnel, uid: string): void {
    this.#deps.log.info({ event: 'online', uid, relay: formatAddress(tunnel.address) }, 'online');
    this.#deps.onOnline(uid);
  }

  #isRediscoveryDue(): boolean {
    if (this.#deps.monotonicMs() - this.#rediscoveredAtMs < REDISCOVERY_EVERY_MS) return false;
    return this.#tunnels.every((each) => this.#failureCount(each) >= FAILURES_BEFORE_REDISCOVERY);
  }

  /** One tunnel enrols and the others wait for it, because a one-time token is valid once. */
  #afterUnknown(tunnel: Tunnel, shown: { token: boolean }): 'later' | 'now' {
    const { log, monotonicMs } = this.#deps;
    const last = this.#lastWelcome;
    if (last !== undefined && last.tunnel !== tunnel && monotonicMs() - last.atMs < ROUTE_UPDATE_WITHIN_MS)
      return 'later';
    if (shown.token || this.#token === undefined) throw new AgentError('device.removed');
    if (this.#enroller !== undefined && this.#enroller !== tunnel) return 'later';
    this.#enroller = tunnel;
    if (!this.#hasLoggedUnknown) {
      log.info({ event: 'device-unknown' }, 'the relay does not know this device: enrolling again');
    }
    this.#hasLoggedUnknown = true;
    return 'now';
  }

  #isOnlineElsewhere(tunnel: Tunnel): boolean {
    return this.#online.size > (this.#online.has(tunnel) ? 1 : 0);
  }

  #failureCount(tunnel: Tunnel): number {
    return this.#failures.get(tunnel) ?? 0;
  }

  #logIfUnreachable(tunnel: Tunnel, reason: string): void {
    if (this.#failureCount(tunnel) !== FAILURES_BEFORE_LOG) return;
    const relay = formatAddress(tunnel.address);
    this.#deps.log.warn({ event: 'tunnel-unreachable', relay, reason }, 'one of the relays cannot be reached');
  }

  /** Logged once: some visitors will see the device as offline. */
  #logForeignList(tunnel: Tunnel, list: TunnelAddress[]): void {
    if (this.#hasLoggedForeignList || list.length < 2) return;
    this.#hasLoggedForeignList = true;
    const fields = { relay: formatAddress(tunnel.address), listed: list.map(formatAddress).join(' ') };
    this.#deps.log.warn(
      { event: 'tunnels-unknown', ...fields },
      'the relays are at other addresses than the one dialled',
    );
  }

  /** The newest list applies. A list without the dialled address names addresses of another network and is ignored. */
  #followRelay(tunnel: Tunnel, { tunnels }: Welcome): void {
    const list = tunnels === undefined ? [] : resolveTunnels(tunnels, tunnel.address);
    if (!this.#tunnels.includes(tunnel) || list.length === 0) return;
    if (!list.some((address) => isSameAddress(address, tunnel.address))) return this.#logForeignList(tunnel, list);
    this.#follow(list);
    // If this fails, a restart dials the first relay and receives the list again.
    this.#deps.device.rememberTunnels(list).catch(() => {});
  }

  #follow(addresses: TunnelAddress[]): void {
    if (this.#stopping.signal.aborted) return;
    const isWanted = (tunnel: Tunnel) => addresses.some((address) => isSameAddress(address, tunnel.address));
    for (const tunnel of this.#tunnels.filter((each) => !isWanted(each))) this.#leave(tunnel);
    for (const address of addresses) {
      if (!this.#tunnels.some((tunnel) => isSameAddress(tunnel.address, address))) this.#start(address);
    }
  }

  #start(address: TunnelAddress): void {
    const tunnel = new Tunnel(address, this.#deps, this);
    this.#tunnels.push(tunnel);
    const running = tunnel.run().catch((error: unknown) => this.#fail(error));
    this.#running.set(tunnel, running);
    void running.then(() => this.#running.delete(tunnel));
  }

  #leave(tunnel: Tunnel): void {
    this.#tunnels.splice(this.#tunnels.indexOf(tunnel), 1);
    this.#failures.delete(tunnel);
    tunnel.leave();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stopAll();
  }

  #stopAll(): void {
    this.#stopping.abort();
    for (const tunnel of this.#running.keys()) tunnel.stop();
  }

  async #rediscover(): Promise<void> {
    const { device, log } = this.#deps;
    const relay = await device.rediscoverRelay(this.#stopping.signal);
    if (this.#online.size > 0) return;
    if (relay === 'moved') {
      log.info({ event: 'relay-moved', relay: formatAddress(device.primary) }, 'the relay has moved');
      this.#follow([device.primary]);
    } else {
      this.#follow([...this.#tunnels.map(({ address }) => address), device.primary]);
    }
  }
}
