import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

test('a call that wants proof says how it refuses, and no other call does', () => {
  const all = Object.entries<Endpoint>(endpoints);
  const wanting = all.filter(([, { confirmed }]) => confirmed !== undefined);
  const refusing = all.filter(([, { errors }]) => errors.includes('session.confirm-required'));
  expect(wanting).not.toEqual([]);
  expect(refusing).toEqual(wanting);
});

test('every field that needs a scope of its own is a field of a call that tokens may make', () => {
  const ruled = Object.values<Endpoint>(endpoints).filter(({ fieldScopes }) => fieldScopes !== undefined);
  expect(ruled).not.toEqual([]);
  for (const { scope, body, fieldScopes = {} } of ruled) {
    const { properties = {} } = z.toJSONSchema(body ?? z.never(), { io: 'input', unrepresentable: 'any' });
    expect(scope).toBeDefined();
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(fieldScopes)));
  }
});
