import { X509Certificate, createPrivateKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { must, unlessAborted } from '@tongtu/base';
import { crypto, type Authorization, type Client, type Order } from 'acme-client';
import type { ChallengeSolver, ChallengeResponse } from './challenge-solver.ts';
import { AuthorityProblem, toCertificateError } from './authority-http.ts';
import { CertificateError } from '../certificate-error.ts';

/** An order that is open at the authority, with the private key of its future certificate. */
export type OpenOrder = { url: string; key: string };

export type OrderDeps = {
  client: Client;
  solver: ChallengeSolver;
  /** Stores the order, so that it can continue after a crash. */
  saveOrder: (order: OpenOrder) => Promise<void>;
  reportCleanUpFailure: (err: unknown) => void;
};

export type IssuedWithKey = { chain: string; key: string; notBefore: Date; notAfter: Date };

const POLL_FIRST_MS = 250;
const POLL_MAX_MS = 5_000;

/**
 * Orders a certificate for the names, or continues the open order. Throws CertificateError, or the signal's reason,
 * which leaves the order open.
 */
export async function orderCertificate(
  deps: OrderDeps,
  request: { names: string[]; open: OpenOrder | undefined },
  signal: AbortSignal,
): Promise<IssuedWithKey> {
  const { names } = request;
  await unlessAborted(deps.solver.precheck(names), signal);
  const started = await findOrCreateOrder(deps, request, signal);
  let order = started.order;
  if (order.status === 'pending') {
    await respondToChallenges(deps, order, signal);
    order = await pollOrder(deps.client, order, signal);
  }
  if (order.status === 'ready') {
    const [, csr] = await crypto.createCsr({ altNames: names }, started.key);
    order = await unlessAborted(deps.client.finalizeOrder(order, csr), signal);
  }
  order = await pollOrder(deps.client, order, signal);
  if (order.status !== 'valid') throw await unlessAborted(readOrderError(deps.client, order), signal);
  return checkIssued(await unlessAborted(deps.client.getCertificate(order), signal), started.key, names);
}

type OrderWithKey = { order: Order; key: string };

async function findOrCreateOrder(
  deps: OrderDeps,
  { names, open }: { names: string[]; open: OpenOrder | undefined },
  signal: AbortSignal,
): Promise<OrderWithKey> {
  const known = open && (await findOrder(deps.client, open.url, signal));
  if (known && known.status !== 'invalid' && isOrderFor(known, names))
    return { order: known, key: must(open, 'its key').key };
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const order = await unlessAborted(deps.client.createOrder({ identifiers }), signal);
  const key = (await crypto.createPrivateEcdsaKey('P-256')).toString();
  await deps.saveOrder({ url: order.url, key });
  return { order, key };
}

/** Undefined when the authority no longer knows the order. */
async function findOrder(client: Client, url: string, signal: AbortSignal): Promise<Order | undefined> {
  try {
    // The library reads nothing but the order's URL.
    return await unlessAborted(client.getOrder({ url } as Order), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}

function isOrderFor(order: Order, names: string[]): boolean {
  const ordered = order.identifiers.map(({ value }) => value.toLowerCase()).sort();
  return ordered.join() === [...names].sort().join();
}

async function respondToChallenges(
  { client, solver, reportCleanUpFailure }: OrderDeps,
  order: Order,
  signal: AbortSignal,
) {
  const authorizations = await unlessAborted(client.getAuthorizations(order), signal);
  const open = authorizations.filter(({ status }) => status === 'pending');
  const responses: ChallengeResponse[] = [];
  try {
    for (const authorization of open) {
      const challenge = findChallenge(authorization, solver.type);
      const keyAuthorization = await client.getChallengeKeyAuthorization(challenge);
      responses.push({ name: authorization.identifier.value, token: challenge.token, keyAuthorization });
    }
    if (responses.length > 0) await solver.present(responses, signal);
    for (const authorization of open) {
      const challenge = findChallenge(authorization, solver.type);
      if (challenge.status === 'pending') await unlessAborted(client.completeChallenge(challenge), signal);
    }
    await pollOrder(client, order, signal);
  } finally {
    if (responses.length > 0) await solver.cleanUp(responses).catch(reportCleanUpFailure);
  }
}

function findChallenge({ challenges, identifier }: Authorization, type: ChallengeSolver['type']) {
  const challenge = challenges.find((offered) => offered.type === type);
  if (challenge) return challenge;
  throw new CertificateError('authority-refused', `no ${type} for ${identifier.value}`);
}

/** Polls the order until the next step is ours. */
async function pollOrder(client: Client, order: Order, signal: AbortSignal): Promise<Order> {
  let fresh = order;
  for (let waitMs = POLL_FIRST_MS; isWaitingForAuthority(fresh); waitMs = Math.min(waitMs * 1.5, POLL_MAX_MS)) {
    if (fresh !== order) await wait(waitMs, undefined, { signal });
    fresh = await unlessAborted(client.getOrder(order), signal);
  }
  return fresh;
}

function isWaitingForAuthority({ status }: Order): boolean {
  return status === 'pending' || status === 'processing';
}

/** Why the order failed. The authority reports it in the order or in the failed challenge. */
async function readOrderError(client: Client, order: Order): Promise<CertificateError> {
  const authorizations = await client.getAuthorizations(order);
  const challenges = authorizations.flatMap((authorization) => authorization.challenges);
  const errors = [...challenges.map(({ error }) => error), order.error];
  const problem = errors.map((error) => AuthorityProblem.safeParse(error).data).find((found) => found !== undefined);
  return toCertificateError(problem ?? { type: '', detail: `the order is ${order.status}` });
}

/** Refuses a certificate that does not cover the names or does not belong to the key. */
function checkIssued(chain: string, key: string, names: string[]): IssuedWithKey {
  const leaf = new X509Certificate(chain);
  const covered = leaf.subjectAltName?.toLowerCase().split(', ') ?? [];
  const isComplete =
    names.every((name) => covered.includes(`dns:${name}`)) && leaf.checkPrivateKey(createPrivateKey(key));
  if (!isComplete) throw new CertificateError('authority-refused', `the certificate is for ${leaf.subjectAltName}`);
  return { chain, key, notBefore: leaf.validFromDate, notAfter: leaf.validToDate };
}
