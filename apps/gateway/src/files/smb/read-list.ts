import { dateOf, type Entry, shownName } from '../file-system.ts';
import { ATTRIBUTE } from './smb-tree.ts';
import { bytesAt, epochMsOf, SmbProtocolError } from './wire/fields.ts';

/** Of a symbolic link, and of a folder in which another volume is mounted. Other kinds are ordinary files. */
const LINK_TAGS = new Set([0xa000000c, 0xa0000003]);
const NAME_AT = 104;

/** The entries of FileIdBothDirectoryInformation (MS-FSCC §2.4.17). */
export function readList(list: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0, next = -1; next !== 0; at += next) {
    const entry = list.subarray(at);
    next = entry.readUInt32LE(0);
    if (next !== 0 && next < NAME_AT) throw new SmbProtocolError('entries that overlap');
    const name = bytesAt(entry, NAME_AT, entry.readUInt32LE(60)).toString('utf16le');
    if (name !== '.' && name !== '..')
      entries.push({ name: shownName(name), id: entry.readBigUInt64LE(96), ...attributesIn(entry) });
  }
  return entries;
}

function attributesIn(entry: Buffer): Omit<Entry, 'name'> {
  const attributes = entry.readUInt32LE(56);
  const isFolder = (attributes & ATTRIBUTE.folder) !== 0;
  const isLink = (attributes & ATTRIBUTE.link) !== 0 && LINK_TAGS.has(entry.readUInt32LE(64));
  const target = isFolder ? 'folder' : 'file';
  return {
    type: isLink ? 'link' : target,
    ...(isLink && { linkTarget: target }),
    size: sizeOf(entry.readBigUInt64LE(40)),
    modifiedAt: dateOf(epochMsOf(entry.readBigUInt64LE(24))),
  };
}

export function sizeOf(size: bigint): number | null {
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : null;
}
