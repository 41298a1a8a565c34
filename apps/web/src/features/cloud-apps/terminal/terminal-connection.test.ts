import type { TerminalFromGateway } from '@tongtu/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeGateway, fakeGateway } from '../../../testing/fake-socket.ts';
import { TerminalConnection } from './terminal-connection.ts';
import { TerminalEncoding } from './terminal-encoding.ts';
import type { PasteStopped } from './terminal-input.ts';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => void vi.unstubAllGlobals());

function connect() {
  const drawn: (() => void)[] = [];
  const messages: TerminalFromGateway[] = [];
  const onClosed = vi.fn<() => void>();
  const onPasteStopped = vi.fn<(stopped: PasteStopped) => void>();
  const connection = new TerminalConnection(
    {
      url: 'ws://localhost/apps/1/terminal',
      encoding: new TerminalEncoding('utf-8'),
      size: () => ({ columns: 80, rows: 24 }),
    },
    {
      onMessage: (message) => void messages.push(message),
      onOutput: (_bytes, onDrawn) => void drawn.push(onDrawn),
      onReplayed: () => void messages.push({ type: 'connected' }),
      onPasting: () => {},
      onPasteStopped,
      onClosed,
    },
  );
  return { connection, drawn, messages, onClosed, onPasteStopped, socket: gateway.latest() };
}

test('nothing is sent before the connection is open', () => {
  const { connection, socket } = connect();
  connection.type('early');
  connection.resize({ columns: 10, rows: 10 });
  expect(socket.sent).toEqual([]);
  socket.open();
  expect(socket.messages()).toEqual([{ type: 'start', columns: 80, rows: 24 }]);
});

test('drawn output is reported in large steps, and completely', () => {
  const { drawn, socket } = connect();
  socket.open();
  for (let part = 0; part < 10; part++) socket.output('x'.repeat(4096));
  for (const done of drawn) done();
  expect(socket.messages().slice(1)).toEqual([
    { type: 'drawn', bytes: 16_384 },
    { type: 'drawn', bytes: 16_384 },
    { type: 'drawn', bytes: 8_192 },
  ]);
});

test('a long paste leaves room for what the page reports, and goes on as the target takes it', () => {
  const { connection, drawn, messages, socket } = connect();
  socket.open();
  connection.paste('too early', { isBracketed: false });
  socket.message({ type: 'connected' });
  const text = '你好'.repeat(20_000);
  connection.paste(text, { isBracketed: true });
  expect(socket.typed().length).toBeLessThan(text.length);
  socket.output('echo');
  for (const done of drawn) done();
  expect(socket.messages().at(-1)).toEqual({ type: 'drawn', bytes: 4 });
  for (let times = 0; times < 8; times++) socket.message({ type: 'taken', bytes: 16_384 });
  expect(socket.typed()).toBe(`\u001B[200~${text}\u001B[201~`);
  expect(messages).toEqual([{ type: 'connected' }]);
});

test('a connection that is cut says so once; a closed one does not', () => {
  const cut = connect();
  cut.socket.open();
  cut.socket.cut();
  cut.socket.cut();
  expect(cut.onClosed).toHaveBeenCalledOnce();
  cut.connection.type('late');
  expect(cut.socket.typed()).toBe('');

  const closed = connect();
  closed.socket.open();
  closed.connection.close();
  closed.socket.cut();
  closed.socket.message({ type: 'connected' });
  expect(closed.onClosed).not.toHaveBeenCalled();
  expect(closed.messages).toEqual([]);
});

test.each(['cut', 'failed'] as const)(
  'a paste that has not arrived whole as the connection ends (%s) is said',
  (how) => {
    const { connection, onPasteStopped, socket } = connect();
    socket.open();
    socket.message({ type: 'connected' });
    connection.paste('x'.repeat(100_000), { isBracketed: false });
    const unsentBytes = 100_000 - socket.typed().length;
    if (how === 'cut') socket.cut();
    else socket.message({ type: 'failed', reason: 'closed' });
    expect(onPasteStopped.mock.calls).toEqual([[{ unsentBytes, isTargetStuck: false }]]);
  },
);

test('a paste that is confirmed after the connection has ended is said to be unsent', () => {
  const { connection, onPasteStopped, socket } = connect();
  socket.open();
  socket.message({ type: 'connected' });
  socket.cut();
  connection.paste('粘贴', { isBracketed: false });
  expect(socket.typed()).toBe('');
  expect(onPasteStopped.mock.calls).toEqual([[{ unsentBytes: 6, isTargetStuck: false }]]);
});
