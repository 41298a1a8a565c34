/**
 * The head of the first payload on a stream that the relay opens; the visitor's first bytes follow it in the same
 * frame. All numbers big-endian:
 *   u8 version (1) · u8 kind · u32 mapping id · u16 port · u8 host length · host · u8 address length · visitor address
 * Kinds: 1 tcp, 2 tls, 3 udp, 4 tls with a checked certificate; 5 and 6 as 2 and 4, and TLS offers HTTP/2 alone (ALPN)
 * Version 2, only for the feature `connection-origin`, goes on with: u16 visitor port · u16 public port · u8 address length ·
 * public address.
 * Version 3, only for the feature `tls-name`, goes on with: u8 name length · TLS name. Version 4 has both, the origin first.
 * The agent answers with one status byte before the first byte from the target (see OpenStatus).
 */
import { ProtocolError } from '../errors.ts';

export type OpenKind = 'tcp' | 'tls' | 'udp' | 'tls-verified' | 'tls-h2' | 'tls-h2-verified';
/** The visitor's port, and the public address that was reached; an empty one is not known. */
export type ConnectionOrigin = { visitorPort: number; publicAddress: string; publicPort: number };
export type OpenRequest = {
  kind: OpenKind;
  mappingId: number;
  host: string;
  port: number;
  visitorAddress: string;
  origin?: ConnectionOrigin | undefined;
  /** The name for the TLS handshake, and of a checked certificate, where it is not `host`. */
  tlsName?: string | undefined;
};

const OPEN_VERSION = 1;
/** Added to the version for each part at the end. */
const WITH_ORIGIN = 1;
const WITH_TLS_NAME = 2;
const MAX_OPEN_VERSION = OPEN_VERSION + WITH_ORIGIN + WITH_TLS_NAME;
const FIXED_BYTES = 9;
const ORIGIN_FIXED_BYTES = 5;
const kindBytes = {
  ...{ tcp: 1, tls: 2, udp: 3, 'tls-verified': 4 },
  ...{ 'tls-h2': 5, 'tls-h2-verified': 6 },
} as const satisfies Record<OpenKind, number>;
const kindNames = Object.keys(kindBytes) as OpenKind[]; // the values are 1…6 in this order

/** The result of an open request: the first byte that an agent sends. The last value occurs where a certificate is checked. */
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

/** Whether the agent checks the target's certificate. */
export function isVerifiedKind(kind: OpenKind): boolean {
  return kind === 'tls-verified' || kind === 'tls-h2-verified';
}

/** Whether TLS offers the target HTTP/2 and nothing else. */
export function isHttp2Kind(kind: OpenKind): boolean {
  return kind === 'tls-h2' || kind === 'tls-h2-verified';
}

/** Throws ProtocolError for an unknown status. */
export function decodeOpenStatus(byte: number): OpenStatus {
  const name = statusNames[byte];
  if (name === undefined) throw new ProtocolError(`open status ${byte}`);
  return name;
}

export function encodeOpenRequest(request: OpenRequest): Buffer {
  const { origin, tlsName } = request;
  const host = Buffer.from(request.host, 'latin1');
  const address = Buffer.from(request.visitorAddress, 'latin1');
  const bytes = Buffer.allocUnsafe(FIXED_BYTES + host.length + 1 + address.length);
  const parts = (origin === undefined ? 0 : WITH_ORIGIN) + (tlsName === undefined ? 0 : WITH_TLS_NAME);
  bytes.writeUInt8(OPEN_VERSION + parts, 0);
  bytes.writeUInt8(kindBytes[request.kind], 1);
  bytes.writeUInt32BE(request.mappingId, 2);
  bytes.writeUInt16BE(request.port, 6);
  bytes.writeUInt8(host.length, 8);
  host.copy(bytes, FIXED_BYTES);
  bytes.writeUInt8(address.length, FIXED_BYTES + host.length);
  address.copy(bytes, FIXED_BYTES + host.length + 1);
  if (parts === 0) return bytes;
  return Buffer.concat([
    bytes,
    ...(origin === undefined ? [] : [encodeOrigin(origin)]),
    ...(tlsName === undefined ? [] : [Buffer.of(tlsName.length), Buffer.from(tlsName, 'latin1')]),
  ]);
}

function encodeOrigin({ visitorPort, publicAddress, publicPort }: ConnectionOrigin): Buffer {
  const address = Buffer.from(publicAddress, 'latin1');
  const bytes = Buffer.allocUnsafe(ORIGIN_FIXED_BYTES + address.length);
  bytes.writeUInt16BE(visitorPort, 0);
  bytes.writeUInt16BE(publicPort, 2);
  bytes.writeUInt8(address.length, ORIGIN_FIXED_BYTES - 1);
  address.copy(bytes, ORIGIN_FIXED_BYTES);
  return bytes;
}

/** Where the parts of an open request end; undefined until it is known. */
type Ends = { host: number; address: number; origin: number; all: number };

function endsOf(bytes: Buffer): Ends | undefined {
  const parts = (bytes[0] ?? OPEN_VERSION) - OPEN_VERSION;
  const host = endOfText(bytes, FIXED_BYTES - 1);
  const address = endOfText(bytes, host);
  const origin = (parts & WITH_ORIGIN) === 0 ? address : endOfText(bytes, address, ORIGIN_FIXED_BYTES);
  const all = (parts & WITH_TLS_NAME) === 0 ? origin : endOfText(bytes, origin);
  if (host === undefined || address === undefined || origin === undefined || all === undefined) return undefined;
  return { host, address, origin, all };
}

/** The end of a text whose length is the last of some fixed bytes. */
function endOfText(bytes: Buffer, from: number | undefined, fixedBytes = 1): number | undefined {
  if (from === undefined) return undefined;
  const textBytes = bytes[from + fixedBytes - 1];
  return textBytes === undefined ? undefined : from + fixedBytes + textBytes;
}

/** The length, at most 1036, of the open request at the start of these bytes; undefined until it is known. */
export function openRequestLength(bytes: Buffer): number | undefined {
  return endsOf(bytes)?.all;
}

/** Reads an open request; `rest` are the visitor's first bytes. Throws ProtocolError for an invalid request. */
export function decodeOpenRequest(bytes: Buffer): { request: OpenRequest; rest: Buffer } {
  const ends = endsOf(bytes);
  if (ends === undefined || bytes.length < ends.all) throw new ProtocolError('open request cut short');
  const version = bytes[0] ?? 0;
  if (version < OPEN_VERSION || version > MAX_OPEN_VERSION) throw new ProtocolError(`open request version ${version}`);
  const kind = kindNames[(bytes[1] ?? 0) - 1];
  if (kind === undefined) throw new ProtocolError(`open request kind ${bytes[1]}`);
  const request: OpenRequest = {
    kind,
    mappingId: bytes.readUInt32BE(2),
    port: bytes.readUInt16BE(6),
    host: bytes.toString('latin1', FIXED_BYTES, ends.host),
    visitorAddress: bytes.toString('latin1', ends.host + 1, ends.address),
    ...(ends.origin > ends.address && { origin: decodeOrigin(bytes.subarray(ends.address, ends.origin)) }),
    ...(ends.all > ends.origin && { tlsName: bytes.toString('latin1', ends.origin + 1, ends.all) }),
  };
  return { request, rest: bytes.subarray(ends.all) };
}

function decodeOrigin(bytes: Buffer): ConnectionOrigin {
  return {
    visitorPort: bytes.readUInt16BE(0),
    publicPort: bytes.readUInt16BE(2),
    publicAddress: bytes.toString('latin1', ORIGIN_FIXED_BYTES),
  };
}
