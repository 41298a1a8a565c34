import { type CloudAppOptions, nameText } from '@tongtu/contract';
import type { AuthenticationType, AuthHandlerMiddleware, NextAuthHandler, ParsedKey, Prompt } from 'ssh2';
import { TargetError } from '../session/live-session.ts';
import { type Credential, CredentialsError, type SshCredentials } from './credentials.ts';

/** As the contract's `answers`. */
const MAX_PROMPTS = 20;
const MAX_PROMPT_LENGTH = 1_000;
/** As OpenSSH. */
const MAX_ANSWERED_ROUNDS = 3;

export type SshPrompts = { title: string; text: string; prompts: { text: string; echo: boolean }[] };

export type SshLoginDeps = {
  credentials: SshCredentials;
  key: ParsedKey | undefined;
  /** The username is not stored, so another one can be typed. */
  isUsernameTyped: boolean;
  /** Of what the target asks, where that is no UTF-8. */
  encoding: CloudAppOptions['encoding'];
  ask: (prompts: SshPrompts) => Promise<readonly string[]>;
  onFailure: (error: Error) => void;
};

/**
 * Chooses the methods of a login: the key, then questions, then the password. A target that asks for a code besides the
 * password does so by questions alone.
 */
export class SshLogin {
  readonly #deps: SshLoginDeps;
  readonly #tried = new Set<AuthenticationType>();
  #offered: readonly AuthenticationType[] = [];
  #answeredRounds = 0;
  #isPasswordSent = false;
  #isAsking = false;

  constructor(deps: SshLoginDeps) {
    this.#deps = deps;
  }

  readonly chooseMethod: AuthHandlerMiddleware = (offered, isPartialSuccess, next) => {
    const { username } = this.#deps.credentials;
    // Before the first try it is null, against its type. The target lists them when it refuses "none".
    if (offered === null) return next({ type: 'none', username });
    this.#offered = offered;
    if (isPartialSuccess) this.#tried.clear();
    this.#next(next);
  };

  get hasTried(): boolean {
    return this.#tried.size > 0;
  }

  /** Why the login failed. */
  refusal(): Error {
    const wanted: Credential[] = this.#deps.isUsernameTyped ? ['username'] : [];
    if (this.#offered.includes('password') || this.#isPasswordSent) wanted.push('password');
    if (wanted.length === 0) return new TargetError('login-failed');
    return new CredentialsError({ refused: this.hasTried, wanted });
  }

  #next(next: NextAuthHandler): void {
    const { credentials, key } = this.#deps;
    const { username, password } = credentials;
    if (key !== undefined && this.#mayTry('publickey')) return next({ type: 'publickey', username, key });
    if (this.#mayTry('keyboard-interactive'))
      return next({
        type: 'keyboard-interactive',
        username,
        prompt: (title, text, _language, prompts, finish) => this.#answer({ title, text, prompts }, finish),
      });
    if (password !== undefined && this.#mayTry('password')) {
      this.#isPasswordSent = true;
      return next({ type: 'password', username, password });
    }
    this.#deps.onFailure(this.refusal());
  }

  #mayTry(method: AuthenticationType): boolean {
    if (!this.#offered.includes(method) || this.#tried.has(method)) return false;
    this.#tried.add(method);
    return true;
  }

  /** `question`: like the names of files, with its bytes where it is no UTF-8. */
  #textOf(question: string): string {
    const { encoding } = this.#deps;
    const text = nameText(question, encoding === 'utf-8' ? 'auto' : encoding);
    return text.slice(0, MAX_PROMPT_LENGTH);
  }

  #answer({ title, text, prompts }: { title: string; text: string; prompts: Prompt[] }, finish: Answer): void {
    const { password } = this.#deps.credentials;
    if (this.#isAsking || prompts.length > MAX_PROMPTS) return this.#deps.onFailure(new TargetError('protocol'));
    // The usual "Password:", for which no one has to be asked.
    if (password !== undefined && !this.#isPasswordSent && prompts.length === 1 && prompts[0]?.echo !== true) {
      this.#isPasswordSent = true;
      return finish([password]);
    }
    this.#isAsking = true;
    const shown = prompts.map((prompt) => ({ text: this.#textOf(prompt.prompt), echo: prompt.echo === true }));
    this.#deps.ask({ title: this.#textOf(title), text: this.#textOf(text), prompts: shown }).then((answers) => {
      this.#isAsking = false;
      this.#answeredRounds += 1;
      if (this.#answeredRounds < MAX_ANSWERED_ROUNDS) this.#tried.delete('keyboard-interactive');
      finish(prompts.map((_, index) => answers[index] ?? ''));
    }, this.#deps.onFailure);
  }
}

type Answer = (answers: string[]) => void;
