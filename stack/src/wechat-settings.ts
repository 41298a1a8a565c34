import type { WechatConfig } from '@tongtu/server';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

/** Without the slash at its end. */
const webUrl = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `必须是 http:// 或 https:// 开头的地址，例如 ${example}` })
    .transform((url) => url.replace(/\/+$/, ''))
    .default(example);

/** The variables for login by WeChat. */
export const wechatVariables = {
  WECHAT_APP_ID: z
    .string()
    .regex(/^\w{1,64}$/, '必须是公众号的 AppID')
    .optional()
    .describe(
      '微信登录：已认证服务号的 AppID，与 WECHAT_APP_SECRET 一起设置；公众号后台的“网页授权域名”须为 PUBLIC_URL 的域名。不设则没有微信登录',
    ),
  WECHAT_APP_SECRET: z
    .string()
    .max(128)
    .optional()
    .describe('公众号的 AppSecret；须把服务器的公网 IP 加入公众号的 IP 白名单'),
  WECHAT_OPEN_URL: webUrl('https://open.weixin.qq.com').describe('微信授权页面的地址'),
  WECHAT_API_URL: webUrl('https://api.weixin.qq.com').describe('微信接口的地址'),
  WECHAT_STAND_IN: z
    .enum(['off', 'on'])
    .optional()
    .describe(
      '`on`：没有配置微信时，用本机的替身模拟微信，任何人都可以冒充任何人，仅供开发；NODE_ENV=development 时默认开启，NODE_ENV=production 时不能开启',
    ),
};

type WechatVariables = z.output<z.ZodObject<typeof wechatVariables>>;

/** How people log in by WeChat; undefined: they do not. `nodeEnv` is NODE_ENV. Throws OperatorError for what does not fit together. */
export function readWechat(values: WechatVariables, nodeEnv: string | undefined): WechatConfig | undefined {
  const { WECHAT_APP_ID: appId, WECHAT_APP_SECRET: appSecret } = values;
  if ((appId === undefined) !== (appSecret === undefined)) {
    throw new OperatorError('WECHAT_APP_ID 和 WECHAT_APP_SECRET 必须同时设置');
  }
  const wantsStandIn = (values.WECHAT_STAND_IN ?? (nodeEnv === 'development' ? 'on' : 'off')) === 'on';
  if (wantsStandIn && nodeEnv === 'production') {
    throw new OperatorError('NODE_ENV=production 时不能设置 WECHAT_STAND_IN=on');
  }
  if (appId !== undefined && appSecret !== undefined) {
    return { type: 'app', appId, appSecret, openUrl: values.WECHAT_OPEN_URL, apiUrl: values.WECHAT_API_URL };
  }
  return wantsStandIn ? { type: 'stand-in' } : undefined;
}
