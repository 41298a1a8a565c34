import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientHello, inRecords, realClientHello, serverNameExtension } from '../testing/clients/client-hello-bytes.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { ClientHelloReader, type HelloReading } from './client-hello-reader.ts';

const named = (...names: string[]) => clientHello({ extensions: [serverNameExtension(...names)] });

function readInChunks(bytes: Buffer, chunkBytes: number): HelloReading {
  const reader = new ClientHelloReader();
  let reading: HelloReading = { type: 'incomplete' };
  for (let at = 0; at < bytes.length && reading.type === 'incomplete'; at += chunkBytes) {
    reading = reader.push(bytes.subarray(at, at + chunkBytes));
  }
  return reading;
}

const read = (bytes: Buffer) => readInChunks(bytes, bytes.length);

test.each(['TLSv1.2', 'TLSv1.3'] as const)('the name in a real %s ClientHello is found', async (maxVersion) => {
  const bytes = await realClientHello({ servername: 'Nas.Example.COM', maxVersion, ALPNProtocols: ['h2', 'http/1.1'] });
  expect(read(bytes)).toMatchObject({ type: 'complete', hello: { serverName: 'nas.example.com' }, bytes });
});

test('a ClientHello without SNI, as for an IP address, is read', async () => {
  const bytes = await realClientHello({ host: '127.0.0.1' });
  expect(read(bytes)).toMatchObject({ type: 'complete', hello: { serverName: undefined } });
  expect(read(inRecords(clientHello({}), 4096))).toMatchObject({ type: 'complete', hello: { serverName: undefined } });
});

test('the name is found and every byte is kept, however the ClientHello is cut into records and chunks', () => {
  const padding = { type: 21, body: Buffer.alloc(600) };
  const message = clientHello({ sessionId: Buffer.alloc(32), extensions: [padding, serverNameExtension('a.example')] });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 700 }), (recordBytes, chunkBytes) => {
      const bytes = inRecords(message, recordBytes);
      const reading = readInChunks(bytes, chunkBytes);
      expect(reading).toMatchObject({ type: 'complete', hello: { serverName: 'a.example' }, bytes });
    }),
  );
});

test('bytes after the ClientHello are kept, too', () => {
  const bytes = Buffer.concat([inRecords(named('a.example'), 4096), Buffer.alloc(40_000, 1)]);
  expect(read(bytes)).toMatchObject({ type: 'complete', hello: { serverName: 'a.example' }, bytes });
});

test.each([
  ['a plain HTTP request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a single wrong byte', Buffer.of(23)],
  ['another major version', Buffer.of(22, 2)],
  ['an empty record', Buffer.of(22, 3, 1, 0, 0)],
  ['a record that is too long', Buffer.of(22, 3, 1, 0x40, 0x01)],
  ['another handshake message', inRecords(Buffer.of(2, 0, 0, 0), 100)],
  ['a message that is too long', inRecords(Buffer.of(1, 0, 0x40, 0x01), 100)],
  ['more in the record than the message', inRecords(Buffer.concat([named('a.example'), Buffer.of(0)]), 4096)],
  ['two names', inRecords(named('a.example', 'b.example'), 4096)],
  ['no name in the list', inRecords(named(), 4096)],
  ['an empty name', inRecords(named(''), 4096)],
  ['a name with NUL', inRecords(named('a.example\0.evil'), 4096)],
  ['a name of 256 bytes', inRecords(named('a'.repeat(256)), 4096)],
  [
    'the extension twice',
    inRecords(clientHello({ extensions: [serverNameExtension('a'), serverNameExtension('b')] }), 4096),
  ],
  ['a session id of 33 bytes', inRecords(clientHello({ sessionId: Buffer.alloc(33) }), 4096)],
])('%s is refused', (_what, bytes) => {
  expect(read(bytes)).toEqual({ type: 'refused' });
});

test('a ClientHello in many small records is refused at 16 KB', () => {
  const message = clientHello({ extensions: [{ type: 21, body: Buffer.alloc(10_000) }] });
  expect(read(inRecords(message, 4096)).type).toBe('complete');
  expect(readInChunks(inRecords(message, 1), 1)).toEqual({ type: 'refused' });
});

test('any bytes are read to a result without an error', () => {
  const start = fc.constantFrom(Buffer.alloc(0), Buffer.of(22, 3, 1), inRecords(named('a.example'), 9).subarray(0, 40));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (head, tail, chunkBytes) => {
      expect(['incomplete', 'refused', 'complete']).toContain(
        readInChunks(Buffer.concat([head, tail]), chunkBytes).type,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('in a damaged ClientHello the name found is the one that OpenSSL finds', async () => {
  let seen: string | undefined;
  const server = createServer({
    ...testCertificate,
    SNICallback: (name, done) => {
      seen = name.toLowerCase();
      done(null);
    },
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const hello = await realClientHello({ servername: 'nas.example.com', ALPNProtocols: ['h2'] });
  let compared = 0;
  const change = fc.record({ at: fc.nat(hello.length - 1), byte: fc.nat(255) });

  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
      const bytes = Buffer.from(hello);
      for (const { at, byte } of changes) bytes[at] = byte;
      seen = undefined;
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.end(bytes);
      socket.resume();
      await once(socket, 'close');
      const reading = read(bytes);
      // What is refused here never gets as far as OpenSSL.
      if (reading.type === 'refused' || seen === undefined) return;
      expect(reading).toMatchObject({ type: 'complete', hello: { serverName: seen } });
      compared++;
    }),
    { numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(50);
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  [undefined, false],
  [['http/1.1'], false],
  [['h2', 'http/1.1'], false],
  [['h2'], true],
])('a client that offers %j without HTTP/1.1: %s', async (ALPNProtocols, isWithoutHttp1) => {
  const bytes = await realClientHello({ servername: 'nas.example.com', ...(ALPNProtocols && { ALPNProtocols }) });
  expect(read(bytes)).toMatchObject({ type: 'complete', hello: { isWithoutHttp1 } });
});
