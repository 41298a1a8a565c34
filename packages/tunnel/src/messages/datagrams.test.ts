import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DatagramDecoder, encodeDatagram } from './datagrams.ts';

const asArrays = (datagrams: readonly Uint8Array[]) => datagrams.map((datagram) => [...datagram]);

test('any datagrams are read back one by one, wherever the stream is cut', () => {
  const datagram = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 250, maxLength: 600 }));
  fc.assert(
    fc.property(fc.array(datagram, { maxLength: 8 }), fc.array(fc.nat(4000), { maxLength: 12 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(encodeDatagram));
      const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
      const decoder = new DatagramDecoder();
      const received = edges.slice(1).flatMap((end, index) => decoder.push(bytes.subarray(edges[index], end)));
      expect(asArrays(received)).toEqual(asArrays(sent));
    }),
  );
});

test('datagrams may come byte by byte, also empty ones', () => {
  const sent = [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(300, 7), Buffer.alloc(0)];
  const decoder = new DatagramDecoder();
  const received = [...Buffer.concat(sent.map(encodeDatagram))].flatMap((byte) => decoder.push(Buffer.of(byte)));
  expect(asArrays(received)).toEqual(asArrays(sent));
});

test('the largest datagram of UDP fits, and a longer one is refused', () => {
  const largest = Buffer.alloc(65_507, 1);
  expect(new DatagramDecoder().push(encodeDatagram(largest))).toEqual([largest]);
  expect(() => encodeDatagram(Buffer.alloc(65_536))).toThrow(RangeError);
});

test('the bytes are a big-endian length and the datagram', () => {
  expect(encodeDatagram(Buffer.alloc(258, 0xaa)).subarray(0, 3)).toEqual(Buffer.of(1, 2, 0xaa));
});

test('a partial datagram does not share memory with its chunk', () => {
  const bytes = encodeDatagram(Buffer.from('unchanged'));
  const first = Buffer.from(bytes.subarray(0, 5));
  const decoder = new DatagramDecoder();
  decoder.push(first);
  first.fill(0);
  expect(String(decoder.push(bytes.subarray(5))[0])).toBe('unchanged');
});
