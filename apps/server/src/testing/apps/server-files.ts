import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServerConfig } from '../../server-config.ts';

/** Writes the files that a server reads, in a temporary folder. */
export async function makeServerFiles(): Promise<AsyncDisposable & { dir: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-server-'));
  for (const folder of ['web/assets', 'agent/dist', 'agent/install'])
    await mkdir(path.join(dir, folder), { recursive: true });
  await writeFile(path.join(dir, 'web/index.html'), '<!doctype html>通途');
  await writeFile(path.join(dir, 'web/assets/index-abc.js'), 'export {};');
  await writeFile(path.join(dir, 'agent/dist/tongtu-agent.mjs'), 'console.log("agent");');
  await writeFile(path.join(dir, 'agent/install/install.sh'), "SERVER='__SERVER_URL__' SHA=__AGENT_SHA256__\n");
  return { dir, [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true }) };
}

/** The default configuration, with these files. */
export function testServerConfig(dir: string, database: ServerConfig['database']): ServerConfig {
  return {
    database,
    listen: { host: '127.0.0.1', port: 0 },
    baseDomain: 'localhost',
    publicUrl: 'http://localhost:8080',
    tlsPort: 8443,
    redirectsToHttps: false,
    isBehindProxy: false,
    hasCertificateFile: () => false,
    defaultBandwidthBps: null,
    publicPorts: { from: 20_000, to: 20_999 },
    allowedPorts: [8080],
    acme: undefined,
    messages: { sms: undefined, mail: undefined, smsPerDay: 2000, phoneRegions: ['86'], alertAddresses: 'public' },
    wechat: undefined,
    billing: 'off',
    payments: { alipay: undefined, wechat: undefined },
    consoleHosts: [],
    chooseAdminPassword: async () => 'chosen by the operator',
    secrets: { sealingKey: Buffer.alloc(32, 1), gateKey: Buffer.alloc(32, 2), relaySecret: 'relay' },
    frp: { port: 7200, isAtTlsPort: true },
    tunnel: { host: undefined, port: 7000, pin: 'pin' },
    webRoot: path.join(dir, 'web'),
    agentFile: path.join(dir, 'agent/dist/tongtu-agent.mjs'),
    agentSigningKey: generateKeyPairSync('ed25519').privateKey,
    runtimes: { lockFile: path.join(dir, 'package-lock.json'), folder: path.join(dir, 'runtimes'), registry: '' },
    version: '1.2.3',
  };
}
