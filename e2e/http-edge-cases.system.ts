import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { answerCases } from './http-edge-cases/answers.ts';
import { connectionCases } from './http-edge-cases/connections.ts';
import { failingServiceCases } from './http-edge-cases/failing-services.ts';
import { framingCases } from './http-edge-cases/framing.ts';
import { siteDirectives, siteRequests } from './http-edge-cases/nginx-site.ts';
import { refusalCases } from './http-edge-cases/refusals.ts';
import { requestCases } from './http-edge-cases/requests.ts';
import { timingCases } from './http-edge-cases/timing.ts';
import { upgradeCases } from './http-edge-cases/upgrades.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { compareWays } from './support/conversation/compare-ways.ts';
import { play } from './support/conversation/play.ts';
import { type Protocol, Stage } from './support/conversation/stage.ts';
import type { EdgeCase } from './support/conversation/steps.ts';
import { type LanSite, startNginx } from './support/services/nginx.ts';

/**
 * HTTP through the whole product, compared byte by byte: what the visitor sends, what the LAN service receives, what
 * that answers, and what the visitor receives. After each case the services must receive a normal request next.
 */
const SITE = 'stage-nginx';

let stage: Stage;
let nginx: LanSite;

beforeAll(async () => {
  nginx = await startNginx({ directives: siteDirectives });
  stage = await Stage.open({ sites: { [SITE]: nginx.port } });
});

afterAll(async () => {
  await Promise.all([stage, nginx].map((part) => part?.[Symbol.asyncDispose]()));
});

beforeEach(() => saveLogOnFailure('http-edge-cases', stage.product.child));

const tables: Record<string, readonly EdgeCase[]> = {
  connections: connectionCases,
  framing: framingCases,
  timing: timingCases,
  requests: requestCases,
  'requests that are refused': refusalCases,
  answers: answerCases,
  upgrades: upgradeCases,
  'services that fail': failingServiceCases,
};

for (const [topic, cases] of Object.entries(tables)) {
  describe(topic, () => {
    for (const edgeCase of cases)
      for (const protocol of protocolsOf(edgeCase))
        test(`${protocol}: ${edgeCase.name}`, () => play(stage, protocol, edgeCase));
  });
}

describe('the same straight from nginx and through the product', () => {
  for (const { name, text, over } of siteRequests)
    for (const protocol of protocolsOf({ over: over ?? 'both' }))
      test(`${protocol}: ${name}`, () => compareWays(stage, { prefix: SITE, port: nginx.port }, { text, protocol }));
});

function protocolsOf({ over }: { over?: 'both' | Protocol }): Protocol[] {
  if (over === 'both') return ['HTTP/1.1', 'HTTP/2'];
  return [over ?? 'HTTP/1.1'];
}
