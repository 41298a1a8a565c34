import { randomBytes } from 'node:crypto';
import { binary, close, type Frame, fragments, frameOf, more, ping, pong, text } from '../support/websocket/frames.ts';

/**
 * One connection: `sends` goes to a peer that echoes messages, `gets` is all that is received. If `gets` does not end
 * with a Close, a proper one is added on both sides.
 */
export type WebSocketCase = {
  /** As the Autobahn test suite numbers it. */
  id: string;
  what: string;
  sends: readonly Frame[];
  gets: readonly Frame[];
  /** So many bytes at a time; absent: all at once. */
  chopBytes?: number;
  /** Large: sent by one side only. Absent: played in both directions. */
  sentBy?: 'visitor' | 'service';
};

const MB = 1024 * 1024;
const PROTOCOL_ERROR = close(1002);

const same = (id: string, what: string, frames: readonly Frame[]): WebSocketCase => ({
  id,
  what,
  sends: frames,
  gets: frames,
});
const refused = (id: string, what: string, sends: readonly Frame[], before: readonly Frame[] = []): WebSocketCase => ({
  id,
  what,
  sends,
  gets: [...before, PROTOCOL_ERROR],
});

/** Characters of one to four bytes, as many bytes as asked for. */
export function textOf(bytes: number): Buffer {
  const pattern = Buffer.from('Hello-µ@ßöäüàá-UTF-8!!-你好-😀');
  const whole = Buffer.alloc(bytes, '*');
  for (let at = 0; at + pattern.length <= bytes; at += pattern.length) pattern.copy(whole, at);
  return whole;
}

const SIZES = [0, 125, 126, 127, 128, 65_535, 65_536];

const framing: WebSocketCase[] = [
  ...SIZES.map((bytes, at) => same(`1.1.${at + 1}`, `a text of ${bytes} bytes`, [text(textOf(bytes))])),
  { ...same('1.1.8', 'a text of 65536 bytes, chopped', [text(textOf(65_536))]), chopBytes: 997 },
  ...SIZES.map((bytes, at) => same(`1.2.${at + 1}`, `${bytes} bytes`, [binary(randomBytes(bytes))])),
  { ...same('1.2.8', '65536 bytes, chopped', [binary(randomBytes(65_536))]), chopBytes: 997 },
];

const pings: WebSocketCase[] = [
  { id: '2.1', what: 'a ping of nothing', sends: [ping()], gets: [pong()] },
  { id: '2.2', what: 'a ping of a text', sends: [ping('Hello, world!')], gets: [pong('Hello, world!')] },
  {
    id: '2.3',
    what: 'a ping of bytes that are no text',
    sends: [ping(Buffer.of(0, 255, 254, 253, 252, 251, 0, 255))],
    gets: [pong(Buffer.of(0, 255, 254, 253, 252, 251, 0, 255))],
  },
  {
    id: '2.4',
    what: 'a ping of 125 bytes',
    sends: [ping(Buffer.alloc(125, 254))],
    gets: [pong(Buffer.alloc(125, 254))],
  },
  refused('2.5', 'a ping of 126 bytes', [ping(Buffer.alloc(126, 254))]),
  {
    id: '2.6',
    what: 'a ping of 125 bytes, byte by byte',
    sends: [ping(Buffer.alloc(125, 254))],
    gets: [pong(Buffer.alloc(125, 254))],
    chopBytes: 1,
  },
  { id: '2.7', what: 'a pong that nobody asked for', sends: [pong()], gets: [] },
  { id: '2.8', what: 'a pong with a payload that nobody asked for', sends: [pong('unsolicited')], gets: [] },
  { id: '2.9', what: 'such a pong and a ping', sends: [pong('unsolicited'), ping('payload')], gets: [pong('payload')] },
  ...[undefined, 1].map((chopBytes, at): WebSocketCase => ({
    id: `2.${10 + at}`,
    what: `ten pings${chopBytes === undefined ? '' : ', byte by byte'}`,
    sends: Array.from({ length: 10 }, (_, index) => ping(`payload-${index}`)),
    gets: Array.from({ length: 10 }, (_, index) => pong(`payload-${index}`)),
    ...(chopBytes === undefined ? {} : { chopBytes }),
  })),
];

const reservedBits: WebSocketCase[] = [
  refused('3.1', 'RSV 1', [text('Hello', { rsv: 1 })]),
  refused('3.2', 'RSV 2 behind a message', [text('Hello'), text('Hello', { rsv: 2 }), ping()], [text('Hello')]),
  refused('3.3', 'RSV 3 behind a message', [text('Hello'), text('Hello', { rsv: 3 }), ping()], [text('Hello')]),
  {
    ...refused('3.4', 'RSV 4, byte by byte', [text('Hello'), text('Hello', { rsv: 4 })], [text('Hello')]),
    chopBytes: 1,
  },
  refused('3.5', 'RSV 5 of bytes', [binary(Buffer.alloc(8, 255), { rsv: 5 })]),
  refused('3.6', 'RSV 6 of a ping', [ping('Hello', { rsv: 6 })]),
  refused('3.7', 'RSV 7 of a Close', [frameOf(8, '', { rsv: 7 })]),
];

