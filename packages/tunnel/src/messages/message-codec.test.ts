import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { encodeMessage, MessageDecoder } from './message-codec.ts';
import { MAX_MESSAGE_BYTES, type RelayMessage, RelayMessage as RelayMessageSchema } from './messages.ts';

const refused: RelayMessage = { type: 'refused', code: '名字太长', retry: false };
const target = { mappingId: 1, host: '192.168.1.10', port: 5000, transport: 'tcp' } as const;
const targets: RelayMessage = { type: 'targets', targets: [target] };

function raw(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

test('messages may be cut at every byte', () => {
  const bytes = Buffer.concat([encodeMessage(refused), encodeMessage(targets)]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const decoder = new MessageDecoder(RelayMessageSchema);
    expect([...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))]).toEqual([refused, targets]);
  }
});

test('messages may arrive byte by byte', () => {
  const decoder = new MessageDecoder(RelayMessageSchema);
  const bytes = Buffer.concat([encodeMessage(refused), encodeMessage(targets), encodeMessage(refused)]);
  expect([...bytes].flatMap((byte) => decoder.push(Buffer.of(byte)))).toEqual([refused, targets, refused]);
});

test('a message that is too long is refused by its length alone', () => {
  const decoder = new MessageDecoder(RelayMessageSchema);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(MAX_MESSAGE_BYTES + 1);
  expect(decoder.push(length.subarray(0, 3))).toEqual([]);
  expect(() => decoder.push(length.subarray(3))).toThrow(ProtocolError);
});

test('a message of the maximum length is accepted', () => {
  const decoder = new MessageDecoder(RelayMessageSchema);
  const body = JSON.stringify({ ...refused, padding: '' });
  const padding = 'x'.repeat(MAX_MESSAGE_BYTES - Buffer.byteLength(body));
  expect(decoder.push(raw(JSON.stringify({ ...refused, padding })))).toEqual([refused]);
});

test('unknown fields are ignored', () => {
  const decoder = new MessageDecoder(RelayMessageSchema);
  expect(decoder.push(raw(JSON.stringify({ ...refused, since: 'next year' })))).toEqual([refused]);
});

test.each([
  ['nothing', ''],
  ['what is not JSON', '{'],
  ['a type that does not exist', '{"type":"surprise"}'],
  ['a field of a wrong type', '{"type":"refused","code":1,"retry":true}'],
  ['bytes that are not UTF-8', Buffer.from('7b2274797065223a22ff227d', 'hex')],
])('%s is refused', (_what, body) => {
  const decoder = new MessageDecoder(RelayMessageSchema);
  expect(() => decoder.push(raw(body))).toThrow(ProtocolError);
});

test('a message that the peer would refuse as too long is not sent', () => {
  const host = 'x'.repeat(253);
  const tooMany = Array.from({ length: 10_000 }, () => ({ ...target, host }));
  expect(() => encodeMessage({ type: 'targets', targets: tooMany })).toThrow(RangeError);
});
