import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { CodedConnection } from './coded-connection.ts';

const BLOCK_BYTES = 65_536;
const BEGIN = Buffer.from('ff060000734e61507059', 'hex');

/** A compressed chunk of 3 KB that becomes 64 KiB: a byte, and copies of it. */
function bomb(): Buffer {
  const copies = Buffer.alloc(1_023 * 3, Buffer.from([0xfe, 1, 0]));
  const block = Buffer.concat([Buffer.from([0x80, 0x80, 0x04, 0, 0x61]), copies, Buffer.from([0xfa, 1, 0])]);
  const header = Buffer.alloc(4);
  header.writeUInt32LE((block.length + 4) * 256);
  return Buffer.concat([header, Buffer.alloc(4), block]);
}

/** A coded connection, the stream below it, and what its reader got. */
function open() {
  const seen = { plainBytes: 0, consumed: 0, ends: 0, resets: 0 };
  const stream: MuxStream = {
    id: 1,
    events: { onData() {}, onEnd() {}, onReset() {}, onDrain() {} },
    isUrgent: false,
    isWritable: true,
    isClosed: false,
    isPeerEnded: false,
    queuedBytes: 0,
    emptyUpdateCount: 0,
    write: () => true,
    end() {},
    reset() {},
    resetWhenSent() {},
    sendEmptyUpdate() {},
    consumed: (bytes) => void (seen.consumed += bytes),
  };
  const connection = new CodedConnection(stream, { token: 't', isEncrypted: false, isCompressed: true });
  connection.events = {
    onData: (chunk) => void (seen.plainBytes += chunk.length),
    onEnd: () => void seen.ends++,
    onReset: () => void seen.resets++,
    onDrain() {},
  };
  const from: MuxStreamEvents = stream.events;
  return { connection, from, seen };
}

test('a reader that takes its time is given a few blocks, and the rest and the end once it goes on', () => {
  const { connection, from, seen } = open();
  const sent = Buffer.concat([BEGIN, ...Array.from({ length: 100 }, bomb)]);
  from.onData(sent);
  from.onEnd();
  expect(seen).toMatchObject({ plainBytes: 4 * BLOCK_BYTES, ends: 0 });
  expect(connection.isPeerEnded).toBe(false);
  connection.consumed(BLOCK_BYTES);
  expect(seen.plainBytes).toBe(5 * BLOCK_BYTES);
  for (let block = 1; block < 100; block++) connection.consumed(BLOCK_BYTES);
  expect(seen).toEqual({ plainBytes: 100 * BLOCK_BYTES, consumed: sent.length, ends: 1, resets: 0 });
  expect(connection.isPeerEnded).toBe(true);
});

test('what is no snappy resets the connection, once', () => {
  const { from, seen } = open();
  from.onData(Buffer.from('HTTP/1.1 200 OK\r\n'));
  from.onData(Buffer.from('more'));
  from.onEnd();
  expect(seen).toMatchObject({ plainBytes: 0, ends: 0, resets: 1 });
});
