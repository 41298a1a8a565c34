import { close, type Frame, frameOf, more, ping, pong, text } from '../support/websocket/frames.ts';
import { textOf, type WebSocketCase } from './messages.ts';

const closed = (id: string, what: string, sends: readonly Frame[], gets: readonly Frame[]): WebSocketCase => ({
  id,
  what,
  sends,
  gets,
});

const ALLOWED_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
const FORBIDDEN_CODES = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535];

export const closingCases: readonly WebSocketCase[] = [
  closed('7.1.1', 'a message and a Close', [text('Hello'), close(1000)], [text('Hello'), close(1000)]),
  closed('7.1.2', 'two Closes', [close(1000), close(1000)], [close(1000)]),
  closed('7.1.3', 'a ping behind a Close', [close(1000), ping()], [close(1000)]),
  closed('7.1.4', 'a message behind a Close', [close(1000), text('Hello')], [close(1000)]),
  closed(
    '7.1.5',
    'a Close between fragments',
    [text('fragment1', { fin: false }), close(1000), more('fragment2')],
    [close(1000)],
  ),
  closed(
    '7.1.6',
    'a message of 256 KB, a Close and a ping',
    [text(textOf(262_144)), close(1000), ping()],
    [text(textOf(262_144)), close(1000)],
  ),
  closed('7.2', 'pings, and a Close', [ping('a'), ping('b'), close(1000)], [pong('a'), pong('b'), close(1000)]),
  closed('7.3.1', 'a Close of nothing', [close()], [close()]),
  closed('7.3.2', 'a Close of one byte', [frameOf(8, 'a')], [close(1002)]),
  closed('7.3.3', 'a Close with a code', [close(1000)], [close(1000)]),
  closed('7.3.4', 'a Close with a reason', [close(1000, '再见')], [close(1000)]),
  closed('7.3.5', 'a Close with the longest reason', [close(1000, '*'.repeat(123))], [close(1000)]),
  closed('7.3.6', 'a Close with a reason that is too long', [close(1000, '*'.repeat(124))], [close(1002)]),
  closed('7.5.1', 'a reason that is no UTF-8', [close(1000, Buffer.of(0xce, 0xba, 0xed, 0xa0, 0x80))], [close(1007)]),
  ...ALLOWED_CODES.map((code, at) => closed(`7.7.${at + 1}`, `the code ${code}`, [close(code)], [close(code)])),
  ...FORBIDDEN_CODES.map((code, at) => closed(`7.9.${at + 1}`, `the code ${code}`, [close(code)], [close(1002)])),
];
