import { isIP } from 'node:net';
import path from 'node:path';
import type { WebRules } from '@tongtu/relay';
import { z } from 'zod';
import type { CertificateFiles } from '../certificates.ts';
import { OperatorError } from '../operator-error.ts';
import { wholeNumber } from './whole-number.ts';

const secondsRule = '必须是 0 到 63072000（两年）之间的整数，单位秒';
const proxiesRule = '必须是 IP 地址或网段，不能是全部地址（/0），用逗号分隔，例如 127.0.0.1,10.0.0.0/8';
const HTTPS_PORT = 443;

/** The variables for HTTPS. */
export const webVariables = {
  TLS_CERT_FILE: z.string().optional().describe('HTTPS 证书链（PEM）；更换文件后自动生效'),
  TLS_KEY_FILE: z.string().optional().describe('HTTPS 私钥（PEM），与 TLS_CERT_FILE 一起设置'),
  TLS_CERTS_DIR: z
    .string()
    .optional()
    .describe('更多证书的目录：每张证书为 NAME.crt（或 NAME.pem）与 NAME.key，按域名自动选用，增删改后自动生效'),
  HTTPS_REDIRECT: z
    .enum(['off', 'on'])
    .default('off')
    .describe('`on`：把 HTTP 访问转到 HTTPS（308）；localhost、IP 地址和证书验证路径除外'),
  HSTS_SECONDS: wholeNumber({ from: 0, to: 63_072_000, rule: secondsRule })
    .optional()
    .describe(
      '让浏览器在这么多秒内只用 HTTPS 访问（HSTS）。不设置：HTTPS 对外端口为 443、且控制台的证书受浏览器信任时，仅对控制台启用，不超过证书的剩余有效期和半年；`0`：不启用，并让浏览器忘掉以前的设置；其他值要求 HTTPS 对外端口为 443',
    ),
  HSTS_SCOPE: z
    .enum(['relay', 'all'])
    .default('relay')
    .describe(
      'HSTS 的范围。`relay`：控制台，以及 BASE_DOMAIN 之下由本服务显示的页面；`all`：还包括自有域名和设备自己的回应',
    ),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine((entries) => entries.every(isNetwork), proxiesRule)
    .default([])
    .describe(
      '放在本服务前面的反向代理的 IP 地址或网段，用逗号分隔；只有它们的 X-Forwarded-For 和 X-Forwarded-Proto 会被采信，其他来源的会被丢弃',
    ),
};

/** An address, or a range smaller than all addresses. */
function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

type WebVariables = z.output<z.ZodObject<typeof webVariables>>;

/** Throws OperatorError for a certificate without its key. */
export function readCertificateFiles(values: WebVariables): CertificateFiles {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_CERTS_DIR: folder } = values;
  if ((cert === undefined) !== (key === undefined)) {
    throw new OperatorError('TLS_CERT_FILE 和 TLS_KEY_FILE 必须同时设置');
  }
  return {
    pairs: cert === undefined || key === undefined ? [] : [{ cert: path.resolve(cert), key: path.resolve(key) }],
    folder: folder === undefined ? undefined : path.resolve(folder),
  };
}

/** Throws OperatorError when HSTS would lead browsers to a port without https. */
export function readWebRules(
  values: WebVariables,
  stack: { baseDomain: string; publicUrl: string | undefined; tlsPort: number },
): WebRules {
  const publicTlsPort = tlsPortOf(stack.publicUrl);
  // HSTS applies to all ports of a name. With another port it would turn http://NAME:8080 into https://NAME:8080.
  if ((values.HSTS_SECONDS ?? 0) > 0 && (publicTlsPort ?? stack.tlsPort) !== HTTPS_PORT) {
    throw new OperatorError(
      'HSTS_SECONDS 要求 HTTPS 的对外端口为 443：请设置 TLS_PORT=443，或把 PUBLIC_URL 设为不带端口的 https 地址',
    );
  }
  return {
    redirectsToHttps: values.HTTPS_REDIRECT === 'on',
    hstsSeconds: values.HSTS_SECONDS ?? 'auto',
    hstsScope: values.HSTS_SCOPE,
    ownDomains: [stack.baseDomain],
    publicTlsPort,
  };
}

function tlsPortOf(publicUrl: string | undefined): number | undefined {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (url?.protocol !== 'https:') return undefined;
  return url.port === '' ? HTTPS_PORT : Number(url.port);
}
