import { createCipheriv } from 'node:crypto';

const BLOCK_BYTES = 16;

/** AES-128-CMAC (RFC 4493). */
export function cmac(key: Buffer, message: Buffer): Buffer {
  const blocks = Math.max(1, Math.ceil(message.length / BLOCK_BYTES));
  const lastAt = (blocks - 1) * BLOCK_BYTES;
  const isWhole = message.length === blocks * BLOCK_BYTES;
  const subkey1 = doubled(encryptBlock(key, Buffer.alloc(BLOCK_BYTES)));
  const last = Buffer.alloc(BLOCK_BYTES);
  message.copy(last, 0, lastAt);
  if (!isWhole) last[message.length - lastAt] = 0x80;
  const chained = encryptChain(key, message.subarray(0, lastAt));
  return encryptBlock(key, xor(xor(last, isWhole ? subkey1 : doubled(subkey1)), chained));
}

function encryptBlock(key: Buffer, block: Buffer): Buffer {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
}

/** The last block of AES-CBC. */
function encryptChain(key: Buffer, blocks: Buffer): Buffer {
  const zero = Buffer.alloc(BLOCK_BYTES);
  if (blocks.length === 0) return zero;
  return createCipheriv('aes-128-cbc', key, zero).setAutoPadding(false).update(blocks).subarray(-BLOCK_BYTES);
}

/** Multiplied by x in GF(2^128). */
function doubled(block: Buffer): Buffer {
  const result = Buffer.from(block.map((byte, index) => (byte << 1) | ((block[index + 1] ?? 0) >> 7)));
  if ((block[0] ?? 0) & 0x80) result[BLOCK_BYTES - 1] = (result[BLOCK_BYTES - 1] ?? 0) ^ 0x87;
  return result;
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}
