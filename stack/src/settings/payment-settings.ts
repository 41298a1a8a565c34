import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { isHttps, webUrl } from './web-url.ts';

const ALIPAY_GATEWAY = 'https://openapi.alipay.com/gateway.do';
const WECHATPAY_API = 'https://api.mch.weixin.qq.com';
const usualAddresses = { ALIPAY_GATEWAY_URL: ALIPAY_GATEWAY, WECHATPAY_API_URL: WECHATPAY_API };

/** The variables for payments by Alipay and WeChat Pay. */
export const paymentVariables = {
  ALIPAY_APP_ID: z
    .string()
    .regex(/^\d{10,32}$/, '必须是支付宝应用的 AppID，只含数字，例如 2021000000000001')
    .optional()
    .describe('支付宝收款：开放平台应用的 AppID，应用须已签约“当面付”，见 docs/payments.md；不设则不能用支付宝付款'),
  ALIPAY_SELLER_ID: z
    .string()
    .regex(/^2088\d{12}$/, '必须是 2088 开头的 16 位商户 PID，例如 2088000000000001')
    .optional()
    .describe('支付宝商户的 PID，2088 开头；收款方不是它的通知会被拒绝'),
  ALIPAY_PRIVATE_KEY_FILE: z.string().optional().describe('应用私钥的文件（PEM，或密钥工具生成的文本），RSA 2048 位'),
  ALIPAY_PUBLIC_KEY_FILE: z
    .string()
    .optional()
    .describe('支付宝公钥的文件（PEM 或文本）；是开放平台上显示的“支付宝公钥”，不是应用公钥'),
  ALIPAY_GATEWAY_URL: webUrl(ALIPAY_GATEWAY)
    .default(ALIPAY_GATEWAY)
    .describe('支付宝网关；沙箱为 https://openapi-sandbox.dl.alipaydev.com/gateway.do'),
  WECHATPAY_MERCHANT_ID: z
    .string()
    .regex(/^\d{8,10}$/, '必须是微信支付的商户号，只含数字，例如 1900000001')
    .optional()
    .describe('微信支付收款：商户号，须已开通“Native 支付”，见 docs/payments.md；不设则不能用微信付款'),
  WECHATPAY_APP_ID: z
    .string()
    .regex(/^wx\w{1,62}$/, '必须是 wx 开头的 AppID，例如 wx0123456789abcdef')
    .optional()
    .describe('与商户号绑定的公众号、小程序或应用的 AppID'),
  WECHATPAY_PRIVATE_KEY_FILE: z.string().optional().describe('商户 API 证书的私钥文件 apiclient_key.pem'),
  WECHATPAY_CERTIFICATE_SERIAL: z
    .string()
    .toUpperCase()
    .regex(/^[0-9A-F]{16,64}$/, '必须是十六进制的证书序列号')
    .optional()
    .describe('商户 API 证书的序列号，在商户平台的“API 安全”中查看'),
  WECHATPAY_API_V3_KEY: z
    .string()
    .regex(/^[!-~]{32}$/, '必须是 32 个字母、数字或符号')
    .optional()
    .describe('APIv3 密钥，32 个字符'),
  WECHATPAY_PUBLIC_KEY_ID: z
    .string()
    .regex(/^PUB_KEY_ID_\w{1,80}$/, '必须是 PUB_KEY_ID_ 开头的公钥 ID')
    .optional()
    .describe('微信支付公钥的 ID，PUB_KEY_ID_ 开头；不设则使用自动下载的平台证书'),
  WECHATPAY_PUBLIC_KEY_FILE: z
    .string()
    .optional()
    .describe('微信支付公钥的文件 pub_key.pem，与 WECHATPAY_PUBLIC_KEY_ID 一起设置'),
  WECHATPAY_API_URL: webUrl(WECHATPAY_API)
    .default(WECHATPAY_API)
    .describe('微信支付接口的地址；备用地址为 https://api2.mch.weixin.qq.com'),
  PAYMENT_FAKE: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      '`on`：允许付款接口使用 http 地址，用于 npm run fake-payments 启动的替身，任何人不付钱都能买到套餐，仅供开发；NODE_ENV=production 时不能开启',
    ),
};

type PaymentVariables = z.output<z.ZodObject<typeof paymentVariables>>;

