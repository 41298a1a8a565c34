import type { SmbCall, SmbConnection, SmbReply } from './smb-connection.ts';
import { STATUS } from './smb-errors.ts';
import { bytesAt, SmbProtocolError, uint16s, utf16 } from './wire/fields.ts';

export const ACCESS = {
  readData: 0x0012_0089,
  readAndWrite: 0x0012_019f,
  listFolder: 0x0010_0081,
  attributes: 0x0010_0080,
  rename: 0x0011_0080,
} as const;
export const DISPOSITION = { open: 1, create: 2, openOrCreate: 3 } as const;
export const OPTION = { folder: 0x1, noFolder: 0x40, linkItself: 0x20_0000 } as const;
export const ATTRIBUTE = { folder: 0x10, link: 0x400 } as const;
const FILE_CLASS = { rename: 10, disposition: 13, endOfFile: 20 } as const;
const SHARE_FLAG_ENCRYPT = 0x8000;
const FILE_SYSTEM_SIZE = 7;
const ID_BOTH_DIRECTORY = 37;

export type OpenFile = { id: Buffer; size: bigint; attributes: number; lastWrite: bigint };

/** The calls of one share (MS-SMB2 §2.2.9 to §2.2.39). Paths have `\` between names, and none before the first. */
export class SmbTree {
  readonly #connection: SmbConnection;
  readonly #treeId: number;

  private constructor(connection: SmbConnection, treeId: number) {
    this.#connection = connection;
    this.#treeId = treeId;
  }

  static async connect(connection: SmbConnection, host: string, share: string): Promise<SmbTree> {
    const path = utf16(`\\\\${host}\\${share}`);
    const { message, body } = await connection.call('treeConnect', [uint16s(9, 0, 72, path.length), path]);
    if ((body.readUInt32LE(4) & SHARE_FLAG_ENCRYPT) !== 0) {
      if (connection.encryption === undefined) throw new SmbProtocolError('no cipher for an encrypted share');
      connection.mustEncrypt = true;
    }
    return new SmbTree(connection, message.readUInt32LE(36));
  }

  async open(
    path: string,
    { access, disposition = DISPOSITION.open as number, options = 0 }: OpenOptions,
  ): Promise<OpenFile> {
    const name = utf16(path);
    const body = Buffer.alloc(56);
    body.writeUInt16LE(57);
    body.writeUInt32LE(2, 4); // impersonation
    body.writeUInt32LE(access, 24);
    body.writeUInt32LE(7, 32); // others may read, write and delete
    body.writeUInt32LE(disposition, 36);
    body.writeUInt32LE(options, 40);
    body.writeUInt16LE(120, 44);
    body.writeUInt16LE(name.length, 46);
    const reply = await this.#call('create', [body, name.length > 0 ? name : Buffer.alloc(2)]);
    return {
      id: bytesAt(reply.body, 64, 16),
      size: reply.body.readBigUInt64LE(48),
      attributes: reply.body.readUInt32LE(56),
      lastWrite: reply.body.readBigUInt64LE(24),
    };
  }

  async close({ id }: OpenFile): Promise<void> {
    const body = Buffer.alloc(24);
    body.writeUInt16LE(24);
    id.copy(body, 8);
    await this.#call('close', [body]);
  }

  /** Empty at the end of the file. */
  async read({ id }: OpenFile, position: number, length: number): Promise<Buffer> {
    const body = Buffer.alloc(49);
    body.writeUInt16LE(49);
    body[2] = 80;
    body.writeUInt32LE(length, 4);
    body.writeBigUInt64LE(BigInt(position), 8);
    id.copy(body, 16);
    const call = { payloadBytes: length, accepted: [STATUS.endOfFile] };
    const { status, message, body: answer } = await this.#call('read', [body], call);
    return status === STATUS.endOfFile
      ? Buffer.alloc(0)
      : bytesAt(message, answer.readUInt8(2), answer.readUInt32LE(4));
  }