const opcodes: WebSocketCase[] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((code, at) => {
  const section = code < 8 ? `4.1.${at + 1}` : `4.2.${at - 4}`;
  return [
    refused(section, `opcode ${code}`, [frameOf(code, '')]),
    refused(
      section,
      `opcode ${code} with a payload, behind a message`,
      [text('Hello'), frameOf(code, 'reserved'), ping()],
      [text('Hello')],
    ),
  ];
});

const first = text('fragment1', { fin: false });
const last = more('fragment2');
const both = text('fragment1fragment2');

const fragmentation: WebSocketCase[] = [
  refused('5.1', 'a ping in two fragments', [ping('fragment1', { fin: false }), more('fragment2')]),
  refused('5.2', 'a pong in two fragments', [pong('fragment1', { fin: false }), more('fragment2')]),
  { id: '5.3', what: 'a text in two fragments', sends: [first, last], gets: [both] },
  { id: '5.5', what: 'a text in two fragments, byte by byte', sends: [first, last], gets: [both], chopBytes: 1 },
  { id: '5.6', what: 'a ping between fragments', sends: [first, ping('ping'), last], gets: [pong('ping'), both] },
  {
    id: '5.8',
    what: 'a ping between fragments, byte by byte',
    sends: [first, ping('ping'), last],
    gets: [pong('ping'), both],
    chopBytes: 1,
  },
  refused('5.9', 'a continuation of nothing', [more('non-continuation'), text('Hello')]),
  refused('5.12', 'the first part of a continuation of nothing', [
    more('non-continuation', { fin: false }),
    text('Hello'),
  ]),
  refused('5.15', 'a continuation of what is over', [first, last, more('fragment3'), text('Hello')], [both]),
  ...[true, false].map((fin, at) =>
    refused(`5.${16 + at}`, `continuations around a text, the first ${fin ? 'whole' : 'begun'}`, [
      more('fragment1', { fin }),
      text('fragment2', { fin: false }),
      more('fragment3'),
    ]),
  ),
  refused('5.18', 'two texts, each begun', [first, text('fragment2')]),
  {
    id: '5.19',
    what: 'a text in five fragments with pings between',
    sends: [
      text('1', { fin: false }),
      more('2', { fin: false }),
      ping('ping 1'),
      more('3', { fin: false }),
      more('', { fin: false }),
      ping('ping 2'),
      more('5'),
    ],
    gets: [pong('ping 1'), pong('ping 2'), text('1235')],
  },
];

/** 9.1 to 9.6: messages in one frame and in fragments. */
const limits: WebSocketCase[] = [
  ...[64 * 1024, 256 * 1024, MB, 4 * MB, 16 * MB].flatMap((bytes, at): WebSocketCase[] => [
    { ...same(`9.1.${at + 1}`, `a text of ${bytes} bytes`, [text(textOf(bytes))]), sentBy: 'visitor' },
    { ...same(`9.2.${at + 1}`, `${bytes} bytes`, [binary(randomBytes(bytes))]), sentBy: 'service' },
  ]),
  ...[64, 1024, 64 * 1024, MB].flatMap((bytes, at): WebSocketCase[] => {
    // `ws` takes 16384 fragments of a message.
    const size = Math.min(2 * MB, bytes * 8192);
    const [textual, other] = [textOf(size), randomBytes(size)];
    const what = `of ${size} bytes in frames of ${bytes}`;
    return [
      {
        id: `9.3.${at + 1}`,
        what: `a text ${what}`,
        sends: fragments('text', textual, bytes),
        gets: [text(textual)],
        sentBy: 'service',
      },
      {
        id: `9.4.${at + 1}`,
        what: `a message ${what}`,
        sends: fragments('binary', other, bytes),
        gets: [binary(other)],
        sentBy: 'visitor',
      },
    ];
  }),
  { ...same('9.5', 'a text of 128 KB, chopped', [text(textOf(128 * 1024))]), chopBytes: 128 },
  { ...same('9.6', '128 KB, chopped', [binary(randomBytes(128 * 1024))]), chopBytes: 256 },
];

/** 9.7 and 9.8: many messages, one behind the other. */
const manyMessages: WebSocketCase[] = [0, 64, 1024, 4096].flatMap((bytes, at): WebSocketCase[] => [
  {
    ...same(
      `9.7.${at + 1}`,
      `1000 texts of ${bytes} bytes`,
      Array.from({ length: 1_000 }, () => text(textOf(bytes))),
    ),
    sentBy: 'visitor',
  },
  {
    ...same(
      `9.8.${at + 1}`,
      `1000 times ${bytes} bytes`,
      Array.from({ length: 1_000 }, () => binary(randomBytes(bytes))),
    ),
    sentBy: 'service',
  },
]);

const autoFragmentation: WebSocketCase[] = [
  {
    id: '10.1.1',
    what: 'a text of 65536 bytes that its sender cuts into frames of 1300',
    sends: fragments('text', textOf(65_536), 1_300),
    gets: [text(textOf(65_536))],
  },
];

export const messageCases: readonly WebSocketCase[] = [
  ...framing,
  ...pings,
  ...reservedBits,
  ...opcodes,
  ...fragmentation,
  ...limits,
  ...manyMessages,
  ...autoFragmentation,
];
