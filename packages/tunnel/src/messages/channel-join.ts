import { z } from 'zod';
import { ProtocolError } from '../errors.ts';
import { ChannelSession } from './messages.ts';

/** The ALPN protocol of connections that join a session. Logins offer none. */
export const JOIN_PROTOCOL = 'tongtu-channel/1';

/** How many connections a session may have at one relay. */
export const MAX_CHANNELS = 8;

const LENGTH_BYTES = 4;
const MAX_JOIN_BYTES = 4096;

const Count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** The first message of a connection that carries a channel of a session, a new one or one that has lost its connection. */
export const JoinRequest = z.object({
  session: ChannelSession.shape.id,
  secret: ChannelSession.shape.secret,
  channel: z.number().int().nonnegative().max(63),
  /** Rises with every try for this channel, so that a late or repeated one changes nothing. */
  attempt: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  /** How many bytes of the channel the agent has received. */
  receivedBytes: Count,
});
export type JoinRequest = z.infer<typeof JoinRequest>;

/** After `joined` both sides send what the other has not received, and go on. After `refused` the connection ends. */
export const JoinAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('joined'), receivedBytes: Count }),
  /** `session.unknown`: log in anew. `channel.refused`: this try is too late, or the channel cannot go on. */
  z.object({ type: z.literal('refused'), code: z.string().max(64) }),
]);
export type JoinAnswer = z.infer<typeof JoinAnswer>;

/** A `u32` length in bytes, big-endian, and that many bytes of JSON. */
export function encodeJoin(message: JoinRequest | JoinAnswer): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  bytes.writeUInt32BE(body.length, 0);
  body.copy(bytes, LENGTH_BYTES);
  return bytes;
}

/** Reads the one message at the beginning of a joining connection. */
export class JoinReader<T> {
  readonly #schema: z.ZodType<T>;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(schema: z.ZodType<T>) {
    this.#schema = schema;
  }

  /** The message and the bytes of the channel after it, or undefined while it is incomplete. Throws ProtocolError. */
  push(chunk: Buffer): { message: T; rest: Buffer } | undefined {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length < LENGTH_BYTES) return undefined;
    const end = LENGTH_BYTES + this.#bytes.readUInt32BE(0);
    if (end > MAX_JOIN_BYTES) throw new ProtocolError(`join of ${end} bytes`);
    if (this.#bytes.length < end) return undefined;
    return { message: this.#parse(this.#bytes.subarray(LENGTH_BYTES, end)), rest: this.#bytes.subarray(end) };
  }

  #parse(body: Buffer): T {
    try {
      return this.#schema.parse(JSON.parse(body.toString()));
    } catch (error) {
      throw new ProtocolError('join not understood', { cause: error });
    }
  }
}
