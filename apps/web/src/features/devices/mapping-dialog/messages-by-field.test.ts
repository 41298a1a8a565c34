import { expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { domainProofOf } from '../own-domain/domain-proof.ts';
import { messagesByField } from './messages-by-field.ts';

function refusal(code: string, fields: Record<string, string[]> = {}): ApiError {
  const more = { status: 422, detail: '', requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', code, fields, ...more });
}

test('a refusal stands at the field it is about, named by the server or by its code', () => {
  expect(messagesByField(refusal('request.invalid', { port: ['换一个'], hours: ['不对'] }))).toEqual([
    { name: 'publicPort', errors: ['换一个'] },
    { name: 'days', errors: ['不对'] },
  ]);
  expect(messagesByField(refusal('mapping.port-taken'))).toEqual([
    { name: 'publicPort', errors: ['这个端口已被使用，请换一个或留空自动分配'] },
  ]);
  expect(messagesByField(refusal('mapping.limit-reached'))).toEqual([]);
  expect(messagesByField(new Error('a bug'))).toEqual([]);
});

test('the record that proves a domain is taken out of the sentence, to be copied', () => {
  const error = refusal('mapping.domain-unproven', {
    custom_domain: ['请添加 TXT 记录', '_tongtu.nas.example.com TXT tongtu-verify=abc'],
  });
  expect(messagesByField(error)).toEqual([{ name: 'customDomain', errors: ['请添加 TXT 记录'] }]);
  expect(domainProofOf(error)).toEqual({ name: '_tongtu.nas.example.com', value: 'tongtu-verify=abc' });
  expect(domainProofOf(refusal('mapping.domain-taken', { custom_domain: ['已被使用'] }))).toBeUndefined();
  expect(domainProofOf(null)).toBeUndefined();
});
