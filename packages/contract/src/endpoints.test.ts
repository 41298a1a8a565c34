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

test('a call for one role says how it refuses others, wants a login and takes no API token', () => {
  const all = Object.entries<Endpoint>(endpoints);
  const ruled = all.filter(([, { role }]) => role !== undefined);
  expect(ruled).not.toEqual([]);
  expect(all.filter(([, { errors }]) => errors.includes('session.forbidden'))).toEqual(ruled);
  for (const [key, { errors, scope }] of ruled) {
    expect(errors, key).toContain('session.required');
    expect(scope, key).toBeUndefined();
  }
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
