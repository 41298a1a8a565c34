import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'acme-client';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { seal, unseal } from '../../../db/sealing.ts';
import type { AcmeConfig } from '../acme-config.ts';
import { type Answerer, answerByDns, answerByHttp, type Proof } from './answerer.ts';
import { CertificateError } from '../certificate-error.ts';
import {
  CLAIM_MINUTES,
  type ClaimedCertificate,
  keepOrder,
  recordFailure,
  recordIssue,
  releaseClaim,
} from '../certificate-store.ts';
import { createDnsProvider } from '../dns/dns-provider.ts';
import type { NameServers } from '../dns/name-servers.ts';
import { keepsOrder, renewalTime, retryDelayMs } from './next-try.ts';
import { withAccount } from './open-account.ts';
import { orderCertificate } from './order-certificate.ts';
import { keyPurpose } from '../sealing-purposes.ts';

export type TryDeps = {
  db: Db;
  log: Logger;
  sealingKey: Buffer;
  acme: AcmeConfig;
  nameServers: NameServers;
  /** Resolves when all relays have heard of the proofs; by default after a moment. */
  whenRelaysKnow?: (proofs: Proof[], signal: AbortSignal) => Promise<void>;
};

// Ends before another process may take it over.
const TRY_LIMIT_MS = (CLAIM_MINUTES - 1) * 60_000;
// Relays hear within milliseconds, those of other server processes by way of the database; none of them confirms it.
const RELAYS_KNOW_AFTER_MS = 2_000;

/** Has the claimed certificate issued and writes down what came of it. Never throws for a reason of the outside world. */
export async function tryCertificate(
  deps: TryDeps,
  certificate: ClaimedCertificate,
  claim: string,
  stop: AbortSignal,
): Promise<void> {
  const { db, log, sealingKey, acme } = deps;
  const { id, subject, names } = certificate;
  const purpose = keyPurpose(subject);
  const limit = AbortSignal.timeout(TRY_LIMIT_MS);
  const signal = AbortSignal.any([stop, limit]);
  try {
    const answerer = createAnswerer(deps, certificate);
    const open = openOrderOf(certificate, sealingKey);
    const order = async (client: Client) =>
      await orderCertificate(
        {
          client,
          answerer,
          keepOrder: async ({ url, key }) =>
            await keepOrder(db, { id, claim }, { url, keySealed: seal(sealingKey, key, purpose) }),
          reportLeftover: (err) => log.warn({ err, subject }, 'could not take the proof of a name away again'),
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
    await recordIssue(db, { id, claim }, columns, renewalTime(issued, Math.random));
    log.info({ subject, notAfter: issued.notAfter }, 'certificate issued');
  } catch (error) {
    if (stop.aborted) return await releaseClaim(db, { id, claim });
    await fail(deps, certificate, claim, limit.aborted ? new CertificateError('authority-slow', subject) : error);
  }
}

async function fail(deps: TryDeps, certificate: ClaimedCertificate, claim: string, error: unknown): Promise<void> {
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
  await recordFailure(db, { id, claim }, { problem, detail, retryInMs, dropsOrder: !keepsOrder(problem) });
}

function createAnswerer(deps: TryDeps, { id, challenge }: ClaimedCertificate): Answerer {
  const { db, acme, nameServers, whenRelaysKnow = awaitRelays } = deps;
  if (challenge === 'http-01') return answerByHttp({ db, certificateId: id, nameServers, whenRelaysKnow });
  if (acme.dns === undefined) throw new CertificateError('dns-zone-missing', 'no DNS provider is configured');
  return answerByDns({ provider: createDnsProvider(acme.dns), nameServers });
}

async function awaitRelays(_proofs: Proof[], signal: AbortSignal): Promise<void> {
  await wait(RELAYS_KNOW_AFTER_MS, undefined, { signal });
}

function openOrderOf({ orderUrl, orderKeySealed, subject }: ClaimedCertificate, sealingKey: Buffer) {
  if (orderUrl === null || orderKeySealed === null) return undefined;
  return { url: orderUrl, key: unseal(sealingKey, orderKeySealed, keyPurpose(subject)) };
}
