import { ACCESS, SmbTree } from './smb-tree.ts';
import type { SmbConnection } from './smb-connection.ts';
import { bytesAt, SmbProtocolError, uint16s, uint32s, utf16 } from './wire/fields.ts';

const TRANSCEIVE = 0x0011_c017;
const MAX_REPLY_BYTES = 65_536;
const MAX_SHARES = 1_000;
/** Binds to srvsvc 3.0 in NDR: 4b324fc8-1670-01d3-1278-5a47bf6ee188. */
const BIND = Buffer.from(
  'b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000',
  'hex',
);
const PDU = { request: 0, response: 2, bind: 11, bindAnswer: 12 } as const;
const SHARE_ENUM = 15;
const DISK = 0;

/** The names of the folders that a server shares: NetrShareEnum (MS-SRVS §3.1.4.8) over the pipe srvsvc. */
export async function listShares(connection: SmbConnection, host: string): Promise<string[]> {
  const pipes = await SmbTree.connect(connection, host, 'IPC$');
  const pipe = await pipes.open('srvsvc', { access: ACCESS.readAndWrite });
  try {
    const call = async (type: number, body: Buffer, expected: number): Promise<Buffer> => {
      const reply = await pipes.ioctl(pipe, TRANSCEIVE, pdu(type, body), MAX_REPLY_BYTES);
      if (reply.readUInt8(2) !== expected) throw new SmbProtocolError('the share list was refused');
      return reply;
    };
    await call(PDU.bind, BIND, PDU.bindAnswer);
    return readShares((await call(PDU.request, shareEnum(), PDU.response)).subarray(24));
  } finally {
    await pipes.close(pipe);
  }
}

function pdu(type: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.set([5, 0, type, 3, 16, 0, 0, 0]);
  header.writeUInt16LE(16 + body.length, 8);
  header.writeUInt32LE(1, 12);
  return Buffer.concat([header, body]);
}

/** For information of level 1: name, type, comment. */
function shareEnum(): Buffer {
  const server = utf16('\\\\s\0');
  const characters = server.length / 2;
  const stub = Buffer.concat([
    uint32s(0x20000, characters, 0, characters),
    server,
    Buffer.alloc((4 - (server.length % 4)) % 4),
    uint32s(1, 1, 0x20004, 0, 0, 0xffffffff, 0x20008, 0),
  ]);
  return Buffer.concat([uint32s(stub.length), uint16s(0, SHARE_ENUM), stub]);
}

export function readShares(stub: Buffer): string[] {
  let at = 12; // level, its switch, a pointer
  const count = stub.readUInt32LE(at);
  if (count > MAX_SHARES) throw new SmbProtocolError(`${count} shares`);
  at += 8;
  if (count === 0) return [];
  at += 4;
  const types = Array.from({ length: count }, (_, index) => stub.readUInt32LE(at + index * 12 + 4));
  at += count * 12;
  const text = (): string => {
    const characters = stub.readUInt32LE(at + 8);
    if (characters === 0) throw new SmbProtocolError('a text without an end');
    const value = bytesAt(stub, at + 12, characters * 2).toString('utf16le', 0, characters * 2 - 2);
    at += 12 + Math.ceil(characters / 2) * 4;
    return value;
  };
  // A comment follows each name.
  return types
    .map((type) => ({ type, name: text(), comment: text() }))
    .filter(isShown)
    .map(({ name }) => name);
}

/** Of all that is shared, folders; not those of the administration, such as `C$`. */
function isShown({ type, name }: { type: number; name: string }): boolean {
  return type === DISK && !name.endsWith('$');
}
