const ROUND_2_ORDER = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
const ROUND_3_ORDER = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];

/** RFC 1320. NTLM is built on it, and OpenSSL 3 no longer has it. */
export function md4(message: Buffer): Buffer {
  const padded = Buffer.alloc((((message.length + 8) >> 6) + 1) * 64);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeUInt32LE(message.length * 8, padded.length - 8);
  let state: State = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < padded.length; at += 64) state = addBlock(state, padded.subarray(at, at + 64));
  const digest = Buffer.alloc(16);
  state.forEach((word, index) => digest.writeInt32LE(word, index * 4));
  return digest;
}

type State = [number, number, number, number];
type Mix = (x: number, y: number, z: number) => number;

function addBlock(before: State, block: Buffer): State {
  let [a, b, c, d] = before;
  const step = (mix: Mix, word: number, constant: number, shift: number): void => {
    const sum = (a + mix(b, c, d) + block.readInt32LE(word * 4) + constant) | 0;
    [a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c];
  };
  const round = (mix: Mix, order: readonly number[], constant: number, shifts: readonly number[]): void =>
    order.forEach((word, index) => step(mix, word, constant, shifts[index % 4] ?? 0));
  round((x, y, z) => (x & y) | (~x & z), [...ROUND_3_ORDER.keys()], 0, [3, 7, 11, 19]);
  round((x, y, z) => (x & y) | (x & z) | (y & z), ROUND_2_ORDER, 0x5a827999, [3, 5, 9, 13]);
  round((x, y, z) => x ^ y ^ z, ROUND_3_ORDER, 0x6ed9eba1, [3, 9, 11, 15]);
  return [(a + before[0]) | 0, (b + before[1]) | 0, (c + before[2]) | 0, (d + before[3]) | 0];
}
