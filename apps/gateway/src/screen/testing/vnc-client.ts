import type { Duplex } from 'node:stream';
import { ByteReader } from '../byte-reader.ts';
import { answerVncChallenge } from '../vnc-password.ts';

export type VncImage = { width: number; height: number; pixels: Buffer };

/** The security types that the server offers (RFC 6143 §7.1). */
export async function readSecurityTypes(reader: ByteReader, stream: Duplex, version = '003.008'): Promise<number[]> {
  await reader.read(12);
  stream.write(`RFB ${version}\n`);
  const [count = 0] = await reader.read(1);
  return [...(await reader.read(count))];
}

/** Chooses a type, and returns the server's result: 0 is a success. */
export async function logIn(reader: ByteReader, stream: Duplex, password?: string): Promise<number> {
  stream.write(Buffer.of(password === undefined ? 1 : 2));
  if (password !== undefined) stream.write(answerVncChallenge(await reader.read(16), password));
  return (await reader.read(4)).readUInt32BE();
}

/** The whole desktop without compression, 4 bytes each pixel. */
export async function readDesktop(reader: ByteReader, stream: Duplex): Promise<VncImage> {
  stream.write(Buffer.of(1)); // shared
  const head = await reader.read(24);
  const [width, height] = [head.readUInt16BE(0), head.readUInt16BE(2)];
  await reader.read(head.readUInt32BE(20)); // its name
  const request = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  request.writeUInt16BE(width, 6);
  request.writeUInt16BE(height, 8);
  stream.write(request);
  const pixels = Buffer.alloc(width * height * 4);
  const [, , high = 0, low = 0] = await reader.read(4);
  for (let left = high * 256 + low; left > 0; left--) {
    const rectangle = await reader.read(12);
    const [x, y, columns, rows] = [0, 2, 4, 6].map((at) => rectangle.readUInt16BE(at)) as [
      number,
      number,
      number,
      number,
    ]; // as many as were asked for
    for (let row = 0; row < rows; row++) (await reader.read(columns * 4)).copy(pixels, ((y + row) * width + x) * 4);
  }
  return { width, height, pixels };
}

/** Logs in where nothing is asked for, and reads the whole desktop once. */
export async function openDesktop(stream: Duplex): Promise<VncImage> {
  const reader = new ByteReader(stream);
  await readSecurityTypes(reader, stream);
  await logIn(reader, stream);
  return await readDesktop(reader, stream);
}
