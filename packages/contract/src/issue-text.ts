import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const MALFORMED = '格式不正确';

const typeRules: Partial<Record<IssueOf<'invalid_type'>['expected'], string>> = {
  string: '请填写文字',
  number: '请填写数字',
  int: '请填写整数',
  boolean: '只能是 true 或 false',
  array: '请填写列表',
  object: '请填写一组字段',
  record: '请填写一组字段',
};

const formatRules: Partial<Record<IssueOf<'invalid_format'>['format'], string>> = {
  email: '请输入正确的邮箱地址',
  url: '请输入正确的网址，例如 https://example.com/',
  datetime: '请输入正确的时间，例如 2026-01-31T08:30:00Z',
  date: '请输入正确的日期，例如 2026-01-31',
  time: '请输入正确的时刻，例如 08:30:00',
  ipv4: '请输入正确的 IP 地址，例如 203.0.113.7',
  ipv6: '请输入正确的 IP 地址，例如 2001:db8::7',
  cidrv4: '请输入正确的网段，例如 203.0.113.0/24',
  cidrv6: '请输入正确的网段，例如 2001:db8::/32',
};

/** The sentence for whatever a schema has no words of its own for; zod's own Chinese is half English. */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return missingText(issue.input) ?? typeRules[issue.expected] ?? MALFORMED;
    case 'invalid_value':
      return missingText(issue.input) ?? optionsText(issue.values);
    case 'invalid_union':
      return missingText(issue.input) ?? '内容不正确';
    case 'too_big':
      return upperText(issue);
    case 'too_small':
      return lowerText(issue);
    case 'invalid_format':
      return formatRules[issue.format] ?? MALFORMED;
    case 'not_multiple_of':
      return `必须是 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return '没有这个字段';
    case 'invalid_key':
      return '字段名不正确';
    case 'invalid_element':
    case 'custom':
      return '内容不正确';
  }
}

function missingText(input: unknown): string | undefined {
  if (input === undefined) return '此项必填';
  return input === null ? '此项不能为空' : undefined;
}

function optionsText(values: IssueOf<'invalid_value'>['values']): string {
  const names = values.map((value) => (value === '' ? '空' : String(value)));
  return names.length === 1 ? `只能是 ${names[0]}` : `只能是以下之一：${names.join('、')}`;
}

function upperText({ origin, maximum, inclusive, exact }: IssueOf<'too_big'>): string {
  const unit = unitOf(origin);
  if (unit !== undefined) return exact ? `必须是 ${maximum} ${unit}` : `不能超过 ${maximum} ${unit}`;
  return inclusive === false ? `必须小于 ${maximum}` : `不能大于 ${maximum}`;
}

function lowerText({ origin, minimum, inclusive, exact }: IssueOf<'too_small'>): string {
  const unit = unitOf(origin);
  if (unit !== undefined) return exact ? `必须是 ${minimum} ${unit}` : atLeastText(Number(minimum), unit);
  return inclusive === false ? `必须大于 ${minimum}` : `不能小于 ${minimum}`;
}

function atLeastText(minimum: number, unit: string): string {
  return minimum === 1 ? '不能为空' : `至少 ${minimum} ${unit}`;
}

/** What a size counts; undefined for what is no size. */
function unitOf(origin: string): string | undefined {
  if (origin === 'string') return '个字符';
  return ['array', 'set', 'map', 'object'].includes(origin) ? '项' : undefined;
}
