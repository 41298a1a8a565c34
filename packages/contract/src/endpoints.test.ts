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

test('every rule that JSON Schema cannot say is said in a description', () => {
  const silent: string[] = [];
  let ruled = 0;
  for (const [key, { params, query, body }] of Object.entries<Endpoint>(endpoints)) {
    for (const schema of [params, query, body]) {
      for (const part of schema === undefined ? [] : partsOf(schema)) {
        if (!hasOwnRule(part)) continue;
        ruled++;
        if (!part.description)
          silent.push(`${key}: ${JSON.stringify(z.toJSONSchema(part, { unrepresentable: 'any' }))}`);
      }
    }
  }
  expect(ruled).toBeGreaterThan(20);
  expect(silent).toEqual([]);
});

/** A schema and all schemas that it contains, at any depth. */
function partsOf(schema: z.core.$ZodType): z.ZodType[] {
  const parts = Object.values(schema._zod.def).flatMap((value: unknown) => schemasIn(value));
  return [schema as z.ZodType, ...parts.flatMap(partsOf)]; // the contract's schemas have zod's methods
}

function schemasIn(value: unknown): z.core.$ZodType[] {
  if (value instanceof z.core.$ZodType) return [value];
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  const isShape = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isShape ? Object.values(value).flatMap(schemasIn) : [];
}

/** Whether the schema has a check added by `refine` or `superRefine`. */
function hasOwnRule({ _zod }: z.ZodType): boolean {
  return _zod.def.checks?.some((check) => check._zod.def.check === 'custom') ?? false;
}
