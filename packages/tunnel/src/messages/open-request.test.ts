import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import {
  decodeOpenRequest,
  decodeOpenStatus,
  encodeOpenRequest,
  openRequestLength,
  type OpenKind,
  openStatus,
} from './open-request.ts';

const openKinds: readonly OpenKind[] = ['tcp', 'tls', 'udp', 'tls-verified', 'tls-h2', 'tls-h2-verified'];

const request = {
  kind: 'tcp',
  mappingId: 4_000_000_000,
  host: 'nas.lan',
  port: 65_535,
  visitorAddress: '2001:db8::1',
} as const;

test('any open request is read back, with the first bytes after it', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 255 });
  const port = fc.nat({ max: 65_535 });
  fc.assert(
    fc.property(
      fc.record(
        {
          kind: fc.constantFrom(...openKinds),
          mappingId: fc.nat({ max: 0xffff_ffff }),
          host: text,
          port,
          visitorAddress: text,
          origin: fc.record({ visitorPort: port, publicAddress: text, publicPort: port }),
          tlsName: text,
        },
        { requiredKeys: ['kind', 'mappingId', 'host', 'port', 'visitorAddress'] },
      ),
      fc.uint8Array({ maxLength: 20 }),
      (sent, rest) => {
        const decoded = decodeOpenRequest(Buffer.concat([encodeOpenRequest(sent), rest]));
        expect(decoded.request).toEqual(sent);
        expect([...decoded.rest]).toEqual([...rest]);
      },
    ),
  );
});

test.each([
  ['tcp', 1],
  ['tls', 2],
  ['udp', 3],
  ['tls-verified', 4],
  ['tls-h2', 5],
  ['tls-h2-verified', 6],
] as const)('the kind %s is byte %i', (kind, byte) => {
  expect(encodeOpenRequest({ ...request, kind })[1]).toBe(byte);
});

const origin = { visitorPort: 50_000, publicAddress: '203.0.113.1', publicPort: 22 };

const tlsName = 'home.example.com';

test.each([
  [undefined, undefined, 1],
  [origin, undefined, 2],
  [undefined, tlsName, 3],
  [origin, tlsName, 4],
])('with origin %j and TLS name %j its version is %i', (givenOrigin, name, version) => {
  expect(encodeOpenRequest({ ...request, origin: givenOrigin, tlsName: name })[0]).toBe(version);
});

test.each([
  [undefined, undefined],
  [origin, undefined],
  [undefined, tlsName],
  [origin, tlsName],
])('an open request cut short at any byte is refused (%j, %j)', (givenOrigin, name) => {
  const bytes = encodeOpenRequest({ ...request, origin: givenOrigin, tlsName: name });
  for (let cut = 0; cut < bytes.length; cut++) {
    expect(() => decodeOpenRequest(bytes.subarray(0, cut))).toThrow(ProtocolError);
  }
  expect(decodeOpenRequest(bytes).rest).toHaveLength(0);
});

test.each([
  [{}, request.visitorAddress],
  [{ origin }, origin.publicAddress],
  [{ tlsName }, tlsName],
  [{ origin, tlsName }, tlsName],
])('the length of an open request is known before it is complete, and never wrong (%j)', (given, last) => {
  const bytes = encodeOpenRequest({ ...request, ...given });
  const knownFrom = bytes.length - last.length;
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(openRequestLength(bytes.subarray(0, cut))).toBe(cut < knownFrom ? undefined : bytes.length);
  }
});

test.each([
  [0, 0],
  [0, 5],
  [1, 0],
  [1, 7],
])('an open request with byte %i set to %i is refused', (offset, value) => {
  const bytes = encodeOpenRequest(request);
  bytes[offset] = value;
  expect(() => decodeOpenRequest(bytes)).toThrow(ProtocolError);
});

test('every status is read back, and other bytes are refused', () => {
  for (const [name, byte] of Object.entries(openStatus)) expect(decodeOpenStatus(byte)).toBe(name);
  expect(() => decodeOpenStatus(Object.keys(openStatus).length)).toThrow(ProtocolError);
});
