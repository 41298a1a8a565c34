import { randomBytes } from 'node:crypto';
import type { PerMessageDeflateOptions } from 'ws';
import { textOf } from './messages.ts';

export type CompressionCase = {
  id: string;
  what: string;
  /** By the visitor. */
  offers: PerMessageDeflateOptions;
  /** The Sec-WebSocket-Extensions of the service, as the visitor gets it. */
  agreed: string;
  messages: readonly (string | Buffer)[];
};

const COUNT = 20;

const lines = (bytes: number) =>
  Array.from({ length: COUNT }, (_, at) => `{"id":${at},"name":"通途"},`.repeat(Math.ceil(bytes / 20)));
const texts = (bytes: number) => Array.from({ length: COUNT }, () => textOf(bytes).toString());
/** Nothing is gained by compressing these. */
const noise = (bytes: number) => Array.from({ length: COUNT }, () => randomBytes(bytes));

const SIZES = [16, 1024, 65_536];

const OFFERS: [what: string, offers: PerMessageDeflateOptions, agreed: string][] = [
  ['nothing special', {}, ''],
  [
    'the server’s memory of earlier messages refused',
    { serverNoContextTakeover: true },
    '; server_no_context_takeover',
  ],
  ['a small window for the server', { serverMaxWindowBits: 9 }, '; server_max_window_bits=9'],
  ['the largest window for the server', { serverMaxWindowBits: 15 }, '; server_max_window_bits=15'],
  [
    'no memory and a small window for the server',
    { serverNoContextTakeover: true, serverMaxWindowBits: 9 },
    '; server_no_context_takeover; server_max_window_bits=9',
  ],
  [
    'no memory and the largest window for the server',
    { serverNoContextTakeover: true, serverMaxWindowBits: 15 },
    '; server_no_context_takeover; server_max_window_bits=15',
  ],
  [
    'no memory and small windows for both',
    { serverNoContextTakeover: true, clientNoContextTakeover: true, serverMaxWindowBits: 9, clientMaxWindowBits: 9 },
    '; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=9; client_max_window_bits=9',
  ],
];

export const compressionCases: readonly CompressionCase[] = [
  ...SIZES.flatMap((bytes, at): CompressionCase[] => [
    {
      id: `12.1.${at + 1}`,
      what: `JSON of ${bytes} bytes`,
      offers: {},
      agreed: 'permessage-deflate',
      messages: lines(bytes),
    },
    {
      id: `12.2.${at + 1}`,
      what: `noise of ${bytes} bytes`,
      offers: {},
      agreed: 'permessage-deflate',
      messages: noise(bytes),
    },
    {
      id: `12.3.${at + 1}`,
      what: `texts of ${bytes} bytes`,
      offers: {},
      agreed: 'permessage-deflate',
      messages: texts(bytes),
    },
  ]),
  ...OFFERS.map(([what, offers, agreed], at) => ({
    id: `13.${at + 1}`,
    what,
    offers,
    agreed: `permessage-deflate${agreed}`,
    messages: [...lines(4096), ...noise(1024)],
  })),
];
