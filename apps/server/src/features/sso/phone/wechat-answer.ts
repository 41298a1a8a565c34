import { z } from 'zod';
import { WechatError } from './wechat-error.ts';

const UnionId = z.string().min(1).optional();

export const WechatToken = z.object({
  access_token: z.string().min(1),
  openid: z.string().min(1).max(128),
  unionid: UnionId,
  is_snapshotuser: z.number().optional(),
});

export const WechatUser = z.object({ openid: z.string().min(1), nickname: z.string().default(''), unionid: UnionId });

const Failure = z.object({ errcode: z.number().int(), errmsg: z.string().default('') });

type WechatAnswer<Value> = { type: 'value'; value: Value } | { type: 'error'; errcode: number; errmsg: string };

/** WeChat answers 200 to everything, as text/plain; failures have an `errcode` other than 0. */
export function readWechatAnswer<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): WechatAnswer<z.output<Schema>> {
  const json = parseJson(text);
  const failure = Failure.safeParse(json);
  if (failure.success && failure.data.errcode !== 0) return { type: 'error', ...failure.data };
  const value = schema.safeParse(json);
  if (!value.success) throw new WechatError('refused', { cause: value.error });
  return { type: 'value', value: value.data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WechatError('busy', { cause });
  }
}
