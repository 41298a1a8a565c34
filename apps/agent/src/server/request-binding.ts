import { BindingState, OfferedBinding } from '@tongtu/contract/bindings';
import { type Backoff, createBackoff } from '@tongtu/base';
import { keyFingerprint } from '@tongtu/tunnel';
import type { z } from 'zod';
import type { AgentLog } from '../events/agent-log.ts';
import { fetchServer, ServerUnreachableError } from './bootstrap.ts';
import { wait } from '../net/wait.ts';

const POLL_EVERY_MS = 2000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 20_000;

export type BindingRequest = {
  serverUrl: string;
  publicKey: string;
  name: string;
  platform: string;
  agentVersion: string;
  log: AgentLog;
  random: () => number;
};

/**
 * Logs a link by which a logged-in user adds this device, and a new one whenever it has expired. Resolves with the
 * token that enrols only this device's key, or with undefined when stopped.
 */
export async function requestBinding(request: BindingRequest, signal: AbortSignal): Promise<string | undefined> {
  const { serverUrl, log } = request;
  const backoff = createBackoff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random: request.random });
  while (!signal.aborted) {
    const code = await withRetry(request, backoff, signal, async () => await offer(request, signal));
    if (code === undefined) return undefined;
    const url = `${serverUrl}/#/devices?bind=${code}`;
    log.info({ event: 'binding-offered', url, fingerprint: keyFingerprint(request.publicKey) }, 'waiting to be added');
    const account = await untilConfirmed(request, code, backoff, signal);
    if (account === undefined) continue;
    log.info({ event: 'binding-confirmed', account }, 'somebody added this device');
    return `tc_${code}`;
  }
  return undefined;
}

/** The account that confirmed; undefined when the link has expired. */
async function untilConfirmed(
  request: BindingRequest,
  code: string,
  backoff: Backoff,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const reply = await withRetry(request, backoff, signal, async () => await ask(request, code, signal));
    if (reply === undefined || reply.state === 'ended') return undefined;
    if (reply.state === 'confirmed') return reply.account;
    await wait(POLL_EVERY_MS, signal);
  }
}

async function offer({ serverUrl, publicKey, name, platform, agentVersion }: BindingRequest, signal: AbortSignal) {
  const body = { public_key: publicKey, name, platform, agent_version: agentVersion };
  const url = new URL('/api/agent/binding/', serverUrl);
  return (await callServer(OfferedBinding, { url, body }, signal)).code;
}

async function ask({ serverUrl }: BindingRequest, code: string, signal: AbortSignal) {
  return await callServer(BindingState, { url: new URL(`/api/agent/binding/?code=${code}`, serverUrl) }, signal);
}

/** Throws ServerUnreachableError for an invalid reply, which a proxy or a captive portal may have sent. */
async function callServer<Reply>(
  schema: z.ZodType<Reply>,
  { url, body }: { url: URL; body?: object },
  signal: AbortSignal,
): Promise<Reply> {
  const { json, redirectedTo } = await fetchServer(url, signal, body);
  const reply = schema.safeParse(json);
  if (reply.success) return reply.data;
  const reason = json === undefined ? 'not-json' : 'not-bootstrap';
  throw new ServerUnreachableError(reason, { redirectedTo, cause: reply.error });
}

/** Retries while the server cannot be reached, and logs that once per outage. Undefined when stopped. */
async function withRetry<Output>(
  { serverUrl, log }: BindingRequest,
  backoff: Backoff,
  signal: AbortSignal,
  act: () => Promise<Output>,
): Promise<Output | undefined> {
  let isLogged = false;
  while (!signal.aborted) {
    try {
      const output = await act();
      backoff.reset();
      return output;
    } catch (error) {
      if (!(error instanceof ServerUnreachableError)) throw error;
      if (!isLogged && !signal.aborted) {
        const { message: reason, redirectedTo } = error;
        log.warn({ event: 'server-unreachable', serverUrl, reason, redirectedTo }, 'cannot reach the server');
      }
      isLogged = true;
      await wait(Math.max(backoff.nextMs(), error.retryAfterMs), signal);
    }
  }
  return undefined;
}
