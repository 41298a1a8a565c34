import type { EndpointKey, endpoints } from './endpoints.ts';

/**
 * How often a call is answered: counted for the account of who is logged in, whatever network or API token they come by, or
 * for the network that it comes from (of IPv6 the /64). All server processes count together.
 */
export type CallLimit = { per: 'account' | 'network'; maxPerMinute: number };
/** Why a call that changes something may be made as often as somebody likes. */
export type NoLimit = { unlimited: string };

type ChangingGet = {
  [Key in EndpointKey]: (typeof endpoints)[Key] extends { changes: true } ? Key : never;
}[EndpointKey];
/** Beside the JSON calls: what browsers are sent to, or load as a script, and does more than show itself. */
type PageCall =
  | 'GET /custom/logout'
  | 'GET /custom/enter'
  | 'GET /s/{code}'
  | `GET /sso/wechat/${'login' | 'logout' | 'scan' | 'callback' | 'confirm'}`
  | 'POST /sso/wechat/confirm';
/**
 * The limit of a network without a login, over all calls of this table that need one: far more than pages whose sessions
 * have ended send.
 */
export const ANONYMOUS_PER_MINUTE = 120;

type ChangingCall = Exclude<EndpointKey, `GET ${string}`> | ChangingGet | PageCall;

const perAccount = <const Max extends number>(maxPerMinute: Max) => ({ per: 'account', maxPerMinute }) as const;
const perNetwork = <const Max extends number>(maxPerMinute: Max) => ({ per: 'network', maxPerMinute }) as const;

// With a limit, an intruder in an account, or with a token of it, could keep the owner from ending their access. What there
// is to end was created under a limit.
const endsAccess = {
  unlimited: 'It ends access that an intruder may have gained, and no intruder may use the limit up.',
} as const;

/**
 * The limit of every call that changes something, and of those that only read but cost much. What a call does may have
 * limits of its own besides: of codes that are sent, of secrets that are tried, of how much an account has.
 */
