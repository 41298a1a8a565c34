import { createSecureServer, createServer } from 'node:http2';
import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { type ProbeDeps, runProbe } from './probe.ts';
import { listenOnLoopback, startLanService } from '../testing/lan-service.ts';
import { sendBack, startUdpService } from '../testing/udp-service.ts';
import { selfSigned } from '../testing/self-signed.ts';

const request = (port: number, protocol: 'http' | 'https' | 'tcp' | 'udp' = 'http', host = '127.0.0.1') => {
  return { type: 'probe' as const, correlation: 1, mappingId: 1, protocol, host, port };
};
const deps = (overrides: Partial<ProbeDeps> = {}): ProbeDeps => {
  return { isAllowed: true, monotonicMs: () => performance.now(), signal: new AbortController().signal, ...overrides };
};

test('any HTTP status shows that the service runs', async () => {
  let asked = '';
  await using service = await startLanService((socket) =>
    socket.on('data', (chunk) => {
      asked += chunk;
      if (asked.includes('\r\n\r\n')) socket.write('HTTP/1.1 401 Unauthorized\r\n');
    }),
  );
  const outcome = await runProbe(request(service.port), deps());
  expect(outcome).toMatchObject({ ok: true, step: 'http', seen: 'status_401' });
  expect(asked).toContain(`Host: 127.0.0.1:${service.port}\r\n`);
  expect(asked).toContain('Connection: close\r\n');
});

test('an HTTPS service with a self-signed certificate passes the TLS step', async () => {
  await using service = await startLanService(
    (socket) => socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\n')),
    {
      certificate: await selfSigned('nas.lan'),
    },
  );
  expect(await runProbe(request(service.port, 'https'), deps())).toMatchObject({
    ok: true,
    step: 'http',
    seen: 'status_200',
  });
});

test('a certificate is checked where visitors need a valid one', async () => {
  await using service = await startLanService(() => {}, { certificate: await selfSigned('nas.lan') });
  expect(await runProbe({ ...request(service.port, 'https'), verifyTls: true }, deps())).toMatchObject({
    ok: false,
    step: 'tls',
    seen: 'certificate_invalid',
  });
});

const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const oldCiphers = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA', sigalgs: 'ECDSA+SHA1' } as const;

test.each([
  ['TLS 1.0', oldTls, 'old_protocol'],
  ['SHA-1 signatures', { ...oldCiphers, ciphers: `${oldCiphers.ciphers}:@SECLEVEL=0` }, 'old_cipher'],
  ['TLS of today', {}, undefined],
])('a service with %s works, and the probe says what is weak about it', async (_what, tls, weakness) => {
  const certificate = await selfSigned('nas.lan');
  await using service = await startLanService(
    (socket) => socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\n')),
    { certificate, tls },
  );
  const outcome = await runProbe(request(service.port, 'https'), deps());
  expect(outcome).toMatchObject({ ok: true, step: 'http', seen: 'status_200' });
  expect(outcome.weakness).toBe(weakness);
});

test('a failed step is named with its result', async () => {
  await using plain = await startLanService((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
  await using silent = await startLanService((socket) => socket.end());
  const notFound = () => Promise.reject(Object.assign(new Error('lookup'), { code: 'ENOTFOUND' }));

  expect(await runProbe(request(80, 'http', 'nobody.lan'), deps({ resolver: notFound }))).toMatchObject({
    ok: false,
    step: 'dns_lan',
    seen: 'not_found',
  });
  expect(await runProbe(request(80, 'http', '8.8.8.8'), deps())).toMatchObject({
    ok: false,
    step: 'dns_lan',
    seen: 'not_allowed',
  });
  for (const [host, address] of [
    ['169.254.170.2', ''],
    ['::ffff:169.254.170.23', ''],
    ['fd00:ec2::23', ''],
    ['fe80::1', ''],
    ['credentials.lan', '169.254.170.2'],
    ['credentials.lan', 'fd00:ec2::23'],
    ['credentials.lan', '::ffff:a9fe:aa02'],
  ] as const) {
    const outcome = await runProbe(request(80, 'http', host), deps({ resolver: async () => [address] }));
    expect(outcome, `${host} ${address}`).toMatchObject({ ok: false, step: 'dns_lan', seen: 'credential_address' });
  }
  expect(await runProbe(request(80), deps({ isAllowed: false }))).toMatchObject({
    ok: false,
    step: 'dns_lan',
    seen: 'not_allowed',
  });
  expect(await runProbe(request(await freePort()), deps())).toMatchObject({
    ok: false,
    step: 'tcp',
    seen: 'refused',
  });
  expect(await runProbe(request(plain.port, 'https'), deps())).toMatchObject({
    ok: false,
    step: 'tls',
    seen: 'tls_failed',
  });
  expect(await runProbe(request(plain.port), deps())).toMatchObject({ ok: false, step: 'http', seen: 'not_http' });
  expect(await runProbe(request(silent.port), deps())).toMatchObject({ ok: false, step: 'http', seen: 'closed' });
});

test('a service that speaks HTTP/2 alone, as those of gRPC do, is recognized', async () => {
  const server = createServer();
  server.on('sessionError', () => {});
  const port = await listenOnLoopback(server);
  expect(await runProbe(request(port), deps())).toMatchObject({ ok: true, step: 'http', seen: 'http2' });
  server.close();
});

test('so is one over TLS, which ends connections without ALPN or answers that it is missing', async () => {
  const certificate = await selfSigned('grpc.lan');
  const server = createSecureServer(certificate);
  server.on('sessionError', () => {});
  const port = await listenOnLoopback(server);
  expect(await runProbe(request(port, 'https'), deps())).toMatchObject({ ok: true, step: 'http', seen: 'http2' });
  server.close();

  const strict = createSecureServer(certificate);
  strict.on('sessionError', () => {});
  strict.on('unknownProtocol', (socket) => socket.destroy());
  const strictPort = await listenOnLoopback(strict);
  expect(await runProbe(request(strictPort, 'https'), deps())).toMatchObject({ ok: true, seen: 'http2' });
  strict.close();
});

test('a service that accepts the connection and sends nothing does not block the probe', async () => {
  await using service = await startLanService((socket) => socket.resume());
  const stopping = new AbortController();
  const outcome = runProbe(request(service.port), deps({ signal: stopping.signal }));
  await service.nextSocket();
  stopping.abort();
  expect(await outcome).toMatchObject({ ok: false, seen: 'timeout' });
});

test('for a TCP service only the connection is checked', async () => {
  await using service = await startLanService((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
  const refused = await freePort();
  expect(await runProbe(request(service.port, 'tcp'), deps())).toMatchObject({
    ok: true,
    step: 'tcp',
    seen: 'connected',
  });
  expect(await runProbe(request(refused, 'tcp'), deps())).toMatchObject({ ok: false, step: 'tcp', seen: 'refused' });
});

test('for a UDP service an answer, a refusal and silence give different results', async () => {
  await using echo = await startUdpService(sendBack);
  await using silent = await startUdpService();
  const refused = await freePort();
  const probe = async (port: number) => await runProbe(request(port, 'udp'), deps());
  const [answered, nothing, refusal] = await Promise.all([echo.port, silent.port, refused].map(probe));
  expect(answered).toMatchObject({ ok: true, step: 'udp', seen: 'answered' });
  expect(nothing).toMatchObject({ ok: true, step: 'udp', seen: 'silent' });
  expect(refusal).toMatchObject({ ok: false, step: 'udp', seen: 'refused' });
  expect(silent.received.map(({ length }) => length)).toEqual([0]);
});
