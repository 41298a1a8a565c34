import { encodeText } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { ssh2 } from '../ssh/ssh2.ts';
import { acceptPassword, newPrivateKey, startSshServer, type TestSshServer } from '../testing/start-ssh-server.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

type Facts = Partial<Parameters<typeof createTestSession>[0]>;

function createSession({ port, fingerprint }: TestSshServer, facts: Facts = {}): TestSession {
  return createTestSession({ port, hostKey: fingerprint, options: { username: 'root' }, ...facts });
}

test('a stored password logs in', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  await using terminal = await openTerminal(createSession(server, { secrets: { password: 'right' } }));
  terminal.start();
  await terminal.next('connected');
  await terminal.shows('$ ');
});

test('what is not stored is asked for, and a wrong password can be corrected', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  await using terminal = await openTerminal(createSession(server, { options: {} }));
  terminal.start();
  expect(await terminal.next('credentials')).toMatchObject({ refused: false, wanted: ['username'] });
  terminal.start({ username: 'root' });
  expect(await terminal.next('credentials')).toMatchObject({ refused: false, wanted: ['username', 'password'] });
  terminal.start({ username: 'root', password: 'wrong' });
  expect(await terminal.next('credentials')).toMatchObject({ refused: true, wanted: ['username', 'password'] });
  terminal.start({ username: 'root', password: 'right' });
  await terminal.next('connected');
});

test('a typed password replaces a stored one that became wrong', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  await using terminal = await openTerminal(createSession(server, { secrets: { password: 'old' } }));
  terminal.start();
  expect(await terminal.next('credentials')).toMatchObject({ refused: true, wanted: ['password'] });
  terminal.start({ password: 'right' });
  await terminal.next('connected');
});

test('the fifth refused login is the last one', async () => {
  await using server = await startSshServer({ onLogin: acceptPassword('right') });
  await using terminal = await openTerminal(createSession(server));
  for (let tries = 1; tries < 5; tries += 1) {
    terminal.start({ password: `wrong ${tries}` });
    expect(await terminal.next('credentials')).toMatchObject({ refused: true });
  }
  terminal.start({ password: 'wrong 5' });
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'login-failed' });
  expect(await terminal.closes()).toBe(1000);
});

test('a target that hangs up after a wrong password has refused it', async () => {
  await using server = await startSshServer({
    onLogin: (context) => (context.method === 'none' ? context.reject(['password']) : disconnect(context)),
  });
  await using terminal = await openTerminal(createSession(server));
  terminal.start({ password: 'wrong' });
  expect(await terminal.next('credentials')).toMatchObject({ refused: true, wanted: ['password'] });
});

/** As OpenSSH does after too many tries. */
function disconnect(context: object): void {
  const { _protocol: protocol } = context as { _protocol: { disconnect(reason: number): void } };
  protocol.disconnect(2);
}

/** ssh2 writes UTF-8. An old system writes what its locale has, here in place of as many letters. */
function writeBytes(context: object, replacements: Record<string, Buffer>): void {
  const { _protocol: protocol } = context as { _protocol: { _cipher: { encrypt(packet: Buffer): void } } };
  const encrypt = protocol._cipher.encrypt.bind(protocol._cipher);
  protocol._cipher.encrypt = (packet) => {
    for (const [letters, bytes] of Object.entries(replacements)) {
      const at = packet.indexOf(letters);
      if (at >= 0) bytes.copy(packet, at);
    }
    encrypt(packet);
  };
}

test.each([
  ['utf-8', 'gb18030'],
  ['gbk', 'gb18030'],
  ['big5', 'big5'],
] as const)('what an old target asks is readable, with the encoding %s', async (encoding, written) => {
  const bytes = (text: string) => Buffer.from(encodeText(text, written) ?? []);
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      writeBytes(context, { AAAAAAAA: bytes('兩步登入'), BBBBBBBB: bytes('請看手機'), CCCCCC: bytes('驗證碼') });
      context.prompt([{ prompt: 'CCCCCC:', echo: true }], 'AAAAAAAA', 'BBBBBBBB', (answers) =>
        answers[0] === '1' ? context.accept() : context.reject(['keyboard-interactive']),
      );
    },
  });
  await using terminal = await openTerminal(createSession(server, { options: { username: 'root', encoding } }));
  terminal.start();
  expect(await terminal.next('prompts')).toMatchObject({
    title: '兩步登入',
    text: '請看手機',
    prompts: [{ text: '驗證碼:', echo: true }],
  });
});

