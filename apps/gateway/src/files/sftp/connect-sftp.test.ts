import { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AuthContext, Connection } from 'ssh2';
import { expect, test } from 'vitest';
import { ssh2 } from '../../ssh/ssh2.ts';
import { startRawServer } from '../../testing/start-raw-server.ts';
import { newKey, startSshServer, type TestSshServer } from '../../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';
import { connectSftp } from './connect-sftp.ts';

const PASSWORD = '密码 1';
type Way = 'password' | 'keyboard-interactive';

/** Takes the password in one way only. */
function takeBy(way: Way): (context: AuthContext) => void {
  return (context) => {
    if (context.method === 'password' && way === 'password' && context.password === PASSWORD) return context.accept();
    if (context.method !== 'keyboard-interactive' || way !== 'keyboard-interactive') return context.reject([way]);
    return context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
      if (answers[0] === PASSWORD) context.accept();
      else context.reject();
    });
  };
}

type Facts = Partial<Parameters<typeof createTestSession>[0]>;

function createSession({ port, fingerprint }: TestSshServer, facts: Facts = {}): TestSession {
  const secrets = { password: PASSWORD };
  return createTestSession({ kind: 'sftp', port, hostKey: fingerprint, secrets, options: { username: 'u' }, ...facts });
}

const keptBy = (session: TestSession): string[] => session.calls.filter((call) => call.startsWith('keep'));

test.each(['password', 'keyboard-interactive'] as const)('logs in with a password by %s', async (way) => {
  await using server = await startSshServer({ onLogin: takeBy(way) });
  const { client } = await connectSftp({ session: createSession(server), typed: {} });
  client.end();
  const wrong = connectSftp({ session: createSession(server), typed: { password: 'wrong' } });
  await expect(wrong).rejects.toMatchObject({ name: 'TargetError', code: 'login-failed' });
});

test('the keys of a connection are prepared for all packets, also those of a new key exchange', async () => {
  const opened = Promise.withResolvers<Connection>();
  await using server = await startSshServer({ onSftp: (_files, connection) => opened.resolve(connection) });
  const { client } = await connectSftp({ session: createSession(server), typed: {} });
  const keys = (): [unknown, unknown] => {
    const { _cipher, _decipher } = (client as unknown as { _protocol: Record<string, Record<string, unknown>> })
      ._protocol;
    return [_cipher?.['_encKey'], _decipher?.['_decipherKey']];
  };
  const before = keys();
  expect(before.map((key) => key instanceof KeyObject)).toEqual([true, true]);
  client.sftp(() => {});
  const exchanged = once(client, 'handshake');
  (await opened.promise).rekey();
  await exchanged;
  const after = keys();
  expect(after.map((key) => key instanceof KeyObject)).toEqual([true, true]);
  expect(after[0]).not.toBe(before[0]);
  client.end();
});

test('a password that is wanted after all is asked for', async () => {
  await using server = await startSshServer({ onLogin: takeBy('keyboard-interactive') });
  const session = createSession(server, { secrets: {} });
  const wanted = { name: 'CredentialsRequiredError', wanted: ['password'] };
  await expect(connectSftp({ session, typed: {} })).rejects.toMatchObject(wanted);
  const { client } = await connectSftp({ session, typed: { password: PASSWORD } });
  client.end();
});

test('a target with other questions than the password refuses the login, unanswered', async () => {
  const answers: string[][] = [];
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      context.prompt({ prompt: 'Code: ', echo: true }, (given) => answers.push(given));
    },
  });
  const refused = connectSftp({ session: createSession(server), typed: {} });
  await expect(refused).rejects.toMatchObject({ name: 'TargetError', code: 'login-failed' });
  expect(answers).toEqual([]);
});

test.each([null, 'SHA256:other'])('sends nothing of the user to a target whose key is not %j', async (known) => {
  await using server = await startSshServer({ onLogin: takeBy('password') });
  const session = createSession(server, { hostKey: known });
  const refused = connectSftp({ session, typed: {}, trustedHostKey: 'SHA256:third' });
  await expect(refused).rejects.toMatchObject({ name: 'HostKeyError', known, fingerprint: server.fingerprint });
  expect(server.attempts).toEqual([]);
  expect(keptBy(session)).toEqual([]);
  expect(session.streams.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test.each([
  ['an owner', true],
  ['a member', false],
])('a new key that %s trusts counts for the session; only an owner’s is stored', async (_who, isOwner) => {
  await using server = await startSshServer({ onLogin: takeBy('password') });
  const session = createSession(server, { hostKey: null, isOwner });
  const first = await connectSftp({ session, typed: {}, trustedHostKey: server.fingerprint });
  first.client.end();
  const second = await connectSftp({ session, typed: {} });
  second.client.end();
  expect(keptBy(session)).toEqual(isOwner ? [`keep ${server.fingerprint}`] : []);
});

test('a key that the target does not have is not stored, though it was trusted', async () => {
  const [shown, own] = [newKey(), newKey()];
  const hostKey = Object.assign(Object.create(shown), { sign: (data: Buffer) => own.sign(data) });
  await using server = await startSshServer({ hostKey });
  const session = createSession(server, { hostKey: null });
  const refused = connectSftp({ session, typed: {}, trustedHostKey: server.fingerprint });
  await expect(refused).rejects.toMatchObject({ name: 'TargetError', code: 'protocol' });
  expect(server.attempts).toEqual([]);
  expect(keptBy(session)).toEqual([]);
});

test.each([
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'protocol'],
  ['nothing', '', 'lost'],
])('a target that answers %s is no SSH server', async (_what, answer, code) => {
  await using server = await startRawServer((socket) => socket.resume().end(answer));
  const session = createTestSession({ kind: 'sftp', port: server.port, options: { username: 'u' } });
  await expect(connectSftp({ session, typed: {} })).rejects.toMatchObject({ name: 'TargetError', code });
});

test('a key with a passphrase asks for it, before any connection', async () => {
  const options = { passphrase: 'open', cipher: 'aes256-ctr', rounds: 4 };
  const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519', options);
  const session = createTestSession({ kind: 'sftp', port: 1, options: { username: 'u' }, secrets: { privateKey } });
  const asked = connectSftp({ session, typed: {} });
  await expect(asked).rejects.toMatchObject({ name: 'CredentialsRequiredError', wanted: ['passphrase'] });
  const wrong = connectSftp({ session, typed: { passphrase: 'wrong' } });
  await expect(wrong).rejects.toMatchObject({ code: 'key-unreadable' });
  expect(session.streams).toEqual([]);
});
