import type { z } from 'zod';
import type { LocalizedText } from './localized-text.ts';

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const malformed: LocalizedText = { zh: '格式不正确', en: 'The format is not valid' };
const wrong: LocalizedText = { zh: '内容不正确', en: 'The value is not valid' };
const fields: LocalizedText = { zh: '请填写一组字段', en: 'An object is needed' };

const typeRules: Partial<Record<IssueOf<'invalid_type'>['expected'], LocalizedText>> = {
  string: { zh: '请填写文字', en: 'A string is needed' },
  number: { zh: '请填写数字', en: 'A number is needed' },
  int: { zh: '请填写整数', en: 'A whole number is needed' },
  boolean: { zh: '只能是 true 或 false', en: 'Only true and false are allowed' },
  array: { zh: '请填写列表', en: 'A list is needed' },
  object: fields,
  record: fields,
};

const formatRules: Partial<Record<IssueOf<'invalid_format'>['format'], LocalizedText>> = {
  email: { zh: '请输入正确的邮箱地址', en: 'Enter a valid email address' },
  url: like('请输入正确的网址', 'Enter a valid URL', 'https://example.com/'),
  datetime: like('请输入正确的时间', 'Enter a valid time', '2026-01-31T08:30:00Z'),
  date: like('请输入正确的日期', 'Enter a valid date', '2026-01-31'),
  time: like('请输入正确的时刻', 'Enter a valid time of day', '08:30:00'),
  ipv4: like('请输入正确的 IP 地址', 'Enter a valid IP address', '203.0.113.7'),
  ipv6: like('请输入正确的 IP 地址', 'Enter a valid IP address', '2001:db8::7'),
  cidrv4: like('请输入正确的网段', 'Enter a valid range', '203.0.113.0/24'),
  cidrv6: like('请输入正确的网段', 'Enter a valid range', '2001:db8::/32'),
};

function like(zh: string, en: string, example: string): LocalizedText {
  return { zh: `${zh}，例如 ${example}`, en: `${en}, such as ${example}` };
}

/** The text for an issue without a message of its own. zod's Chinese texts are partly English. */
export function issueText(issue: Issue): LocalizedText {
  switch (issue.code) {
    case 'invalid_type':
      return missingText(issue.input) ?? typeRules[issue.expected] ?? malformed;
    case 'invalid_value':
      return missingText(issue.input) ?? optionsText(issue.values);
    case 'invalid_union':
      return missingText(issue.input) ?? wrong;
    case 'too_big':
      return upperText(issue);
    case 'too_small':
      return lowerText(issue);
    case 'invalid_format':
      return formatRules[issue.format] ?? malformed;
    case 'not_multiple_of':
      return { zh: `必须是 ${issue.divisor} 的倍数`, en: `Must be a multiple of ${issue.divisor}` };
    case 'unrecognized_keys':
      return { zh: '没有这个字段', en: 'There is no such field' };
    case 'invalid_key':
      return { zh: '字段名不正确', en: 'The name of the field is not valid' };
    case 'invalid_element':
    case 'custom':
      return wrong;
  }
}

function missingText(input: unknown): LocalizedText | undefined {
  if (input === undefined) return { zh: '此项必填', en: 'This is required' };
  return input === null ? { zh: '此项不能为空', en: 'This cannot be null' } : undefined;
}

function optionsText(values: IssueOf<'invalid_value'>['values']): LocalizedText {
  const named = (nothing: string): string[] => values.map((value) => (value === '' ? nothing : String(value)));
  const [zh, en] = [named('空'), named('empty')];
  return values.length === 1
    ? { zh: `只能是 ${zh[0]}`, en: `Must be ${en[0]}` }
    : { zh: `只能是以下之一：${zh.join('、')}`, en: `Must be one of: ${en.join(', ')}` };
}

function upperText({ origin, maximum, inclusive, exact }: IssueOf<'too_big'>): LocalizedText {
  const unit = unitOf(origin);
  if (unit !== undefined) {
    return exact
      ? exactText(maximum, unit)
      : { zh: `不能超过 ${maximum} ${unit.zh}`, en: `At most ${counted(maximum, unit)}` };
  }
  return inclusive === false
    ? { zh: `必须小于 ${maximum}`, en: `Must be less than ${maximum}` }
    : { zh: `不能大于 ${maximum}`, en: `Must be at most ${maximum}` };
}

function lowerText({ origin, minimum, inclusive, exact }: IssueOf<'too_small'>): LocalizedText {
  const unit = unitOf(origin);
  if (unit !== undefined) return exact ? exactText(minimum, unit) : atLeastText(minimum, unit);
  return inclusive === false
    ? { zh: `必须大于 ${minimum}`, en: `Must be greater than ${minimum}` }
    : { zh: `不能小于 ${minimum}`, en: `Must be at least ${minimum}` };
}

function exactText(size: number | bigint, unit: LocalizedText): LocalizedText {
  return { zh: `必须是 ${size} ${unit.zh}`, en: `Must be ${counted(size, unit)}` };
}

function atLeastText(minimum: number | bigint, unit: LocalizedText): LocalizedText {
  if (Number(minimum) === 1) return { zh: '不能为空', en: 'This cannot be empty' };
  return { zh: `至少 ${minimum} ${unit.zh}`, en: `At least ${counted(minimum, unit)}` };
}

function counted(size: number | bigint, unit: LocalizedText): string {
  return `${size} ${unit.en}${Number(size) === 1 ? '' : 's'}`;
}

/** The unit that a size is counted in; undefined where the value has no size. */
function unitOf(origin: string): LocalizedText | undefined {
  if (origin === 'string') return { zh: '个字符', en: 'character' };
  return ['array', 'set', 'map', 'object'].includes(origin) ? { zh: '项', en: 'item' } : undefined;
}
