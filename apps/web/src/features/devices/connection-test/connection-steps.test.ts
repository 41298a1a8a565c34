import { ConnectionStep } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { connectionSteps, stepStatuses } from './connection-steps.ts';

const statusesOf = (...input: Parameters<typeof stepStatuses>) => stepStatuses(...input).map(({ status }) => status);

test('the steps are those of the contract, in its order, and none is forgotten', () => {
  const kinds = Object.values(connectionSteps);
  for (const steps of kinds) expect(steps).toEqual(ConnectionStep.options.filter((step) => steps.includes(step)));
  expect(new Set(kinds.flat())).toEqual(new Set(ConnectionStep.options));
});

test('a port has no step that only web pages have', () => {
  expect(stepStatuses('tcp', { ok: true, step: 'tcp' }).at(-1)).toEqual({ step: 'tcp', status: 'finish' });
  expect(stepStatuses('udp', { ok: false, step: 'udp' }).at(-1)).toEqual({ step: 'udp', status: 'error' });
});

test('steps before the failed one passed, those after it wait', () => {
  expect(statusesOf('https', { ok: false, step: 'tcp' })).toEqual([
    'finish',
    'finish',
    'finish',
    'finish',
    'error',
    'wait',
    'wait',
    'wait',
  ]);
});

test('a service without TLS skips that step', () => {
  expect(statusesOf('http', { ok: true, step: 'visit' }).toSpliced(5, 1)).toEqual(Array(7).fill('finish'));
  expect(statusesOf('http', { ok: true, step: 'http' })[5]).toBe('skipped');
});
