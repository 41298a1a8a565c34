import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import path from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { listenOnLoopback, startLanService } from '../testing/lan-service.ts';
import { openMuxPair } from '../testing/mux-pair.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

/** Opens a stream to a service with this certificate, which the machine trusts or not, and returns its status. */
async function open(host: string, options: { trusted: boolean; tlsName?: string }) {
  const certificate = await selfSigned('nas.lan');
  await using folder = await makeTemporaryFolder();
  const bundle = path.join(folder.path, 'bundle.crt');
  await writeFile(bundle, options.trusted ? certificate.cert : (await selfSigned('other')).cert);
  vi.stubEnv('SSL_CERT_FILE', bundle);
  await using service = await startLanService((socket) => socket.end('hello'), { certificate });
  await using pair = await openMuxPair({ resolver: async () => ['127.0.0.1'] });
  const target = { mappingId: 1, host, port: service.port, transport: 'tcp' as const };
  pair.forwarder.setTargets([target]);
  const stream = pair.open(target, { kind: 'tls-verified', tlsName: options.tlsName });
  const status = await stream.status;
  await stream.ended;
  return { status, text: stream.text };
}

test.runIf(process.platform === 'linux')(
  'a certificate that is valid for the name is accepted by tls-verified',
  async () => {
    expect(await open('nas.lan', { trusted: true })).toEqual({ status: 'connected', text: 'hello' });
  },
);

test('a service without TLS and one without a valid certificate have different statuses', async () => {
  await using service = await startLanService((socket) => socket.end('hello'));
  await using pair = await openMuxPair();
  const target = { mappingId: 1, host: '127.0.0.1', port: service.port, transport: 'tcp' as const };
  pair.forwarder.setTargets([target]);
  expect(await pair.open(target, { kind: 'tls-verified' }).status).toBe('tlsFailed');
});

test.each([
  ['nobody trusts', 'nas.lan', false],
  ['is another name’s', 'router.lan', true],
  ['is not for that address', '127.0.0.1', true],
])('a certificate that %s is refused', async (_, host, trusted) => {
  expect(await open(host, { trusted })).toEqual({ status: 'certificateInvalid', text: '' });
});

test.runIf(process.platform === 'linux')('a certificate is judged by the name that the mapping gives', async () => {
  const given = { trusted: true, tlsName: 'nas.lan' };
  expect(await open('127.0.0.1', given)).toEqual({ status: 'connected', text: 'hello' });
  expect(await open('other.lan', given)).toEqual({ status: 'connected', text: 'hello' });
  const wrong = { trusted: true, tlsName: 'router.lan' };
  expect(await open('nas.lan', wrong)).toEqual({ status: 'certificateInvalid', text: '' });
});

test.each([
  ['127.0.0.1', undefined, ''],
  ['127.0.0.1', 'home.example.com', 'home.example.com'],
  ['nas.lan', undefined, 'nas.lan'],
  ['nas.lan', 'home.example.com', 'home.example.com'],
])('a service at %s with the TLS name %s gets the server name %j', async (host, tlsName, expected) => {
  const certificate = await selfSigned('nas.lan');
  const serverName = (socket: Socket) => (socket as TLSSocket).servername || ''; // the service speaks TLS
  await using service = await startLanService((socket) => socket.end(`name ${serverName(socket)}`), { certificate });
  await using pair = await openMuxPair({ resolver: async () => ['127.0.0.1'] });
  const target = { mappingId: 1, host, port: service.port, transport: 'tcp' as const };
  pair.forwarder.setTargets([target]);
  const stream = pair.open(target, { kind: 'tls', tlsName });
  await stream.ended;
  expect(stream.text).toBe(`name ${expected}`);
});

test.each([
  ['tls', false],
  ['tls-h2', 'h2'],
  ['tls-h2-verified', 'h2'],
] as const)('a stream of the kind %s has agreed with the service on %s', async (kind, protocol) => {
  const certificate = await selfSigned('nas.lan');
  await using folder = await makeTemporaryFolder();
  const bundle = path.join(folder.path, 'bundle.crt');
  await writeFile(bundle, certificate.cert);
  vi.stubEnv('SSL_CERT_FILE', bundle);
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => {}).end(`${socket.alpnProtocol}`);
  });
  const port = await listenOnLoopback(server);
  await using pair = await openMuxPair({ resolver: async () => ['127.0.0.1'] });
  const target = { mappingId: 1, host: 'nas.lan', port, transport: 'tcp' as const };
  pair.forwarder.setTargets([target]);
  const stream = pair.open(target, { kind });
  await stream.ended;
  expect(stream.text).toBe(String(protocol));
  server.close();
});
