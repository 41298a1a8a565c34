import { nameOfBytes, nameText } from '@tongtu/contract';

/** JSON as aria2 writes it: the names of a disk go into it byte by byte, in UTF-8 or not. */
export function parseJsonOfBytes(bytes: Uint8Array): unknown {
  const text = bytesAsUtf8(bytes);
  if (text !== undefined) return JSON.parse(text) as unknown;
  const latin1 = Buffer.from(bytes).toString('latin1');
  return JSON.parse(latin1, (_key, value: unknown) =>
    typeof value === 'string' ? nameText(nameOfBytes(Buffer.from(value, 'latin1')), 'auto') : value,
  ) as unknown;
}

function bytesAsUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // a name is in another encoding
  }
}
