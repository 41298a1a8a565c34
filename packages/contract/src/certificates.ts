import { z } from 'zod';
import { Timestamp } from './shared.ts';

/**
 * Why a certificate could not be had: what its owner, or the operator, reads and can do. The code is kept in the
 * database: rename it like you would rename a column.
 */
export const certificateProblems = {
  'name-unresolved': '域名没有解析到任何地址，请先添加解析记录；生效后会自动申请证书',
  'connection-failed': '证书颁发机构连不上这个域名，请检查解析记录，并确认公网的 80 端口能访问到本服务',
  'answer-wrong': '证书颁发机构访问这个域名时没有得到本服务的回答，请检查域名是否解析到本服务',
  'dns-lookup-failed': '证书颁发机构查询这个域名的解析时出错，请检查域名的解析设置',
  'caa-forbids': '域名的 CAA 记录不允许这家证书颁发机构签发，请修改或删除 CAA 记录',
  'rate-limited': '申请过于频繁，已达到证书颁发机构的限额，稍后会自动重试',
  'name-refused': '证书颁发机构不为这个域名签发证书，请换一个域名',
  'account-refused': '证书颁发机构不接受本服务的账户，请管理员检查 ACME_EMAIL 等设置',
  'authority-refused': '证书颁发机构拒绝了申请，稍后会自动重试',
  'authority-unreachable': '暂时连不上证书颁发机构，稍后会自动重试',
  'authority-slow': '证书颁发机构迟迟没有给出结果，稍后会自动重试',
  'dns-provider-refused': '域名服务商拒绝了添加解析记录，请管理员检查密钥和权限',
  'dns-provider-unreachable': '暂时连不上域名服务商，稍后会自动重试',
  'dns-zone-missing': '域名服务商的账号里没有这个域名，请管理员检查 ACME_DNS 的设置',
  'dns-not-propagated': '验证用的解析记录迟迟没有生效，稍后会自动重试',
  internal: '申请证书时出错，请管理员查看日志；稍后会自动重试',
} as const satisfies Record<string, string>;

export type CertificateProblem = keyof typeof certificateProblems;

/** True when the text names a problem of the catalogue. */
export function isCertificateProblem(text: string): text is CertificateProblem {
  return Object.hasOwn(certificateProblems, text);
}

/** How a domain of the user's own stands with its certificate. */
export const MappingCertificate = z.object({
  state: z.enum(['waiting', 'ready', 'failed']).describe('ready: visitors see a valid one'),
  not_after: Timestamp.nullable(),
  error: z.string().nullable().describe('why the last try failed; with `ready` it was a renewal'),
});
export type MappingCertificate = z.infer<typeof MappingCertificate>;
