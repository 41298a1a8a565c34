import { execFile } from 'node:child_process';
import { isIP } from 'node:net';

const TIMEOUT_MS = 3_000;
const MAX_OUTPUT_BYTES = 1_048_576;

/** What the kernel says of a TCP connection of this machine. Null: it does not say it. */
export type SocketState = {
  localPort: number;
  remoteAddress: string;
  remotePort: number;
  congestionControl: string | null;
  rttMs: number | null;
  sentBytes: number | null;
  retransmittedBytes: number;
  /** The rate of the last delivery that was measured. */
  bytesPerS: number | null;
};

/** The connections to these addresses, by `ss` of iproute2. Undefined: there is no such program. */
export async function readSocketStates(
  peers: readonly { address: string; port: number }[],
): Promise<SocketState[] | undefined> {
  const known = peers.filter(({ address }) => isIP(address) !== 0);
  if (known.length === 0) return [];
  const filter = known.map(({ address, port }) => `dst ${isIP(address) === 6 ? `[${address}]` : address}:${port}`);
  const output = await new Promise<string | undefined>((resolve) => {
    execFile(
      'ss',
      ['-tinH', 'state', 'established', filter.join(' or ')],
      { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
  return output === undefined ? undefined : parseSocketStates(output);
}

/** A connection is a line with its ends, and one that begins with a blank and has the rest. */
export function parseSocketStates(output: string): SocketState[] {
  const states: SocketState[] = [];
  let ends: Pick<SocketState, 'localPort' | 'remoteAddress' | 'remotePort'> | undefined;
  for (const line of output.split('\n')) {
    if (/^\S/.test(line)) ends = readEnds(line);
    else if (ends !== undefined && line.trim() !== '') {
      states.push({ ...ends, ...readFacts(line.trim().split(/\s+/)) });
      ends = undefined;
    }
  }
  return states;
}

/** `0  0  192.168.1.2:50112  203.0.113.1:7000`, with the state in front unless it was asked for. */
function readEnds(line: string) {
  const ends = line
    .trim()
    .split(/\s+/)
    .map((field) => /^\[?(?:::ffff:)?([0-9a-fA-F.:]+?)\]?(?:%[^:]+)?:(\d+)$/.exec(field));
  const [local, remote] = ends.filter((end) => end !== null);
  if (local === undefined || remote === undefined) return undefined;
  return { localPort: Number(local[2]), remoteAddress: remote[1] ?? '', remotePort: Number(remote[2]) };
}

function readFacts(fields: string[]) {
  const valueOf = (name: string) => fields.find((field) => field.startsWith(`${name}:`))?.slice(name.length + 1);
  const numberOf = (name: string) => {
    const value = Number.parseFloat(valueOf(name) ?? '');
    return Number.isNaN(value) ? null : value;
  };
  const rateAt = fields.indexOf('delivery_rate');
  return {
    congestionControl: congestionControlOf(fields),
    rttMs: numberOf('rtt'),
    sentBytes: numberOf('bytes_sent'),
    retransmittedBytes: numberOf('bytes_retrans') ?? 0,
    bytesPerS: rateAt < 0 ? null : readRate(fields[rateAt + 1] ?? ''),
  };
}

/** `13797052624bps`, of older versions `13797.1Mbps`. */
function readRate(text: string): number | null {
  const [, digits, unit] = /^([\d.]+)([KMG]?)bps$/.exec(text) ?? [];
  const factors: Record<string, number> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };
  const factor = factors[unit ?? ''];
  return digits === undefined || factor === undefined ? null : Math.round((Number(digits) * factor) / 8);
}

/** The word before the first value; flags such as `ts` and `sack` come before it. */
function congestionControlOf(fields: string[]): string | null {
  const valuesAt = fields.findIndex((field) => field.includes(':'));
  const flags = ['ts', 'sack', 'ecn', 'ecnseen', 'fastopen'];
  return fields.slice(0, Math.max(valuesAt, 0)).findLast((field) => !flags.includes(field)) ?? null;
}
