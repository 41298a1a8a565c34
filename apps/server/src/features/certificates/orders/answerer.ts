import { setTimeout as wait } from 'node:timers/promises';
import { unlessAborted } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { CertificateError } from '../certificate-error.ts';
import { publishAnswers, withdrawAnswers } from './challenge-store.ts';
import type { DnsProvider } from '../dns/dns-provider.ts';
import type { NameServers } from '../dns/name-servers.ts';

/** What has to be shown where, so that the authority sees that a name is ours. */
export type Proof = { name: string; token: string; keyAuthorization: string };

/** Shows proofs in one of the ways that authorities know. */
export type Answerer = {
  type: 'http-01' | 'dns-01';
  /** Before anything is asked of the authority. Throws CertificateError when it would be in vain. */
  check: (names: string[]) => Promise<void>;
  /** Resolves when the authority will find the proofs. Throws CertificateError. */
  show: (proofs: Proof[], signal: AbortSignal) => Promise<void>;
  /** Takes them away, as far as they stand. */
  withdraw: (proofs: Proof[]) => Promise<void>;
};

/** RFC 8555 §8.3: the relays answer below /.well-known/acme-challenge/ of the name. */
export function answerByHttp(deps: {
  db: Db;
  certificateId: number;
  nameServers: NameServers;
  /** Resolves when all relays have heard of the answers. */
  whenRelaysKnow: (proofs: Proof[], signal: AbortSignal) => Promise<void>;
}): Answerer {
  const { db, certificateId, nameServers, whenRelaysKnow } = deps;
  return {
    type: 'http-01',
    async check(names) {
      for (const name of names)
        if (!(await nameServers.mayHaveAddress(name))) throw new CertificateError('name-unresolved', name);
    },
    async show(proofs, signal) {
      const answers = proofs.map(({ token, keyAuthorization }) => ({ token, keyAuthorization }));
      await publishAnswers(db, certificateId, answers);
      await whenRelaysKnow(proofs, signal);
    },
    async withdraw() {
      await withdrawAnswers(db, certificateId);
    },
  };
}

const PROPAGATION_LIMIT_MS = 180_000;
const PROPAGATION_POLL_MS = 2_000;
// Part of a stop as well, which must not take long; a record that stays does no harm.
const REMOVE_LIMIT_MS = 5_000;

/** RFC 8555 §8.4: TXT records below the name. */
export function answerByDns(deps: { provider: DnsProvider; nameServers: NameServers; pollMs?: number }): Answerer {
  const { provider, nameServers, pollMs = PROPAGATION_POLL_MS } = deps;
  return {
    type: 'dns-01',
    check: async () => {},
    async show(proofs, signal) {
      // One after the other: the zone of several names is the same, and providers refuse changes at once.
      for (const proof of proofs) await provider.present(recordName(proof), proof.keyAuthorization, signal);
      for (const [name, group] of Map.groupBy(proofs, recordName)) {
        const values = group.map((proof) => proof.keyAuthorization);
        await untilPropagated(async () => await nameServers.haveTxt(name, values), { name, pollMs, signal });
      }
    },
    async withdraw(proofs) {
      const signal = AbortSignal.timeout(REMOVE_LIMIT_MS);
      for (const proof of proofs) await provider.remove(recordName(proof), proof.keyAuthorization, signal);
    },
  };
}

function recordName({ name }: Proof): string {
  return `_acme-challenge.${name}`;
}

async function untilPropagated(
  isThere: () => Promise<boolean>,
  { name, pollMs, signal }: { name: string; pollMs: number; signal: AbortSignal },
): Promise<void> {
  const deadlineMs = performance.now() + PROPAGATION_LIMIT_MS;
  while (!(await unlessAborted(isThere(), signal))) {
    if (performance.now() > deadlineMs) throw new CertificateError('dns-not-propagated', name);
    await wait(pollMs, undefined, { signal });
  }
}
