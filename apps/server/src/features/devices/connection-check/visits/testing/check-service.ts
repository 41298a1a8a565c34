import { initialOptions, TrialAnswer, type TrialResult, type TrialVisit } from '@tongtu/contract';
import { recognizeService } from '../../../../discovery/index.ts';
import type { MappingRow } from '../../../../mappings/index.ts';
import { checkVisits } from '../check-visits.ts';
import type { VisitedMapping } from '../examine-visits.ts';

type Mapping = MappingRow & VisitedMapping;
/** What a service sees of a request, of `script` and `socket` as well. */
type Seen = {
  kind: string;
  host: string;
  hasAddress: boolean;
  proto: string | undefined;
  origin: string;
  tlsName: string;
  isDirect: boolean;
};
export type Service = (seen: Seen) => Partial<TrialResult> & Partial<TrialAnswer>;

export const mapping = {
  ...initialOptions,
  ...{ id: 1, kind: 'http', prefix: 'nas', customDomain: null, suffix: 'example.com', port: null, frpcProxy: null },
  ...{ targetHost: '192.168.1.10', targetPort: 5000 },
} as unknown as Mapping; // the columns that a check reads

/** A relay that passes a visit on as the mapping’s settings say. */
export function passTo(service: Service, { hostHeader, ...own }: Mapping) {
  return (visit: TrialVisit): TrialResult => {
    const sent = { ...own, hostHeader, ...visit.settings };
    const isDirect = visit.authority === '192.168.1.10:5000';
    const lan = '192.168.1.10:5000';
    const host = { keep: visit.authority, rewrite: lan, custom: sent.hostName }[sent.hostHeader ?? 'keep'];
    const isOwnOrigin = isDirect || sent.originFields === 'rewrite' || sent.hostHeader === 'rewrite';
    const { authority, settings, scheme } = visit;
    const proto = sent.forwardedProto ?? 'follow_host';
    const stated = proto === 'follow_host' ? scheme : proto;
    const answer = service({
      kind: settings.kind ?? own.kind,
      host: host ?? '',
      hasAddress: sent.visitorFields === 'send',
      proto: sent.visitorFields === 'omit' ? undefined : stated,
      tlsName: sent.tlsName ?? '',
      origin: isOwnOrigin ? `http://${lan}` : `${stated}://${authority}`,
      isDirect,
    });
    const { status = 200, location = null, authenticate = null, title = null, server = null, target = '/' } = answer;
    const empty = { failure: null, script: status, socket: 400, greeting: null };
    return {
      answers: [TrialAnswer.parse({ ...answer, target, status, location, authenticate, title, server })],
      ...empty,
      ...pickResult(answer),
    };
  };
}

function pickResult({ answers, failure, script, socket, form, greeting }: Partial<TrialResult>): Partial<TrialResult> {
  const given = Object.entries({ answers, failure, script, socket, form, greeting });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Checks a mapping of `http://192.168.1.10:5000` behind which is the service. */
export async function check(
  service: Service,
  changes: Partial<Mapping> = {},
  publicUrl = 'https://example.com',
  onVisit = (_visit: TrialVisit) => {},
  monotonicMs = () => 0,
) {
  const checked = { ...mapping, ...changes } as Mapping; // the same columns
  const visit = passTo(service, checked);
  const deps = {
    ...{ publicUrl, tlsPort: 443, recognizeService, monotonicMs },
    tryVisit: async (_target: unknown, visited: TrialVisit) => {
      onVisit(visited);
      return visit(visited);
    },
  };
  const { signal } = new AbortController();
  return await checkVisits(deps, checked, {
    target: { relayIds: ['r1'], deviceId: 1 },
    address: '203.0.113.7',
    signal,
  });
}
