import { denialOf, type Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { judgeAccess } from './judge-access.ts';
import type { VisitorProof } from './visitor-proof.ts';

const wallClockMs = Date.parse('2026-11-16T12:00+08:00');
const anonymous = '203.0.113.7';
const proof: VisitorProof = { mappingId: 1, verificationId: 5, expiresAtMs: wallClockMs + 1 };

function entryOf(route: Partial<Route>) {
  const owner = { device: testDevice(createAgentKey(), { 'nas.localhost': 80 }, route) };
  return { route: owner.device.routes[0]!, owner }; // testDevice makes one route for each host
}

test('a public mapping lets everyone in, without looking at any proof', () => {
  const facts = {
    address: anonymous,
    proof: () => {
      throw new Error('looked at');
    },
  };
  expect(judgeAccess(entryOf({ policy: 'public' }), facts, wallClockMs)).toMatchObject({ ok: true });
});

test('a visitor who could have shown a proof stays when a public mapping becomes one for verified visitors', () => {
  let looks = 0;
  const judge = (shown: VisitorProof | undefined) => {
    const proofOnce = () => {
      looks++;
      return shown;
    };
    const judgement = judgeAccess(entryOf({ policy: 'public' }), { address: anonymous, proof: proofOnce }, wallClockMs);
    if (!judgement.ok) throw new Error('a public mapping lets everyone in');
    return judgement.grant;
  };
  const [verified, unknown] = [judge(proof), judge(undefined)];
  const gated = entryOf({ policy: 'owner' });
  expect([denialOf(gated, verified, wallClockMs), denialOf(gated, unknown, wallClockMs)]).toEqual([
    undefined,
    'needs-verification',
  ]);
  expect(denialOf(gated, unknown, wallClockMs)).toBe('needs-verification');
  expect(looks).toBe(2);
});
