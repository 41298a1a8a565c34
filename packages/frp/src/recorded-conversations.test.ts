/** What unmodified frpc said to a server, as bytes of each stream: recorded once for each version and wire. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AeadCipher } from './ciphers/aead-cipher.ts';
import { CfbCipher } from './ciphers/cfb-cipher.ts';
import { transcriptHash } from './ciphers/hello.ts';
import { ConnectReplyReader } from './http/connect.ts';
import { isLoginKey } from './login-key.ts';
import { FrpMessageDecoder } from './wire/message-decoder.ts';
import { type OpenedStream, StreamOpening } from './wire/stream-opening.ts';

type Conversation = {
  version: string;
  token: string;
  wire: 'v1' | 'v2';
  serverHello?: string;
  streams: Record<string, string>;
};

const FOLDER = path.join(import.meta.dirname, 'testing/conversations');

function read(name: string): Conversation {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Conversation; // our own file
}

/** Byte by byte; what follows the first message is `rest` and the bytes after it. */
function openStream({ streams }: Conversation, id: string): OpenedStream {
  const bytes = Buffer.from(streams[id] ?? '', 'base64');
  const opening = new StreamOpening();
  for (let at = 0; at < bytes.length; at++) {
    const opened = opening.push(bytes.subarray(at, at + 1));
    if (opened !== undefined) return { ...opened, rest: Buffer.concat([opened.rest, bytes.subarray(at + 1)]) };
  }
  throw new Error(`stream ${id} has no first message`);
}

test.each(['frpc-0.44.0', 'frpc-0.51.3', 'frpc-0.61.0', 'frpc-0.70.0', 'frpc-0.70.0-v2'])(
  '%s is understood',
  (name) => {
    const conversation = read(name);
    const { version, token, wire, serverHello = '' } = conversation;
    const control = openStream(conversation, '1');
    if (control.message.type !== 'Login') throw new Error(`begins with ${control.message.type}`);
    const { privilege_key: key, timestamp } = control.message;
    expect(control).toMatchObject({
      wire,
      message: { version, os: 'linux', arch: 'amd64', user: '000000000001', run_id: '' },
    });
    expect(isLoginKey(key, { token, timestamp })).toBe(true);

    const hello = transcriptHash(control.clientHello ?? Buffer.alloc(0), Buffer.from(serverHello));
    const cipher = wire === 'v1' ? new CfbCipher(token) : new AeadCipher(token, hello, 'server');
    const messages = new FrpMessageDecoder(wire).push(cipher.open(control.rest));
    expect(messages.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toMatchObject([
      { type: 'NewProxy', proxy_name: '000000000001.lan', proxy_type: 'tcp', use_encryption: false },
      { type: 'NewProxy', proxy_name: '000000000001.wake', proxy_type: 'udp', use_compression: false },
    ]);

    const work = openStream(conversation, '3');
    expect(work.message).toMatchObject({ type: 'NewWorkConn', run_id: 'recorded' });
    expect(new ConnectReplyReader().push(work.rest)?.status).toBe(200);
  },
);
