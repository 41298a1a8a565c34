import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import { type Download, DownloadsFromGateway, type DownloadsFromBrowser, type LoginProblem } from '@tongtu/contract';
import { WebSocket, WebSocketServer } from 'ws';
import { failureFor, sendProblem } from '../../http/send-problem.ts';
import type { TestSession } from '../../testing/test-session.ts';
import { handleDownloads } from '../handle-downloads.ts';
import { watchDownloads } from '../watch-downloads.ts';

type Message<T extends DownloadsFromGateway['type']> = Extract<DownloadsFromGateway, { type: T }>;
export type Reply = { status: number; body: Record<string, unknown> };

/** The downloads as the browser's page has them: calls over HTTP and a WebSocket. */
export class DownloadsPage implements AsyncDisposable {
  readonly #session: TestSession;
  readonly #server: http.Server;
  readonly #socket: WebSocket;
  readonly #latest = new Map<string, DownloadsFromGateway>();
  readonly #waiting = new Set<() => void>();
  /** The types of all messages, in order. */
  readonly received: string[] = [];
  /** Errors that the handler has thrown: bugs. */
  readonly bugs: unknown[] = [];

  constructor(session: TestSession, server: http.Server, socket: WebSocket, bugs: unknown[]) {
    this.#session = session;
    this.#server = server;
    this.#socket = socket;
    this.bugs = bugs;
    socket.on('message', (data: Buffer) => {
      const message = DownloadsFromGateway.parse(JSON.parse(data.toString()));
      this.#latest.set(message.type, message);
      this.received.push(message.type);
      this.#waiting.forEach((check) => check());
    });
  }

  send(message: DownloadsFromBrowser): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** What is not a message of the contract. */
  sendText(text: string): void {
    this.#socket.send(text);
  }

  async closed(): Promise<number> {
    const [code] = (await once(this.#socket, 'close')) as [number]; // the code comes first
    return code;
  }

  async call(method: 'GET' | 'POST', call: string, body?: unknown): Promise<Reply> {
    const isBytes = body instanceof Uint8Array;
    return await this.#fetch(call, {
      method,
      headers: {
        'content-type': isBytes ? 'application/x-bittorrent' : 'application/json',
        connection: 'close',
      },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    });
  }

  async post(call: string, body: unknown): Promise<Reply> {
    return await this.call('POST', call, body);
  }

  /** The code of a call that must fail. */
  async problem(call: string, body: unknown): Promise<LoginProblem> {
    const { status, body: problem } = await this.post(call, body);
    if (status < 400) throw new Error(`${call} did not fail`);
    return problem as LoginProblem; // of the gateway, by the contract
  }

  /** The latest message of this type, once it is as described. */
  async until<T extends DownloadsFromGateway['type']>(
    type: T,
    isRight: (message: Message<T>) => boolean = () => true,
  ): Promise<Message<T>> {
    const found = (): Message<T> | undefined => {
      const message = this.#latest.get(type) as Message<T> | undefined; // kept by its type
      return message !== undefined && isRight(message) ? message : undefined;
    };
    if (found() === undefined) {
      await new Promise<void>((resolve) => {
        const check = (): void => {
          if (found() === undefined) return;
          this.#waiting.delete(check);
          resolve();
        };
        this.#waiting.add(check);
      });
    }
    return must(found(), type);
  }

  /** The only download, once it is as described. */
  async download(isRight: (download: Download) => boolean): Promise<Download> {
    const isFound = ({ downloads }: Message<'downloads'>): boolean => downloads.some(isRight);
    return must((await this.until('downloads', isFound)).downloads.find(isRight), 'a download');
  }

  async #fetch(call: string, init: RequestInit): Promise<Reply> {
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    const response = await fetch(`http://127.0.0.1:${port}/apps/1/downloads/${call}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }; // always an object
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session.end('ended-by-user');
    this.#socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export async function openDownloadsPage(session: TestSession): Promise<DownloadsPage> {
  const bugs: unknown[] = [];
  const server = http.createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://gateway').pathname.slice('/apps/1/downloads/'.length);
    handleDownloads(session, request, response, path).catch((error: unknown) => {
      bugs.push(error);
      sendProblem(failureFor('server.internal'), request, response);
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => watchDownloads(session, socket, { everyMs: 50 }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await once(socket, 'open');
  return new DownloadsPage(session, server, socket, bugs);
}
