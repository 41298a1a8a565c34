import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** Numbers that no column of PostgreSQL's type `integer` gets, and where they go. */
const larger: Record<string, string> = {
  'body.bandwidth_bps': 'a bigint',
  'query.before': 'the id of a visit, a bigint',
  'query.after': 'the id of a visit, a bigint',
  'body.answer.dots.t': 'a time of the browser, which is not stored',
  'body.answer.trail.t': 'a time of the browser, which is not stored',
};

test('every number of a request fits the column it is for', () => {
  const found = parts().filter(({ schema }) => schema.type === 'integer' || schema.type === 'number');
  expect(found.length).toBeGreaterThan(100);
  const outside = found.filter(({ name, schema }) => !(name in larger || isNamed(schema) || fits(schema)));
  expect(outside.map(({ key, name }) => `${key} ${name}`)).toEqual([]);
});

test('every list of a request has a limit', () => {
  const lists = parts().filter(({ schema }) => schema.type === 'array');
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter(({ schema }) => schema.maxItems === undefined).map(({ key, name }) => `${key} ${name}`)).toEqual(
    [],
  );
});

/** Whether the schema lists all values. */
function isNamed({ const: only, enum: some }: Schema): boolean {
  return only !== undefined || some !== undefined;
}

/** In the draft of JSON Schema that zod writes, an exclusive limit is a number. */
function fits({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): boolean {
  const low = Number(minimum ?? exclusiveMinimum ?? -Infinity);
  const high = Number(maximum ?? exclusiveMaximum ?? Infinity);
  return low >= -2_147_483_648 && high <= 2_147_483_647;
}

/** All schemas inside the requests of all calls: of each number, text, list and object, as it is given. */
function parts(): { key: string; name: string; schema: Schema }[] {
  return Object.entries<Endpoint>(endpoints).flatMap(([key, endpoint]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part];
      // As output: what a query is read into. Its input is text.
      return schema === undefined
        ? []
        : within(part, z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })).map((inner) => ({
            key,
            ...inner,
          }));
    }),
  );
}

function within(name: string, schema: Schema): { name: string; schema: Schema }[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])] as Schema[];
  const items = schema.items === undefined || typeof schema.items === 'boolean' ? [] : [schema.items as Schema];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return [
    { name, schema },
    ...[...branches, ...items].flatMap((inner) => within(name, inner)),
    ...fields.flatMap(([field, inner]) => within(`${name}.${field}`, inner)),
  ];
}
