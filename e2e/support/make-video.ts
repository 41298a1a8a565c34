/** A frame of VP8 in one colour, 64 pixels wide and high, which needs no other frame. */
const red = Buffer.from(
  '8AMAnQEqQABAAD7RaK9SqCYkIqIIAQAaCWkA1PaAABA3U1AYa8QpgAD+7nZ/818QMm//5Z/3leiHeas0w2OK1yyAAAA=',
  'base64',
);
const blue = Buffer.from(
  'kAMAnQEqQABAAD7RaK9SqCYkIqIIAQAaCWkAABA3U1AFeIW5AAD+8Oj3//5Z//lF/vK6nPubwclUpAAAAAA=',
  'base64',
);

/**
 * A film of a minute in WebM: half a minute red, half a minute blue. A second has `secondBytes` bytes, but
 * for the first ten, which a browser reads before it plays.
 */
export function makeVideo(secondBytes: number): Buffer {
  const seconds = Array.from({ length: 60 }, (_, second) =>
    element(
      '1f43b675', // cluster
      element('e7', number(second * 1_000)),
      element('a3', Buffer.from([0x81, 0, 0, 0x80]), second < 30 ? red : blue),
      element('ec', Buffer.alloc(second < 10 ? 0 : secondBytes)), // nothing
    ),
  );
  const about = element(
    '1549a966',
    element('2ad7b1', number(1_000_000)),
    element('4489', float(60_000)),
    element('4d80', Buffer.from('test')),
    element('5741', Buffer.from('test')),
  );
  const size = element('e0', element('b0', number(64)), element('ba', number(64)));
  const codec = element('86', Buffer.from('V_VP8'));
  const tracks = element(
    '1654ae6b',
    element('ae', element('d7', number(1)), element('73c5', number(1)), element('83', number(1)), codec, size),
  );
  const cuesAt = (start: number): Buffer => {
    let at = start;
    const points = seconds.map((cluster, second) => {
      const place = element('b7', element('f7', number(1)), element('f1', number(at)));
      at += cluster.length;
      return element('bb', element('b3', number(second * 1_000)), place);
    });
    return element('1c53bb6b', ...points);
  };
  const start = about.length + tracks.length;
  const cues = cuesAt(start + cuesAt(0).length);
  const kind = element(
    '1a45dfa3',
    element('4282', Buffer.from('webm')),
    element('4287', number(2)),
    element('4285', number(2)),
  );
  return Buffer.concat([kind, element('18538067', about, tracks, cues, ...seconds)]);
}

/** EBML: an id, a length of eight bytes, the content. */
function element(id: string, ...content: Buffer[]): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(content.reduce((sum, part) => sum + part.length, 0)) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), length, ...content]);
}

/** Always of eight bytes, so that positions do not move what they point to. */
function number(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