type AlipaySettings = {
  appId: string;
  sellerId: string;
  privateKeyFile: string;
  publicKeyFile: string;
  gatewayUrl: string;
};

type WechatPaySettings = {
  merchantId: string;
  appId: string;
  privateKeyFile: string;
  certificateSerial: string;
  apiV3Key: string;
  publicKey: { id: string; file: string } | undefined;
  apiUrl: string;
};

/** The payment services that are set up, before their key files are read. */
export type PaymentSettings = { alipay: AlipaySettings | undefined; wechat: WechatPaySettings | undefined };

type Surroundings = { /** NODE_ENV */ nodeEnv: string | undefined };

/** Nothing is set up while BILLING is off. Throws OperatorError for contradicting or incomplete settings. */
export function readPayments(
  values: PaymentVariables & { BILLING: 'off' | 'on'; PUBLIC_URL?: string | undefined },
  { nodeEnv }: Surroundings,
): PaymentSettings {
  const isFakeAllowed = values.PAYMENT_FAKE === 'on';
  if (isFakeAllowed && nodeEnv === 'production') {
    throw new OperatorError('NODE_ENV=production 时不能设置 PAYMENT_FAKE=on');
  }
  const settings = { alipay: readAlipay(values), wechat: readWechatPay(values) };
  for (const [name, usual] of Object.entries(usualAddresses)) {
    if (isHttps(values[name as keyof typeof usualAddresses]) || isFakeAllowed) continue;
    throw new OperatorError(`${name} 必须是 https:// 开头的地址，例如 ${usual}`);
  }
  if (values.BILLING === 'off') return { alipay: undefined, wechat: undefined };
  const isUsed = settings.alipay !== undefined || settings.wechat !== undefined;
  if (isUsed && !isFakeAllowed && values.PUBLIC_URL === undefined) {
    throw new OperatorError('使用支付宝或微信支付收款需要设置 PUBLIC_URL：付款的通知会发到那里');
  }
  return settings;
}

function readAlipay(values: PaymentVariables): AlipaySettings | undefined {
  const names = ['ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY_FILE', 'ALIPAY_PUBLIC_KEY_FILE'] as const;
  const given = readTogether(values, names);
  return (
    given && {
      appId: given.ALIPAY_APP_ID,
      sellerId: given.ALIPAY_SELLER_ID,
      privateKeyFile: given.ALIPAY_PRIVATE_KEY_FILE,
      publicKeyFile: given.ALIPAY_PUBLIC_KEY_FILE,
      gatewayUrl: values.ALIPAY_GATEWAY_URL,
    }
  );
}

function readWechatPay(values: PaymentVariables): WechatPaySettings | undefined {
  const given = readTogether(values, [
    'WECHATPAY_MERCHANT_ID',
    'WECHATPAY_APP_ID',
    'WECHATPAY_PRIVATE_KEY_FILE',
    'WECHATPAY_CERTIFICATE_SERIAL',
    'WECHATPAY_API_V3_KEY',
  ]);
  const publicKey = readTogether(values, ['WECHATPAY_PUBLIC_KEY_ID', 'WECHATPAY_PUBLIC_KEY_FILE']);
  if (!given) {
    if (publicKey) throw new OperatorError('设置 WECHATPAY_PUBLIC_KEY_ID 还需要设置 WECHATPAY_MERCHANT_ID');
    return undefined;
  }
  return {
    merchantId: given.WECHATPAY_MERCHANT_ID,
    appId: given.WECHATPAY_APP_ID,
    privateKeyFile: given.WECHATPAY_PRIVATE_KEY_FILE,
    certificateSerial: given.WECHATPAY_CERTIFICATE_SERIAL,
    apiV3Key: given.WECHATPAY_API_V3_KEY,
    publicKey: publicKey && { id: publicKey.WECHATPAY_PUBLIC_KEY_ID, file: publicKey.WECHATPAY_PUBLIC_KEY_FILE },
    apiUrl: values.WECHATPAY_API_URL,
  };
}

/** Variables that make sense only together; undefined when none is set. */
function readTogether<Name extends keyof PaymentVariables>(
  values: PaymentVariables,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const given = names.filter((name) => values[name] !== undefined);
  if (given.length === 0) return undefined;
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new OperatorError(`设置 ${given.join('、')} 还需要设置 ${missing.join('、')}`);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Record<Name, string>; // all are set
}
