import { encodeText } from './text-encodings.ts';

type Encoding = 'utf-8' | 'gbk' | 'big5';

/**
 * The password of VNC authentication as its server has it, each letter a byte: on an old Windows in the encoding of its
 * language. RFC 6143 names none, and programs on Linux take the bytes of UTF-8.
 */
export function vncPasswordBytes(password: string, encoding: Encoding): string {
  if (encoding === 'utf-8' && !/[^\0-\xff]/.test(password)) return password;
  const bytes = encodeText(password, encoding) ?? encodeText(password, 'utf-8');
  return Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join('');
}
