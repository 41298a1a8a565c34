import type { LiveSession } from '../../session/live-session.ts';
import { type TunnelAgents, tunnelAgents } from '../../target-http/tunnel-agents.ts';
import type { OneResult } from './answer-reader.ts';
import { DownloadError } from '../../errors/download-error.ts';
import type { AskedMethods, Method } from './methods.ts';
import { postJson } from './post-json.ts';
import type { ResultOf } from './results.ts';

export type Call<Asked extends Method = Method> = { method: Asked; params?: readonly unknown[] };
type ResultsOf<Calls extends readonly Call[]> = {
  -readonly [At in keyof Calls]: ResultOf<Calls[At]['method']> | DownloadError;
};

export type Aria2Target = {
  session: LiveSession;
  /** Undefined: none is known, and some need none. */
  secret: string | undefined;
  /** The fingerprint of a certificate that the user has accepted. */
  trustedHostKey?: string | undefined;
  answerTimeoutMs?: number | undefined;
};

/** Calls of one aria2 over JSON-RPC, with its secret. */
export class Aria2Rpc {
  readonly #target: Aria2Target;
  readonly #agents: TunnelAgents;

  constructor(target: Aria2Target) {
    this.#target = target;
    this.#agents = tunnelAgents(target);
  }

  get session(): LiveSession {
    return this.#target.session;
  }

  async call<Asked extends Method>({ method, params = [] }: Call<Asked>): Promise<ResultOf<Asked>> {
    const answer = await this.#send<OneResult>(`aria2.${method}`, [...this.#token(), ...params], { method });
    return successful(resultIn(answer)) as ResultOf<Asked>; // the thread has read it as this method's
  }

  /** Several calls in one request; a result that is a DownloadError is a call that aria2 has refused. */
  async callAll<const Calls extends readonly Call[]>(calls: Calls): Promise<ResultsOf<Calls>> {
    const list = calls.map(({ method, params = [] }) => ({
      methodName: `aria2.${method}`,
      params: [...this.#token(), ...params],
    }));
    const methods = calls.map(({ method }) => method);
    const answer = await this.#send<OneResult | OneResult[]>('system.multicall', [list], { methods });
    if (!Array.isArray(answer)) throw resultIn(answer);
    return answer.map(resultIn) as ResultsOf<Calls>; // as above
  }

  destroy(): void {
    this.#agents.destroy();
  }

  #token(): string[] {
    return this.#target.secret === undefined ? [] : [`token:${this.#target.secret}`];
  }

  async #send<Answer>(method: string, params: readonly unknown[], asked: AskedMethods): Promise<Answer> {
    const { session, answerTimeoutMs } = this.#target;
    const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method, params });
    return await postJson<Answer>({ session, agents: this.#agents, answerTimeoutMs }, body, asked);
  }
}

function resultIn(answer: OneResult): unknown {
  return 'refused' in answer ? new DownloadError(answer.refused.code, answer.refused.said) : answer.result;
}

/** Throws what aria2 has refused. */
export function successful<Result>(result: Result | DownloadError): Result {
  if (result instanceof DownloadError) throw result;
  return result;
}