export const callLimits = {
  'PATCH /api/profile/{id}/': perAccount(60),
  'POST /custom/login/': perNetwork(60),
  // Eight tabs in doubt whether the server is there ask as often; beyond that the refusal is answer enough for them.
  'GET /api/login_status/': perNetwork(120),
  // Each password that is tried costs a hash.
  'POST /custom/password/': perAccount(10),
  'GET /api/user/token-sign/': perAccount(60),
  'POST /api/user/enrolment_keys/': perAccount(20),
  'DELETE /api/user/enrolment_keys/{id}/': endsAccess,

  'POST /api/agent/binding/': perNetwork(20),
  // Each waiting agent asks every two seconds.
  'GET /api/agent/binding/': perNetwork(240),
  'GET /api/user/binding/': perAccount(60),
  'POST /api/user/binding/': perAccount(30),

  'PATCH /api/user/routers/{id}/': perAccount(120),
  'DELETE /api/user/routers/{id}/': perAccount(120),
  'POST /api/user/routers/{id}/check_domain_connection/': perAccount(60),
  // A page that waits for an address to come back asks six times.
  'GET /api/router_info/': perNetwork(120),

  // A script that sets up a whole device makes hundreds; the page makes a few.
  'POST /api/user/records/': perAccount(300),
  'PATCH /api/user/records/{id}/': perAccount(300),
  'DELETE /api/user/records/{id}/': perAccount(300),
  // Each asks DNS and the domain itself.
  'POST /api/user/records/{id}/check_domain/': perAccount(20),
  // The same address again is free of the day's limit, but each time every relay is notified.
  'POST /api/user/records/{id}/verified_ip/': perAccount(60),
  'PATCH /api/user/verifications/{id}/': perAccount(60),
  'DELETE /api/user/verifications/{id}/': endsAccess,

  'GET /custom/check/': perNetwork(120),
  'GET /custom/enter': perNetwork(120),
  'GET /s/{code}': perNetwork(120),
  // Each password that is tried costs as much as a login.
  'POST /custom/check/': perNetwork(20),
  'POST /ip/checkUserDidRegisterIP': perNetwork(120),

  'PATCH /custom/profile/': perAccount(30),
  'DELETE /api/user/sessions/': endsAccess,
  'DELETE /api/user/sessions/{id}/': endsAccess,
  'POST /api/user/api_tokens/': perAccount(20),
  'DELETE /api/user/api_tokens/{id}/': endsAccess,
  'DELETE /api/user/previous_token/': endsAccess,
  'GET /api/user/export/': perAccount(6),
  'POST /api/user/deletion/': perAccount(30),
  'DELETE /api/user/deletion/': {
    unlimited: 'An intruder who deletes the account again and again must not outlast the owner.',
  },

  'PATCH /api/user/alerts/': perAccount(60),
  'POST /api/user/alerts/channels/': perAccount(30),
  'PATCH /api/user/alerts/channels/{id}/': perAccount(60),
  'DELETE /api/user/alerts/channels/{id}/': perAccount(60),
  'POST /api/user/alerts/channels/{id}/test/': perAccount(30),

  'GET /api/manage/users/': perAccount(120),
  'PATCH /api/manage/users/{id}/': perAccount(60),
  'POST /api/manage/users/': perAccount(30),
  'POST /api/manage/users/{id}/password_link/': perAccount(30),
  'POST /api/manage/users/{id}/disabled/': perAccount(60),
  'DELETE /api/manage/users/{id}/disabled/': perAccount(60),
  'DELETE /api/manage/users/{id}/': perAccount(60),
  'POST /api/manage/invitations/': perAccount(30),
  'DELETE /api/manage/invitations/{id}/': endsAccess,
  'PATCH /api/manage/registration/': perAccount(60),
  'PATCH /api/manage/first_steps/': perAccount(60),
  'PATCH /api/manage/servers/{id}/': perAccount(60),

  'POST /api/user/members/{id}/invitation/': perAccount(30),
  // Opening a link in vain costs a search; a token has 128 random bits.
  'POST /api/invitation/look/': perNetwork(60),
  // Each that has a good link costs a hash.
  'POST /api/invitation/join/': perNetwork(20),
  'POST /api/invitation/password/': perNetwork(20),
  'POST /api/invitation/accept/': perAccount(30),
  'POST /api/invitation/forgotten/': perNetwork(20),

  'POST /api/announcement/manage/': perAccount(60),
  'PATCH /api/announcement/manage/{id}/': perAccount(60),
  'DELETE /api/announcement/manage/{id}/': perAccount(60),

  // For all browsers of a network; what one of them gets is counted with the drawing.
  'GET /captcha/': perNetwork(120),
  'POST /captcha/': perNetwork(120),
  'GET /api/verify/captcha/init/': perNetwork(120),
  'POST /captcha/email/': perNetwork(40),
  'POST /captcha/email/answer/': perNetwork(40),

  // The login screen asks when it opens, and every few minutes while it stays open.
  'POST /custom/login/passkey_options/': perNetwork(120),
  'POST /custom/login/passkey/': perNetwork(30),
  'DELETE /api/user/trusted_browsers/{id}/': endsAccess,
  'POST /custom/login/second/': perNetwork(30),
  'POST /custom/login/second/passkey_options/': perNetwork(30),
  'POST /custom/confirm/': perAccount(30),
  'POST /custom/confirm/passkey_options/': perAccount(30),
  'POST /api/user/totp/': perAccount(30),
  'POST /api/user/totp/confirm/': perAccount(30),
  'DELETE /api/user/totp/': perAccount(30),
  'POST /api/user/passkeys/options/': perAccount(30),
  'POST /api/user/passkeys/': perAccount(30),
  'PATCH /api/user/passkeys/{id}/': perAccount(30),
  'DELETE /api/user/passkeys/{id}/': perAccount(30),
  'POST /api/user/recovery_codes/': perAccount(30),

  'POST /custom/check/request/': perAccount(20),
  'POST /api/user/access_requests/{id}/allow/': perAccount(60),
  'DELETE /api/user/access_requests/{id}/': perAccount(60),

  'POST /api/user/records/{id}/shares/': perAccount(60),
  'DELETE /api/user/shares/{id}/': endsAccess,
  'POST /api/user/records/{id}/members/': perAccount(60),
  'DELETE /api/user/members/{id}/': endsAccess,
  'PATCH /api/user/shared_with_me/{id}/': perAccount(120),
  'DELETE /api/user/shared_with_me/{id}/': perAccount(60),
  // Each change notifies every relay.
  'POST /api/user/records/{id}/mark_client/': perAccount(60),
  'DELETE /api/user/records/{id}/mark_client/': endsAccess,

  'POST /api/verify/sms/send/': perNetwork(20),
  'POST /api/verify/email/send/': perAccount(20),
  'POST /api/verify/phone/bind/': perAccount(30),
  'POST /api/verify/phone/rebind/': perAccount(30),
  'POST /api/verify/password/reset/': perNetwork(30),
  'POST /api/verify/login/phone/': perNetwork(30),

  'GET /custom/logout': endsAccess,
  'GET /sso/wechat/login': perNetwork(60),
  'GET /sso/wechat/logout': perNetwork(60),
  'GET /sso/wechat/scan': perNetwork(60),
  'GET /sso/wechat/callback': perNetwork(60),
  'GET /sso/wechat/confirm': perNetwork(60),
  'POST /sso/wechat/confirm': perNetwork(60),
} as const satisfies Record<ChangingCall, CallLimit | NoLimit> & Partial<Record<EndpointKey, CallLimit | NoLimit>>;

/** The limit of one call; undefined where it has none, and for a call that only reads and costs little. */
export function findCallLimit(key: EndpointKey): CallLimit | undefined {
  const all: Partial<Record<EndpointKey, CallLimit | NoLimit>> = callLimits;
  const rule = all[key];
  return rule !== undefined && 'per' in rule ? rule : undefined;
}

/** Whether callers of a call must be logged in, as far as its limit says so. */
export type LoginByLimit<Key extends EndpointKey> = Key extends keyof typeof callLimits
  ? (typeof callLimits)[Key] extends { per: 'account' }
    ? 'required'
    : (typeof callLimits)[Key] extends { per: 'network' }
      ? 'optional'
      : 'required' | 'optional'
  : 'required' | 'optional';
