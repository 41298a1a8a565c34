import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { assertPortsAreFree, choosePorts } from './listen-addresses.ts';

const anyPorts = {
  host: '127.0.0.1',
  httpPort: 0,
  tlsPort: 0,
  tunnelPorts: [0, 0],
  frp: { port: 0, isAtTlsPort: true },
};

test('ports 0 are replaced by different free ports before anything listens', async () => {
  const chosen = await choosePorts({ ...anyPorts, tunnelPorts: [0, 7001, 0] });
  const { httpPort, tlsPort, tunnelPorts, frp } = chosen;
  expect(tunnelPorts[1]).toBe(7001);
  expect(new Set([httpPort, tlsPort, frp?.port, ...tunnelPorts]).size).toBe(6);
  expect(Math.min(httpPort, tlsPort, ...tunnelPorts)).toBeGreaterThan(0);
});

test('an address that this machine does not have is explained, also with ports 0', async () => {
  await expect(choosePorts({ ...anyPorts, host: '203.0.113.9' })).rejects.toThrow(
    '无法监听 203.0.113.9（EADDRNOTAVAIL）。请检查 HOST',
  );
});

test('a tunnel port that is in use is named, for any relay process', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo; // it listens on TCP
  const listening = await choosePorts(anyPorts);
  await expect(assertPortsAreFree({ ...listening, tunnelPorts: [0, port] })).rejects.toThrow(
    `端口 ${port} 已被占用。请先停止占用它的程序，或用 TUNNEL_PORT 指定其他端口`,
  );
  squatter.close();
});
