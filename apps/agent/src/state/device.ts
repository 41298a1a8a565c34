import { isDeepStrictEqual } from 'node:util';
import type { TunnelAddress } from '@tongtu/tunnel';
import { AgentError } from '../events/agent-error.ts';
import { type Bootstrap, fetchBootstrap, type RelayAddress, ServerUnreachableError } from '../server/bootstrap.ts';
import { isSamePin } from '../net/pin.ts';
import { createIdentity, type Identity, readIdentity } from './identity.ts';
import { type AgentState, readStateFile, writeStateFile } from './state-file.ts';

/** The device that a state folder stands for. */
export class Device {
  readonly identity: Identity;
  readonly #stateDir: string;
  #state: AgentState;
  #saving: Promise<void> = Promise.resolve();

  constructor(stateDir: string, state: AgentState) {
    this.#stateDir = stateDir;
    this.#state = state;
    this.identity = readIdentity(state.privateKey);
  }

  get uid(): string | null {
    return this.#state.uid;
  }

  get serverUrl(): string {
    return this.#state.serverUrl;
  }

  get relayPin(): string {
    return this.#state.relayPin;
  }

  get upgradeKey(): string | undefined {
    return this.#state.upgradeKey;
  }

  /** For a device that was enrolled before its server signed agents. A known key is never replaced. */
  async learnUpgradeKey(signal: AbortSignal): Promise<void> {
    if (this.#state.upgradeKey !== undefined) return;
    const bootstrap = await askAgain(this.#state.serverUrl, signal);
    if (bootstrap?.upgradeKey === undefined || !isSamePin(bootstrap.relay.relayPin, this.#state.relayPin)) return;
    await this.#save({ upgradeKey: bootstrap.upgradeKey });
  }

  /** The address of the relay that the server announces. */
  get primary(): TunnelAddress {
    return { host: this.#state.tunnelHost, port: this.#state.tunnelPort };
  }

  /** Where to dial in. Before the device is enrolled, one relay only. */
  get tunnels(): TunnelAddress[] {
    const { uid, tunnels } = this.#state;
    return uid === null || tunnels.length === 0 ? [this.primary] : tunnels;
  }

  async rememberUid(uid: string): Promise<void> {
    if (uid !== this.#state.uid) await this.#save({ uid });
  }

  async rememberTunnels(tunnels: TunnelAddress[]): Promise<void> {
    if (!isDeepStrictEqual(tunnels, this.#state.tunnels)) await this.#save({ tunnels });
  }

  /** Asks the server again for the address of the relay. Throws AgentError for another key than the known one. */
  async rediscoverRelay(signal: AbortSignal): Promise<'moved' | 'same'> {
    const relay = (await askAgain(this.#state.serverUrl, signal))?.relay;
    if (relay === undefined) return 'same';
    assertPin(relay, this.#state.relayPin);
    if (relay.tunnelHost === this.#state.tunnelHost && relay.tunnelPort === this.#state.tunnelPort) return 'same';
    await this.#save({ ...relay, tunnels: [] });
    return 'moved';
  }

  /** Saves one change after the other: two tunnels may save at the same time. */
  async #save(change: Partial<AgentState>): Promise<void> {
    const before = this.#saving;
    const saving = (async () => {
      await before;
      const state = { ...this.#state, ...change };
      await writeStateFile(this.#stateDir, state);
      this.#state = state;
    })();
    this.#saving = saving.catch(() => {}); // its caller receives the error
    await saving;
  }
}

/** The arguments of this start, which override the state folder. */
export type DeviceInput = { serverUrl: string | undefined; pin: string | undefined };

/** The state of the folder; undefined for a new one. Throws AgentError when a new one comes without a server. */
export async function readKnownState(stateDir: string, input: DeviceInput): Promise<AgentState | undefined> {
  const state = await readStateFile(stateDir);
  if (state === undefined && input.serverUrl === undefined) throw new AgentError('server.required');
  return state;
}

/**
 * Opens the device. Asks the server for its relay if the folder does not contain it or the input differs.
 * Throws ServerUnreachableError when a later try may succeed, else AgentError.
 */
export async function openDevice(
  stateDir: string,
  known: AgentState | undefined,
  input: DeviceInput,
  signal: AbortSignal,
): Promise<Device> {
  const serverUrl = input.serverUrl ?? known?.serverUrl;
  if (serverUrl === undefined) throw new AgentError('server.required');
  const isSettled = known?.serverUrl === serverUrl && (input.pin === undefined || isSamePin(input.pin, known.relayPin));
  if (known !== undefined && isSettled) return new Device(stateDir, known);
  const { relay, upgradeKey: shownKey } = await fetchBootstrap(serverUrl, signal);
  const expectedPin = input.pin ?? known?.relayPin;
  if (expectedPin !== undefined) assertPin(relay, expectedPin);
  const upgradeKey = known?.serverUrl === serverUrl ? (known.upgradeKey ?? shownKey) : shownKey;
  const state: AgentState = {
    version: 1,
    privateKey: known?.privateKey ?? createIdentity().privateKey,
    uid: known?.uid ?? null,
    serverUrl,
    ...relay,
    ...(upgradeKey !== undefined ? { upgradeKey } : {}),
    tunnels: [],
  };
  // Stored before the key is sent: a lost reply must not create a second device.
  await writeStateFile(stateDir, state);
  return new Device(stateDir, state);
}

async function askAgain(serverUrl: string, signal: AbortSignal): Promise<Bootstrap | undefined> {
  try {
    return await fetchBootstrap(serverUrl, signal);
  } catch (error) {
    // A captive portal or a starting server may answer anything. The known address stays valid.
    if (error instanceof ServerUnreachableError) return undefined;
    throw error;
  }
}

function assertPin(relay: RelayAddress, expected: string): void {
  if (!isSamePin(relay.relayPin, expected)) throw new AgentError('relay.pin-mismatch');
}
