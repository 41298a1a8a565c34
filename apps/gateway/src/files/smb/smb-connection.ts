import type { Duplex } from 'node:stream';
import { TargetError } from '../../session/live-session.ts';
import { SmbStatusError, STATUS } from './smb-errors.ts';
import { decrypt, encrypt, type EncryptionKeys, isEncrypted } from './wire/encryption.ts';
import { bytesAt, SmbProtocolError } from './wire/fields.ts';
import { FrameDecoder, frameHeader } from './wire/frame-decoder.ts';
import { sign, type SigningKey, verify } from './wire/signing.ts';

const COMMAND = {
  negotiate: 0,
  sessionSetup: 1,
  treeConnect: 3,
  create: 5,
  close: 6,
  read: 8,
  write: 9,
  ioctl: 11,
  queryDirectory: 14,
  queryInfo: 16,
  setInfo: 17,
} as const;
type Command = keyof typeof COMMAND;

/** The whole message, whose offsets count from its start, and what follows its header. */
export type SmbReply = { status: number; message: Buffer; body: Buffer };

export type SmbCall = {
  treeId?: number;
  /** The larger one of what is sent and what is asked for: it costs a credit for each 64 KiB. */
  payloadBytes?: number;
  /** Besides success. */
  accepted?: readonly number[];
  /** The message as it is sent. */
  onSend?: (message: Buffer) => void;
};

type Pending = Required<Pick<SmbCall, 'accepted'>> & {
  command: Command;
  isEncrypted: boolean;
  isSigned: boolean;
  resolve: (reply: SmbReply) => void;
  reject: (error: unknown) => void;
};

const HEADER_BYTES = 64;
const PROTOCOL = 0xfe534d42;
const CREDIT_BYTES = 65_536;
const WANTED_CREDITS = 256;
const MAX_CREDITS = 8_192;
/** Of a server from which nothing comes, though it is asked. */
const SILENCE_MS = 30_000;
/** Sent when a lock is broken. None is ever asked for. */
const UNSOLICITED = 0xffff_ffff_ffff_ffffn;

