import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/clients/http-request.ts';
import { findServerPid, residentBytes } from '../support/product/processes.ts';
import type { Product } from '../support/product/product.ts';
import {
  controlMessage,
  dialTunnel,
  dialTunnelPlain,
  frame,
  yamuxFlag,
  yamuxFrame,
} from '../support/clients/tunnel-client.ts';
import type { Stage } from './stage.ts';

const MEGABYTE = 1024 * 1024;
const STREAM = 1;
const HALF_A_FRAME_BYTES = 6;

const hello = {
  type: 'hello',
  protocol: 1,
  agentVersion: '0.1.0',
  platform: 'test',
  publicKey: randomBytes(32).toString('base64url'),
};

function firstFrame(payload: Buffer): Buffer {
  return frame(yamuxFrame.data, yamuxFlag.syn, STREAM, payload);
}

const wrongBytes: Record<string, Buffer> = {
  'random bytes': randomBytes(4096),
  'an HTTP request': Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  'a frame of another version': Buffer.concat([
    Buffer.from([9]),
    frame(yamuxFrame.data, 0, 1, Buffer.alloc(0)).subarray(1),
  ]),
  'a frame of an unknown type': frame(77, 0, 1, Buffer.alloc(0)),
  'data on a stream that was never opened': frame(yamuxFrame.data, 0, 99, Buffer.from('x')),
  'a stream opened with the id of the other side': frame(yamuxFrame.data, yamuxFlag.syn, 2, Buffer.from('x')),
  'a payload of 4 GB': frame(yamuxFrame.data, yamuxFlag.syn, STREAM, Buffer.from('x'), 0xffff_ffff),
  'a control message of 4 GB': firstFrame(Buffer.from('ffffffff7b7d', 'hex')),
  'a control message that is no JSON': firstFrame(Buffer.from('\0\0\0\x02{{', 'latin1')),
  'a control message of an unknown type': firstFrame(controlMessage({ type: 'open-sesame' })),
  'a login before the hello': firstFrame(controlMessage({ type: 'login', signature: 'A'.repeat(86) })),
  'a login with a wrong signature': firstFrame(
    Buffer.concat([
      controlMessage(hello),
      controlMessage({ type: 'login', signature: 'A'.repeat(86), token: 'wrong' }),
    ]),
  ),
  'a message with a key of the wrong length': firstFrame(controlMessage({ ...hello, publicKey: 'AAAA' })),
};

export function testTunnel(stage: () => Stage): void {
  let product: Product;

  beforeAll(() => {
    ({ product } = stage());
  });

  test.each(Object.keys(wrongBytes))('%s on the tunnel closes that connection and nothing else', async (name) => {
    const peer = await dialTunnel(product);
    peer.socket.write(wrongBytes[name] ?? '');
    await peer.closed;
    expect((await request({ port: product.ports.http, path: '/api/login_status/' })).status).toBe(200);
  });

  test('garbage instead of TLS closes the connection', async () => {
    const peer = await dialTunnelPlain(product);
    peer.socket.write(randomBytes(2048));
    await peer.closed;
    expect(peer.received().length).toBeLessThan(100); // at most a TLS alert
  });

  test('a connection without data, or with half a TLS hello, half a frame or no login, is closed', async () => {
    const silent = await dialTunnelPlain(product);
    const halfHello = await dialTunnelPlain(product);
    halfHello.socket.write(Buffer.from('16030102000100', 'hex'));
    const halfFrame = await dialTunnel(product);
    halfFrame.socket.write(firstFrame(Buffer.alloc(0)).subarray(0, HALF_A_FRAME_BYTES));
    const withoutLogin = await dialTunnel(product);
    withoutLogin.socket.write(firstFrame(controlMessage(hello)));
    const peers = [silent, halfHello, halfFrame, withoutLogin];

    await Promise.all(peers.map(({ closed }) => closed));

    expect(peers.map(({ socket }) => socket.destroyed)).toEqual([true, true, true, true]);
  });

  test('many connections that announce much and send little use little memory', async () => {
    const pid = await findServerPid(product.child.pid);
    const before = await residentBytes(pid);
    const peers = await Promise.all(Array.from({ length: 100 }, () => dialTunnel(product)));
    for (const { socket } of peers) {
      socket.write(frame(yamuxFrame.data, yamuxFlag.syn, STREAM, Buffer.from('000fffff', 'hex'), 200 * 1024));
      socket.write(Buffer.alloc(16 * 1024));
    }
    await Promise.all(peers.map(({ closed }) => closed)); // a login must be complete within a time limit
    expect((await residentBytes(pid)) - before).toBeLessThan(150 * MEGABYTE);
  });

  test('after all this devices are still online and visitors served', async () => {
    const { client, device, welcome } = stage();
    await client.waitForDevice('the local device is online', ({ id, online }) => id === device.id && online);
    const host = `${welcome.domain}:${product.ports.http}`;
    const page = await request({ port: product.ports.http, path: '/', host });
    expect(page.status).toBe(200);
    expect(product.child.output).not.toMatch(/unhandled|uncaught/i);
  });
}
