import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { objectText } from './object-text.ts';

test('the object is taken exactly as it stands, whatever it holds', () => {
  assert(
    property(jsonValue(), jsonValue(), (one, other) => {
      const text = JSON.stringify({ code: '10000', one, nested: { other } }, undefined, 1).replaceAll(
        '/',
        String.raw`\/`,
      );
      expect(objectText(`{ "x_response" : ${text},"sign":"a{b}c"}`, 'x_response')).toBe(text);
    }),
  );
});

test.for(['', '{}', '{"x_response"}', '{"x_response":"text"}', '{"x_response":{"a":"}"', '{"x_response":{"a":{}'])(
  '%j has no such object',
  (json) => {
    expect(objectText(json, 'x_response')).toBeUndefined();
  },
);