/** Requests and replies of one connection (MS-SMB2 §2.2.1): ids, credits, signatures, encryption. */
export class SmbConnection {
  sessionId = 0n;
  /** What a request of a payload needs several credits for (since 2.1). */
  hasLargePayloads = false;
  signing: SigningKey | undefined;
  encryption: EncryptionKeys | undefined;
  mustEncrypt = false;
  failure: Error | undefined;
  readonly #stream: Duplex;
  readonly #decoder = new FrameDecoder();
  readonly #pending = new Map<bigint, Pending>();
  readonly #waiting: { credits: number; send: () => void; reject: (error: unknown) => void }[] = [];
  #nextId = 0n;
  #credits = 1;
  #silence: NodeJS.Timeout | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (bytes: Buffer) => this.#receive(bytes));
    stream.on('error', (error) =>
      this.fail(error instanceof TargetError ? error : new TargetError('lost', { cause: error })),
    );
    stream.on('end', () => this.fail(new TargetError('lost')));
    stream.on('close', () => this.fail(new TargetError('lost')));
  }

  /** Ends the connection; all calls fail with this error. */
  fail(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    clearTimeout(this.#silence);
    for (const { reject } of [...this.#pending.values(), ...this.#waiting]) reject(error);
    this.#pending.clear();
    this.#waiting.length = 0;
    this.#stream.destroy();
  }

  /** The body may have several parts: a large one is sent, and signed, without being copied. */
  async call(command: Command, body: readonly Uint8Array[], call: SmbCall = {}): Promise<SmbReply> {
    const credits = this.hasLargePayloads ? Math.max(1, Math.ceil((call.payloadBytes ?? 0) / CREDIT_BYTES)) : 1;
    return await new Promise<SmbReply>((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      const send = (): void => this.#send(command, body, call, credits, { resolve, reject });
      this.#waiting.push({ credits, send, reject });
      return this.#sendWhatMay();
    });
  }

  #sendWhatMay(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.credits <= this.#credits; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.send();
    }
  }

  #send(
    command: Command,
    body: readonly Uint8Array[],
    { treeId = 0, accepted = [], onSend }: SmbCall,
    credits: number,
    { resolve, reject }: Pick<Pending, 'resolve' | 'reject'>,
  ): void {
    const id = this.#nextId;
    this.#nextId += BigInt(credits);
    this.#credits -= credits;
    const message = [this.#header(command, id, treeId, credits), ...body] as const;
    onSend?.(Buffer.concat(message));
    const encryption = this.mustEncrypt ? this.encryption : undefined;
    const signing = encryption === undefined ? this.signing : undefined;
    if (signing) sign(signing, message);
    const pending = { command, accepted, isEncrypted: encryption !== undefined, isSigned: signing !== undefined };
    this.#pending.set(id, { ...pending, resolve, reject });
    this.#expectBytes();
    const parts = encryption ? encrypt(encryption, this.sessionId, Buffer.concat(message)) : message;
    for (const part of [frameHeader(parts), ...parts]) this.#stream.write(part);
  }

  #header(command: Command, id: bigint, treeId: number, credits: number): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(PROTOCOL);
    header.writeUInt16LE(HEADER_BYTES, 4);
    header.writeUInt16LE(this.hasLargePayloads ? credits : 0, 6);
    header.writeUInt16LE(COMMAND[command], 12);
    header.writeUInt16LE(Math.max(credits, WANTED_CREDITS), 14);
    header.writeBigUInt64LE(id, 24);
    header.writeUInt32LE(treeId, 36);
    header.writeBigUInt64LE(this.sessionId, 40);
    return header;
  }

  #expectBytes(): void {
    clearTimeout(this.#silence);
    if (this.#pending.size > 0) this.#silence = setTimeout(() => this.fail(new TargetError('timed-out')), SILENCE_MS);
  }

  #receive(bytes: Buffer): void {
    if (this.failure !== undefined) return;
    try {
      for (const message of this.#decoder.push(bytes)) this.#receiveMessage(message);
      this.#expectBytes();
      this.#sendWhatMay();
    } catch (error) {
      // Whatever cannot be read, such as an offset behind the end, is the target's fault.
      this.fail(new TargetError('protocol', { cause: error }));
    }
  }

  #receiveMessage(received: Buffer): void {
    const wasEncrypted = isEncrypted(received);
    let rest = received;
    if (wasEncrypted) {
      if (this.encryption === undefined) throw new SmbProtocolError('an encrypted message without a key');
      rest = decrypt(this.encryption, this.sessionId, received);
    }
    // Several replies may come together.
    for (let next = -1; next !== 0;) {
      bytesAt(rest, 0, HEADER_BYTES);
      if (rest.readUInt32BE(0) !== PROTOCOL) throw new SmbProtocolError('no SMB 2 message');
      next = rest.readUInt32LE(20);
      if (next !== 0 && next < HEADER_BYTES) throw new SmbProtocolError('messages that overlap');
      this.#receiveReply(next === 0 ? rest : bytesAt(rest, 0, next), wasEncrypted);
      rest = rest.subarray(next);
    }
  }

  #receiveReply(message: Buffer, wasEncrypted: boolean): void {
    const id = message.readBigUInt64LE(24);
    if (id === UNSOLICITED) return;
    const status = message.readUInt32LE(8);
    const pending = this.#pending.get(id);
    if (pending === undefined || message.readUInt16LE(12) !== COMMAND[pending.command])
      throw new SmbProtocolError('a reply to nothing');
    this.#credits = Math.min(MAX_CREDITS, this.#credits + message.readUInt16LE(14));
    if (pending.isEncrypted && !wasEncrypted) throw new SmbProtocolError('a reply that is not encrypted');
    if (status === STATUS.pending) return; // the answer follows
    if (pending.isSigned && !wasEncrypted && this.signing) verify(this.signing, message);
    this.#pending.delete(id);
    if (status === STATUS.success || pending.accepted.includes(status))
      pending.resolve({ status, message, body: message.subarray(HEADER_BYTES) });
    else pending.reject(new SmbStatusError(status));
  }
}
