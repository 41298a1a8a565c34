import { once } from 'node:events';
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { makeCertificate } from '../testing/make-certificate.ts';
import { parseTcpInfo, readCongestionControl, readTcpInfo } from './tcp-info.ts';

const MEGABYTE = 1024 * 1024;

async function connectPair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return { near, far };
}

async function transfer(from: Socket, to: Socket): Promise<void> {
  let left = MEGABYTE;
  from.write(Buffer.alloc(MEGABYTE));
  for await (const chunk of to.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
    if ((left -= chunk.length) <= 0) return;
}

test('both ends of a connection know what it carried', async () => {
  const { near, far } = await connectPair();
  await transfer(near, far);

  const sender = readTcpInfo(near);
  expect(sender?.rttMs).toBeGreaterThan(0);
  expect(sender?.bytesAcked).toBeGreaterThan(0);
  expect(sender?.bytesSent).toBeGreaterThanOrEqual(MEGABYTE);
  expect(sender?.dataSegmentsOut).toBeGreaterThan(0);
  expect(sender?.notSentBytes).toBe(0);
  expect(sender?.deliveryRateBytesPerS).toBeGreaterThan(0);
  expect(sender?.cwndSegments).toBeGreaterThan(0);
  expect(readTcpInfo(far)).toMatchObject({ bytesReceived: MEGABYTE, bytesSent: 0, outOfOrderSegmentsIn: 0 });
  expect(readCongestionControl(near)).toMatch(/^\w+$/);
  near.destroy();
  far.destroy();
});

test('of a closed socket nothing is read, nor of another one that got its descriptor', async () => {
  const { near, far } = await connectPair();
  near.destroy();
  const next = await connectPair();
  expect(readTcpInfo(near)).toBeUndefined();
  expect(readCongestionControl(near)).toBeUndefined();
  for (const socket of [far, next.near, next.far]) socket.destroy();
});

test('a TLS socket is read like the TCP socket below it', async () => {
  const { near, far } = await connectPair();
  const server = new TLSSocket(far, { isServer: true, ...(await makeCertificate({ names: ['localhost'] })) });
  const client = connectTls({ socket: near, rejectUnauthorized: false });
  await once(client, 'secureConnect');
  await transfer(server, client);
  expect(readTcpInfo(server)?.bytesSent).toBeGreaterThan(MEGABYTE);
  client.destroy();
  server.destroy();
});

test('the structure of an older kernel is read as far as it goes', () => {
  const bytes = Buffer.alloc(248);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 4)
    view.setUint32(at, at, new Uint8Array(Uint16Array.of(1).buffer)[0] === 1);
  const { length } = bytes;
  expect(parseTcpInfo(bytes.subarray(0, length))).toMatchObject({ rttMs: 0.068, outOfOrderSegmentsIn: 224 });
  const old = parseTcpInfo(bytes.subarray(0, 192));
  expect(old).toMatchObject({ notSentBytes: 144, dataSegmentsOut: 156, totalRetransSegments: 100 });
  expect(old).toMatchObject({ bytesSent: undefined, bytesRetransmitted: undefined, outOfOrderSegmentsIn: undefined });
  expect(parseTcpInfo(bytes.subarray(0, 104))).toMatchObject({ cwndSegments: 80, minRttMs: undefined });
  expect(parseTcpInfo(bytes.subarray(0, 100))).toBeUndefined();
});
