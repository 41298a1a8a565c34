import { type DialFailure, type ProxyTarget, ReasonReader, reasonRequest } from '@tongtu/frp';
import type { TakeConnection, WorkConnection } from './coded-connection.ts';

/** A missing host is reported after 3 s. */
const TIMEOUT_MS = 5_000;

type Deps = { takeConnection: TakeConnection };

/**
 * Asks frpc for the target once more, as an HTTP proxy is asked for a page: only that answer says why there is no connection.
 * `refused` where it does not say so.
 */
function askReason({ takeConnection }: Deps, target: ProxyTarget): Promise<DialFailure> {
  return new Promise((resolve) => {
    const reader = new ReasonReader();
    let stream: WorkConnection | undefined;
    const finish = (reason: DialFailure) => {
      clearTimeout(timer);
      giveUp();
      stream?.reset();
      resolve(reason);
    };
    const timer = setTimeout(() => finish('timeout'), TIMEOUT_MS);
    const giveUp = takeConnection((taken) => {
      stream = taken;
      taken.events = {
        onData(chunk) {
          taken.consumed(chunk.length);
          const reason = reader.push(chunk);
          if (reason !== undefined) finish(reason);
        },
        onEnd: () => finish('refused'),
        onReset: () => finish('refused'),
        onDrain() {},
      };
      taken.write(reasonRequest(target));
    });
  });
}

/** One question at a time about each target: its other visitors share the answer. */
export class Reasons {
  readonly #deps: Deps;
  readonly #asked = new Map<string, Promise<DialFailure>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  ask(target: ProxyTarget): Promise<DialFailure> {
    const name = `${target.host} ${target.port}`;
    const asked = this.#asked.get(name);
    if (asked !== undefined) return asked;
    const reason = askReason(this.#deps, target).finally(() => this.#asked.delete(name));
    this.#asked.set(name, reason);
    return reason;
  }
}
