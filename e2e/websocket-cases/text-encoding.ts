import { close, fragments, more, text } from '../support/websocket/frames.ts';
import type { WebSocketCase } from './messages.ts';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** Sequences that are UTF-8, by what they are. */
const VALID: Record<string, string> = {
  'the Greek word κόσμε': 'ce ba e1 bd b9 cf 83 ce bc ce b5',
  'the first of one byte': '00',
  'the first of two bytes': 'c2 80',
  'the first of three bytes': 'e0 a0 80',
  'the first of four bytes': 'f0 90 80 80',
  'the last of one byte': '7f',
  'the last of two bytes': 'df bf',
  'the last of three bytes': 'ef bf bf',
  'the last of four bytes': 'f4 8f bf bf',
  'the last before the surrogates': 'ed 9f bf',
  'the first behind the surrogates': 'ee 80 80',
  'the replacement character': 'ef bf bd',
  'a noncharacter': 'ef bf be',
  'a noncharacter beyond the first plane': 'f0 9f bf be',
};

/** Sequences that are not, as in Kuhn's decoder test. */
const INVALID: Record<string, string> = {
  'a surrogate in a word': 'ce ba e1 bd b9 cf 83 ce bc ce b5 ed a0 80 65 64',
  'the first of five bytes': 'f8 88 80 80 80',
  'the first of six bytes': 'fc 84 80 80 80 80',
  'beyond the last of four bytes': 'f4 90 80 80',
  'the last of four bytes that there once were': 'f7 bf bf bf',
  'the last of six bytes': 'fd bf bf bf bf bf',
  'a continuation byte alone': '80',
  'all continuation bytes': '80 81 8f 90 9f a0 af b0 bf',
  'a first byte of two alone': 'c2',
  'a first byte of two and a space': 'c2 20',
  'a first byte of three and one more': 'e1 80',
  'a first byte of four and two more': 'f1 80 80',
  'a first byte of four and a space': 'f1 80 20',
  'FE and FF': 'fe fe ff ff',
  'a slash in two bytes': 'c0 af',
  'a slash in three bytes': 'e0 80 af',
  'a slash in four bytes': 'f0 80 80 af',
  'the longest of one byte too many': 'c1 bf',
  'a NUL in two bytes': 'c0 80',
  'a high surrogate': 'ed a0 80',
  'a low surrogate': 'ed be 80',
  'a pair of surrogates': 'ed a0 80 ed b0 80',
};

export const textEncodingCases: readonly WebSocketCase[] = [
  ...Object.entries(VALID).flatMap(([what, digits], at): WebSocketCase[] => {
    const whole = text(hex(digits));
    return [
      { id: `6.valid.${at + 1}`, what, sends: [whole], gets: [whole] },
      {
        id: `6.valid.${at + 1}`,
        what: `${what}, a frame for each byte`,
        sends: fragments('text', hex(digits), 1),
        gets: [whole],
      },
    ];
  }),
  ...Object.entries(INVALID).flatMap(([what, digits], at): WebSocketCase[] => [
    { id: `6.invalid.${at + 1}`, what, sends: [text(hex(digits))], gets: [close(1007)] },
    {
      id: `6.invalid.${at + 1}`,
      what: `${what}, a frame for each byte`,
      sends: [...fragments('text', hex(digits), 1)],
      gets: [close(1007)],
    },
  ]),
  { id: '6.1.1', what: 'a text of nothing', sends: [text('')], gets: [text('')] },
  {
    id: '6.1.3',
    what: 'a text in three frames, the outer ones empty',
    sends: [text('', { fin: false }), more('middle', { fin: false }), more('')],
    gets: [text('middle')],
  },
  {
    id: '6.4.1',
    what: 'a text that goes wrong in its second frame',
    sends: [text(hex('ce ba e1 bd b9'), { fin: false }), more(hex('f4 90 80 80'), { fin: false }), more('edited')],
    gets: [close(1007)],
  },
];
