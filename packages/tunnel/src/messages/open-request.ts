/**
 * The head of the first payload on a stream that the relay opens; the visitor's first bytes follow it in the same
 * frame. All numbers big-endian:
 *   u8 version (1) · u8 kind (1 tcp, 2 tls, 3 udp, 4 tls with a checked certificate) · u32 mapping id · u16 port · u8 host length · host · u8 address length · visitor address
 * The agent answers with one status byte before the first byte from the target (see OpenStatus).
 */
import { ProtocolError } from '../errors.ts';

export type OpenKind = 'tcp' | 'tls' | 'udp' | 'tls-verified';
export type OpenRequest = { kind: OpenKind; mappingId: number; host: string; port: number; visitorAddress: string };

const OPEN_VERSION = 1;
const FIXED_BYTES = 9;
const kindBytes = { tcp: 1, tls: 2, udp: 3, 'tls-verified': 4 } as const satisfies Record<OpenKind, number>;
const kindNames = Object.keys(kindBytes) as OpenKind[]; // the values are 1…4 in this order

/** The result of an open request: the first byte that an agent sends. The last value occurs for `tls-verified` only. */
export const openStatus = {
  connected: 0,
  refused: 1,
  notFound: 2,
  timeout: 3,
  notAllowed: 4,
  tlsFailed: 5,
  certificateInvalid: 6,
} as const;
export type OpenStatus = keyof typeof openStatus;
const statusNames = Object.keys(openStatus) as OpenStatus[]; // the values are 0…6 in this order

/** Throws ProtocolError for an unknown status. */
export function decodeOpenStatus(byte: number): OpenStatus {
  const name = statusNames[byte];
  if (name === undefined) throw new ProtocolError(`open status ${byte}`);
  return name;
}

export function encodeOpenRequest(request: OpenRequest): Buffer {
  const host = Buffer.from(request.host, 'latin1');
  const address = Buffer.from(request.visitorAddress, 'latin1');
  const bytes = Buffer.allocUnsafe(FIXED_BYTES + host.length + 1 + address.length);
  bytes.writeUInt8(OPEN_VERSION, 0);
  bytes.writeUInt8(kindBytes[request.kind], 1);
  bytes.writeUInt32BE(request.mappingId, 2);
  bytes.writeUInt16BE(request.port, 6);
  bytes.writeUInt8(host.length, 8);
  host.copy(bytes, FIXED_BYTES);
  bytes.writeUInt8(address.length, FIXED_BYTES + host.length);
  address.copy(bytes, FIXED_BYTES + host.length + 1);
  return bytes;
}

/** The length, at most 520, of the open request at the start of these bytes; undefined until it is known. */
export function openRequestLength(bytes: Buffer): number | undefined {
  const hostBytes = bytes[FIXED_BYTES - 1];
  if (hostBytes === undefined) return undefined;
  const addressBytes = bytes[FIXED_BYTES + hostBytes];
  return addressBytes === undefined ? undefined : FIXED_BYTES + hostBytes + 1 + addressBytes;
}

/** Reads an open request; `rest` are the visitor's first bytes. Throws ProtocolError for an invalid request. */
export function decodeOpenRequest(bytes: Buffer): { request: OpenRequest; rest: Buffer } {
  const hostEnd = FIXED_BYTES + (bytes[8] ?? 0);
  const end = hostEnd + 1 + (bytes[hostEnd] ?? 0);
  if (bytes.length < FIXED_BYTES + 1 || bytes.length < end) throw new ProtocolError('open request cut short');
  if (bytes[0] !== OPEN_VERSION) throw new ProtocolError(`open request version ${bytes[0]}`);
  const kind = kindNames[(bytes[1] ?? 0) - 1];
  if (kind === undefined) throw new ProtocolError(`open request kind ${bytes[1]}`);
  const request: OpenRequest = {
    kind,
    mappingId: bytes.readUInt32BE(2),
    port: bytes.readUInt16BE(6),
    host: bytes.toString('latin1', FIXED_BYTES, hostEnd),
    visitorAddress: bytes.toString('latin1', hostEnd + 1, end),
  };
  return { request, rest: bytes.subarray(end) };
}
