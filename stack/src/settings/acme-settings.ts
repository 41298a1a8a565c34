import { isIP } from 'node:net';
import { type AcmeConfig, isPublicName } from '@tongtu/server';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { readNeeded } from './read-needed.ts';

const resolverRule = '必须是名称服务器的 IP 地址，可带端口，用逗号分隔，例如 223.5.5.5,[2400:3200::1]:53';
const directoryRule = '必须是 https:// 开头的地址，例如 https://acme-v02.api.letsencrypt.org/directory';
const Resolvers = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.every(isResolver), resolverRule);

/** The variables for certificates that the product orders itself. */
export const acmeVariables = {
  ACME: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      '`on`：自动申请并续期 HTTPS 证书；开启即表示您同意证书颁发机构的服务条款。须使公网的 80 端口转到 PORT，并把 BASE_DOMAIN 设为自己的域名',
    ),
  ACME_DIRECTORY_URL: z
    .url({ protocol: /^https$/, error: directoryRule })
    .default('https://acme-v02.api.letsencrypt.org/directory')
    .describe('证书颁发机构的 ACME 目录地址；默认 Let’s Encrypt'),
  ACME_EMAIL: z.email('必须是邮箱地址，例如 admin@example.com').optional().describe('证书颁发机构可用来联系您的邮箱'),
  ACME_EAB_KID: z.string().optional().describe('外部账户绑定的标识，ZeroSSL、Google 等机构需要'),
  ACME_EAB_HMAC_KEY: z
    .string()
    .regex(/^[\w-]+={0,2}$/, '必须是 base64url 编码的密钥，只含字母、数字、- 和 _')
    .optional()
    .describe('外部账户绑定的密钥（base64url），与 ACME_EAB_KID 一起设置'),
  ACME_DNS: z
    .enum(['aliyun', 'tencent', 'cloudflare'])
    .optional()
    .describe('托管 BASE_DOMAIN 的域名服务商；设置后申请一张通配符证书，所有设备的地址都可用 HTTPS'),
  ACME_RESOLVERS: Resolvers.describe('检查解析时询问的名称服务器；不设则使用本机的，并直接询问域名的权威服务器'),
  ALIYUN_ACCESS_KEY_ID: z.string().optional().describe('ACME_DNS=aliyun：阿里云 AccessKey，需要云解析 DNS 的管理权限'),
  ALIYUN_ACCESS_KEY_SECRET: z.string().optional().describe('ACME_DNS=aliyun：AccessKey 的密钥'),
  TENCENTCLOUD_SECRET_ID: z.string().optional().describe('ACME_DNS=tencent：腾讯云 API 密钥，需要 DNSPod 的管理权限'),
  TENCENTCLOUD_SECRET_KEY: z.string().optional().describe('ACME_DNS=tencent：API 密钥的 SecretKey'),
  CLOUDFLARE_API_TOKEN: z
    .string()
    .optional()
    .describe('ACME_DNS=cloudflare：API 令牌，需要 Zone.Zone 读取和 Zone.DNS 编辑权限'),
};

type AcmeVariables = z.output<z.ZodObject<typeof acmeVariables>>;

/** How certificates are ordered; undefined when they are not. Throws OperatorError for contradicting settings. */
export function readAcme(
  values: AcmeVariables,
  stack: { baseDomain: string; hasOwnCertificate: boolean },
): AcmeConfig | undefined {
  const { ACME, ACME_DNS, ACME_EAB_KID: kid, ACME_EAB_HMAC_KEY: hmacKey } = values;
  if ((kid === undefined) !== (hmacKey === undefined)) {
    throw new OperatorError('ACME_EAB_KID 和 ACME_EAB_HMAC_KEY 必须同时设置');
  }
  if (ACME === 'off') {
    if (ACME_DNS === undefined) return undefined;
    throw new OperatorError('设置了 ACME_DNS，但没有开启自动申请证书：请同时设置 ACME=on');
  }
  if (!isPublicName(stack.baseDomain)) {
    throw new OperatorError(`ACME=on 需要把 BASE_DOMAIN 设为公网上的域名，现在是 ${stack.baseDomain}`);
  }
  if (ACME_DNS !== undefined && stack.hasOwnCertificate) {
    throw new OperatorError('TLS_CERT_FILE 和 ACME_DNS 都会提供控制台的证书，请只设置其中一种');
  }
  return {
    directoryUrl: values.ACME_DIRECTORY_URL,
    email: values.ACME_EMAIL ?? '',
    externalAccount: kid === undefined || hmacKey === undefined ? undefined : { kid, hmacKey },
    dns: ACME_DNS === undefined ? undefined : readDns(ACME_DNS, values),
    resolvers: values.ACME_RESOLVERS,
    ordersConsole: !stack.hasOwnCertificate,
  };
}

function readDns(provider: NonNullable<AcmeVariables['ACME_DNS']>, values: AcmeVariables): AcmeConfig['dns'] {
  const setting = `ACME_DNS=${provider}`;
  switch (provider) {
    case 'aliyun': {
      const needed = readNeeded(setting, values, ['ALIYUN_ACCESS_KEY_ID', 'ALIYUN_ACCESS_KEY_SECRET']);
      return {
        provider,
        accessKeyId: needed.ALIYUN_ACCESS_KEY_ID,
        accessKeySecret: needed.ALIYUN_ACCESS_KEY_SECRET,
      };
    }
    case 'tencent': {
      const needed = readNeeded(setting, values, ['TENCENTCLOUD_SECRET_ID', 'TENCENTCLOUD_SECRET_KEY']);
      return { provider, secretId: needed.TENCENTCLOUD_SECRET_ID, secretKey: needed.TENCENTCLOUD_SECRET_KEY };
    }
    case 'cloudflare':
      return { provider, apiToken: readNeeded(setting, values, ['CLOUDFLARE_API_TOKEN']).CLOUDFLARE_API_TOKEN };
  }
}

/** An address alone, `v4:port` or `[v6]:port`: what node:dns takes. */
function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  if (!match) return false;
  const port = Number(match[3]);
  return (match[1] === undefined ? isIP(match[2] ?? '') === 4 : isIP(match[1]) === 6) && port >= 1 && port <= 65_535;
}
