import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { encodeJoin, JoinAnswer, JoinReader, JoinRequest } from './channel-join.ts';

const request: JoinRequest = {
  session: 's'.repeat(22),
  secret: 'k'.repeat(43),
  channel: 3,
  attempt: 7,
  receivedBytes: 5_000_000_000,
};

test('a join is read wherever its bytes are cut, and what follows belongs to the channel', () => {
  const bytes = Buffer.concat([encodeJoin(request), Buffer.from('mux')]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new JoinReader(JoinRequest);
    const first = reader.push(bytes.subarray(0, cut));
    const read = first ?? reader.push(bytes.subarray(cut));
    expect(read?.message).toEqual(request);
    const late = first === undefined ? 0 : bytes.length - cut;
    expect(read?.rest.length).toBe('mux'.length - late);
  }
});

test('answers are read as they were sent', () => {
  for (const answer of [
    { type: 'joined', receivedBytes: 12 },
    { type: 'refused', code: 'session.unknown' },
  ] satisfies JoinAnswer[])
    expect(new JoinReader(JoinAnswer).push(encodeJoin(answer))?.message).toEqual(answer);
});

test.each([
  ['a long one', Buffer.from([0, 0, 16, 0])],
  ['a yamux frame', Buffer.from([0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0])],
  ['no JSON', Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])],
  ['a foreign channel', encodeJoin({ ...request, channel: 64 })],
  ['an attempt of 0', encodeJoin({ ...request, attempt: 0 })],
  ['a fraction of a byte', encodeJoin({ ...request, receivedBytes: 0.5 })],
])('%s is refused', (_, bytes) => {
  expect(() => new JoinReader(JoinRequest).push(bytes)).toThrow(ProtocolError);
});
