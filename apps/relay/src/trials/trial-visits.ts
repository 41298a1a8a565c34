import {
  type DeviceRoutes,
  MAX_TRIAL_ANSWERS,
  MAX_TRIAL_TEXT_LENGTH,
  type Route,
  type TrialAnswer,
  type TrialResult,
  type TrialVisit,
} from '@tongtu/contract';
import { createHash } from 'node:crypto';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { MappingPool } from '../upstream/mapping-pool.ts';
import { CookieJar } from './cookie-jar.ts';
import { decodedBody, readAnswer } from './read-answer.ts';
import { readGreeting } from './read-greeting.ts';
import { tokenFormTarget } from './token-form.ts';
import { formHead, pageHead, scriptHead, socketHead } from './trial-heads.ts';
import { sendTrial, type TrialDeps, type TrialOutcome, type TrialPlace } from './trial-request.ts';

/** The server waits a little longer. */
const TOTAL_MS = 5_000;
const EXTRA_MS = 1_500;
const MAX_OPEN = 32;
/** Of one owner: a test makes up to three visits at a time. */
const MAX_OPEN_OF_OWNER = 9;
/** A path that no service has. */
const NOWHERE = '/.well-known/tongtu-test';
/** Failures of a service that has understood nothing, but was there. */
const WORDLESS: ReadonlySet<string> = new Set(['target-lost', 'target-bad-answer']);

const nothing: TrialResult = { answers: [], failure: null, script: null, socket: null, form: null, greeting: null };

export type TrialVisitsDeps = TrialDeps & {
  findDevice: (deviceId: number) => DeviceRoutes | undefined;
  openPool: (entry: RouteEntry) => MappingPool | undefined;
};

/**
 * Visits mappings as their visitors do, by the same code, but without the gate: their owners want to know what the
 * service makes of a visitor.
 */
export class TrialVisits {
  readonly #deps: TrialVisitsDeps;
  /** How many visits run for each owner. */
  readonly #open = new Map<string, number>();

  constructor(deps: TrialVisitsDeps) {
    this.#deps = deps;
  }

  /** Throws only by a fault of the relay. */
  async visit(deviceId: number, visit: TrialVisit): Promise<TrialResult> {
    const device = this.#deps.findDevice(deviceId);
    const route = device?.routes.find(({ mappingId }) => mappingId === visit.mappingId);
    if (device?.enabled !== true || route === undefined) return { ...nothing, failure: 'no-mapping' };
    const owner = device.userId === undefined ? `device ${deviceId}` : `user ${device.userId}`;
    if (this.#isFull(owner)) return { ...nothing, failure: 'relay-busy' };
    const entry = { route: trialRoute(route, visit), owner: { device } };
    const pool = this.#deps.openPool(entry);
    if (pool === undefined) return { ...nothing, failure: 'device-offline' };
    this.#count(owner, 1);
    try {
      const visitor = { address: visit.address, scheme: visit.scheme, serverName: undefined };
      const place = { entry, pool, visitor, grant: { address: visit.address, proof: undefined } };
      const isPort = entry.route.kind === 'tcp';
      const result = isPort ? { ...nothing, ...(await readGreeting(place)) } : await this.#visitPage(place, visit);
      return result.failure === 'target-lost' && !this.#isOnline(entry)
        ? { ...result, failure: 'device-offline' }
        : result;
    } finally {
      this.#count(owner, -1);
      pool.close('lost');
    }
  }

  #isFull(owner: string): boolean {
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    return all >= MAX_OPEN || (this.#open.get(owner) ?? 0) >= MAX_OPEN_OF_OWNER;
  }

  #count(owner: string, change: number): void {
    const count = (this.#open.get(owner) ?? 0) + change;
    if (count > 0) this.#open.set(owner, count);
    else this.#open.delete(owner);
  }

  /** A connection to the service that is lost with the device says nothing about the service. */
  #isOnline(entry: RouteEntry): boolean {
    const pool = this.#deps.openPool(entry);
    pool?.close('lost');
    return pool !== undefined;
  }

