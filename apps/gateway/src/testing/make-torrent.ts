import { createHash } from 'node:crypto';

const PIECE_BYTES = 16 * 1024;

type Bencoded = string | number | Buffer | Bencoded[] | { [key: string]: Bencoded };

/** A torrent of these files in a folder of its name (BEP 3), without a tracker. */
export function makeTorrent(name: string, files: Readonly<Record<string, Buffer>>): Buffer {
  const all = Buffer.concat(Object.values(files));
  const pieces: Buffer[] = [];
  for (let start = 0; start < all.length; start += PIECE_BYTES)
    pieces.push(
      createHash('sha1')
        .update(all.subarray(start, start + PIECE_BYTES))
        .digest(),
    );
  const list = Object.entries(files).map(([file, content]) => ({ length: content.length, path: file.split('/') }));
  return bencode({ info: { files: list, name, 'piece length': PIECE_BYTES, pieces: Buffer.concat(pieces) } });
}

function bencode(value: Bencoded): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`);
  if (typeof value === 'string') return bencode(Buffer.from(value));
  if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.from(`${value.length}:`), value]);
  if (Array.isArray(value)) return Buffer.concat([Buffer.from('l'), ...value.map(bencode), Buffer.from('e')]);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([Buffer.from('d'), ...entries.flatMap(([k, v]) => [bencode(k), bencode(v)]), Buffer.from('e')]);
}
