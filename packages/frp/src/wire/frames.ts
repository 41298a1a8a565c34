import { FrpError } from '../frp-error.ts';
import { type FrpFields, type FrpMessage, type MessageType, messageTypes } from '../messages.ts';

export type Wire = 'v1' | 'v2';

/** frp's own limits. */
const MAX_V1_BODY_BYTES = 10_240;
const MAX_V2_PAYLOAD_BYTES = 65_536;
const V1_HEADER_BYTES = 9;
const V2_HEADER_BYTES = 8;
const V2_ID_BYTES = 2;

export const v2FrameType = { clientHello: 1, serverHello: 2, message: 16 } as const;

const names = Object.keys(messageTypes) as MessageType[]; // the keys of the table
const nameOfByte = new Map(names.map((name) => [messageTypes[name].byte.charCodeAt(0), name]));
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type Decoded<T> = { value: T; bytes: number };
export type V2Frame = { type: number; payload: Buffer };

export function encodeFrpMessage<Type extends MessageType>(wire: Wire, type: Type, fields: FrpFields<Type>): Buffer {
  const body = Buffer.from(JSON.stringify(fields));
  if (wire === 'v1') {
    if (body.length > MAX_V1_BODY_BYTES) throw new RangeError(`frp message of ${body.length} bytes`);
    const header = Buffer.allocUnsafe(V1_HEADER_BYTES);
    header.write(messageTypes[type].byte, 0, 'latin1');
    header.writeBigInt64BE(BigInt(body.length), 1);
    return Buffer.concat([header, body]);
  }
  const id = Buffer.allocUnsafe(V2_ID_BYTES);
  id.writeUInt16BE(names.indexOf(type) + 1);
  return encodeV2Frame(v2FrameType.message, Buffer.concat([id, body]));
}

export function encodeV2Frame(type: number, payload: Buffer): Buffer {
  if (payload.length > MAX_V2_PAYLOAD_BYTES) throw new RangeError(`frp frame of ${payload.length} bytes`);
  const header = Buffer.alloc(V2_HEADER_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** The message at the start of these bytes; undefined until all of it has come. Throws FrpError. */
export function decodeFrpMessage(wire: Wire, bytes: Buffer): Decoded<FrpMessage> | undefined {
  return wire === 'v1' ? decodeV1(bytes) : decodeV2Message(bytes);
}

/** Throws FrpError for a frame that is too long: waiting for its payload would let a peer fill our memory. */
export function decodeV2Frame(bytes: Buffer): Decoded<V2Frame> | undefined {
  if (bytes.length < V2_HEADER_BYTES) return undefined;
  const length = bytes.readUInt32BE(4);
  const flags = bytes.readUInt16BE(2);
  if (flags !== 0) throw new FrpError(`frame with flags ${flags}`);
  if (length > MAX_V2_PAYLOAD_BYTES) throw new FrpError(`frame of ${length} bytes`);
  const end = V2_HEADER_BYTES + length;
  if (bytes.length < end) return undefined;
  return { value: { type: bytes.readUInt16BE(0), payload: bytes.subarray(V2_HEADER_BYTES, end) }, bytes: end };
}

function decodeV1(bytes: Buffer): Decoded<FrpMessage> | undefined {
  const [typeByte] = bytes;
  if (typeByte === undefined) return undefined;
  const name = nameOfByte.get(typeByte);
  if (name === undefined) throw new FrpError(`message of type ${typeByte}`);
  if (bytes.length < V1_HEADER_BYTES) return undefined;
  const length = bytes.readBigInt64BE(1);
  if (length < 0n || length > BigInt(MAX_V1_BODY_BYTES)) throw new FrpError(`message of ${length} bytes`);
  const end = V1_HEADER_BYTES + Number(length);
  if (bytes.length < end) return undefined;
  return { value: parseMessage(name, bytes.subarray(V1_HEADER_BYTES, end)), bytes: end };
}

function decodeV2Message(bytes: Buffer): Decoded<FrpMessage> | undefined {
  const frame = decodeV2Frame(bytes);
  if (frame === undefined) return undefined;
  const { type, payload } = frame.value;
  if (type !== v2FrameType.message) throw new FrpError(`frame of type ${type}`);
  if (payload.length < V2_ID_BYTES) throw new FrpError('message without a type');
  const id = payload.readUInt16BE(0);
  const name = names[id - 1];
  if (name === undefined) throw new FrpError(`message of type ${id}`);
  return { value: parseMessage(name, payload.subarray(V2_ID_BYTES)), bytes: frame.bytes };
}

function parseMessage(type: MessageType, body: Buffer): FrpMessage {
  const parsed = messageTypes[type].schema.safeParse(readJson(body));
  if (!parsed.success) throw new FrpError(`${type} not understood`, { cause: parsed.error });
  return { type, ...parsed.data } as FrpMessage; // the schema is that of the type
}

/** Throws FrpError. Go encodes an empty message as `{}` or as `null`. */
export function readJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : (JSON.parse(utf8.decode(body)) ?? {});
  } catch (error) {
    throw new FrpError('message is not JSON', { cause: error });
  }
}
