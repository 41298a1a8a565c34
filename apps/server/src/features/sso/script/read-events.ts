import { SsoState, type SsoEventData } from '@tongtu/contract';
import { hashSecret } from '../../../hash-secret.ts';
import type { SsoSteps } from '../sso-login-store.ts';

const CATEGORY = /^weixinoauth-(.{0,100})$/s;
const MIN_TIMEOUT_SECONDS = 1;
const MAX_TIMEOUT_SECONDS = 110;

export type EventsQuery = { timeoutMs: number; category: string; stateHash: Buffer; sinceMs: number | undefined };

/** Parses the query. The error messages are golongpoll's, because its clients show them. */
export function readEventsQuery(query: unknown): EventsQuery | { error: string } {
  const { timeout, category, since_time: since } = query as Record<string, unknown>; // fastify's query is an object
  const timeoutSeconds = readInteger(timeout);
  if (timeoutSeconds === undefined || timeoutSeconds < MIN_TIMEOUT_SECONDS || timeoutSeconds > MAX_TIMEOUT_SECONDS)
    return { error: `Invalid timeout arg.  Must be ${MIN_TIMEOUT_SECONDS}-${MAX_TIMEOUT_SECONDS}.` };
  const state = typeof category === 'string' ? CATEGORY.exec(category)?.[1] : undefined;
  if (typeof category !== 'string' || !SsoState.safeParse(state).success || state === undefined)
    return { error: 'Invalid subscription category.' };
  const sinceMs = readInteger(since);
  if (since !== undefined && sinceMs === undefined) return { error: 'Invalid since_time arg.' };
  return { timeoutMs: timeoutSeconds * 1000, category, stateHash: hashSecret(state), sinceMs };
}

function readInteger(text: unknown): number | undefined {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export type SsoEvent = { timestamp: number; category: string; data: SsoEventData; id: string };

/** The events after `sinceMs`, oldest first. */
export function eventsOf(steps: SsoSteps, { category, sinceMs }: { category: string; sinceMs: number }): SsoEvent[] {
  const events: SsoEvent[] = [];
  const add = (at: Date | null, status: SsoEventData['status'] | null): void => {
    if (at === null || status === null || at.getTime() <= sinceMs) return;
    const id = hashSecret(`${category} ${status}`).toString('hex').slice(0, 32);
    events.push({ timestamp: at.getTime(), category, data: { status }, id });
  };
  add(steps.scannedAt, 'scanned');
  add(steps.decidedAt, steps.decision);
  return events;
}
