import type { AppFailure, ScreenFromBrowser, ScreenFromGateway } from '@tongtu/contract';

export type ControlEvents = {
  onOpen: () => void;
  onMessage: (message: ScreenFromGateway) => void;
  /** The connection is over, and not by `close`. */
  onClosed: () => void;
};

/** The WebSocket beside that of the screen: what the library of the screen keeps from its page. */
export class ScreenControl {
  readonly #socket: WebSocket;
  #isOver = false;
  /** Why the screen's WebSocket closes, once the gateway has said it. */
  failure: AppFailure | undefined;

  constructor(url: string, events: ControlEvents) {
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('open', () => this.#isOver || events.onOpen());
    this.#socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (this.#isOver) return;
      // The gateway is our own server, so its messages are those of the contract.
      const message = JSON.parse(data) as ScreenFromGateway;
      if (message.type === 'failed') this.failure = message.reason;
      events.onMessage(message);
    });
    this.#socket.addEventListener('close', () => {
      if (this.#isOver) return;
      this.#isOver = true;
      events.onClosed();
    });
  }

  stay(): void {
    const message: ScreenFromBrowser = { type: 'stay' };
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }
}