test('the user answers the questions of the target', async () => {
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      const prompts = [
        { prompt: '验证码：', echo: true },
        { prompt: 'PIN: ', echo: false },
      ];
      context.prompt(prompts, '两步验证', '请看手机', (answers) =>
        answers[0] === '123456' && answers[1] === '0000' ? context.accept() : context.reject(['keyboard-interactive']),
      );
    },
  });
  await using terminal = await openTerminal(createSession(server, { secrets: { password: 'stored' } }));
  terminal.start();
  const question = {
    type: 'prompts',
    title: '两步验证',
    text: '请看手机',
    prompts: [
      { text: '验证码：', echo: true },
      { text: 'PIN: ', echo: false },
    ],
  };
  expect(await terminal.next('prompts')).toEqual(question);
  terminal.send({ type: 'answers', answers: ['000000', '0000'] });
  expect(await terminal.next('prompts')).toEqual(question);
  terminal.send({ type: 'answers', answers: ['123456', '0000'] });
  await terminal.next('connected');
});

test('after three wrong answers the login has failed', async () => {
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      context.prompt('Code: ', () => context.reject(['keyboard-interactive']));
    },
  });
  await using terminal = await openTerminal(createSession(server));
  terminal.start();
  for (let tries = 1; tries <= 3; tries += 1) {
    await terminal.next('prompts');
    terminal.send({ type: 'answers', answers: [] });
  }
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'login-failed' });
});

test('the password answers the first hidden question, and only that', async () => {
  const received: string[] = [];
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive', 'password']);
      context.prompt({ prompt: 'Password: ', echo: false }, ([password]) => {
        received.push(String(password));
        context.prompt({ prompt: 'Code: ', echo: false }, ([code]) => {
          received.push(String(code));
          context.accept();
        });
      });
    },
  });
  await using terminal = await openTerminal(createSession(server, { secrets: { password: 'stored' } }));
  terminal.start();
  expect(await terminal.next('prompts')).toMatchObject({ prompts: [{ text: 'Code: ' }] });
  terminal.send({ type: 'answers', answers: ['123456'] });
  await terminal.next('connected');
  expect(received).toEqual(['stored', '123456']);
});

test('a target that wants a key and a code gets both', async () => {
  await using server = await startSshServer({
    onLogin(context) {
      if (context.method === 'publickey')
        return context.signature === undefined ? context.accept() : context.reject(['keyboard-interactive'], true);
      if (context.method !== 'keyboard-interactive') return context.reject(['publickey']);
      context.prompt('Code: ', ([code]) => (code === '123456' ? context.accept() : context.reject()));
    },
  });
  const privateKey = newPrivateKey();
  await using terminal = await openTerminal(createSession(server, { secrets: { privateKey } }));
  terminal.start();
  await terminal.next('prompts');
  terminal.send({ type: 'answers', answers: ['123456'] });
  await terminal.next('connected');
  expect(server.attempts).toEqual(['none', 'publickey', 'publickey', 'keyboard-interactive']);
});

test('a key that the target refuses leaves the password, if it takes one', async () => {
  const secrets = { privateKey: newPrivateKey() };
  await using server = await startSshServer({
    onLogin: (context) =>
      context.method === 'password' ? context.accept() : context.reject(['publickey', 'password']),
  });
  await using terminal = await openTerminal(createSession(server, { secrets }));
  terminal.start();
  expect(await terminal.next('credentials')).toMatchObject({ refused: true, wanted: ['password'] });
  terminal.start({ password: 'right' });
  await terminal.next('connected');

  await using onlyKeys = await startSshServer({ onLogin: (context) => context.reject(['publickey']) });
  await using other = await openTerminal(createSession(onlyKeys, { secrets }));
  other.start();
  expect(await other.next('failed')).toEqual({ type: 'failed', reason: 'login-failed' });
});

test.each([
  ['no key', 'hello'],
  ['a public key', ssh2.utils.generateKeyPairSync('ed25519').public],
  ['half a key', newPrivateKey().slice(0, 100)],
  ['a key that would take hours', withRounds(0x7fff_ffff)],
])('%s cannot be read, and nothing is dialled', async (_what, privateKey) => {
  const session = createTestSession({ port: 1, options: { username: 'root' }, secrets: { privateKey } });
  await using terminal = await openTerminal(session);
  terminal.start({ passphrase: 'secret' });
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'key-unreadable' });
  expect(session.streams).toEqual([]);
});

/** An encrypted key that claims another number of rounds of its passphrase's hash. */
function withRounds(rounds: number): string {
  const options = { passphrase: 'secret', cipher: 'aes256-ctr', rounds: 1 };
  const [head, ...lines] = ssh2.utils.generateKeyPairSync('ed25519', options).private.trim().split('\n');
  const bytes = Buffer.from(lines.slice(0, -1).join(''), 'base64');
  const kdfOptions = bytes.indexOf('bcrypt') + 'bcrypt'.length;
  bytes.writeUInt32BE(rounds, kdfOptions + 4 + bytes.readUInt32BE(kdfOptions) - 4);
  return [head, bytes.toString('base64'), lines.at(-1)].join('\n');
}
