import {
  AppError,
  type ConnectionCheck,
  findKnownService,
  type KnownService,
  knownServices,
  type LanKind,
  type ProbeResult,
  type TrialResult,
  type TrialVisit,
  type VisitCheck,
} from '@tongtu/contract';
import type { SeenService } from '@tongtu/tunnel';
import { formatTarget, mappingDomain, type MappingRow, mappingUrl, type PublicPlace } from '../../../mappings/index.ts';
import { examineVisits, type Examination, type VisitedMapping } from './examine-visits.ts';
import { greetingName } from './greeting-name.ts';
import type { ShownOrigin, Visited } from './visit-end.ts';
import { isNotMade, type NotMade } from './visit-not-made.ts';
import { cutWarning, endText, secureCookieWarnings, visitVerdict } from './visit-texts.ts';
import { lanOrigin } from './visit-ways.ts';

export type TrialTarget = { relayIds: string[]; deviceId: number };

type VisitedService = SeenService & { cookies: readonly string[]; generator?: string };

export type CheckVisitsDeps = PublicPlace & {
  /** Visits a mapping as a visitor would; undefined like `probe`. */
  tryVisit: (target: TrialTarget, visit: TrialVisit) => Promise<TrialResult | undefined>;
  recognizeService: (service: VisitedService) => LanKind | undefined;
  monotonicMs: () => number;
};

type Outcome = Pick<ConnectionCheck, 'ok' | 'step' | 'hint'> & { warning?: string; visit: VisitCheck };

export type VisitInput = { target: TrialTarget; address: string; signal: AbortSignal };

/** A visit that says nothing about the service: `why` is its failure. */
export class VisitNotMadeError extends Error {
  override readonly name = 'VisitNotMadeError';
  readonly why: NotMade;
  constructor(why: NotMade) {
    super(why);
    this.why = why;
  }
}

/** Whether the relay can visit the mapping, after the device has tried its target with this result. */
export function isVisited(mapping: MappingRow, { step, seen }: ProbeResult): mapping is MappingRow & VisitedMapping {
  const isWeb = (mapping.kind === 'http' || mapping.kind === 'https') && !mapping.tlsPassthrough;
  // Its clients speak gRPC, and browsers find no page.
  if (seen === 'http2') return false;
  // For a certificate that is refused the probe says more.
  return isWeb && (step === 'http' || (step === 'tls' && seen !== 'certificate_invalid'));
}

/**
 * Visits a web mapping like a visitor and like somebody in the LAN, and compares. Throws VisitNotMadeError, and between two
 * visits what the signal was aborted with.
 */
export async function checkVisits(
  deps: CheckVisitsDeps,
  mapping: MappingRow & VisitedMapping,
  { target, address, signal }: VisitInput,
): Promise<Outcome> {
  const shown = shownOrigin(deps, mapping);
  const tryVisit = async (visit: TrialVisit) => {
    signal.throwIfAborted();
    const result = await deps.tryVisit(target, visit);
    if (result === undefined) throw new AppError('server.unavailable');
    if (isNotMade(result.failure)) throw new VisitNotMadeError(result.failure);
    return result;
  };
  const pathsOf = (page: TrialResult) => {
    const { scriptPath, socketPath } = knownServiceOf(deps, mapping, page) ?? guessedService(mapping) ?? {};
    if (scriptPath === undefined && socketPath === undefined) return undefined;
    return { ...(scriptPath !== undefined && { scriptPath }), ...(socketPath !== undefined && { socketPath }) };
  };
  const found = await examineVisits({ ...deps, tryVisit, pathsOf }, mapping, { shown, address });
  const page = `${shown.scheme}://${shown.authority}`;
  const place = { target: formatTarget(mapping), domain: mappingDomain(mapping), page };
  const { ok, step, hint } = visitVerdict(found, place);
  const visit = visitReply(deps, mapping, { found, shown, ok });
  const warning = ok ? warningOf(mapping, shown, found.visitor) : undefined;
  return { ok, step, hint, visit, ...(warning !== undefined && { warning }) };
}

