import { AppError, type ErrorCode, type Route } from '@tongtu/contract';

export type ClientMarkerDeps = {
  /** Resolves when this client was marked and is in the routes. Throws AppError when it was not. */
  mark: (client: { mappingId: number; ip: string; userAgent: string }) => Promise<void>;
  wallClockMs: () => number;
};

/** The most visitors that are held at a time; further ones are refused as without a window. */
const MAX_ASKED = 256;

/** After any other error the next client may be asked for. */
const endingCodes: readonly ErrorCode[] = ['gate.window-over', 'gate.verified-ip-limit'];

/** During a client window, asks the server whether a client that would be refused is the one to be marked. */
export class ClientMarker {
  readonly #deps: ClientMarkerDeps;
  readonly #asked = new Map<string, Promise<boolean>>();
  /** Windows that another client has used, until the routes say so. */
  readonly #over = new WeakSet<Route>();

  constructor(deps: ClientMarkerDeps) {
    this.#deps = deps;
  }

  /** Resolves with whether the client was marked; undefined when no window is open. Never rejects. */
  ask(route: Route, client: { address: string; userAgent: string }): Promise<boolean> | undefined {
    const { clientWindowUntilMs: untilMs, mappingId } = route;
    if (untilMs === null || untilMs <= this.#deps.wallClockMs() || this.#over.has(route)) return undefined;
    // A client opens several connections at once; all of them pass together.
    const name = `${mappingId} ${client.address}`;
    const known = this.#asked.get(name);
    if (known !== undefined || this.#asked.size >= MAX_ASKED) return known;
    const answer = this.#ask(route, client).finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return answer;
  }

  async #ask(route: Route, { address, userAgent }: { address: string; userAgent: string }): Promise<boolean> {
    try {
      await this.#deps.mark({ mappingId: route.mappingId, ip: address, userAgent });
      return true;
    } catch (error) {
      // Too late or unknown: the visitor is treated as without a window.
      if (error instanceof AppError && endingCodes.includes(error.code)) this.#over.add(route);
      return false;
    }
  }
}
