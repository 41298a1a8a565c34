import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { testSession } from '../testing/test-session.ts';
import { openSsh, type SshTarget } from './open-ssh.ts';

const PASSWORD = '密码 1';
const key = ssh2.utils.generateKeyPairSync('ed25519');

/** A server that takes the password in one way only, and counts what it is sent. */
async function startServer(way: 'password' | 'keyboard-interactive') {
  let logins = 0;
  const server = new ssh2.Server({ hostKeys: [key.private] }, (client) => {
    client.on('error', () => {}); // the client hangs up
    client.on('authentication', (context) => {
      logins++;
      if (context.method === 'password' && way === 'password' && context.password === PASSWORD) return context.accept();
      if (context.method !== 'keyboard-interactive' || way !== 'keyboard-interactive') return context.reject([way]);
      return context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
        if (answers[0] === PASSWORD) context.accept();
        else context.reject();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo; // it listens on TCP
  return { port, logins: () => logins, [Symbol.asyncDispose]: async () => void server.close() };
}

const parsed = ssh2.utils.parseKey(key.public);
const publicKey = parsed instanceof Error ? Buffer.alloc(0) : parsed.getPublicSSH();
const hostKey = `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;

function target(port: number, more: Partial<SshTarget> = {}): SshTarget {
  const { openStream } = testSession({ kind: 'sftp', port });
  return { openStream, username: 'user', password: PASSWORD, knownHostKey: hostKey, ...more };
}

test.each(['password', 'keyboard-interactive'] as const)('logs in with a password by %s', async (way) => {
  await using server = await startServer(way);
  const client = await openSsh(target(server.port));
  client.end();
  const wrong = openSsh(target(server.port, { password: 'wrong' }));
  await expect(wrong).rejects.toMatchObject({ name: 'TargetError', code: 'login-failed' });
});

test.each([null, 'SHA256:other'])('sends nothing of the user to a target whose key is not %j', async (known) => {
  await using server = await startServer('password');
  const refused = openSsh(target(server.port, { knownHostKey: known }));
  await expect(refused).rejects.toMatchObject({ name: 'HostKeyError', known, fingerprint: hostKey });
  expect(server.logins()).toBe(0);
});

test.each([
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'protocol'],
  ['nothing', '', 'lost'],
])('a target that answers %s is no SSH server', async (_what, answer, code) => {
  await using server = net
    .createServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .resume()
          .end(answer),
    )
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo; // it listens on TCP
  await expect(openSsh(target(port))).rejects.toMatchObject({ name: 'TargetError', code });
});

test('a key with a passphrase asks for it, before any connection', async () => {
  const encrypted = ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'open', cipher: 'aes256-ctr', rounds: 4 });
  const session = testSession({ kind: 'sftp', port: 1 });
  const withKey = { ...target(1), openStream: session.openStream, privateKey: encrypted.private };
  await expect(openSsh(withKey)).rejects.toMatchObject({ name: 'CredentialsRequiredError', wanted: ['passphrase'] });
  await expect(openSsh({ ...withKey, passphrase: 'wrong' })).rejects.toMatchObject({ code: 'key-unreadable' });
  expect(session.streams).toEqual([]);
});
