import type { DownloadsFromGateway, TerminalFromGateway } from '@tongtu/contract';
import { vi } from 'vitest';

/** The gateway's end of the WebSockets that the page opens. */
export type FakeGateway = {
  /** All sockets, the latest last. */
  sockets: FakeSocket[];
  latest: () => FakeSocket;
};

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly url: string;
  binaryType = 'blob';
  readyState: number = FakeSocket.CONNECTING;
  readonly sent: (string | Uint8Array)[] = [];

  constructor(url: string) {
    super();
    this.url = url;
  }

  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  message(message: TerminalFromGateway | DownloadsFromGateway): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  output(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: new TextEncoder().encode(text).buffer }));
  }

  cut(): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }

  /** The messages that are JSON. */
  messages(): unknown[] {
    return this.sent.filter((data) => typeof data === 'string').map((data): unknown => JSON.parse(data));
  }

  /** What the user has typed. */
  typed(): string {
    return new TextDecoder().decode(Uint8Array.from(this.typedBytes()));
  }

  typedBytes(): number[] {
    return this.sent.filter((data) => typeof data !== 'string').flatMap((data) => [...data]);
  }
}

/** Puts fake sockets in the place of the browser's until `vi.unstubAllGlobals`. */
export function fakeGateway(): FakeGateway {
  const sockets: FakeSocket[] = [];
  class Socket extends FakeSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  vi.stubGlobal('WebSocket', Socket);
  return {
    sockets,
    latest() {
      const socket = sockets.at(-1);
      if (!socket) throw new Error('the page has opened no WebSocket');
      return socket;
    },
  };
}
