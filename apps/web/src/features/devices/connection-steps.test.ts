import { ConnectionStep } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { connectionSteps, stepStatuses } from './connection-steps.ts';

const statusesOf = (...input: Parameters<typeof stepStatuses>) => stepStatuses(...input).map(({ status }) => status);

test('the steps are those of the contract, in its order', () => {
  expect(connectionSteps).toEqual(ConnectionStep.options);
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
  ]);
});

test('a service without TLS skips that step', () => {
  expect(statusesOf('http', { ok: true, step: 'http' }).toSpliced(5, 1)).toEqual(Array(6).fill('finish'));
  expect(statusesOf('http', { ok: true, step: 'http' })[5]).toBe('skipped');
});
