import { X509Certificate, createPrivateKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { must, unlessAborted } from '@tongtu/base';
import { crypto, type Authorization, type Client, type Order } from 'acme-client';
import type { Answerer, Proof } from './answerer.ts';
import { AuthorityProblem, certificateErrorOf } from './authority-http.ts';
import { CertificateError } from '../certificate-error.ts';

/** An order that is open at the authority, with the private key that its certificate will belong to. */
export type OpenOrder = { url: string; key: string };

export type OrderDeps = {
  client: Client;
  answerer: Answerer;
  /** Keeps the order, so that it goes on after a crash. */
  keepOrder: (order: OpenOrder) => Promise<void>;
  reportLeftover: (err: unknown) => void;
};

export type IssuedPair = { chain: string; key: string; notBefore: Date; notAfter: Date };

const POLL_FIRST_MS = 250;
const POLL_MAX_MS = 5_000;

/**
 * Orders a certificate for the names, or goes on with the order that was open. Throws CertificateError; or the signal's
 * reason, which leaves the order open.
 */
export async function orderCertificate(
  deps: OrderDeps,
  request: { names: string[]; open: OpenOrder | undefined },
  signal: AbortSignal,
): Promise<IssuedPair> {
  const { names } = request;
  await unlessAborted(deps.answerer.check(names), signal);
  const begun = await findOrBegin(deps, request, signal);
  let order = begun.order;
  if (order.status === 'pending') {
    await proveNames(deps, order, signal);
    order = await settled(deps.client, order, signal);
  }
  if (order.status === 'ready') {
    const [, csr] = await crypto.createCsr({ altNames: names }, begun.key);
    order = await unlessAborted(deps.client.finalizeOrder(order, csr), signal);
  }
  order = await settled(deps.client, order, signal);
  if (order.status !== 'valid') throw await unlessAborted(refusalOf(deps.client, order), signal);
  return readPair(await unlessAborted(deps.client.getCertificate(order), signal), begun.key, names);
}

type Begun = { order: Order; key: string };

async function findOrBegin(
  deps: OrderDeps,
  { names, open }: { names: string[]; open: OpenOrder | undefined },
  signal: AbortSignal,
): Promise<Begun> {
  const known = open && (await findOrder(deps.client, open.url, signal));
  if (known && known.status !== 'invalid' && isFor(known, names))
    return { order: known, key: must(open, 'its key').key };
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const order = await unlessAborted(deps.client.createOrder({ identifiers }), signal);
  const key = (await crypto.createPrivateEcdsaKey('P-256')).toString();
  await deps.keepOrder({ url: order.url, key });
  return { order, key };
}

/** Undefined when the authority does not know it any more. */
async function findOrder(client: Client, url: string, signal: AbortSignal): Promise<Order | undefined> {
  try {
    // Of an order the library reads the address only.
    return await unlessAborted(client.getOrder({ url } as Order), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}

function isFor(order: Order, names: string[]): boolean {
  const ordered = order.identifiers.map(({ value }) => value.toLowerCase()).sort();
  return ordered.join() === [...names].sort().join();
}

async function proveNames({ client, answerer, reportLeftover }: OrderDeps, order: Order, signal: AbortSignal) {
  const authorizations = await unlessAborted(client.getAuthorizations(order), signal);
  const open = authorizations.filter(({ status }) => status === 'pending');
  const proofs: Proof[] = [];
  try {
    for (const authorization of open) {
      const challenge = findChallenge(authorization, answerer.type);
      const keyAuthorization = await client.getChallengeKeyAuthorization(challenge);
      proofs.push({ name: authorization.identifier.value, token: challenge.token, keyAuthorization });
    }
    if (proofs.length > 0) await answerer.show(proofs, signal);
    for (const authorization of open) {
      const challenge = findChallenge(authorization, answerer.type);
      if (challenge.status === 'pending') await unlessAborted(client.completeChallenge(challenge), signal);
    }
    await settled(client, order, signal);
  } finally {
    if (proofs.length > 0) await answerer.withdraw(proofs).catch(reportLeftover);
  }
}

function findChallenge({ challenges, identifier }: Authorization, type: Answerer['type']) {
  const challenge = challenges.find((offered) => offered.type === type);
  if (challenge) return challenge;
  throw new CertificateError('authority-refused', `no ${type} for ${identifier.value}`);
}

/** The order as soon as it waits for us and no more for the authority. */
async function settled(client: Client, order: Order, signal: AbortSignal): Promise<Order> {
  let fresh = order;
  for (let waitMs = POLL_FIRST_MS; isWithAuthority(fresh); waitMs = Math.min(waitMs * 1.5, POLL_MAX_MS)) {
    if (fresh !== order) await wait(waitMs, undefined, { signal });
    fresh = await unlessAborted(client.getOrder(order), signal);
  }
  return fresh;
}

function isWithAuthority({ status }: Order): boolean {
  return status === 'pending' || status === 'processing';
}

/** Why the order failed: the authority tells it at the order, or at the challenge that did not go through. */
async function refusalOf(client: Client, order: Order): Promise<CertificateError> {
  const authorizations = await client.getAuthorizations(order);
  const challenges = authorizations.flatMap((authorization) => authorization.challenges);
  const told = [...challenges.map(({ error }) => error), order.error];
  const problem = told.map((error) => AuthorityProblem.safeParse(error).data).find((found) => found !== undefined);
  return certificateErrorOf(problem ?? { type: '', detail: `the order is ${order.status}` });
}

/** Nothing is taken over that would not work in a relay. */
function readPair(chain: string, key: string, names: string[]): IssuedPair {
  const leaf = new X509Certificate(chain);
  const covered = leaf.subjectAltName?.toLowerCase().split(', ') ?? [];
  const isWhole = names.every((name) => covered.includes(`dns:${name}`)) && leaf.checkPrivateKey(createPrivateKey(key));
  if (!isWhole) throw new CertificateError('authority-refused', `the certificate is for ${leaf.subjectAltName}`);
  return { chain, key, notBefore: leaf.validFromDate, notAfter: leaf.validToDate };
}
