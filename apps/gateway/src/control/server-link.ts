import type { GatewayToServer, ServerToGateway } from '@tongtu/contract';

type OpenResult = Extract<ServerToGateway, { type: 'open_result' }>['result'];
type End = Extract<ServerToGateway, { type: 'end' }>;

/** The gateway's end of its link to the server. */
export class ServerLink {
  onEnd: (message: End) => void = () => {};
  readonly #send: (message: GatewayToServer) => void;
  readonly #pending = new Map<number, (result: OpenResult) => void>();
  #lastCorrelation = 0;

  constructor(send: (message: GatewayToServer) => void) {
    this.#send = send;
  }

  /** Whether this token opens the session, and what the session is. */
  async open(sessionId: number, token: string): Promise<OpenResult> {
    const correlation = ++this.#lastCorrelation;
    const { promise, resolve } = Promise.withResolvers<OpenResult>();
    this.#pending.set(correlation, resolve);
    this.#send({ type: 'open', correlation, sessionId, token });
    return await promise;
  }

  report(message: Exclude<GatewayToServer, { type: 'open' }>): void {
    this.#send(message);
  }

  onMessage(message: ServerToGateway): void {
    if (message.type === 'end') return this.onEnd(message);
    this.#pending.get(message.correlation)?.(message.result);
    this.#pending.delete(message.correlation);
  }
}