  async #visitPage(place: TrialPlace, visit: TrialVisit): Promise<TrialResult> {
    const jar = new CookieJar();
    const signal = AbortSignal.timeout(TOTAL_MS);
    const answers: TrialAnswer[] = [];
    let form: string | undefined;
    for (let target: string | undefined = '/'; target !== undefined;) {
      const outcome = await sendTrial(this.#deps, place, pageHead(visit, target, jar), signal);
      if ('failure' in outcome) return await this.#failed(place, visit, { answers, jar, failure: outcome.failure });
      jar.store(outcome.response.fields);
      const answer = readAnswer(new URL(`${visit.scheme}://${visit.authority}${target}`), outcome.response);
      answers.push(answer);
      form = tokenFormTarget(decodedBody(outcome.response), target);
      target = answers.length < MAX_TRIAL_ANSWERS ? nextTarget(visit, answer) : undefined;
    }
    const last = answers.at(-1);
    if (last === undefined || last.location !== null) return { ...nothing, answers };
    if (visit.isSearch === true && last.status >= 400) return { ...nothing, answers };
    // It would answer 401 again, and some services count that as failed logins.
    if (isLogin(last) && visit.scriptPath === undefined && visit.socketPath === undefined)
      return { ...nothing, answers };
    const [byScript, byForm] = await Promise.all([
      this.#visitByScript(place, visit, { page: last.target, jar }),
      last.status < 400 ? this.#sendForm(place, visit, form) : null,
    ]);
    return { ...nothing, answers, ...byScript, form: byForm };
  }

  /** Some services speak WebSocket alone, and close a connection that asks for anything else. */
  async #failed(
    place: TrialPlace,
    visit: TrialVisit,
    { answers, jar, failure }: { answers: TrialAnswer[]; jar: CookieJar; failure: string },
  ): Promise<TrialResult> {
    if (answers.length > 0 || !WORDLESS.has(failure)) return { ...nothing, answers, failure };
    const socket = await this.#statusOf(place, socketHead(visit, visit.socketPath ?? '/', jar));
    return { ...nothing, failure, socket };
  }

  async #statusOf(place: TrialPlace, head: string): Promise<number | null> {
    return statusOf(await sendTrial(this.#deps, place, head, AbortSignal.timeout(EXTRA_MS)));
  }

  /** What only scripts of the page do: these requests name their origin, which many services check. */
  async #visitByScript(
    place: TrialPlace,
    visit: TrialVisit,
    { page, jar }: { page: string; jar: CookieJar },
  ): Promise<Pick<TrialResult, 'script' | 'socket'>> {
    const [script, socket] = await Promise.all([
      this.#statusOf(place, scriptHead(visit, visit.scriptPath ?? page, jar)),
      this.#statusOf(place, socketHead(visit, visit.socketPath ?? page, jar)),
    ]);
    return { script, socket };
  }

  /**
   * A POST that changes nothing, because many services check the Origin of forms alone: without cookies it is refused by
   * a form that asks for a token, and elsewhere it goes where nothing is.
   */
  async #sendForm(
    place: TrialPlace,
    visit: TrialVisit,
    tokenForm: string | undefined,
  ): Promise<NonNullable<TrialResult['form']> | null> {
    const head = formHead(visit, tokenForm ?? NOWHERE);
    const outcome = await sendTrial(this.#deps, place, head, AbortSignal.timeout(EXTRA_MS));
    if ('failure' in outcome) return null;
    const { response } = outcome;
    const digest = () => createHash('sha256').update(decodedBody(response)).digest('hex');
    return { status: response.status, digest: tokenForm === undefined ? null : digest() };
  }
}

/** The mapping with the settings of the visit, open to it. */
function trialRoute(route: Route, { settings }: TrialVisit): Route {
  const open = { policy: 'public', opensAtMs: null, closesAtMs: null, hours: null, visitLogDays: 0 } as const;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...route, ...Object.fromEntries(given), ...open };
}

function statusOf(outcome: TrialOutcome): number | null {
  return 'response' in outcome ? outcome.response.status : null;
}

function isLogin({ status, authenticate }: TrialAnswer): boolean {
  return status === 401 && authenticate !== null;
}

/** The path where an answer leads; undefined: to no page of the same origin. */
function nextTarget({ scheme, authority }: TrialVisit, answer: TrialAnswer): string | undefined {
  const base = `${scheme}://${authority}${answer.target}`;
  if (answer.location === null || !URL.canParse(answer.location, base)) return undefined;
  const { origin, pathname, search } = new URL(answer.location, base);
  const target = pathname + search;
  return origin === new URL(base).origin && target.length <= MAX_TRIAL_TEXT_LENGTH ? target : undefined;
}
