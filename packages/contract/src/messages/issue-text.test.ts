import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { optionSchemas } from '../mappings/mappings.ts';
import { fieldMessages, isFieldMessage } from './field-messages.ts';
import { issueText } from './issue-text.ts';
import type { Language } from './localized-text.ts';

function textsOf(schema: z.ZodType, input: unknown, language: Language = 'zh'): string[] {
  const error = (issue: z.core.$ZodRawIssue): string => issueText(issue)[language];
  const messages = (z.safeParse(schema, input, { error }).error?.issues ?? []).map(({ message }) => message);
  return messages.map((message) => (isFieldMessage(message) ? fieldMessages[message][language] : message));
}

const pair = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);

test.each<[string, z.ZodType, unknown, string]>([
  ['nothing for text', z.string(), undefined, '此项必填'],
  ['nothing for an option', z.enum(['a']), undefined, '此项必填'],
  ['nothing for one of two shapes', z.union([z.string(), z.number()]), undefined, '此项必填'],
  ['null for text', z.string(), null, '此项不能为空'],
  ['null for an option', z.enum(['a']), null, '此项不能为空'],
  ['a number for text', z.string(), 5, '请填写文字'],
  ['text for a number', z.number(), '5', '请填写数字'],
  ['a fraction for a whole number', z.number().int(), 1.5, '请填写整数'],
  ['text for yes or no', z.boolean(), 'yes', '只能是 true 或 false'],
  ['an object for a list', z.array(z.string()), {}, '请填写列表'],
  ['a list for an object', z.object({}), [], '请填写一组字段'],
  ['text for a record', z.record(z.string(), z.string()), 'x', '请填写一组字段'],
  ['text for a date', z.date(), 'x', '格式不正确'],
  ['too long a text', z.string().max(256), 'x'.repeat(257), '不能超过 256 个字符'],
  ['too short a text', z.string().min(4), 'x', '至少 4 个字符'],
  ['an empty text', z.string().min(1), '', '不能为空'],
  ['a text of another length', z.string().length(6), 'x', '必须是 6 个字符'],
  ['a text longer than its one length', z.string().length(1), 'xx', '必须是 1 个字符'],
  ['too many of a list', z.array(z.number()).max(1), [1, 2], '不能超过 1 项'],
  ['too few of a list', z.array(z.number()).min(2), [1], '至少 2 项'],
  ['an empty list', z.array(z.number()).min(1), [], '不能为空'],
  ['too large a number', z.number().max(9), 10, '不能大于 9'],
  ['a number not below', z.number().lt(9), 9, '必须小于 9'],
  ['too small a number', z.number().min(1), 0, '不能小于 1'],
  ['a number not above', z.number().positive(), 0, '必须大于 0'],
  ['a number that no double holds', z.number().int(), 2 ** 60, '不能大于 9007199254740991'],
  ['a number off its step', z.number().multipleOf(5), 7, '必须是 5 的倍数'],
  ['another option', z.enum(['owner', 'public']), 'x', '只能是以下之一：owner、public'],
  ['another than the one value', z.literal(true), false, '只能是 true'],
  ['another value, where nothing is one', z.literal(['', 'a']), 'x', '只能是以下之一：空、a'],
  ['days that are not offered', optionSchemas.visitLogDays, 5, '只能是以下之一：0、1、7、30'],
  ['neither of two shapes', z.union([z.string(), z.number()]), true, '内容不正确'],
  ['no shape of that name', pair, { kind: 'c' }, '内容不正确'],
  ['a wrong e-mail address', z.email(), 'x', '请输入正确的邮箱地址'],
  ['a wrong URL', z.url(), 'x', '请输入正确的网址，例如 https://example.com/'],
  ['a wrong moment', z.iso.datetime(), 'x', '请输入正确的时间，例如 2026-01-31T08:30:00Z'],
  ['a wrong day', z.iso.date(), 'x', '请输入正确的日期，例如 2026-01-31'],
  ['a wrong time of day', z.iso.time(), 'x', '请输入正确的时刻，例如 08:30:00'],
  ['a wrong IPv4 address', z.ipv4(), 'x', '请输入正确的 IP 地址，例如 203.0.113.7'],
  ['a wrong IPv6 address', z.ipv6(), 'x', '请输入正确的 IP 地址，例如 2001:db8::7'],
  ['a wrong IPv4 range', z.cidrv4(), 'x', '请输入正确的网段，例如 203.0.113.0/24'],
  ['a wrong IPv6 range', z.cidrv6(), 'x', '请输入正确的网段，例如 2001:db8::/32'],
  ['what an expression does not match', z.string().regex(/^a$/), 'x', '格式不正确'],
  ['a field too many', z.strictObject({}), { a: 1 }, '没有这个字段'],
  ['a wrong name of a field', z.record(z.email(), z.string()), { a: 'x' }, '字段名不正确'],
  ['a wrong key of a map', z.map(z.string(), z.string()), new Map([[1, 'x']]), '请填写文字'],
  ['what a rule without words refuses', z.string().refine(() => false), 'x', '内容不正确'],
])('%s gets a sentence', (_what, schema, input, sentence) => {
  expect(textsOf(schema, input)).toEqual([sentence]);
});

test.each<[string, z.ZodType, unknown, string]>([
  ['nothing for text', z.string(), undefined, 'This is required'],
  ['a number for text', z.string(), 5, 'A string is needed'],
  ['too long a text', z.string().max(256), 'x'.repeat(257), 'At most 256 characters'],
  ['a text of another length', z.string().length(1), 'xx', 'Must be 1 character'],
  ['too few of a list', z.array(z.number()).min(2), [1], 'At least 2 items'],
  ['too large a number', z.number().max(9), 10, 'Must be at most 9'],
  ['another option', z.enum(['owner', 'public']), 'x', 'Must be one of: owner, public'],
  ['another than the one value', z.literal(true), false, 'Must be true'],
  ['a wrong URL', z.url(), 'x', 'Enter a valid URL, such as https://example.com/'],
  ['a field too many', z.strictObject({}), { a: 1 }, 'There is no such field'],
])('%s is answered in English', (_what, schema, input, sentence) => {
  expect(textsOf(schema, input, 'en')).toEqual([sentence]);
});

const wrongValues = [undefined, null, true, 1.5, -1, 1e18, '', 'x'.repeat(100_000), '\u0000', [], [null], [['x']], {}];
const zodsOwn = /期望|接收|无效|数值|包含无效|string|number|<=|>=|[a-z]+\(|Invalid|expected/;

/** The issues of every call's schemas for many kinds of invalid input. */
function allTexts(language: Language): string[] {
  const texts = new Set<string>();
  for (const { body, query, params } of Object.values<Endpoint>(endpoints)) {
    for (const schema of [body, query, params].filter((part) => part !== undefined)) {
      const names = Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {});
      for (const wrong of wrongValues) {
        const whole = Object.fromEntries(names.map((name) => [name, wrong]));
        for (const input of [whole, wrong]) for (const text of textsOf(schema, input, language)) texts.add(text);
      }
    }
  }
  return [...texts];
}

test('no call answers with a message of zod’s own', () => {
  const texts = allTexts('zh');
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => !/\p{Script=Han}/u.test(text) || zodsOwn.test(text))).toEqual([]);
});

test('no call says in Chinese what is wrong to a client that asks for English', () => {
  const texts = allTexts('en');
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => !/^[A-Z][\x20-\x7e]+$/.test(text) || /Invalid|expected|<=|>=/.test(text))).toEqual([]);
});
