import { createHmac } from 'node:crypto';
import { startReceiver, type Received, type Receiver } from './receiver.ts';

/** The keys and secrets that these fake servers accept. Their responses are those of the providers' documentation. */
export const robotSecret = 'SEC0123456789abcdef';
export const wecomKey = '693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa';
export const dingtalkToken = '566cc69da782ec33';
export const feishuHook = 'bd8f1a0c-7c15-4f5a';
export const barkKey = 'ynJ5Ft4atkMkWeo2PAvFhF';
export const sendKey = 'SCT1234567890abcdef';
export const webhookSecret = 'whsec-tongtu';

const AN_HOUR_MS = 3_600_000;

/** 企业微信 */
export async function startFakeWecom(): Promise<Receiver> {
  return await startReceiver(({ path, query, body }) => {
    if (path !== '/cgi-bin/webhook/send' || query.get('key') !== wecomKey) {
      return json({ errcode: 93000, errmsg: 'invalid webhook url' });
    }
    const { msgtype, text } = JSON.parse(body) as { msgtype: string; text: { content: string } };
    const isRight = msgtype === 'text' && Buffer.byteLength(text.content) <= 2048;
    return json(isRight ? { errcode: 0, errmsg: 'ok' } : { errcode: 40058, errmsg: 'invalid request parameter' });
  });
}

/** 钉钉, with 加签 */
export async function startFakeDingtalk(): Promise<Receiver> {
  return await startReceiver(({ path, query }) => {
    if (path !== '/robot/send' || query.get('access_token') !== dingtalkToken) {
      return json({ errcode: 300001, errmsg: 'token is not exist' });
    }
    const timestamp = query.get('timestamp') ?? '';
    const sign = createHmac('sha256', robotSecret).update(`${timestamp}\n${robotSecret}`).digest('base64');
    const isFresh = Math.abs(Date.now() - Number(timestamp)) < AN_HOUR_MS;
    const isSigned = isFresh && query.get('sign') === sign;
    return json(isSigned ? { errcode: 0, errmsg: 'ok' } : { errcode: 310000, errmsg: 'sign not match' });
  });
}

/** 飞书, with 签名校验 */
export async function startFakeFeishu(): Promise<Receiver> {
  return await startReceiver(({ path, body }) => {
    if (path !== `/open-apis/bot/v2/hook/${feishuHook}`) {
      return json({ code: 19001, msg: 'param invalid: incoming webhook access token invalid' }, 400);
    }
    const { timestamp, sign, msg_type, content } = JSON.parse(body) as Record<string, unknown>;
    const expected = createHmac('sha256', `${String(timestamp)}\n${robotSecret}`).digest('base64');
    const isFresh = Math.abs(Date.now() - Number(timestamp) * 1000) < AN_HOUR_MS;
    if (!isFresh || sign !== expected)
      return json({ code: 19021, msg: 'sign match fail or timestamp is not within one hour' });
    const isRight = msg_type === 'text' && typeof Object(content).text === 'string';
    return json(isRight ? { code: 0, msg: 'success', data: {} } : { code: 9499, msg: 'Bad Request' });
  });
}

/** Bark */
export async function startFakeBark(): Promise<Receiver> {
  return await startReceiver(({ path, body }) => {
    if (!path.endsWith('/push')) return json({ code: 404, message: 'not found' }, 404);
    const { device_key } = JSON.parse(body) as { device_key: string };
    if (device_key === barkKey) return json({ code: 200, message: 'success', timestamp: 1 });
    return json({ code: 400, message: 'failed to get device token: no record' }, 400);
  });
}

/** Server酱 */
export async function startFakeServerchan(): Promise<Receiver> {
  return await startReceiver(({ path, body }) => {
    if (path !== `/${sendKey}.send`) return json({ code: 40001, message: '[AUTH]错误的Key' }, 400);
    const form = new URLSearchParams(body);
    const isRight = [...(form.get('title') ?? '')].length <= 32 && form.get('desp') !== null;
    return json(
      isRight ? { code: 0, message: '', data: { errno: 0 } } : { code: 40001, message: '[INPUT]' },
      isRight ? 200 : 400,
    );
  });
}

/** A receiver that checks the signature as docs/alerts.md describes it. */
export async function startFakeWebhook(): Promise<Receiver> {
  return await startReceiver((message) => ({ status: isSigned(message) ? 204 : 401 }));
}

function isSigned({ headers, body }: Received): boolean {
  const [, seconds = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-tongtu-signature'])) ?? [];
  const expected = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
  return signature === expected && Math.abs(Date.now() - Number(seconds) * 1000) < 5 * 60_000;
}

function json(body: object, status = 200): { status: number; body: string } {
  return { status, body: JSON.stringify(body) };
}
