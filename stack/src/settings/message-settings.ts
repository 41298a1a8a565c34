import type { MessageConfig } from '@tongtu/server';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { readNeeded } from './read-needed.ts';
import { wholeNumber } from './whole-number.ts';

const smsPerDayRule = '必须是 1 到 1000000 之间的整数';
const smtpRule =
  '必须是 smtp:// 或 smtps:// 开头的地址，例如 smtps://user:password@smtp.example.com:465，用户名和密码中的特殊字符须按 URL 编码';
const senderRule = '必须是邮箱地址，例如 noreply@example.com 或 通途 <noreply@example.com>';
const ADDRESS = String.raw`[^\s@<>]+@[^\s@<>]+`;
const SENDER = new RegExp(`^(${ADDRESS}|[^<>]*<${ADDRESS}>)$`);
const regionRule = '必须是国家或地区的电话区号，用逗号分隔，常用的在最前，例如 86,852';
const Regions = z
  .string()
  .default('86')
  .transform((text) => text.split(/[\s,+]+/).filter(Boolean))
  .refine((list) => list.length > 0 && list.every((region) => /^[1-9]\d{0,2}$/.test(region)), regionRule);

/** The variables for codes by SMS and mail, and for alerts. */
export const messageVariables = {
  SMS: z
    .enum(['off', 'aliyun', 'tencent'])
    .default('off')
    .describe(
      '发送短信验证码的服务商。`off`：没有手机登录。密钥与 ACME_DNS 共用：阿里云用 ALIYUN_*，腾讯云用 TENCENTCLOUD_*，需要短信服务的权限',
    ),
  SMS_SIGN_NAME: z.string().optional().describe('已审核通过的短信签名'),
  SMS_TEMPLATE: z
    .string()
    .optional()
    .describe('验证码短信的模板：阿里云为模板 CODE，变量名 code；腾讯云为模板 ID，一个变量'),
  SMS_TEMPLATE_ABROAD: z.string().optional().describe('发往中国大陆以外号码的模板；不设则与 SMS_TEMPLATE 相同'),
  SMS_APP_ID: z.string().optional().describe('SMS=tencent：短信应用的 SdkAppId'),
  SMS_REGION: z.string().default('ap-guangzhou').describe('SMS=tencent：短信服务的地域'),
  SMS_PER_DAY: wholeNumber({ from: 1, to: 1_000_000, rule: smsPerDayRule })
    .default(2000)
    .describe(
      '所有用户合计每 24 小时最多发送的短信条数，限制被人恶意消耗的费用；用完后不再发送，日志记录一行错误，密码、微信等其他登录方式不受影响',
    ),
  PHONE_REGIONS: Regions.describe('可以使用的手机号区号，用逗号分隔；第一个是不带区号的号码所属的'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: smtpRule })
    .optional()
    .describe(
      '发送邮件验证码的邮件服务器，例如 smtps://user:password@smtp.example.com:465，用户名和密码中的特殊字符须按 URL 编码；不设则不能绑定邮箱',
    ),
  SMTP_FROM: z
    .string()
    .max(300)
    .regex(SENDER, senderRule)
    .optional()
    .describe('发件人，例如 通途 <noreply@example.com>，与 SMTP_URL 一起设置'),
  ALERT_PRIVATE_ADDRESSES: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      '`on`：提醒（Webhook、Bark）也可以发到内网地址，例如局域网里自建的 Bark；所有用户都能借此访问服务器所在的内网，仅在信任所有用户时开启',
    ),
  DEVELOPMENT_CODES: z
    .enum(['off', 'on'])
    .optional()
    .describe(
      '`on`：没有配置短信或邮件时，验证码写入日志并显示在本机的 /dev/codes，仅供开发；NODE_ENV=development 时默认开启，NODE_ENV=production 时不能开启',
    ),
};

type MessageVariables = z.output<z.ZodObject<typeof messageVariables>>;
type CloudKeys = Partial<
  Record<
    'ALIYUN_ACCESS_KEY_ID' | 'ALIYUN_ACCESS_KEY_SECRET' | 'TENCENTCLOUD_SECRET_ID' | 'TENCENTCLOUD_SECRET_KEY',
    string | undefined
  >
>;
type Variables = MessageVariables & CloudKeys;

/** How codes and alerts are sent. `nodeEnv` is NODE_ENV. Throws OperatorError for contradicting settings. */
export function readMessages(values: Variables, nodeEnv: string | undefined): MessageConfig {
  const isDevelopment = (values.DEVELOPMENT_CODES ?? (nodeEnv === 'development' ? 'on' : 'off')) === 'on';
  if (isDevelopment && nodeEnv === 'production') {
    throw new OperatorError('NODE_ENV=production 时不能设置 DEVELOPMENT_CODES=on');
  }
  const development = isDevelopment ? ({ provider: 'development' } as const) : undefined;
  return {
    sms: readSms(values) ?? development,
    mail: readMail(values) ?? development,
    smsPerDay: values.SMS_PER_DAY,
    phoneRegions: values.PHONE_REGIONS,
    alertAddresses: values.ALERT_PRIVATE_ADDRESSES === 'on' ? 'any' : 'public',
  };
}

function readSms(values: Variables): MessageConfig['sms'] {
  const { SMS: provider, SMS_TEMPLATE_ABROAD: abroad } = values;
  switch (provider) {
    case 'off':
      return undefined;
    case 'aliyun': {
      const needed = readNeeded(`SMS=${provider}`, values, [
        ...textVariables,
        'ALIYUN_ACCESS_KEY_ID',
        'ALIYUN_ACCESS_KEY_SECRET',
      ]);
      return {
        provider,
        ...textsOf(needed, abroad),
        accessKeyId: needed.ALIYUN_ACCESS_KEY_ID,
        accessKeySecret: needed.ALIYUN_ACCESS_KEY_SECRET,
      };
    }
    case 'tencent': {
      const keys = ['TENCENTCLOUD_SECRET_ID', 'TENCENTCLOUD_SECRET_KEY', 'SMS_APP_ID'] as const;
      const needed = readNeeded(`SMS=${provider}`, values, [...textVariables, ...keys]);
      return {
        provider,
        ...textsOf(needed, abroad),
        secretId: needed.TENCENTCLOUD_SECRET_ID,
        secretKey: needed.TENCENTCLOUD_SECRET_KEY,
        appId: needed.SMS_APP_ID,
        region: values.SMS_REGION,
      };
    }
  }
}

const textVariables = ['SMS_SIGN_NAME', 'SMS_TEMPLATE'] as const;

function textsOf(needed: Record<(typeof textVariables)[number], string>, abroad: string | undefined) {
  const { SMS_SIGN_NAME: signName, SMS_TEMPLATE: template } = needed;
  return { signName, template, templateAbroad: abroad ?? template };
}

function readMail({ SMTP_URL: url, SMTP_FROM: from }: Variables): MessageConfig['mail'] {
  if ((url === undefined) !== (from === undefined)) throw new OperatorError('SMTP_URL 和 SMTP_FROM 必须同时设置');
  return url === undefined || from === undefined ? undefined : { provider: 'smtp', url, from };
}