/** What the service of a port says by itself; undefined: nothing. */
export async function greetedBy(
  { tryVisit }: CheckVisitsDeps,
  mapping: MappingRow,
  { target, address }: Omit<VisitInput, 'signal'>,
): Promise<string | undefined> {
  const visit = {
    mappingId: mapping.id,
    scheme: 'https',
    authority: 'port',
    address,
    settings: { kind: 'tcp' },
  } as const;
  const greeting = (await tryVisit(target, visit))?.greeting;
  return typeof greeting === 'string' ? greetingName(greeting) : undefined;
}

function warningOf({ forwardedProto }: VisitedMapping, shown: ShownOrigin, visitor: Visited): string | undefined {
  if (visitor.result.answers.at(-1)?.isCut === true) return cutWarning;
  if (!losesCookies(shown, visitor)) return undefined;
  return secureCookieWarnings[forwardedProto === 'https' ? 'stated' : 'own'];
}

/** Browsers take Secure cookies from https, and from names of this machine. */
function losesCookies({ scheme, authority }: ShownOrigin, { result }: Visited): boolean {
  if (scheme === 'https' || /(?:^|\.)localhost(?::[0-9]+)?$/.test(authority)) return false;
  return result.answers.some(({ cookies }) => cookies.some(({ isSecure }) => isSecure));
}

function visitReply(
  deps: CheckVisitsDeps,
  mapping: MappingRow & VisitedMapping,
  { found, shown, ok }: { found: Examination; shown: ShownOrigin; ok: boolean },
): VisitCheck {
  const { visitor, direct, fix } = found;
  const service = knownServiceOf(deps, mapping, (direct ?? visitor).result);
  return {
    visitor: { url: urlOf(shown, visitor), text: endText(visitor.end) },
    direct:
      direct === undefined
        ? null
        : { url: urlOf(directOrigin(mapping, fix), direct), text: endText(direct.end, { isDirect: true }) },
    fix: fix ?? null,
    advice: ok ? null : (service?.advice ?? null),
  };
}

function shownOrigin(place: PublicPlace, mapping: MappingRow): ShownOrigin {
  // A name that the wildcard stands for.
  const { protocol, host } = new URL(mappingUrl(place, mapping).replace('*', 'tongtu'));
  return { scheme: protocol === 'https:' ? 'https' : 'http', authority: host };
}

function directOrigin(mapping: VisitedMapping, fix: Examination['fix']): ShownOrigin {
  const isOther = fix?.target !== undefined;
  const otherKind = mapping.kind === 'http' ? 'https' : 'http';
  return lanOrigin(mapping, isOther ? otherKind : mapping.kind);
}

function urlOf({ scheme, authority }: ShownOrigin, { result }: Visited): string {
  return `${scheme}://${authority}${result.answers.at(-1)?.target ?? '/'}`;
}

function knownServiceOf(
  { recognizeService }: CheckVisitsDeps,
  mapping: VisitedMapping,
  result: TrialResult,
): KnownService | undefined {
  return findKnownService(recognizeService(seenService(mapping, result)));
}

/** Good enough for where to ask: another service has nothing there, for a visitor as for the LAN. */
function guessedService({ targetPort }: VisitedMapping): KnownService | undefined {
  const all: readonly KnownService[] = Object.values(knownServices);
  const ofPort = all.filter(({ port }) => port === targetPort);
  return ofPort.length === 1 ? ofPort[0] : undefined;
}

function seenService({ targetPort, kind }: VisitedMapping, { answers }: TrialResult): VisitedService {
  const last = answers.at(-1);
  const realm = /realm="?([^"]{1,200})/i.exec(last?.authenticate ?? '')?.[1];
  const server = answers.find((answer) => answer.server !== null)?.server;
  return {
    port: targetPort,
    protocol: kind,
    ...(last?.title ? { title: last.title } : {}),
    ...(server ? { server } : {}),
    ...(last?.generator ? { generator: last.generator } : {}),
    ...(realm === undefined ? {} : { realm }),
    cookies: answers.flatMap(({ cookies }) => cookies.map(({ name }) => name)),
  };
}
