import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FrpError } from '../frp-error.ts';
import { AeadCipher } from './aead-cipher.ts';
import { CfbCipher } from './cfb-cipher.ts';
import type { ControlCipher } from './control-cipher.ts';
import { answerClientHello, transcriptHash } from './hello.ts';

const token = 'a token of this device';
const transcript = transcriptHash(Buffer.from('client'), Buffer.from('server'));
const pairs: [string, () => { frpc: ControlCipher; relay: ControlCipher }][] = [
  ['v1', () => ({ frpc: new CfbCipher(token), relay: new CfbCipher(token) })],
  [
    'v2',
    () => ({ frpc: new AeadCipher(token, transcript, 'client'), relay: new AeadCipher(token, transcript, 'server') }),
  ],
];

test.each(pairs)('the cipher of wire %s is read wherever its bytes are cut, in both directions', (_wire, open) => {
  const said = [Buffer.from('first'), Buffer.from('second and longer'), randomBytes(300)];
  const { frpc, relay } = open();
  const sealed = Buffer.concat(said.map((part) => frpc.seal(part)));
  expect(sealed.includes('second and longer')).toBe(false);
  expect(relay.open(sealed)).toEqual(Buffer.concat(said));
  const answer = relay.seal(Buffer.from('answer'));
  expect(frpc.open(answer)).toEqual(Buffer.from('answer'));
  for (let cut = 0; cut <= sealed.length; cut++) {
    const { relay: other } = open();
    const plain = Buffer.concat([other.open(sealed.subarray(0, cut)), other.open(sealed.subarray(cut))]);
    expect(plain).toEqual(Buffer.concat(said));
  }
});

test('with another token wire v1 gives other bytes, and wire v2 an error', () => {
  const v1 = new CfbCipher('another').open(new CfbCipher(token).seal(Buffer.from('{"a":"readable"}')));
  expect(v1.includes('readable')).toBe(false);
  const sealed = new AeadCipher(token, transcript, 'client').seal(Buffer.from('x'));
  expect(() => new AeadCipher('another', transcript, 'server').open(sealed)).toThrow(FrpError);
});

test('wire v2 refuses changed, repeated and oversized frames', () => {
  const frpc = new AeadCipher(token, transcript, 'client');
  const first = frpc.seal(Buffer.from('x'));
  const second = frpc.seal(Buffer.from('y'));
  const open = (...chunks: Buffer[]) => {
    const relay = new AeadCipher(token, transcript, 'server');
    return () => chunks.map((chunk) => relay.open(chunk));
  };
  const changed = Buffer.from(first);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  const oversized = Buffer.concat([first.subarray(0, 12), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);
  const short = Buffer.concat([first.subarray(0, 12), Buffer.from([0, 0, 0, 15])]);
  expect(open(first, second)().map(String)).toEqual(['x', 'y']);
  for (const chunks of [[changed], [first, second, second], [oversized], [short]])
    expect(open(...chunks)).toThrow(FrpError);
});

test('of what wire v2 offers, JSON and AES-256-GCM are chosen', () => {
  const offer = { message: { codecs: ['json'] }, crypto: { algorithms: ['xchacha20-poly1305', 'aes-256-gcm'] } };
  const answer = JSON.parse(String(answerClientHello(Buffer.from(JSON.stringify({ capabilities: offer })))));
  expect(answer).toMatchObject({ selected: { message: { codec: 'json' }, crypto: { algorithm: 'aes-256-gcm' } } });
  expect(Buffer.from(answer.selected.crypto.serverRandom, 'base64')).toHaveLength(32);
});

test.each(['', '{}', '[]', '{"capabilities":{"message":{},"crypto":{"algorithms":["aes-256-gcm"]}}}'])(
  'the ClientHello %j is refused',
  (text) => {
    expect(() => answerClientHello(Buffer.from(text))).toThrow(FrpError);
  },
);
