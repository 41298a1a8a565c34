import { setTimeout as wait } from 'node:timers/promises';
import { unlessAborted } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { CertificateError } from '../certificate-error.ts';
import { publishKeyAuthorizations, deleteKeyAuthorizations } from './challenge-store.ts';
import type { DnsProvider } from '../dns/dns-provider.ts';
import type { NameServers } from '../dns/name-servers.ts';

/** What the authority must find to see that we control the name (RFC 8555 §8.1). */
export type ChallengeResponse = { name: string; token: string; keyAuthorization: string };

/** Publishes challenge responses for one challenge type. */
export type ChallengeSolver = {
  type: 'http-01' | 'dns-01';
  /** Runs before the first request to the authority. Throws CertificateError when the challenge cannot succeed. */
  precheck: (names: string[]) => Promise<void>;
  /** Publishes the responses and resolves when the authority can find them. Throws CertificateError. */
  present: (responses: ChallengeResponse[], signal: AbortSignal) => Promise<void>;
  /** Removes those responses that were published. */
  cleanUp: (responses: ChallengeResponse[]) => Promise<void>;
};

/** RFC 8555 §8.3: the relays serve key authorizations below /.well-known/acme-challenge/ of the name. */
export function createHttpSolver(deps: {
  db: Db;
  certificateId: number;
  nameServers: NameServers;
  /** Resolves when all relays serve the responses. */
  awaitRelays: (responses: ChallengeResponse[], signal: AbortSignal) => Promise<void>;
}): ChallengeSolver {
  const { db, certificateId, nameServers, awaitRelays } = deps;
  return {
    type: 'http-01',
    async precheck(names) {
      for (const name of names)
        if (!(await nameServers.mayHaveAddress(name))) throw new CertificateError('name-unresolved', name);
    },
    async present(responses, signal) {
      const keyAuthorizations = responses.map(({ token, keyAuthorization }) => ({ token, keyAuthorization }));
      await publishKeyAuthorizations(db, certificateId, keyAuthorizations);
      await awaitRelays(responses, signal);
    },
    async cleanUp() {
      await deleteKeyAuthorizations(db, certificateId);
    },
  };
}

const PROPAGATION_LIMIT_MS = 180_000;
const PROPAGATION_POLL_MS = 2_000;
// A stop waits for this too, so it must be short. A record that stays does no harm.
const REMOVE_LIMIT_MS = 5_000;

/** RFC 8555 §8.4: TXT records below the name. */
export function createDnsSolver(deps: {
  provider: DnsProvider;
  nameServers: NameServers;
  pollMs?: number;
}): ChallengeSolver {
  const { provider, nameServers, pollMs = PROPAGATION_POLL_MS } = deps;
  return {
    type: 'dns-01',
    precheck: async () => {},
    async present(responses, signal) {
      // One after the other: the names may share a zone, and providers refuse concurrent changes of a zone.
      for (const response of responses) await provider.present(recordName(response), response.keyAuthorization, signal);
      for (const [name, group] of Map.groupBy(responses, recordName)) {
        const values = group.map((response) => response.keyAuthorization);
        await waitUntilPropagated(async () => await nameServers.allHaveTxt(name, values), { name, pollMs, signal });
      }
    },
    async cleanUp(responses) {
      const signal = AbortSignal.timeout(REMOVE_LIMIT_MS);
      for (const response of responses) await provider.remove(recordName(response), response.keyAuthorization, signal);
    },
  };
}

function recordName({ name }: ChallengeResponse): string {
  return `_acme-challenge.${name}`;
}

async function waitUntilPropagated(
  isReady: () => Promise<boolean>,
  { name, pollMs, signal }: { name: string; pollMs: number; signal: AbortSignal },
): Promise<void> {
  const deadlineMs = performance.now() + PROPAGATION_LIMIT_MS;
  while (!(await unlessAborted(isReady(), signal))) {
    if (performance.now() > deadlineMs) throw new CertificateError('dns-not-propagated', name);
    await wait(pollMs, undefined, { signal });
  }
}
