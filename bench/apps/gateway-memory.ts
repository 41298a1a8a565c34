import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudApp } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { cleanPathRequest, connectionRequest } from '@tongtu/gateway/testing/rdp-client';
import { startRdpServer } from '@tongtu/gateway/testing/rdp-server';
import { startSshd } from '@tongtu/gateway/testing/sshd';
import { openDesktop } from '@tongtu/gateway/testing/vnc-client';
import { startVncServer } from '@tongtu/gateway/testing/vnc-server';
import WebSocket, { createWebSocketStream } from 'ws';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { createPerson } from '../../e2e/support/person.ts';
import { findGatewayPid, residentBytes } from '../../e2e/support/product/processes.ts';
import type { AppsBench, BenchSession } from '../support/open-apps-bench.ts';
import type { Line } from '../support/report.ts';

/** What an account may have open. */
const SESSIONS_OF_ONE_ACCOUNT = 20;
const SCREENS = 10;
const SETTLES_MS = 5_000;
const VNC_PASSWORD = 'geheim12';
const RDP_WITH_TLS = 1;

/** What the gateway keeps for idle sessions: terminals, and desktops, of which VNC has drawn its screen and RDP has done TLS. */
export async function measureGatewayMemory(bench: AppsBench): Promise<Line[]> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-bench-'));
  parts.defer(async () => await rm(folder, { recursive: true, force: true }));
  const sshd = parts.use(await startSshd(folder));
  const vnc = parts.use(await startVncServer({ password: VNC_PASSWORD }));
  const rdp = parts.use(await startRdpServer(vnc.port));
  const login = { options: { username: sshd.username }, secrets: { private_key: sshd.privateKey } };
  const ssh = await bench.createApp({ kind: 'ssh', name: 'ssh', port: sshd.port, ...login });
  const vncSecrets = { password: VNC_PASSWORD };
  const vncApp = await bench.createApp({ kind: 'vnc', name: 'vnc', port: vnc.port, secrets: vncSecrets });
  const rdpApp = await bench.createApp({ kind: 'rdp', name: 'rdp', port: rdp.port });
  const sessionCount = 3 + bench.effort.sshSessions + 2 * SCREENS;
  const people = await createPeople(bench, Math.ceil(sessionCount / SESSIONS_OF_ONE_ACCOUNT), [ssh, vncApp, rdpApp]);

  const sockets: WebSocket[] = [];
  parts.defer(() => sockets.forEach((socket) => socket.terminate()));
  let opened = 0;
  const openSession = async (app: CloudApp): Promise<BenchSession> => {
    const client = must(people[Math.floor(opened / SESSIONS_OF_ONE_ACCOUNT)], 'an account');
    opened++;
    return await bench.openSession(app, client);
  };
  const openSsh = async (): Promise<void> => void sockets.push(await openTerminal(await openSession(ssh)));
  const openVnc = async (): Promise<void> => {
    const [control, screen] = await openScreen(await openSession(vncApp));
    sockets.push(control, screen);
    await openDesktop(createWebSocketStream(screen));
  };
  const openRdp = async (): Promise<void> => {
    const [control, screen] = await openScreen(await openSession(rdpApp));
    sockets.push(control, screen);
    screen.send(cleanPathRequest(connectionRequest(RDP_WITH_TLS)));
    await once(screen, 'message');
  };

  // The first session of each kind loads its protocol.
  for (const open of [openSsh, openVnc, openRdp]) await open();
  const megabytes = async (): Promise<number> => {
    await sleep(SETTLES_MS);
    const pid = must(await findGatewayPid(bench.product.child.pid), 'a gateway process');
    return (await residentBytes(pid)) / 1024 / 1024;
  };
  const first = await megabytes();
  const lines: Line[] = [{ name: 'gateway with one session of each', unit: 'MB', target: '—', values: [first] }];
  const kinds = [
    { name: 'idle SSH sessions', count: bench.effort.sshSessions, target: '≤ 50', open: openSsh },
    { name: 'idle VNC sessions', count: SCREENS, target: '≤ 30', open: openVnc },
    { name: 'idle RDP sessions', count: SCREENS, target: '≤ 30', open: openRdp },
  ];
  let before = first;
  for (const { name, count, target, open } of kinds) {
    for (let n = 0; n < count; n++) await open();
    const now = await megabytes();
    lines.push({ name: `${count} more ${name}`, unit: 'MB', target, values: [now - before] });
    before = now;
  }
  if (sockets.some(({ readyState }) => readyState !== WebSocket.OPEN)) throw new Error('a session has ended');
  return [...lines, { name: 'gateway with all of them', unit: 'MB', target: '—', values: [before] }];
}

/** Accounts that may open the apps. */
async function createPeople({ product, owner }: AppsBench, count: number, apps: CloudApp[]): Promise<ApiClient[]> {
  const people: ApiClient[] = [];
  for (let n = 0; n < count; n++) {
    const account = `person${n}`;
    await createPerson(product, { account });
    for (const { id } of apps) {
      const added = await owner.call('POST', `/api/user/cloud_apps/${id}/members/`, { account });
      if (added.status !== 201) throw new Error(`the member was answered ${added.status}: ${added.text}`);
    }
    const client = new ApiClient(product);
    await client.logIn(account);
    people.push(client);
  }
  return people;
}

async function openTerminal(session: BenchSession): Promise<WebSocket> {
  const socket = await openSocket(session, 'terminal');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, isBinary) => {
    const text = isBinary ? '' : data.toString();
    if (text.includes('"host_key"')) socket.send(JSON.stringify({ type: 'trust_host_key', trusted: true }));
    if (text.includes('"connected"')) resolve();
    if (text.includes('"failed"')) reject(new Error(`the terminal has failed: ${text}`));
  });
  socket.send(JSON.stringify({ type: 'start', columns: 80, rows: 24 }));
  await promise;
  return socket;
}

async function openScreen(session: BenchSession): Promise<[WebSocket, WebSocket]> {
  const control = await openSocket(session, 'control');
  control.on('message', (data: Buffer) => console.error(`a screen has ended: ${data.toString()}`));
  return [control, await openSocket(session, 'screen')];
}

async function openSocket({ url, headers }: BenchSession, name: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${name}`, { headers });
  await once(socket, 'open');
  return socket;
}
