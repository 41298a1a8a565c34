import type { MappingPatch, TrialResult, TrialSettings, TrialVisit } from '@tongtu/contract';
import type { MappingRow } from '../../../mappings/index.ts';
import {
  mayRefuseForms,
  OWN_LOGIN,
  rankOf,
  type ShownOrigin,
  type Visited,
  visitEnd,
  whatIsWorse,
  type Worse,
} from './visit-end.ts';
import {
  directSettings,
  lanOrigin,
  localhostWay,
  namedWay,
  otherKindWay,
  otherWays,
  publicNameWay,
  type SentSettings,
  type Way,
  type WebKind,
} from './visit-ways.ts';

export type VisitedMapping = SentSettings &
  Pick<MappingRow, 'id' | 'targetHost' | 'targetPort' | 'customDomain' | 'frpcProxy' | 'proxyProtocol'> & {
    kind: WebKind;
  };

/** Where the scripts of a known service ask; the rest is that of the page. */
type VisitPaths = Pick<TrialVisit, 'scriptPath' | 'socketPath'>;

export type ExamineDeps = {
  tryVisit: (visit: TrialVisit) => Promise<TrialResult>;
  pathsOf: (page: TrialResult) => VisitPaths | undefined;
  monotonicMs: () => number;
};

export type Examination = {
  visitor: Visited;
  /** Undefined: only frpc knows the address of the service. */
  direct: Visited | undefined;
  worse: Worse | undefined;
  /** A combination of settings with which a visitor gets what somebody in the LAN gets. */
  fix: MappingPatch | undefined;
  /** The first bytes of a service that is no web service. */
  greeting: string | undefined;
  /** How many other combinations were tried. */
  triedWays: number;
  /** There was no time for some of them. */
  isCutShort: boolean;
};

/** No visit begins later. Each has a limit of its own. */
const SEARCH_MS = 6_000;
const WAYS_AT_A_TIME = 3;
/** Refusals that a service makes by the Host, too. */
const HOST_REFUSALS = new Set([400, 403, 421]);
const SERVES_RANK = 3;

/** Visits a mapping like a visitor and like somebody in the LAN, and looks for settings that make both the same. */
export async function examineVisits(
  deps: ExamineDeps,
  mapping: VisitedMapping,
  input: { shown: ShownOrigin; address: string },
): Promise<Examination> {
  return await new Examining(deps, mapping, input).run();
}

/** The visits of one examination. */
class Examining {
  readonly #deps: ExamineDeps;
  readonly #mapping: VisitedMapping;
  readonly #shown: ShownOrigin;
  readonly #address: string;
  readonly #untilMs: number;
  #paths: VisitPaths = {};
  #triedWays = 0;
  #isCutShort = false;

  constructor(deps: ExamineDeps, mapping: VisitedMapping, { shown, address }: { shown: ShownOrigin; address: string }) {
    this.#deps = deps;
    this.#mapping = mapping;
    this.#shown = shown;
    this.#address = address;
    this.#untilMs = deps.monotonicMs() + SEARCH_MS;
  }

