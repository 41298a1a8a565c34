import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { startFakeRelay } from '../apps/gateway/src/testing/fake-relay.ts';
const root = path.resolve(import.meta.dirname, '..');
const servers = fork(path.join(root, 'bench/support/hostile-process.ts'), { stdio: 'inherit' });
const [ports] = (await once(servers, 'message')) as any[];
const kinds: any = { 'webdav-name': 'webdav', 'webdav-entries': 'webdav', 'webdav-pieces': 'webdav', sftp: 'sftp', smb: 'smb', 'aria2-arrays': 'aria2', 'aria2-pieces': 'aria2', ssh: 'ssh', telnet: 'telnet', vnc: 'vnc' };
const names = (process.argv[2] ?? Object.keys(kinds).join()).split(',');
const relay = await startFakeRelay((app) => ports[names[app - 1]!] as number);
const sessions = names.flatMap((name, n) => Array.from({ length: 12 }, (_, i) => ({ sessionId: (n + 1) * 100 + i, appId: n + 1, kind: kinds[name], host: 't', port: 1, options: { username: kinds[name] === 'webdav' ? '' : kinds[name] === 'smb' ? 'guest' : 'u', domain: '', path: kinds[name]==='webdav'||kinds[name]==='sftp' ? '/' : '', encoding: 'utf-8', tls: false, mac: '' }, secrets: kinds[name]==='webdav'?{}:{ password: 'p' }, hostKey: null, accountId: 2, ownerId: 2, isOwner: true, visitorAddress: '1.1.1.1' })));
const gw = fork(path.join(root, 'apps/gateway/src/testing/gateway-process.ts'), { execArgv: ['--max-old-space-size=768', '--import', '/tmp/eld.mjs', ...(process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [])], stdio: 'inherit' });
gw.send({ relayPort: relay.port, sessions });
const [port] = (await once(gw, 'message')) as any[];
const origin = `http://127.0.0.1:${port}`;
const headers = { cookie: `app_session=${'c'.repeat(43)}`, origin };
await sleep(1500);
for (const [n, name] of names.entries()) {
  console.error('==', name);
  const stop = new AbortController();
  for (const { sessionId, kind } of sessions.slice(n * 12, n * 12 + 12)) {
    const url = `${origin}/apps/${sessionId}/`;
    if (['webdav', 'sftp', 'smb'].includes(kind)) {
      void (async () => {
        const seen = new Set();
        while (!stop.signal.aborted) {
          const r = await fetch(`${url}files/list?path=${kind === 'smb' ? '/share' : '/'}`, { headers, signal: stop.signal });
          const b: any = r.ok ? (await r.arrayBuffer(), {}) : await r.json();
          const o = `${r.status} ${b.code}`; if (!seen.has(o)) { seen.add(o); console.error('  ', o); }
          if (b.fingerprint) await fetch(`${url}files/connect`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ trust_host_key: b.fingerprint }) });
        }
      })().catch((e) => stop.signal.aborted || console.error(String(e)));
    }
    if (['aria2', 'vnc', 'ssh', 'telnet'].includes(kind)) {
      const ws = new WebSocket(url.replace('http', 'ws') + (({ aria2: 'downloads/watch', vnc: 'screen' } as any)[kind] ?? 'terminal'), { headers });
      ws.on('error', () => {});
      ws.on('open', () => { if (kind === 'aria2') ws.send('{"type":"watch","details":null}'); else if (kind === 'vnc') ws.pause(); else ws.send('{"type":"start","columns":80,"rows":24}'); });
      ws.on('message', (d: Buffer, bin) => { if (bin) return ws.send(JSON.stringify({ type: 'drawn', bytes: d.length })); const t = d.toString(); if (t.includes('host_key')) ws.send('{"type":"trust_host_key","trusted":true}'); if (t.includes('failed')) console.error('  ', t.slice(0, 100)); });
      stop.signal.addEventListener('abort', () => ws.terminate());
    }
  }
  await sleep(Number(process.env.MS ?? 6000));
  stop.abort();
  await sleep(500);
}
gw.disconnect(); servers.kill(); await sleep(1500); process.exit();
