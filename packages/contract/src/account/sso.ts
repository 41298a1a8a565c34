import { z } from 'zod';

/** Created by the page: at least 128 random bits, base64url. The cookie must have the same value. */
export const SsoState = z.string().regex(/^[\w-]{22,64}$/);
/** Over https the page adds the prefix `__Host-`, so that a host of the same site cannot have set the cookie. */
export const SSO_STATE_COOKIE = 'sso_state';

/** A JSONP callback. Only a name is allowed, because it begins a script that the browser runs. */
export const SsoCallback = z.string().regex(/^[A-Za-z_$][\w$.]{0,63}$/);

/** The script's data of `…/wechat/login`. The code is for `POST /custom/login/` with `method: "wechat"`. */
export const SsoLogin = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('pending'),
    image: z.string().describe('the text to draw as a QR code'),
    fake: z.literal(true).optional().describe('WeChat is imitated, for development'),
  }),
  z.object({ status: z.literal('ok'), code: z.string() }),
]);
export type SsoLogin = z.infer<typeof SsoLogin>;

/** The answer of another host's `POST …/wechat/identity`: the WeChat user to whom the code was given. */
export const SsoIdentity = z.object({
  appid: z.string().min(1).max(64),
  openid: z.string().min(1).max(128),
  unionid: z.string().min(1).max(128).nullish(),
  nickname: z.string().default(''),
});

/** The data of events in the category `weixinoauth-{state}`. */
export const SsoEventData = z.object({ status: z.enum(['scanned', 'confirmed', 'cancelled']) });
export type SsoEventData = z.infer<typeof SsoEventData>;

/** The format of golongpoll: status always 200, times in milliseconds, oldest event first. */
export const SsoEvents = z.union([
  z.object({
    events: z.array(
      z.object({ timestamp: z.number().int(), category: z.string(), data: SsoEventData, id: z.string() }),
    ),
  }),
  z.object({ timeout: z.string(), timestamp: z.number().int() }),
  z.object({ error: z.string() }),
]);
export type SsoEvents = z.infer<typeof SsoEvents>;
