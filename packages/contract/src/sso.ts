import { z } from 'zod';

/** Made by the page: at least 128 random bits, base64url; the cookie must match it. */
export const SsoState = z.string().regex(/^[\w-]{22,64}$/);
/** Over https the page puts `__Host-` before it, so that no neighbouring host can have set it. */
export const SSO_STATE_COOKIE = 'sso_state';

/** JSONP callbacks: a name and nothing else, because it stands in front of a script of ours. */
export const SsoCallback = z.string().regex(/^[A-Za-z_$][\w$.]{0,63}$/);

/** What `…/wechat/login` answers as script. The code is for `POST /custom/login/` with `method: "wechat"`. */
export const SsoLogin = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('pending'),
    image: z.string().describe('the text to draw as a QR code'),
    fake: z.literal(true).optional().describe('WeChat is imitated, for development'),
  }),
  z.object({ status: z.literal('ok'), code: z.string() }),
]);
export type SsoLogin = z.infer<typeof SsoLogin>;

/** What another host's `POST …/wechat/identity` answers to a code: who it was given for. */
export const SsoIdentity = z.object({
  appid: z.string().min(1).max(64),
  openid: z.string().min(1).max(128),
  unionid: z.string().min(1).max(128).nullish(),
  nickname: z.string().default(''),
});

/** Events of category `weixinoauth-{state}`. */
export const SsoEventData = z.object({ status: z.enum(['scanned', 'confirmed', 'cancelled']) });
export type SsoEventData = z.infer<typeof SsoEventData>;

/** As golongpoll answers: always 200, times in milliseconds, oldest event first. */
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
