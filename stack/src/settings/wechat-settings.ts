import type { WechatConfig } from '@tongtu/server';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { isHttps, webUrl } from './web-url.ts';

/** The variables for login by WeChat. */
export const wechatVariables = {
  WECHAT_APP_ID: z
    .string()
    .regex(/^\w{1,64}$/, '必须是公众号的 AppID，例如 wx0123456789abcdef')
    .optional()
    .describe(
      '微信登录：已认证服务号的 AppID，与 WECHAT_APP_SECRET 一起设置；公众号后台的“网页授权域名”须为 PUBLIC_URL 的域名。不设则没有微信登录',
    ),
  WECHAT_APP_SECRET: z
    .string()
    .max(128)
    .optional()
    .describe('公众号的 AppSecret；须把服务器的公网 IP 加入公众号的 IP 白名单'),
  WECHAT_OPEN_URL: webUrl('https://open.weixin.qq.com')
    .default('https://open.weixin.qq.com')
    .describe('微信授权页面的地址'),
  WECHAT_API_URL: webUrl('https://api.weixin.qq.com').default('https://api.weixin.qq.com').describe('微信接口的地址'),
  SSO_URL: webUrl('https://sso.example.com/sso')
    .optional()
    .describe(
      '使用另一台单点登录主机：它的地址，例如 https://sso.example.com/sso，与 SSO_SECRET 一起设置，见 docs/wechat.md；控制台会运行它的脚本，须完全信任它；控制台使用 https 时，它也必须使用 https。不设则由本服务自己提供微信登录',
    ),
  SSO_SECRET: z
    .string()
    .min(16, '至少 16 个字符')
    .max(256)
    .regex(/^[!-~]+$/, '不能含有空格或中文')
    .optional()
    .describe('SSO_URL：本服务向它换取用户身份时出示的密钥'),
  WECHAT_FAKE: z
    .enum(['off', 'on'])
    .optional()
    .describe(
      '`on`：没有配置微信时，用本机的替身模拟微信，任何人都可以冒充任何人，仅供开发；NODE_ENV=development 时默认开启，NODE_ENV=production 时不能开启',
    ),
};

type WechatVariables = z.output<z.ZodObject<typeof wechatVariables>>;

type Surroundings = { /** NODE_ENV */ nodeEnv: string | undefined; publicUrl: string | undefined };

/** How people log in by WeChat; undefined: they do not. Throws OperatorError for contradicting settings. */
export function readWechat(values: WechatVariables, { nodeEnv, publicUrl }: Surroundings): WechatConfig | undefined {
  const { WECHAT_APP_ID: appId, WECHAT_APP_SECRET: appSecret } = values;
  if ((appId === undefined) !== (appSecret === undefined)) {
    throw new OperatorError('WECHAT_APP_ID 和 WECHAT_APP_SECRET 必须同时设置');
  }
  const wantsFake = (values.WECHAT_FAKE ?? (nodeEnv === 'development' ? 'on' : 'off')) === 'on';
  if (wantsFake && nodeEnv === 'production') {
    throw new OperatorError('NODE_ENV=production 时不能设置 WECHAT_FAKE=on');
  }
  const otherHost = readOtherHost(values, publicUrl);
  if (otherHost !== undefined) {
    if (appId !== undefined) throw new OperatorError('SSO_URL 和 WECHAT_APP_ID 只能设置其中一个');
    return otherHost;
  }
  if (appId !== undefined && appSecret !== undefined) {
    return { type: 'app', appId, appSecret, openUrl: values.WECHAT_OPEN_URL, apiUrl: values.WECHAT_API_URL };
  }
  return wantsFake ? { type: 'fake' } : undefined;
}

function readOtherHost(values: WechatVariables, publicUrl: string | undefined): WechatConfig | undefined {
  const { SSO_URL: url, SSO_SECRET: secret } = values;
  if ((url === undefined) !== (secret === undefined)) throw new OperatorError('SSO_URL 和 SSO_SECRET 必须同时设置');
  if (url === undefined || secret === undefined) return undefined;
  if (publicUrl !== undefined && isHttps(publicUrl) && !isHttps(url)) {
    throw new OperatorError(
      'PUBLIC_URL 使用 https 时，SSO_URL 也必须使用 https，否则浏览器会拦截它的脚本，微信登录无法使用',
    );
  }
  return { type: 'other-host', url, secret };
}
