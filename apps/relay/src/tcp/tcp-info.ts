import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { getSocketCalls, TCP_CONGESTION, TCP_INFO } from './socket-calls.ts';

/** What the kernel knows about a connection. Segments are packets that carry data; each has at most `mssBytes`. */
export type TcpInfo = {
  /** Smoothed, and its mean deviation. */
  rttMs: number;
  rttVarMs: number;
  /** The least of about the last 5 minutes. */
  minRttMs: number | undefined;
  mssBytes: number;
  /** How many segments may be under way. */
  cwndSegments: number;
  /** Sent and not acknowledged. */
  unackedSegments: number;
  /** Of these, the ones that the kernel takes for lost, and those it sent again. */
  lostSegments: number;
  retransSegments: number;
  /** Since the connection began. */
  totalRetransSegments: number;
  dataSegmentsOut: number | undefined;
  dataSegmentsIn: number | undefined;
  bytesSent: number | undefined;
  bytesRetransmitted: number | undefined;
  bytesAcked: number | undefined;
  bytesReceived: number | undefined;
  /** Segments that came out of order: most after a loss on the way here. */
  outOfOrderSegmentsIn: number | undefined;
  /** In the socket's buffer and never sent. */
  notSentBytes: number | undefined;
  /** How fast data arrived lately; while there was little to send, this says little about the line. */
  deliveryRateBytesPerS: number | undefined;
  isRateAppLimited: boolean;
};

const isLittleEndian = endianness() === 'LE';

/**
 * Reads TCP_INFO: about 2 µs. Undefined where the system does not offer it, and for a closed socket. The kernel says how
 * much of the structure it knows; fields beyond that are undefined (Linux before 4.19, `outOfOrderSegmentsIn` before 5.4).
 */
export function readTcpInfo(socket: Socket): TcpInfo | undefined {
  const bytes = getSocketCalls().calls?.get(socket, TCP_INFO);
  return bytes === undefined ? undefined : parseTcpInfo(bytes);
}

/** Such as `cubic` or `bbr`; undefined where the system does not say. */
export function readCongestionControl(socket: Socket): string | undefined {
  const name = getSocketCalls().calls?.get(socket, TCP_CONGESTION)?.toString('latin1');
  return name?.replace(/\0.*$/s, '');
}

/** `struct tcp_info` of linux/tcp.h, which only grows at its end. Undefined: less than every kernel of Node.js has. */
export function parseTcpInfo(bytes: Buffer): TcpInfo | undefined {
  if (bytes.length < 104) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const u32 = (at: number) => view.getUint32(at, isLittleEndian);
  const find32 = (at: number) => (at + 4 <= bytes.length ? u32(at) : undefined);
  const find64 = (at: number) => (at + 8 <= bytes.length ? Number(view.getBigUint64(at, isLittleEndian)) : undefined);
  const minRttUs = find32(148);
  return {
    rttMs: u32(68) / 1000,
    rttVarMs: u32(72) / 1000,
    // All bits: not measured yet.
    minRttMs: minRttUs === undefined || minRttUs === 0xffff_ffff ? undefined : minRttUs / 1000,
    mssBytes: u32(16),
    cwndSegments: u32(80),
    unackedSegments: u32(24),
    lostSegments: u32(32),
    retransSegments: u32(36),
    totalRetransSegments: u32(100),
    dataSegmentsOut: find32(156),
    dataSegmentsIn: find32(152),
    bytesSent: find64(200),
    bytesRetransmitted: find64(208),
    bytesAcked: find64(120),
    bytesReceived: find64(128),
    outOfOrderSegmentsIn: find32(224),
    notSentBytes: find32(144),
    deliveryRateBytesPerS: find64(160),
    isRateAppLimited: isAppLimited(bytes[7] ?? 0),
  };
}

/** The first bit of a bit field: the lowest one where the lowest byte comes first. */
function isAppLimited(flags: number): boolean {
  return (flags & (isLittleEndian ? 0x01 : 0x80)) !== 0;
}
