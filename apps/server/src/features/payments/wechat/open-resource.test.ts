import { expect, test } from 'vitest';
import { seal } from '../testing/wechat/fake-wechat-text.ts';
import { openResource } from './open-resource.ts';

const key = '0123456789abcdef0123456789ABCDEF';
const text = JSON.stringify({ out_trade_no: 'P-000001', description: '标准版' });
const sealed = seal(key, text, 'transaction');

test('a resource is opened with the key that sealed it', () => {
  expect(openResource(Buffer.from(key), sealed)).toBe(text);
});

test('a ciphertext that was truncated anywhere is refused', () => {
  const bytes = Buffer.from(sealed.ciphertext, 'base64');
  for (let length = 0; length < bytes.length; length++) {
    const ciphertext = bytes.subarray(0, length).toString('base64');
    expect(() => openResource(Buffer.from(key), { ...sealed, ciphertext })).toThrow();
  }
});

test.for([
  { associated_data: 'refund' },
  { nonce: '000000000000' },
  { ciphertext: Buffer.from('other bytes, other bytes, other bytes').toString('base64') },
])('a resource with another %j is refused', (changes) => {
  expect(() => openResource(Buffer.from(key), { ...sealed, ...changes })).toThrow();
});
