import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'acme-client';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { seal, unseal } from '../../../db/sealing.ts';
import type { AcmeConfig } from '../acme-config.ts';
import { type ChallengeSolver, createDnsSolver, createHttpSolver, type ChallengeResponse } from './challenge-solver.ts';
import { CertificateError } from '../certificate-error.ts';
import {
  CLAIM_MINUTES,
  type ClaimedCertificate,
  saveOrder,
  recordFailure,
  recordIssuance,
  releaseClaim,
} from '../certificate-store.ts';
import { createDnsProvider } from '../dns/dns-provider.ts';
import type { NameServers } from '../dns/name-servers.ts';
import { canResumeOrder, renewalTime, retryDelayMs } from './next-try.ts';
import { withAccount } from './open-account.ts';
import { orderCertificate } from './order-certificate.ts';
import { keyPurpose } from '../sealing-purposes.ts';

export type IssueDeps = {
  db: Db;
  log: Logger;
  sealingKey: Buffer;
  acme: AcmeConfig;
  nameServers: NameServers;
  /** Resolves when all relays serve the responses; by default after RELAY_DELAY_MS. */
  awaitRelays?: (responses: ChallengeResponse[], signal: AbortSignal) => Promise<void>;
};

// The attempt must end before its claim does, when another process may claim the certificate.
const ISSUE_TIMEOUT_MS = (CLAIM_MINUTES - 1) * 60_000;
// Relays receive the responses within milliseconds, some through the database, but do not confirm them.
const RELAY_DELAY_MS = 2_000;

/** Orders the claimed certificate and stores the result or the problem. Throws only for bugs and database errors. */
export async function issueCertificate(
  deps: IssueDeps,
  certificate: ClaimedCertificate,
  claim: string,
  stop: AbortSignal,
): Promise<void> {
  const { db, log, sealingKey, acme } = deps;
  const { id, subject, names } = certificate;
  const purpose = keyPurpose(subject);
  const limit = AbortSignal.timeout(ISSUE_TIMEOUT_MS);
  const signal = AbortSignal.any([stop, limit]);
  try {
    const solver = createSolver(deps, certificate);
    const open = openOrderOf(certificate, sealingKey);
    const order = async (client: Client) =>
      await orderCertificate(
        {
          client,
          solver,
          saveOrder: async ({ url, key }) =>
            await saveOrder(db, { id, claim }, { url, keySealed: seal(sealingKey, key, purpose) }),
          reportCleanUpFailure: (err) =>
            log.warn({ err, subject }, 'could not remove the challenge responses of a certificate'),
        },
        { names, open },
        signal,
      );
    const { key, ...issued } = await withAccount(deps, order, signal);
    const columns = {
      ...issued,
      issuedNames: names,
      issuedBy: acme.directoryUrl,
      keySealed: seal(sealingKey, key, purpose),
    };
    await recordIssuance(db, { id, claim }, columns, renewalTime(issued, Math.random));
    log.info({ subject, notAfter: issued.notAfter }, 'certificate issued');
  } catch (error) {
    if (stop.aborted) return await releaseClaim(db, { id, claim });
    await fail(deps, certificate, claim, limit.aborted ? new CertificateError('authority-slow', subject) : error);
  }
}

async function fail(deps: IssueDeps, certificate: ClaimedCertificate, claim: string, error: unknown): Promise<void> {
  const { db, log } = deps;
  const { id, subject } = certificate;
  const isExpected = error instanceof CertificateError;
  const problem = isExpected ? error.problem : 'internal';
  const retryInMs = retryDelayMs(
    {
      problem,
      failures: certificate.failures + 1,
      retryAfterMs: isExpected ? error.retryAfterMs : undefined,
    },
    Math.random,
  );
  const detail = error instanceof Error ? error.message : String(error);
  if (isExpected) log.warn({ subject, problem, detail, retryInMs }, 'no certificate');
  else log.error({ err: error, subject, retryInMs }, 'no certificate');
  await recordFailure(db, { id, claim }, { problem, detail, retryInMs, dropsOrder: !canResumeOrder(problem) });
}

function createSolver(deps: IssueDeps, { id, challenge }: ClaimedCertificate): ChallengeSolver {
  const { db, acme, nameServers, awaitRelays = waitForRelays } = deps;
  if (challenge === 'http-01') return createHttpSolver({ db, certificateId: id, nameServers, awaitRelays });
  if (acme.dns === undefined) throw new CertificateError('dns-zone-missing', 'no DNS provider is configured');
  return createDnsSolver({ provider: createDnsProvider(acme.dns), nameServers });
}

async function waitForRelays(_proofs: ChallengeResponse[], signal: AbortSignal): Promise<void> {
  await wait(RELAY_DELAY_MS, undefined, { signal });
}

function openOrderOf({ orderUrl, orderKeySealed, subject }: ClaimedCertificate, sealingKey: Buffer) {
  if (orderUrl === null || orderKeySealed === null) return undefined;
  return { url: orderUrl, key: unseal(sealingKey, orderKeySealed, keyPurpose(subject)) };
}