  async write({ id }: OpenFile, parts: readonly Uint8Array[], position: number): Promise<void> {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const body = Buffer.alloc(48);
    body.writeUInt16LE(49);
    body.writeUInt16LE(112, 2);
    body.writeUInt32LE(length, 4);
    body.writeBigUInt64LE(BigInt(position), 8);
    id.copy(body, 16);
    const reply = await this.#call('write', [body, ...parts], { payloadBytes: length });
    if (reply.body.readUInt32LE(4) !== length) throw new SmbProtocolError('a write that was cut');
  }

  /** The next part of a folder's list (FileIdBothDirectoryInformation); undefined at its end. */
  async listNext({ id }: OpenFile, maxBytes: number): Promise<Buffer | undefined> {
    const body = Buffer.alloc(32);
    body.writeUInt16LE(33);
    body[2] = ID_BOTH_DIRECTORY;
    id.copy(body, 8);
    body.writeUInt16LE(96, 24);
    body.writeUInt16LE(2, 26);
    body.writeUInt32LE(maxBytes, 28);
    const call = { payloadBytes: maxBytes, accepted: [STATUS.noMoreFiles] };
    const reply = await this.#call('queryDirectory', [body, utf16('*')], call);
    return reply.status === STATUS.noMoreFiles ? undefined : outputOf(reply);
  }

  async rename({ id }: OpenFile, to: string, { overwrite }: { overwrite: boolean }): Promise<void> {
    const name = utf16(to);
    const data = Buffer.alloc(20);
    data[0] = overwrite ? 1 : 0;
    data.writeUInt32LE(name.length, 16);
    await this.#setInfo(id, FILE_CLASS.rename, Buffer.concat([data, name]));
  }

  async deleteOnClose({ id }: OpenFile): Promise<void> {
    await this.#setInfo(id, FILE_CLASS.disposition, Buffer.from([1]));
  }

  async setSize({ id }: OpenFile, size: number): Promise<void> {
    const data = Buffer.alloc(8);
    data.writeBigUInt64LE(BigInt(size));
    await this.#setInfo(id, FILE_CLASS.endOfFile, data);
  }

  async #setInfo(id: Buffer, fileClass: number, data: Buffer): Promise<void> {
    const body = Buffer.alloc(32);
    body.writeUInt16LE(33);
    body[2] = 1; // of the file
    body[3] = fileClass;
    body.writeUInt32LE(data.length, 4);
    body.writeUInt16LE(96, 8);
    id.copy(body, 16);
    await this.#call('setInfo', [body, data]);
  }

  /** FileFsFullSizeInformation: what the user may still write. */
  async freeBytes({ id }: OpenFile): Promise<number> {
    const body = Buffer.alloc(40);
    body.writeUInt16LE(41);
    body[2] = 2; // of the file system
    body[3] = FILE_SYSTEM_SIZE;
    body.writeUInt32LE(32, 4);
    id.copy(body, 24);
    const output = outputOf(await this.#call('queryInfo', [body]));
    return Number(output.readBigUInt64LE(8)) * output.readUInt32LE(24) * output.readUInt32LE(28);
  }

  /** A control call (MS-SMB2 §2.2.31). */
  async ioctl({ id }: OpenFile, code: number, input: Buffer, maxOutputBytes: number): Promise<Buffer> {
    const body = Buffer.alloc(56);
    body.writeUInt16LE(57);
    body.writeUInt32LE(code, 4);
    id.copy(body, 8);
    body.writeUInt32LE(120, 24);
    body.writeUInt32LE(input.length, 28);
    body.writeUInt32LE(maxOutputBytes, 44);
    body.writeUInt32LE(1, 48);
    const call = { payloadBytes: Math.max(input.length, maxOutputBytes), accepted: [STATUS.bufferOverflow] };
    const { message, body: answer } = await this.#call('ioctl', [body, input], call);
    return bytesAt(message, answer.readUInt32LE(32), answer.readUInt32LE(36));
  }

  async #call(
    command: Parameters<SmbConnection['call']>[0],
    body: readonly Uint8Array[],
    call: SmbCall = {},
  ): Promise<SmbReply> {
    return await this.#connection.call(command, body, { ...call, treeId: this.#treeId });
  }
}

type OpenOptions = { access: number; disposition?: number; options?: number };

function outputOf({ message, body }: SmbReply): Buffer {
  return bytesAt(message, body.readUInt16LE(2), body.readUInt32LE(4));
}
