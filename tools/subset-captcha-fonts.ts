/**
 * Makes the captcha's fonts from Noto Sans CJK and Noto Serif CJK (Debian's fonts-noto-cjk): only its own characters, so
 * that they are small enough for the repository. `node tools/subset-captcha-fonts.ts [folder of the .ttc files]`
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';
import { glyphs } from '../apps/server/src/features/captcha/drawing/glyphs.ts';

const SIMPLIFIED_CHINESE_FACE = 2;
const target = path.resolve(import.meta.dirname, '../apps/server/src/features/captcha/fonts');
const fonts = { 'NotoSansCJK-Bold.ttc': 'sans.otf', 'NotoSerifCJK-Bold.ttc': 'serif.otf' };

/** One face of a collection as a font of its own: its tables, copied one after the other behind a directory. */
function takeFace(collection: Buffer<ArrayBuffer>, index: number): Buffer<ArrayBuffer> {
  const start = collection.readUInt32BE(12 + 4 * index);
  const directoryBytes = 12 + 16 * collection.readUInt16BE(start + 4);
  const directory = Buffer.from(collection.subarray(start, start + directoryBytes));
  const parts = [directory];
  let offset = directoryBytes;
  for (let entry = 12; entry < directoryBytes; entry += 16) {
    const from = directory.readUInt32BE(entry + 8);
    const length = directory.readUInt32BE(entry + 12);
    directory.writeUInt32BE(offset, entry + 8);
    const padded = Math.ceil(length / 4) * 4; // tables begin at multiples of four
    parts.push(collection.subarray(from, from + length), Buffer.alloc(padded - length));
    offset += padded;
  }
  return Buffer.concat(parts);
}

const folder = process.argv[2] ?? '/usr/share/fonts/opentype/noto';
for (const [source, name] of Object.entries(fonts)) {
  const face = takeFace(await readFile(path.join(folder, source)), SIMPLIFIED_CHINESE_FACE);
  const subset = await subsetFont(face, glyphs.join(''), { targetFormat: 'sfnt' });
  await writeFile(path.join(target, name), subset);
  console.log(`${name}: ${(subset.length / 1000).toFixed(0)} kB`);
}
