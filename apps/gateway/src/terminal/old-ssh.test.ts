import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Algorithms } from 'ssh2';
import { expect, test } from 'vitest';
import { connectSftp } from '../files/sftp/connect-sftp.ts';
import { dsaKey } from '../testing/dsa-key.ts';
import { startSshServer } from '../testing/start-ssh-server.ts';
import { sshdProgram, startSshd } from '../testing/start-sshd.ts';
import { createTestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

const old: [name: string, algorithms: Algorithms][] = [
  ['diffie-hellman-group1-sha1', { kex: ['diffie-hellman-group1-sha1'] }],
  ['3des-cbc', { cipher: ['3des-cbc'] }],
  ['hmac-md5', { cipher: ['aes128-cbc'], hmac: ['hmac-md5'] }],
  ['ssh-dss', { serverHostKey: ['ssh-dss'] }],
];

test.each(old)(
  '%s is refused with the algorithms of both sides, and used where the owner allows it',
  async (name, algorithms) => {
    const dsa = name === 'ssh-dss' ? { hostKey: dsaKey() } : {};
    await using server = await startSshServer({ algorithms, ...dsa });
    const target = { port: server.port, hostKey: server.fingerprint };
    await using refused = await openTerminal(createTestSession({ ...target, options: { username: 'root' } }));
    refused.start();
    const mismatch = await refused.next('no_common_algorithm');
    expect(mismatch.theirs).toEqual([name]);
    expect(mismatch.ours).not.toContain(name);
    expect(mismatch.ours.length).toBeGreaterThan(2);
    expect(await refused.next('failed')).toEqual({ type: 'failed', reason: 'no-common-algorithm' });

    const options = { username: 'root', old_algorithms: true };
    await using allowed = await openTerminal(createTestSession({ ...target, options }));
    allowed.start();
    await allowed.next('connected');
    await allowed.shows('$ ');
  },
);

test('files say so too', async () => {
  await using server = await startSshServer({ algorithms: { kex: ['diffie-hellman-group1-sha1'] } });
  const session = createTestSession({ kind: 'sftp', port: server.port, options: { username: 'root' } });
  await expect(connectSftp({ session, typed: {}, trustedHostKey: undefined })).rejects.toMatchObject({
    code: 'no-common-algorithm',
    mismatch: { part: 'kex', theirs: ['diffie-hellman-group1-sha1'] },
  });
});

test.skipIf(sshdProgram === undefined).each([
  ['group exchange, 3DES and MD5', '3des-cbc', 'hmac-md5'],
  ['group exchange with a cipher that wants a group of 8192 bits', 'aes256-ctr', 'hmac-sha1'],
])('an OpenSSH server of another age: %s', async (_what, cipher, hmac) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sshd-'));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rmSync(folder, { recursive: true }));
  const settings = `KexAlgorithms diffie-hellman-group-exchange-sha1\nCiphers ${cipher}\nMACs ${hmac}`;
  const server = parts.use(await startSshd(folder, settings));
  const { port, username, hostKey, privateKey } = server;
  const options = { username, old_algorithms: true };
  await using terminal = await openTerminal(createTestSession({ port, options, secrets: { privateKey }, hostKey }));
  terminal.start();
  await terminal.next('connected');
  terminal.type('echo 老设备$((1 + 1))\r');
  await terminal.shows('老设备2');
});
