import { randomBytes } from 'node:crypto';

const MASK_BYTES = 4;

export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame of RFC 6455, valid or not. */
export type Frame = { fin: boolean; rsv: number; opcode: number; payload: Buffer };
type Bits = { fin?: boolean; rsv?: number };

const asBuffer = (payload: string | Buffer) => (typeof payload === 'string' ? Buffer.from(payload) : payload);

export function frameOf(code: number, payload: string | Buffer, { fin = true, rsv = 0 }: Bits = {}): Frame {
  return { fin, rsv, opcode: code, payload: asBuffer(payload) };
}

export const text = (payload: string | Buffer, bits?: Bits): Frame => frameOf(opcode.text, payload, bits);
export const binary = (payload: string | Buffer, bits?: Bits): Frame => frameOf(opcode.binary, payload, bits);
export const more = (payload: string | Buffer, bits?: Bits): Frame => frameOf(opcode.continuation, payload, bits);
export const ping = (payload: string | Buffer = '', bits?: Bits): Frame => frameOf(opcode.ping, payload, bits);
export const pong = (payload: string | Buffer = '', bits?: Bits): Frame => frameOf(opcode.pong, payload, bits);

export function close(code?: number, reason: string | Buffer = ''): Frame {
  if (code === undefined) return frameOf(opcode.close, '');
  const codeBytes = Buffer.alloc(2);
  codeBytes.writeUInt16BE(code);
  return frameOf(opcode.close, Buffer.concat([codeBytes, asBuffer(reason)]));
}

/** One message in frames of at most `bytes`. */
export function fragments(kind: 'text' | 'binary', payload: Buffer, bytes: number): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < payload.length; at += bytes) {
    const code = at === 0 ? opcode[kind] : opcode.continuation;
    frames.push(frameOf(code, payload.subarray(at, at + bytes), { fin: at + bytes >= payload.length }));
  }
  return frames;
}

/** The bytes of a frame. Clients must mask theirs, servers must not. */
export function encodeFrame({ fin, rsv, opcode: code, payload }: Frame, { isMasked }: { isMasked: boolean }): Buffer {
  const length = lengthBytes(payload.length, isMasked ? 0x80 : 0);
  const first = Buffer.of((fin ? 0x80 : 0) | (rsv << 4) | code);
  if (!isMasked) return Buffer.concat([first, length, payload]);
  const key = randomBytes(MASK_BYTES);
  return Buffer.concat([first, length, key, masked(payload, key)]);
}

function lengthBytes(length: number, maskBit: number): Buffer {
  if (length < 126) return Buffer.of(maskBit | length);
  const isShort = length < 65_536;
  const bytes = Buffer.alloc(isShort ? 3 : 9);
  bytes[0] = maskBit | (isShort ? 126 : 127);
  if (isShort) bytes.writeUInt16BE(length, 1);
  else bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

/** Decodes frames without checking them: the tested programs do that. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The bytes that the next frame needs. */
  #needed = 2;

  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    let bytes = Buffer.concat(this.#chunks);
    const frames: Frame[] = [];
    let needed = bytesNeeded(bytes);
    while (needed <= bytes.length) {
      frames.push(readFrame(bytes.subarray(0, needed)));
      bytes = bytes.subarray(needed);
      needed = bytesNeeded(bytes);
    }
    this.#chunks = [bytes];
    this.#bytes = bytes.length;
    this.#needed = needed;
    return frames;
  }
}

/** The length of the first frame, or of its head while that is incomplete. */
function bytesNeeded(bytes: Buffer): number {
  const [, second] = bytes;
  if (second === undefined) return 2;
  const headBytes = headBytesOf(second);
  return bytes.length < headBytes ? headBytes : headBytes + lengthOf(bytes);
}

function headBytesOf(second: number): number {
  const lengthBytes = { 126: 2, 127: 8 }[second & 0x7f] ?? 0;
  return 2 + lengthBytes + (second & 0x80 ? MASK_BYTES : 0);
}

function lengthOf(bytes: Buffer): number {
  const length = bytes.readUInt8(1) & 0x7f;
  if (length === 126) return bytes.readUInt16BE(2);
  return length === 127 ? Number(bytes.readBigUInt64BE(2)) : length;
}

function readFrame(bytes: Buffer): Frame {
  const [first = 0, second = 0] = bytes;
  const headBytes = headBytesOf(second);
  const payload = bytes.subarray(headBytes);
  const key = bytes.subarray(headBytes - MASK_BYTES, headBytes);
  return {
    fin: (first & 0x80) !== 0,
    rsv: (first >> 4) & 7,
    opcode: first & 0xf,
    payload: second & 0x80 ? masked(payload, key) : payload,
  };
}

function masked(payload: Buffer, key: Buffer): Buffer {
  const result = Buffer.allocUnsafe(payload.length);
  for (let at = 0; at < payload.length; at++) result[at] = payload[at]! ^ key[at & 3]!; // both are inside
  return result;
}
