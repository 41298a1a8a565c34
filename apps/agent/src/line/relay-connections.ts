import { readFile } from 'node:fs/promises';
import { BlockList, isIP, type Socket } from 'node:net';
import { readSocketStates, type SocketState } from './socket-states.ts';
import { setCongestionControl, type SetOutcome } from './set-congestion-control.ts';

const PREFERRED = 'bbr';
const SETTINGS = '/proc/sys/net/ipv4';

/**
 * Whether the connections to relays use bbr, which a lossy line needs. `untried`: there was none yet. `default`: the
 * system uses it for everything. `local`: the relay is on this machine, so no line is between.
 */
export type BbrState = SetOutcome | 'untried' | 'default' | 'local' | 'off' | 'not-linux';

export type MeasuredConnection = Pick<SocketState, 'congestionControl' | 'rttMs' | 'bytesPerS'> & {
  /** The relay's address, as it was dialled. */
  name: string;
  /** The share of the sent bytes that was sent again. Null: unknown, or nothing was sent. */
  lossPercent: number | null;
};

export type SentBytes = {
  sentBytes: number;
  retransmittedBytes: number;
  /** Of one of the connections; null: unknown. */
  congestionControl: string | null;
  /** The highest of them; null: unknown. */
  bytesPerS: number | null;
};

type Options = {
  /** False: leave the congestion control as it is. */
  bbr: boolean;
  platform: NodeJS.Platform;
  /** False: a diagnosis, which shall not have the kernel load anything. */
  mayLoadModule: boolean;
};

const ownMachine = new BlockList();
ownMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ownMachine.addAddress('::1', 'ipv6');

/** The open connections to relays: sets their congestion control, and says how they fare. */
export class RelayConnections {
  readonly #options: Options;
  readonly #names = new Map<Socket, string>();
  /** What `takeSent` has returned of each connection. */
  readonly #taken = new WeakMap<Socket, { sentBytes: number; retransmittedBytes: number }>();
  /** One child process at a time: several connections may begin together. */
  #queue: Promise<void> = Promise.resolve();
  #bbr: BbrState;

  constructor(options: Options) {
    this.#options = options;
    this.#bbr = 'untried';
    if (options.platform !== 'linux') this.#bbr = 'not-linux';
    if (!options.bbr) this.#bbr = 'off';
  }

  /** How it was at the last connection. */
  get bbr(): BbrState {
    return this.#bbr;
  }

  /** A connection to a relay has begun. Does not wait for the congestion control. */
  add(socket: Socket, name: string): void {
    this.#names.set(socket, name);
    socket.once('close', () => this.#names.delete(socket));
    if (!this.#options.bbr || this.#options.platform !== 'linux') return;
    this.#queue = this.#queue.then(async () => {
      if (this.#names.has(socket)) this.#bbr = (await this.#prefer(socket)) ?? this.#bbr;
    });
  }

  /** Undefined: the connection has ended. */
  async #prefer(socket: Socket): Promise<BbrState | undefined> {
    if (isOwnMachine(socket.remoteAddress ?? '')) return 'local';
    if (!this.#options.mayLoadModule && !(await setting('tcp_available_congestion_control')).includes(PREFERRED))
      return 'not-in-kernel';
    // Also where it is the default: a route may say otherwise.
    const outcome = await setCongestionControl(socket, PREFERRED);
    const isDefault = (await setting('tcp_congestion_control')).includes(PREFERRED);
    return outcome === 'no-tool' && isDefault ? 'default' : outcome;
  }

  /** Resolves when what was added has its congestion control. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  /** Those that are open now, the oldest first. */
  async measure(): Promise<MeasuredConnection[]> {
    return (await this.#read()).map(([, name, state]) => measured(name, state));
  }

  /** What the open connections to this relay have sent since the last call. Zero where the system does not say it. */
  async takeSent(relay: string): Promise<SentBytes> {
    const sum: SentBytes = { sentBytes: 0, retransmittedBytes: 0, congestionControl: null, bytesPerS: null };
    for (const [socket, name, state] of await this.#read()) {
      if (name !== relay || state === undefined) continue;
      const { sentBytes, retransmittedBytes } = state;
      const before = this.#taken.get(socket) ?? { sentBytes: 0, retransmittedBytes: 0 };
      const now = { sentBytes: sentBytes ?? before.sentBytes, retransmittedBytes };
      this.#taken.set(socket, now);
      sum.sentBytes += now.sentBytes - before.sentBytes;
      sum.retransmittedBytes += now.retransmittedBytes - before.retransmittedBytes;
      sum.congestionControl ??= state.congestionControl?.slice(0, 20) ?? null;
      sum.bytesPerS = state.bytesPerS === null ? sum.bytesPerS : Math.max(sum.bytesPerS ?? 0, state.bytesPerS);
    }
    return sum;
  }

  async #read(): Promise<[socket: Socket, name: string, state: SocketState | undefined][]> {
    const sockets = [...this.#names].filter(([{ remoteAddress }]) => remoteAddress !== undefined);
    const peers = sockets.map(([{ remoteAddress = '', remotePort = 0 }]) => ({
      address: remoteAddress,
      port: remotePort,
    }));
    const states = (await readSocketStates(peers)) ?? [];
    return sockets.map(([socket, name]) => [socket, name, states.find((state) => isOf(state, socket))]);
  }
}

export function measured(name: string, state: SocketState | undefined): MeasuredConnection {
  if (state === undefined) return { name, congestionControl: null, rttMs: null, lossPercent: null, bytesPerS: null };
  const { congestionControl, rttMs, bytesPerS, sentBytes, retransmittedBytes } = state;
  const lossPercent = sentBytes === null || sentBytes === 0 ? null : (retransmittedBytes / sentBytes) * 100;
  return { name, congestionControl, rttMs, bytesPerS, lossPercent };
}

function isOf(state: SocketState, { localPort, remotePort }: Socket): boolean {
  return state.localPort === localPort && state.remotePort === remotePort;
}

/** The words of a setting of the kernel. */
async function setting(name: string): Promise<string[]> {
  const text = await readFile(`${SETTINGS}/${name}`, 'utf8').catch(() => '');
  return text.trim().split(/\s+/);
}

function isOwnMachine(address: string): boolean {
  return isIP(address) !== 0 && ownMachine.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
