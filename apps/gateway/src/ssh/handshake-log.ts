import type { AlgorithmMismatch } from '@tongtu/contract';
import type { Client } from 'ssh2';
import { NoCommonAlgorithmError } from '../session/live-session.ts';

type Part = AlgorithmMismatch['part'];

/** Which list a line of ssh2 has: `Handshake: (remote) KEX method: a,b`. */
const lines: readonly (readonly [name: string, part: Part])[] = [
  ['KEX method', 'kex'],
  ['Host key format', 'host_key'],
  ['C->S cipher', 'cipher'],
  ['S->C cipher', 'cipher'],
  ['C->S MAC', 'mac'],
  ['S->C MAC', 'mac'],
];
/** Says what each side can, not which algorithm it is. */
const markers = /^(ext-info-[cs]|kex-strict-[cs]-v00@openssh\.com)$/;
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 64; // RFC 4251, section 6

/**
 * What both sides listed in the handshake, for a failure that names it. ssh2 reports the lists in its debug lines alone; a
 * line for each packet costs too much, so the log ends with the handshake.
 */
export class HandshakeLog {
  #latest: AlgorithmMismatch | undefined;

  add(line: string): void {
    const [, side, name, list = ''] = /^Handshake: \((local|remote)\) ([^:]+): (.*)$/.exec(line) ?? [];
    const part = lines.find(([ofLine]) => ofLine === name)?.[1];
    if (part === undefined) return;
    const names = list.split(',').filter((each) => each !== '' && !markers.test(each));
    const shown = names.slice(0, MAX_NAMES).map((each) => each.slice(0, MAX_NAME_LENGTH));
    // The local line comes first.
    if (side === 'local') this.#latest = { part, ours: shown, theirs: [] };
    else if (this.#latest !== undefined) this.#latest.theirs = shown;
  }

  end(client: Client): void {
    const { _protocol: protocol } = client as unknown as { _protocol?: { _debug?: unknown } }; // not typed
    if (protocol) protocol._debug = undefined;
  }

  /** Undefined where the handshake failed for another reason. */
  mismatch(error: Error): NoCommonAlgorithmError | undefined {
    const isMismatch = /no matching (key exchange algorithm|host key format|[CS]->[CS] (cipher|MAC))$/.test(
      error.message,
    );
    return isMismatch && this.#latest !== undefined
      ? new NoCommonAlgorithmError(this.#latest, { cause: error })
      : undefined;
  }
}
