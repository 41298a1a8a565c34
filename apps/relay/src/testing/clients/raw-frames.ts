/** Frames of the tunnel, valid or not, without a mux that would check them. */

const HEADER_BYTES = 12;
export const yamuxType = { data: 0, windowUpdate: 1, ping: 2, goAway: 3 } as const;
export const yamuxFlag = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;

type RawFrame = { type: number; flags?: number; stream?: number; payload?: Buffer; length?: number };

/** `length` may differ from the payload's. */
export function rawFrame({ type, flags = 0, stream = 0, payload = Buffer.of(), length }: RawFrame): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(flags, 2);
  header.writeUInt32BE(stream, 4);
  header.writeUInt32BE(length ?? payload.length, 8);
  return Buffer.concat([header, payload]);
}

/** A control message, encoded on stream 1. */
export function controlBytes(message: object): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}
