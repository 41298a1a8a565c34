import { z } from 'zod';
import { type LiveSession, TargetError } from '../../session/live-session.ts';
import { type TunnelAgents, tunnelAgents } from '../../target-http/tunnel-agents.ts';
import { DownloadError } from './download-error.ts';
import { postJson } from './post-json.ts';

/** All that the gateway asks of aria2. What changes or shows more of its settings is not among them. */
type Method =
  | ('getGlobalOption' | 'changeGlobalOption' | 'getGlobalStat' | 'tellActive' | 'tellWaiting' | 'tellStopped')
  | ('tellStatus' | 'getFiles' | 'getPeers' | 'getServers' | 'getOption' | 'changeOption')
  | ('addUri' | 'addTorrent' | 'forcePause' | 'unpause' | 'forceRemove' | 'removeDownloadResult')
  | ('forcePauseAll' | 'unpauseAll' | 'purgeDownloadResult');

export type Call = { method: Method; params?: readonly unknown[] };

export type Aria2Target = {
  session: LiveSession;
  /** Undefined: none is known, and some need none. */
  secret: string | undefined;
  /** The fingerprint of a certificate that the user has accepted. */
  trustedHostKey?: string | undefined;
  answerTimeoutMs?: number | undefined;
};

const RpcError = z.object({ code: z.number(), message: z.string() });
const Answer = z.union([z.object({ error: RpcError }), z.object({ result: z.unknown() })]);
const MulticallResult = z.array(z.union([z.tuple([z.unknown()]), RpcError]));
const MAX_SAID_LENGTH = 300;

/** Calls of one aria2 over JSON-RPC, with its secret. */
export class Aria2Rpc {
  readonly #target: Aria2Target;
  readonly #agents: TunnelAgents;

  constructor(target: Aria2Target) {
    this.#target = target;
    this.#agents = tunnelAgents(target);
  }

  async call<Schema extends z.ZodType>({ method, params = [] }: Call, schema: Schema): Promise<z.output<Schema>> {
    return parse(schema, await this.#send(`aria2.${method}`, [...this.#token(), ...params]));
  }

  /** Several calls in one request; a result that is a DownloadError is a call that aria2 has refused. */
  async callAll(calls: readonly Call[]): Promise<unknown[]> {
    const list = calls.map(({ method, params = [] }) => ({
      methodName: `aria2.${method}`,
      params: [...this.#token(), ...params],
    }));
    const results = parse(MulticallResult, await this.#send('system.multicall', [list]));
    if (results.length !== calls.length) throw new TargetError('protocol');
    return results.map((result) => (Array.isArray(result) ? result[0] : errorOf(result)));
  }

  destroy(): void {
    this.#agents.destroy();
  }

  #token(): string[] {
    return this.#target.secret === undefined ? [] : [`token:${this.#target.secret}`];
  }

  async #send(method: string, params: readonly unknown[]): Promise<unknown> {
    const { session, answerTimeoutMs } = this.#target;
    const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method, params });
    const answer = parse(Answer, await postJson({ session, agents: this.#agents, answerTimeoutMs }, body));
    if ('error' in answer) throw errorOf(answer.error);
    return answer.result;
  }
}

/** What a result must look like. Throws what aria2 has refused, and TargetError for anything else. */
export function parse<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
  if (result instanceof DownloadError) throw result;
  const { data, success, error } = schema.safeParse(result);
  if (!success) throw new TargetError('protocol', { cause: error });
  return data;
}

function errorOf({ message }: z.output<typeof RpcError>): DownloadError {
  // The secret is the same for all calls, so none of them has succeeded.
  if (message === 'Unauthorized') throw new TargetError('login-failed');
  const said = message.slice(0, MAX_SAID_LENGTH);
  if (/^(GID \S+ is not found|No such download for GID#\S+|Active Download not found for GID#\S+)/.test(said))
    return new DownloadError('not-found', said);
  return new DownloadError('refused', said);
}
