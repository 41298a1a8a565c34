import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ListenerOptions } from './listener-options.ts';
import { readCongestionControl } from './tcp-info.ts';

async function listenWith(options: ListenerOptions) {
  const server = createServer();
  server.on('listening', () => options.apply(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function collectLines() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

/** The one that is not the system's default; both are always there. */
async function otherThanDefault(): Promise<string> {
  const server = await listenWith(
    new ListenerOptions({ wanted: 'system', isReported: true }, pino({ level: 'silent' })),
  );
  const { near, far } = await connectTo((server.address() as AddressInfo).port, server);
  const name = readCongestionControl(far);
  near.destroy();
  return name === 'reno' ? 'cubic' : 'reno';
}

async function connectTo(port: number, server: ReturnType<typeof createServer>) {
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  far.on('error', () => {});
  server.close();
  return { near, far };
}

test('accepted connections have the congestion control of their listener', async () => {
  const { lines, log } = collectLines();
  const wanted = await otherThanDefault();
  const server = await listenWith(new ListenerOptions({ wanted, isReported: true }, log));
  const { near, far } = await connectTo((server.address() as AddressInfo).port, server);
  expect(readCongestionControl(far)).toBe(wanted);
  expect(lines).toEqual([]);
  near.destroy();
});

test('one that the system refuses is logged once, with the commands that permit it', async () => {
  const { lines, log } = collectLines();
  const options = new ListenerOptions({ wanted: 'nonsense', isReported: true }, log);
  const servers = [await listenWith(options), await listenWith(options)];
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ congestionControl: 'nonsense', problem: 'ENOENT' });
  expect(lines[0]?.['fix']).toMatch(/^modprobe tcp_nonsense; echo /);
  for (const server of servers) server.close();
});
