import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryOf } from '../../testing/test-session.ts';
import { TargetError } from '../../session/live-session.ts';
import { ntlmAuthenticate } from './auth/ntlm.ts';
import { ntlmIn } from './auth/spnego.ts';
import { listShares, readShares } from './list-shares.ts';
import { readList } from './read-list.ts';
import type { SmbConnection, SmbReply } from './smb-connection.ts';
import { openSmb } from './smb-file-system.ts';
import { type OpenFile, SmbTree } from './smb-tree.ts';
import { SmbProtocolError } from './wire/fields.ts';
import { FrameDecoder, frameHeader } from './wire/frame-decoder.ts';

/** Bytes with many small and many huge numbers in them, because lengths and offsets are what breaks a reader. */
const hostile = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(
        [0, 0, 0, 0],
        [255, 255, 255, 255],
        [1, 0],
        [8, 0, 0, 0],
        [104, 0, 0, 0],
        [96, 0],
        [0, 0, 0, 128],
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Uint8Array.from(part))));

/** Reads, or fails in a way that ends the connection; anything else is a bug. */
async function readsOrRefuses(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof SmbProtocolError || error instanceof RangeError)) throw error;
  }
}

const login = { username: 'user', password: 'password', domain: '' };

test('hostile lists, shares and tokens are read or refused', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      await readsOrRefuses(() => readList(bytes));
      await readsOrRefuses(() => readShares(bytes));
      await readsOrRefuses(() => ntlmIn(bytes));
      const challenge = Buffer.concat([Buffer.from('NTLMSSP\0\x02\0\0\0', 'latin1'), bytes]);
      await readsOrRefuses(() => ntlmAuthenticate(Buffer.alloc(40), challenge, login));
    }),
    { numRuns: 2_000 },
  );
});

test('hostile replies to each call are read or refused', async () => {
  const file: OpenFile = { id: Buffer.alloc(16), size: 0n, attributes: 0, lastWrite: 0n };
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (first, second) => {
      const replies = [first, second];
      const call = async (): Promise<SmbReply> => {
        const message = Buffer.concat([Buffer.alloc(64), replies.shift() ?? Buffer.alloc(0)]);
        return { status: 0, message, body: message.subarray(64) };
      };
      const connection = { call } as unknown as SmbConnection; // all that a tree uses of it
      const treeReply = Buffer.alloc(16);
      const withTree = async (use: (tree: SmbTree) => Promise<unknown>): Promise<void> => {
        replies.splice(0, replies.length, treeReply, first, second);
        const tree = await SmbTree.connect(connection, 'host', 'share');
        await readsOrRefuses(() => use(tree));
      };
      await withTree((tree) => tree.open('a', { access: 0 }));
      await withTree((tree) => tree.read(file, 0, 10));
      await withTree((tree) => tree.write(file, [Buffer.alloc(10)], 0));
      await withTree((tree) => tree.listNext(file, 10));
      await withTree((tree) => tree.freeBytes(file));
      await withTree((tree) => tree.ioctl(file, 1, Buffer.alloc(0), 10));
      replies.splice(0, replies.length, treeReply, Buffer.alloc(88), first, second);
      await readsOrRefuses(() => listShares(connection, 'host'));
    }),
    { numRuns: 500 },
  );
});

test('a target that answers hostile bytes is refused, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 4 }), fc.boolean(), async (bodies, hasHeader) => {
      const answers = bodies.values();
      const target: Duplex = new Duplex({
        read: () => {},
        write(request: Buffer, _encoding, done) {
          done();
          const next = answers.next();
          if (next.done === true) target.push(null);
          else target.push(hasHeader ? replyTo(request, next.value) : next.value);
          if (!hasHeader) target.push(null);
        },
      });
      const opening = openSmb({
        ...login,
        openStream: () => target,
        memory: memoryOf(Infinity),
        host: 'host',
        startPath: '',
      });
      const error = await opening.then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(TargetError);
      expect(['protocol', 'lost', 'login-failed']).toContain((error as TargetError).code);
      expect(target.destroyed).toBe(true);
    }),
    { numRuns: 500 },
  );
});

/** The header of the request itself, so that it is taken for the reply. */
function replyTo(request: Buffer, body: Buffer): Buffer {
  const header = Buffer.from(request.subarray(4, 68));
  header.writeUInt32LE(0, 8);
  header.writeUInt32LE(0, 20);
  return frame(header, body);
}

test('messages survive being cut anywhere, and one that is too long is refused at once', () => {
  const bytes = Buffer.concat([frame(Buffer.from('first')), frame(Buffer.alloc(0)), frame(Buffer.from('second'))]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const decoder = new FrameDecoder();
    const messages = [...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))];
    expect(messages.map(String)).toEqual(['first', '', 'second']);
  }
  expect(() => new FrameDecoder().push(Buffer.from([0, 255, 255, 255]))).toThrow(SmbProtocolError);
  expect(() => new FrameDecoder().push(Buffer.from('SSH-2.0-OpenSSH'))).toThrow(SmbProtocolError);
});

function frame(...parts: Buffer[]): Buffer {
  return Buffer.concat([frameHeader(parts), ...parts]);
}
