import type { Mapping } from '@tongtu/contract';
import type { ApiClient } from './api-client.ts';

/** The writes of a writer: the last acknowledged remark, and the one in progress when the server ended. */
type Promised = { remark: string; pending?: string };

/**
 * Creates and renames mappings one after another until the server has stopped, and records what was answered with
 * success. A write without an answer may have happened or not; one with an answer must be there.
 */
export class MappingWriter {
  readonly #client: ApiClient;
  readonly #deviceId: number;
  readonly #name: string;
  readonly #promised = new Map<string, Promised>();

  constructor(client: ApiClient, options: { deviceId: number; name: string }) {
    this.#client = client;
    this.#deviceId = options.deviceId;
    this.#name = options.name;
  }

  get answeredCount(): number {
    return this.#promised.size;
  }

  /** Ends when a call gets no answer; a refusal is an error. */
  async writeUntilStopped(): Promise<void> {
    for (let n = 1; ; n++) {
      const id = await this.#create(`${this.#name}-${n}`);
      if (id === undefined) return;
      const isAnswered = await this.#rename(`${this.#name}-${n}`, id, `第 ${n} 个`);
      if (!isAnswered) return;
    }
  }

  /** The acknowledged writes that these mappings lack; empty when nothing was lost. */
  brokenPromises(mappings: readonly Mapping[]): string[] {
    const found = new Map(mappings.map((mapping) => [mapping.prefix, mapping.remark]));
    return [...this.#promised]
      .filter(([prefix, { remark, pending }]) => {
        const current = found.get(prefix);
        return current === undefined || (current !== remark && current !== pending);
      })
      .map(([prefix, { remark }]) => `${prefix}: promised "${remark}", found ${JSON.stringify(found.get(prefix))}`);
  }

  async #create(prefix: string): Promise<number | undefined> {
    const body = {
      router: this.#deviceId,
      kind: 'http',
      prefix,
      target: 'http://127.0.0.1:9',
      policy: 'public',
      remark: '',
    };
    const reply = await this.#client.call('POST', '/api/user/records/', body).catch(() => undefined);
    if (reply === undefined || reply.status >= 502) return undefined;
    if (reply.status !== 201) throw new Error(`creating ${prefix} was answered ${reply.status}: ${reply.text}`);
    this.#promised.set(prefix, { remark: '' });
    return (reply.json as Mapping).id; // 201 of this call is a Mapping, checked by the server's own schema
  }

  async #rename(prefix: string, id: number, remark: string): Promise<boolean> {
    this.#promised.set(prefix, { remark: '', pending: remark });
    const reply = await this.#client.call('PATCH', `/api/user/records/${id}/`, { remark }).catch(() => undefined);
    if (reply === undefined || reply.status >= 502) return false;
    if (reply.status !== 200) throw new Error(`renaming ${prefix} was answered ${reply.status}: ${reply.text}`);
    this.#promised.set(prefix, { remark });
    return true;
  }
}
