import type { TargetLogin } from '@tongtu/contract';
import { HostKeyError, CredentialsRequiredError } from '../session/login-errors.ts';
import { type LiveSession, TargetError } from '../session/live-session.ts';
import { Aria2Rpc } from './rpc/aria2-rpc.ts';

/** The downloads of one session: how aria2 is reached, with what the app has stored and the user has typed. */
export class OpenDownloads {
  readonly #session: LiveSession;
  readonly #answerTimeoutMs: number | undefined;
  #typedSecret: string | undefined;
  #rpc: Aria2Rpc;
  /** Why the last login failed. It is not tried again by itself. */
  #refusal: unknown;

  constructor(session: LiveSession, { answerTimeoutMs }: { answerTimeoutMs?: number } = {}) {
    this.#session = session;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#rpc = this.#open(undefined);
    session.signal.addEventListener('abort', () => this.#rpc.destroy(), { once: true });
  }

  /** Logs in anew, also with what the user has typed now. Returns the folder of aria2. */
  async connect({ password, trust_host_key: trustedHostKey }: TargetLogin): Promise<string> {
    this.#session.signal.throwIfAborted();
    this.#rpc.destroy();
    this.#typedSecret = password ?? this.#typedSecret;
    this.#refusal = undefined;
    this.#rpc = this.#open(trustedHostKey);
    return (await this.use(async (rpc) => await rpc.call({ method: 'getGlobalOption' }))).dir;
  }

  /** Runs calls of aria2, and says what the user has to do before they can succeed. */
  async use<Result>(run: (rpc: Aria2Rpc) => Promise<Result>): Promise<Result> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const rpc = this.#rpc;
    try {
      return await run(rpc);
    } catch (error) {
      const refusal = this.#asRefusal(error);
      if (refusal === undefined) throw error;
      if (rpc === this.#rpc) this.#refusal = refusal;
      throw refusal;
    }
  }

  #open(trustedHostKey: string | undefined): Aria2Rpc {
    const secret = this.#typedSecret ?? this.#session.facts.secrets.password;
    const session = this.#session;
    return new Aria2Rpc({ session, secret, trustedHostKey, answerTimeoutMs: this.#answerTimeoutMs });
  }

  /** Undefined for what may succeed at the next try. */
  #asRefusal(error: unknown): unknown {
    if (error instanceof HostKeyError) return error;
    if (!(error instanceof TargetError) || error.code !== 'login-failed') return undefined;
    const isSecretKnown = (this.#typedSecret ?? this.#session.facts.secrets.password) !== undefined;
    return isSecretKnown ? error : new CredentialsRequiredError(['password']);
  }
}
