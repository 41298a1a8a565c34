import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { type MessagePart, MessageText } from './message-text.ts';
import { ReceivedText } from './received-text.ts';
import type { Received, ScriptedVisitor } from './scripted-visitor.ts';
import type { Ending } from './steps.ts';

type Head = Extract<MessagePart, { type: 'head' }>;

/** Fields of HTTP/1.1 connections. */
const OF_HTTP1 = /^(?:connection|keep-alive|transfer-encoding|upgrade)$/;
const OWN_HEAD = /^:status ([0-9]{3})\r\n[^]*?content-length: ([0-9]+)\r\n[^]*?\r\n\r\n/;

/**
 * Sends over HTTP/2 what the text says in HTTP/1.1, a DATA frame for each chunk. Received and expected messages are
 * recorded with names in lower case, without chunks and without fields that HTTP/2 does not use.
 */
export class Http2Visitor implements ScriptedVisitor {
  readonly scheme = 'https';
  readonly #session: ClientHttp2Session;
  #requests = new MessageText('request');
  readonly #answers = new MessageText('answer');
  #received = new ReceivedText();
  #trailers: readonly [string, string][] = [];
  #stream: ClientHttp2Stream | undefined;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
    session.on('error', () => {}); // the streams report it as well
  }

  static async connect(port: number, serverName: string): Promise<Http2Visitor> {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      servername: serverName,
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    await once(socket, 'secureConnect');
    const session = connect(`https://${serverName}:${port}`, { createConnection: () => socket });
    return new Http2Visitor(session);
  }

  get unread(): string {
    return this.#received.unread;
  }

  fieldName(name: string): string {
    return name.toLowerCase();
  }

  say(text: string): void {
    // After an early answer the rest of the body is not sent.
    if (this.#stream?.closed === true) this.#requests = new MessageText('request');
    for (const part of this.#requests.parts(text)) {
      if (part.type === 'head') this.#request(part);
      else if (part.type === 'payload') this.#stream?.write(part.text, 'latin1');
      else this.#endRequest(part.trailers);
    }
  }

  end(): void {
    throw new Error('HTTP/2 knows no connection that is half closed');
  }

  leave(): void {
    this.#session.destroy();
  }

  async receive(text: string): Promise<Received> {
    const expected = this.#answers.parts(text).map(inHttp2).join('');
    return await this.#received.take(expected);
  }

  async receivePage(): Promise<{ status: number; goesOn: boolean } | undefined> {
    const head = await this.#received.takeMatch(OWN_HEAD);
    if (head === undefined) return undefined;
    await this.#received.takeMatch(new RegExp(`^[^]{${head[2]}}`));
    return { status: Number(head[1]), goesOn: true };
  }

  /** Of the last request's stream. */
  async receiveEnding(): Promise<Ending | undefined> {
    return await this.#received.untilEnding();
  }

  #request({ line, fields, isLast }: Head): void {
    const [method = '', path = ''] = line.split(' ');
    this.#answers.expectAnswerTo(method);
    const authority = fields.find(([name]) => name === 'Host')?.[1] ?? '';
    const kept = fields.filter(([name]) => name !== 'Host' && !OF_HTTP1.test(name.toLowerCase()));
    const raw = [':method', method, ':scheme', 'https', ':authority', authority, ':path', path];
    for (const [name, value] of kept) raw.push(name.toLowerCase(), value);
    const stream = this.#session.request(raw, { endStream: isLast, waitForTrailers: !isLast });
    this.#stream = stream;
    this.#trailers = [];
    stream.on('wantTrailers', () => stream.sendTrailers(Object.fromEntries(this.#trailers)));
    this.#received = new ReceivedText();
    listen(stream, this.#received);
  }

  #endRequest(trailers: readonly [string, string][]): void {
    const stream = this.#stream;
    if (stream === undefined || stream.writableEnded) return;
    this.#trailers = trailers;
    stream.end();
  }
}

function listen(stream: ClientHttp2Stream, received: ReceivedText): void {
  const add = (raw: unknown) => received.add(`${linesOf(raw)}\r\n`);
  // Node passes the raw list as the last argument, which its types lack.
  stream.on('headers', (...args: unknown[]) => add(args[2]));
  stream.on('response', (...args: unknown[]) => add(args[2]));
  stream.on('trailers', (...args: unknown[]) => received.add(`\r\n${linesOf(args[2])}`));
  stream.setEncoding('latin1');
  stream.on('data', (text: string) => received.add(text));
  stream.on('error', () => {}); // 'close' has the code
  stream.on('close', () => received.finish(stream.rstCode === constants.NGHTTP2_NO_ERROR ? 'end' : 'cut'));
}

function linesOf(raw: unknown): string {
  const values = raw as string[]; // names and values in turns
  const lines: string[] = [];
  for (let at = 0; at < values.length; at += 2) {
    const [name = '', value = ''] = values.slice(at, at + 2);
    lines.push(name === ':status' ? `:status ${value}\r\n` : `${name}: ${value}\r\n`);
  }
  return lines.join('');
}

function inHttp2(part: MessagePart): string {
  switch (part.type) {
    case 'head': {
      const lines = part.fields
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !OF_HTTP1.test(name))
        .map(([name, value]) => `${name}: ${value}\r\n`);
      return `:status ${part.line.split(' ')[1]}\r\n${lines.join('')}\r\n`;
    }
    case 'payload':
      return part.text;
    case 'end':
      return part.trailers.length === 0
        ? ''
        : `\r\n${part.trailers.map(([name, value]) => `${name.toLowerCase()}: ${value}\r\n`).join('')}`;
  }
}
