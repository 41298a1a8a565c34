import {
  type DeviceRoutes,
  MAX_TRIAL_ANSWERS,
  MAX_TRIAL_TEXT_LENGTH,
  type Route,
  type TrialAnswer,
  type TrialResult,
  type TrialVisit,
} from '@tongtu/contract';
import { randomBytes } from 'node:crypto';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { MappingPool } from '../upstream/mapping-pool.ts';
import { CookieJar } from './cookie-jar.ts';
import { readAnswer } from './read-answer.ts';
import { readGreeting } from './read-greeting.ts';
import { sendTrial, type TrialDeps, type TrialOutcome, type TrialPlace } from './trial-request.ts';

/** The server waits a little longer. */
const TOTAL_MS = 5_000;
const EXTRA_MS = 1_500;
const MAX_OPEN = 32;
/** Of one owner: a test makes two visits at a time. */
const MAX_OPEN_OF_OWNER = 6;

const nothing: TrialResult = { answers: [], failure: null, script: null, socket: null, greeting: null };

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
    for (let target: string | undefined = '/'; target !== undefined;) {
      const outcome = await sendTrial(this.#deps, place, pageHead(visit, target, jar), signal);
      if ('failure' in outcome) return { ...nothing, answers, failure: outcome.failure };
      jar.store(outcome.response.fields);
      const answer = readAnswer(target, outcome.response);
      answers.push(answer);
      target = answers.length < MAX_TRIAL_ANSWERS ? nextTarget(visit, answer) : undefined;
    }
    const last = answers.at(-1);
    if (last === undefined || isRedirect(last)) return { ...nothing, answers };
    // It would answer 401 again, and some services count that as failed logins.
    if (isLogin(last) && visit.scriptPath === undefined && visit.socketPath === undefined)
      return { ...nothing, answers };
    return { ...nothing, answers, ...(await this.#visitByScript(place, visit, { page: last.target, jar })) };
  }

  /** What only scripts of the page do: these requests name their origin, which many services check. */
  async #visitByScript(
    place: TrialPlace,
    visit: TrialVisit,
    { page, jar }: { page: string; jar: CookieJar },
  ): Promise<Pick<TrialResult, 'script' | 'socket'>> {
    const send = async (head: string) => {
      return statusOf(await sendTrial(this.#deps, place, head, AbortSignal.timeout(EXTRA_MS)));
    };
    const [script, socket] = await Promise.all([
      send(scriptHead(visit, visit.scriptPath ?? page, jar)),
      send(socketHead(visit, visit.socketPath ?? page, jar)),
    ]);
    return { script, socket };
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

function isRedirect({ status, location }: TrialAnswer): boolean {
  return status >= 300 && status < 400 && location !== null;
}

function isLogin({ status, authenticate }: TrialAnswer): boolean {
  return status === 401 && authenticate !== null;
}

/** The path where an answer leads; undefined: to no page of the same origin. */
function nextTarget({ scheme, authority }: TrialVisit, answer: TrialAnswer): string | undefined {
  if (!isRedirect(answer)) return undefined;
  const base = `${scheme}://${authority}${answer.target}`;
  if (!URL.canParse(answer.location ?? '', base)) return undefined;
  const { origin, pathname, search } = new URL(answer.location ?? '', base);
  const target = pathname + search;
  return origin === new URL(base).origin && target.length <= MAX_TRIAL_TEXT_LENGTH ? target : undefined;
}

const BROWSER =
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Tongtu-Test\r\n' +
  'Accept-Language: zh-CN,zh;q=0.9,en;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n';

function pageHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  return (
    head(visit, target, jar) +
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nUpgrade-Insecure-Requests: 1\r\n' +
    'Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\nSec-Fetch-User: ?1\r\n'
  );
}

function scriptHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  const { scheme, authority } = visit;
  return (
    head(visit, target, jar) +
    `Accept: */*\r\nOrigin: ${scheme}://${authority}\r\nReferer: ${scheme}://${authority}${target}\r\n` +
    'Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n'
  );
}

/** RFC 6455 §4.1. */
function socketHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  return (
    head(visit, target, jar) +
    `Origin: ${visit.scheme}://${visit.authority}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`
  );
}

function head({ authority }: TrialVisit, target: string, jar: CookieJar): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${authority}\r\n${BROWSER}${jar.line}`;
}
