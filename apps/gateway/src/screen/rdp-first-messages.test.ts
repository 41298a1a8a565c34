import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeDer } from '../encoding/der.ts';
import { PROTOCOL_TLS, RdpFirstMessages } from './rdp-first-messages.ts';
import { clientInfo, connectInitial, tpkt } from './testing/rdp-client.ts';

const NLA = 2;
const AUTO_LOGON = 8;

function passThrough(chunks: readonly Buffer[], protocol = PROTOCOL_TLS): Buffer {
  const messages = new RdpFirstMessages(protocol);
  const passed: Buffer[] = [];
  messages.on('data', (chunk: Buffer) => passed.push(chunk));
  for (const chunk of chunks) messages.write(chunk);
  return Buffer.concat(passed);
}

/** Where two of the same length differ. */
function differences(a: Buffer, b: Buffer): number[] {
  expect(a.length).toBe(b.length);
  return [...a.keys()].filter((at) => a[at] !== b[at]);
}

test('only the colours and the flag of the login change, however the bytes are cut', () => {
  const [first, join, info] = [connectInitial(), tpkt(Buffer.from([0x28, 1, 2, 3])), clientInfo(0x13)];
  const sent = Buffer.concat([first, join, info, randomBytes(500)]);
  const whole = passThrough([sent]);
  expect(differences(sent, whole)).toEqual([7 + 65 + 140, first.length + join.length + 14 + 8]);
  expect(whole.readUInt16LE(7 + 65 + 140)).toBe(24);
  expect(whole[first.length + join.length + 14 + 8]).toBe(0x13 | AUTO_LOGON);
  for (let cut = 1; cut < sent.length; cut += 7)
    expect(passThrough([sent.subarray(0, cut), sent.subarray(cut)])).toEqual(whole);
  expect(passThrough([...sent].map((byte) => Buffer.of(byte)))).toEqual(whole);
});

test.each([1, 2])('no further compression of updates is asked for (protocol %d)', async (protocol) => {
  const messages = new RdpFirstMessages(protocol);
  messages.end(Buffer.concat([connectInitial(), clientInfo(0x1eb3)]));
  const whole = Buffer.concat((await messages.toArray()) as Buffer[]);
  const flags = whole.readUInt32LE(connectInitial().length + 14 + 8);
  expect(flags & 0x1e80).toBe(0);
  expect(flags & 0x33).toBe(0x33);
});

test('after NLA the login is done: CredSSP passes, and no flag is set', () => {
  const credSsp = [encodeDer(0x30, randomBytes(90)), encodeDer(0x30, randomBytes(700))];
  const sent = Buffer.concat([...credSsp, connectInitial(), clientInfo(0x13)]);
  const passed = passThrough([sent], NLA);
  expect(differences(sent, passed)).toEqual([Buffer.concat(credSsp).length + 7 + 65 + 140]);
});

test('a login by CredSSP is over with the first message of RDP itself', () => {
  const messages = new RdpFirstMessages(NLA).resume();
  messages.write(encodeDer(0x30, randomBytes(90)));
  expect(messages.isInLogin).toBe(true);
  messages.write(connectInitial());
  expect(messages.isInLogin).toBe(false);
  expect(new RdpFirstMessages(PROTOCOL_TLS).isInLogin).toBe(false);
});

test('after the Client Info message everything passes at once and unchanged', () => {
  const input = [connectInitial(), clientInfo(0)];
  const later = [connectInitial(), clientInfo(0), Buffer.of(3), Buffer.of(0x30)];
  const passed = passThrough([...input, ...later]);
  expect(passed.subarray(Buffer.concat(input).length)).toEqual(Buffer.concat(later));
});

test('a message that never ends is not held for ever', () => {
  const endless = Buffer.concat([Buffer.from([0x30, 0x83, 0xff, 0xff, 0xff]), Buffer.alloc(70_000)]);
  expect(passThrough([endless])).toEqual(endless);
});

test('no bytes crash it, and none are lost once it has stopped waiting', () => {
  const samples = [connectInitial(), clientInfo(0x13), encodeDer(0x30, randomBytes(40))];
  const tail = Buffer.alloc(70_000, 0xff);
  // Each run tries other bytes.
  for (let round = 0; round < 1_000; round++) {
    const bytes = Buffer.concat([...samples, randomBytes(randomInt(50))]);
    for (let change = 0; change < 4; change++) bytes[randomInt(bytes.length)] = randomInt(256);
    const from = randomInt(bytes.length);
    const sent = Buffer.concat([bytes.subarray(from), tail]);
    expect(passThrough([sent.subarray(0, 100), sent.subarray(100)]).length).toBe(sent.length);
  }
});