  async run(): Promise<Examination> {
    const { kind, frpcProxy } = this.#mapping;
    // Its frpc.toml decides what is sent, so there is nothing to compare or to try.
    if (frpcProxy !== null) return this.#outcome({ visitor: await this.#visit({}), direct: undefined });
    const [visitor, direct] = await this.#visitBoth(kind);
    const worse = whatIsWorse(visitor, direct);
    if (worse === undefined && rankOf(visitor.end) >= SERVES_RANK) return await this.#examineForms(visitor, direct);
    const asOther = this.#mayBeOtherKind(direct) ? await this.#tryOtherKind(visitor) : undefined;
    if (asOther !== undefined) return asOther;
    if (worse !== undefined)
      return this.#outcome({
        visitor,
        direct,
        worse,
        fix: await this.#findWay({ settings: {}, changes: {} }, direct, worse),
      });
    return await this.#examineFailure(visitor, direct);
  }

  /** Again where a known service checks its scripts, which may not be the page. */
  async #visitBoth(kind: WebKind): Promise<[visitor: Visited, direct: Visited]> {
    const visits = async () => await Promise.all([this.#visit({}), this.#visitDirect(kind)]);
    const [visitor, direct] = await visits();
    const paths = this.#deps.pathsOf(direct.result);
    // A login is the same at every path.
    if (paths === undefined || rankOf(direct.end) === OWN_LOGIN || !this.#hasTime()) return [visitor, direct];
    this.#paths = paths;
    return await visits();
  }

  /** No answer, an answer that says so, or a redirect to TLS at the same port. */
  #mayBeOtherKind({ end }: Visited): boolean {
    if (end.type === 'failed') return true;
    const { kind } = this.#mapping;
    const { authority } = lanOrigin(this.#mapping, 'https');
    const leadsToTls = end.type === 'away' && end.to.protocol === 'https:' && end.to.host === authority;
    return end.answer.status === 400 || (kind === 'http' && leadsToTls);
  }

  async #tryOtherKind(visitor: Visited): Promise<Examination | undefined> {
    if (!this.#hasTime()) return undefined;
    const other: WebKind = this.#mapping.kind === 'http' ? 'https' : 'http';
    const way = otherKindWay(this.#mapping, other);
    this.#triedWays++;
    const [otherVisitor, direct] = await Promise.all([this.#visit(way.settings), this.#visitDirect(other)]);
    if (rankOf(direct.end) < SERVES_RANK) return undefined;
    const worse = whatIsWorse(otherVisitor, direct);
    const further = worse === undefined ? undefined : await this.#findWay(way, direct, worse);
    const fix = further ?? way.changes;
    return this.#outcome({ visitor, direct, worse: 'page', fix });
  }

  async #examineForms(visitor: Visited, direct: Visited): Promise<Examination> {
    if (!mayRefuseForms(visitor, direct)) return this.#outcome({ visitor, direct });
    const fix = await this.#findWay({ settings: {}, changes: {} }, direct, 'form');
    return this.#outcome(fix === undefined ? { visitor, direct } : { visitor, direct, worse: 'form', fix });
  }

  /** A visitor fails like somebody in the LAN: the service knows none of its names, or is no web service. */
  async #examineFailure(visitor: Visited, direct: Visited): Promise<Examination> {
    const isHostRefused = direct.end.type === 'page' && HOST_REFUSALS.has(direct.end.answer.status);
    const isTlsRefused = direct.end.type === 'failed' && direct.end.failure === 'target-tls-failed';
    const byName = isHostRefused || isTlsRefused ? await this.#tryPublicName(visitor) : undefined;
    const fix = byName ?? (isHostRefused ? await this.#tryLocalhost() : undefined);
    if (fix !== undefined) return this.#outcome({ visitor, direct, worse: 'page', fix });
    const greeting = direct.end.type === 'failed' ? await this.#greeting() : undefined;
    return this.#outcome({ visitor, direct, greeting });
  }

  #hasTime(): boolean {
    return this.#deps.monotonicMs() <= this.#untilMs;
  }

  /** Several at a time, as many connections as a browser opens: one that gets no answer takes its whole time. */
  async #findWay(from: Way, direct: Visited, worse: Worse): Promise<MappingPatch | undefined> {
    const named = direct.end.type === 'away' ? namedWay(this.#mapping, direct.end.to) : [];
    const ways = [...otherWays(this.#mapping, worse), ...named];
    while (ways.length > 0) {
      this.#isCutShort = !this.#hasTime();
      if (this.#isCutShort) return undefined;
      const tried = ways.splice(0, WAYS_AT_A_TIME);
      this.#triedWays += tried.length;
      const isSearch = worse === 'page';
      const works = await Promise.all(
        tried.map(async ({ settings }) => {
          const visited = await this.#visit({ ...from.settings, ...settings }, { isSearch });
          return whatIsWorse(visited, direct) === undefined && !mayRefuseForms(visited, direct);
        }),
      );
      const found = tried[works.indexOf(true)];
      if (found !== undefined) return { ...from.changes, ...found.changes };
    }
    return undefined;
  }

  async #tryPublicName(visitor: Visited): Promise<MappingPatch | undefined> {
    const { kind, customDomain } = this.#mapping;
    // A wildcard stands for names that the mapping could not hold.
    if (kind !== 'https' || customDomain?.startsWith('*') === true || !this.#hasTime()) return undefined;
    const way = publicNameWay(this.#mapping, new URL(`https://${this.#shown.authority}/`).hostname);
    if (way === undefined) return undefined;
    this.#triedWays++;
    const { end } = await this.#visit(way.settings);
    return rankOf(end) >= SERVES_RANK && rankOf(end) > rankOf(visitor.end) ? way.changes : undefined;
  }

  async #tryLocalhost(): Promise<MappingPatch | undefined> {
    const way = localhostWay(this.#mapping, this.#mapping.kind);
    if (way === undefined || !this.#hasTime()) return undefined;
    this.#triedWays++;
    const { end } = await this.#visit(way.settings);
    return rankOf(end) > SERVES_RANK ? way.changes : undefined;
  }

  async #greeting(): Promise<string | undefined> {
    if (!this.#hasTime()) return undefined;
    const settings = { kind: 'tcp', proxyProtocol: false } as const;
    return (await this.#visit(settings)).result.greeting ?? undefined;
  }

  async #visit(settings: TrialSettings, { shown = this.#shown, isSearch = false } = {}): Promise<Visited> {
    const { scheme, authority } = shown;
    const { id: mappingId } = this.#mapping;
    const visit = { mappingId, scheme, authority, address: this.#address, settings, isSearch, ...this.#paths };
    const result = await this.#deps.tryVisit(visit);
    return { result, end: visitEnd(result, shown) };
  }

  async #visitDirect(kind: WebKind): Promise<Visited> {
    return await this.#visit(directSettings(kind), { shown: lanOrigin(this.#mapping, kind) });
  }

  #outcome(found: Pick<Examination, 'visitor' | 'direct'> & Partial<Examination>): Examination {
    const tried = { triedWays: this.#triedWays, isCutShort: this.#isCutShort };
    return { worse: undefined, fix: undefined, greeting: undefined, ...found, ...tried };
  }
}
