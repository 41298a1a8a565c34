import { Duplex } from 'node:stream';
import { STATUS } from '../files/smb/smb-errors.ts';
import { FrameDecoder, frameHeader } from '../files/smb/wire/frame-decoder.ts';
import { utf16 } from '../files/smb/wire/fields.ts';

const COMMAND = { negotiate: 0, sessionSetup: 1, treeConnect: 3, create: 5, close: 6, read: 8, list: 14, info: 16 };
export const MESSAGE_BYTES = 64;
export const FILE_BYTES = 10;

export type Reply = { status?: number; body?: Buffer };
export type Hostile = Partial<Record<keyof typeof COMMAND, (count: number) => Reply>>;

/** Logs everybody in as a guest. Whatever is opened is a folder, and a file of ten bytes. */
const honest: Record<string, (count: number) => Reply> = {
  negotiate: () => ({ body: numbers(64, [4, 0x0210], [28, 65_536], [32, 65_536], [36, 65_536]) }),
  sessionSetup: (count) => {
    const challenge = Buffer.alloc(56);
    challenge.write('NTLMSSP\0\x02', 'latin1');
    const token = Buffer.concat([numbers(8, [4, MESSAGE_BYTES + 8], [6, challenge.length]), challenge]);
    return count === 0 ? { status: STATUS.moreProcessing, body: token } : { body: numbers(8, [2, 1]) };
  },
  create: () => ({ body: numbers(88, [48, FILE_BYTES]) }),
  list: () => ({ status: STATUS.noMoreFiles }),
  info: () => ({ body: withData(numbers(8, [2, MESSAGE_BYTES + 8], [4, 32]), Buffer.alloc(32)) }),
};

/** An SMB server that answers as the test wants: the other end of the stream that is returned, or of a connection. */
export function createHostileSmb(hostile: Hostile): Duplex {
  const answer = createAnswers(hostile);
  const server: Duplex = new Duplex({
    read: () => {},
    write(bytes: Buffer, _encoding, done) {
      for (const reply of answer(bytes)) setImmediate(() => server.push(reply));
      done();
    },
  });
  return server;
}

/** The replies to what a client has sent. */
export function createAnswers(hostile: Hostile): (bytes: Buffer) => Buffer[] {
  const decoder = new FrameDecoder();
  const counts = new Map<number, number>();
  return (bytes) =>
    decoder.push(bytes).map((request) => {
      const code = request.readUInt16LE(12);
      const count = counts.get(code) ?? 0;
      counts.set(code, count + 1);
      const name = Object.entries(COMMAND).find(([, value]) => value === code)?.[0] ?? '';
      const answer = (hostile as typeof honest)[name] ?? honest[name];
      const { status = 0, body = Buffer.alloc(MESSAGE_BYTES) } = answer?.(count) ?? {};
      const header = Buffer.from(request.subarray(0, MESSAGE_BYTES));
      header.writeUInt32LE(status, 8);
      return Buffer.concat([frameHeader([header, body]), header, body]);
    });
}

/** Bytes with a number of 16 or 32 bits at each of these places. */
export function numbers(length: number, ...places: [at: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of places) bytes.writeUIntLE(value, at, value > 0xffff ? 4 : 2);
  return bytes;
}

export function withData(body: Buffer, data: Buffer): Buffer {
  return Buffer.concat([body, data]);
}

export function listOf(names: readonly string[], attributes = 0): Reply {
  const entries = names.map((name, index) => {
    const bytes = utf16(name);
    const isLast = index === names.length - 1;
    const size = 104 + bytes.length;
    return withData(numbers(104, [0, isLast ? 0 : size], [40, 3], [56, attributes], [60, bytes.length]), bytes);
  });
  const list = Buffer.concat(entries);
  return { body: withData(numbers(8, [2, MESSAGE_BYTES + 8], [4, list.length]), list) };
}
