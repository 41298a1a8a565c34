import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sshd, sshdProgram, startSshd } from '../testing/start-sshd.ts';
import { createTestSession, type TestSession } from '../testing/test-session.ts';
import { openTerminal, type TestTerminal } from './testing/open-terminal.ts';

describe.skipIf(sshdProgram === undefined)('with an OpenSSH server (package openssh-server)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sshd-'));
  let server: Sshd;
  beforeAll(async () => {
    server = await startSshd(folder);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  function createSession(secrets: { privateKey: string; passphrase?: string }): TestSession {
    const { port, username, hostKey } = server;
    return createTestSession({ port, options: { username }, secrets, hostKey });
  }

  async function openShell(session = createSession({ privateKey: server.allowKey('ed25519') })): Promise<TestTerminal> {
    const terminal = await openTerminal(session);
    terminal.start();
    await terminal.next('connected');
    return terminal;
  }

  test.each(['ed25519', 'rsa', 'ecdsa', 'rsa in PEM'] as const)('a key (%s) logs in', async (kind) => {
    await using terminal = await openShell(createSession({ privateKey: server.allowKey(kind) }));
    terminal.type('echo 通途$((1 + 1))\r');
    await terminal.shows('通途2');
  });

  test.each(['ed25519', 'rsa', 'ecdsa', 'rsa in PEM'] as const)('an encrypted key (%s) logs in', async (kind) => {
    const privateKey = server.allowKey(kind, 'secret');
    await using stored = await openShell(createSession({ privateKey, passphrase: 'secret' }));
    stored.type('echo one$((1 + 1))\r');
    await stored.shows('one2');

    await using asked = await openTerminal(createSession({ privateKey }));
    asked.start();
    expect(await asked.next('credentials')).toMatchObject({ refused: false, wanted: ['passphrase'] });
    asked.start({ passphrase: 'wrong' });
    expect(await asked.next('credentials')).toMatchObject({ refused: true, wanted: ['passphrase'] });
    asked.start({ passphrase: 'secret' });
    await asked.next('connected');
  });

  test('the shell knows the size of the terminal, its changes and that it shows Chinese', async () => {
    await using terminal = await openShell();
    terminal.type('stty size; echo "<$LANG>"\r');
    await terminal.shows('24 80');
    await terminal.shows('<C.UTF-8>');
    terminal.send({ type: 'resize', columns: 255, rows: 50 });
    terminal.type('stty size\r');
    await terminal.shows('50 255');
  });

  test('a shell that has ended can be opened again in place', async () => {
    await using terminal = await openShell();
    terminal.type('exit\r');
    expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'closed' });
    terminal.start();
    await terminal.next('connected');
    terminal.type('echo again$((1 + 1))\r');
    await terminal.shows('again2');
  });

  test('a connection that breaks is lost, and can be opened again', async () => {
    const session = createSession({ privateKey: server.allowKey('ed25519') });
    await using terminal = await openShell(session);
    session.streams[0]?.destroy();
    expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'lost' });
    terminal.start();
    await terminal.next('connected');
  });

  test('output waits until the browser has drawn what came before', async () => {
    const session = createSession({ privateKey: server.allowKey('ed25519') });
    await using terminal = await openShell(session);
    terminal.isDrawing = false;
    terminal.type("head -c 4000000 /dev/zero | tr '\\0' x; echo the end$((1 + 1))\r");
    await expect.poll(() => session.streams[0]?.isPaused()).toBe(true);
    expect(terminal.receivedBytes).toBeLessThan(700_000);
    terminal.isDrawing = true;
    terminal.send({ type: 'drawn', bytes: terminal.receivedBytes });
    await terminal.shows('the end2');
    expect(terminal.receivedBytes).toBeGreaterThan(4_000_000);
  });

  test('what is pasted arrives whole, at the speed of the target', async () => {
    await using terminal = await openShell();
    terminal.type('stty raw -echo; echo ready; sleep 0.5; head -c 8000000 | sha256sum; stty sane\r');
    await terminal.shows('ready\n');
    await terminal.paste(Buffer.from('0123456789'.repeat(800_000)));
    await terminal.shows('356810dbf447f9b3');
  });

  test('a long paste whose echo waits for the browser does not lock the terminal', async () => {
    const session = createSession({ privateKey: server.allowKey('ed25519') });
    await using terminal = await openShell(session);
    terminal.type('PS1="prompt$((1 + 1)) "; echo ready; cat\r');
    await terminal.shows('ready\r\n');
    terminal.isDrawing = false;
    const pasted = terminal.paste(
      Buffer.from(`${'粘贴 0123456789 abcdefghijklmnopqrstuvwxyz'.repeat(2)}\r`.repeat(20_000)),
    );
    await terminal.until(() => terminal.receivedBytes > 512 * 1024); // nothing more comes now
    terminal.isDrawing = true;
    terminal.send({ type: 'drawn', bytes: terminal.receivedBytes });
    await pasted;
    terminal.type('\u0003');
    await terminal.shows('prompt2 '); // what is typed before is dropped with the rest of the paste
    terminal.type('echo the end$((1 + 1))\r');
    await terminal.shows('the end2');
  });

  test('packets as long as the input, by which OpenSSH hides that nothing is echoed, are taken', async () => {
    await using terminal = await openShell();
    terminal.type('stty -echo; echo ready; cat | sha256sum; stty echo\r');
    await terminal.shows('ready\r\n');
    await terminal.paste(Buffer.from(`${'x'.repeat(99)}\r`.repeat(30_000)));
    terminal.type('\u0004');
    await terminal.shows('47440075c40655c7');
  });

  test('of a paste that no program reads, little is on its way to an OpenSSH server', async () => {
    const session = createSession({ privateKey: server.allowKey('ed25519') });
    await using terminal = await openShell(session);
    terminal.type('stty raw -echo; echo ready; sleep 60\r');
    await terminal.shows('ready\n');
    void terminal.paste(Buffer.alloc(2_000_000, 'x'));
    await terminal.until(() => terminal.takenBytes >= 100 * 1024);
    let before = 0;
    const isStill = () => terminal.takenBytes === before || ((before = terminal.takenBytes), false);
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    expect(terminal.takenBytes).toBeLessThan(200 * 1024);
  });
});
