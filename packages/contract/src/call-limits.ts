import type { EndpointKey, endpoints } from './endpoints.ts';

/**
 * How often a call is answered. A call of a logged-in user counts for the account, from any network and with any API
 * token. Other calls count for the client's network (IPv4 address or IPv6 /64). All server processes share the counts.
 */
export type CallLimit = { per: 'account' | 'network'; maxPerMinute: number };
/** The reason why a call that changes something has no limit. */
export type NoLimit = { unlimited: string };

type ChangingGet = {
  [Key in EndpointKey]: (typeof endpoints)[Key] extends { changes: true } ? Key : never;
}[EndpointKey];
/** Calls outside the JSON API that do more than show a page: redirects, links, and the scripts of the sign-on host. */
type PageCall =
  | 'GET /custom/logout'
  | 'GET /custom/enter'
  | 'GET /s/{code}'
  | `GET /sso/wechat/${'login' | 'logout' | 'scan' | 'callback' | 'confirm'}`
  | 'POST /sso/wechat/confirm';
/**
 * The limit of one network for calls that need a login and come without one, over all calls of this table. It is far
 * more than pages with expired sessions send.
 */
export const ANONYMOUS_PER_MINUTE = 120;

type ChangingCall = Exclude<EndpointKey, `GET ${string}`> | ChangingGet | PageCall;

const perAccount = <const Max extends number>(maxPerMinute: Max) => ({ per: 'account', maxPerMinute }) as const;
const perNetwork = <const Max extends number>(maxPerMinute: Max) => ({ per: 'network', maxPerMinute }) as const;

// An intruder who used up a limit would keep the owner from ending the intruder's access. What these calls end was
// created under a limit.
const endsAccess = {
  unlimited: 'It ends access that an intruder may have gained, and no intruder may use the limit up.',
} as const;

/**
 * The limit of every call that changes something, and of reading calls that are expensive. Features have further
 * limits, for example on codes sent, passwords tried and objects per account.
 */
export const callLimits = {
  'PATCH /api/profile/{id}/': perAccount(60),
  'POST /custom/login/': perNetwork(60),
  // Eight open tabs that have lost the server poll this often. Further tabs work with the refusal just as well.
  'GET /api/login_status/': perNetwork(120),
  // Each attempt costs one password hash.
  'POST /custom/password/': perAccount(10),
  'GET /api/user/token-sign/': perAccount(60),
  'POST /api/user/enrolment_keys/': perAccount(20),
  'DELETE /api/user/enrolment_keys/{id}/': endsAccess,

  'POST /api/user/frpc_devices/': perAccount(30),
  'POST /api/user/routers/{id}/frpc_configuration/': perAccount(60),
  'POST /api/user/routers/{id}/frpc_secret/': perAccount(20),
  'POST /api/user/frpc_account/': perAccount(60),
  'POST /api/user/frpc_account/secret/': perAccount(20),

  'POST /api/agent/binding/': perNetwork(20),
  // Each waiting agent polls every two seconds.
  'GET /api/agent/binding/': perNetwork(240),
  'GET /api/user/binding/': perAccount(60),
  'POST /api/user/binding/': perAccount(30),

  'PATCH /api/user/routers/{id}/': perAccount(120),
  'DELETE /api/user/routers/{id}/': perAccount(120),
  // Each call is for up to 500 devices.
  'PATCH /api/user/routers/': perAccount(30),
  'POST /api/user/routers/delete/': perAccount(10),
  'POST /api/user/routers/{id}/check_domain_connection/': perAccount(60),
  'POST /api/user/routers/{id}/adoption/': perAccount(20),
  // A long file is read in a thread of its own, which takes a second or two.
  'POST /api/user/routers/{id}/mapping_file/': perAccount(20),
  'PATCH /api/user/routers/{id}/lan/': perAccount(20),
  // A scan takes some ten seconds, and each opens thousands of connections in a LAN.
  'POST /api/user/routers/{id}/lan/scan/': perAccount(6),
  'GET /api/user/routers/{id}/connections/': perAccount(120),
  // The device looks up names and connects to each relay, for up to eight seconds.
  'POST /api/user/routers/{id}/diagnosis/': perAccount(10),
  'POST /api/user/routers/{id}/upgrade/': perAccount(30),
  'POST /api/user/routers/upgrade/': perAccount(10),
  // A page that waits for an address to become reachable polls six times a minute.
  'GET /api/router_info/': perNetwork(120),

  // A script that sets up a whole device makes hundreds; the console makes a few.
  'POST /api/user/records/': perAccount(300),
  'PATCH /api/user/records/{id}/': perAccount(300),
  'DELETE /api/user/records/{id}/': perAccount(300),
  // A page that follows the log asks every two seconds.
  'GET /api/user/records/{id}/visits/': perAccount(300),
  'GET /api/user/records/{id}/visits/export/': perAccount(12),
  'DELETE /api/user/records/{id}/visits/': perAccount(60),
  // Each call queries DNS and sends a request to the domain.
  'POST /api/user/records/{id}/check_domain/': perAccount(20),
  // Allowing the same address again does not count towards the daily limit, but each call notifies every relay.
  'POST /api/user/records/{id}/verified_ip/': perAccount(60),
  'PATCH /api/user/verifications/{id}/': perAccount(60),
  'DELETE /api/user/verifications/{id}/': endsAccess,

  'POST /api/user/cloud_apps/': perAccount(60),
  'PATCH /api/user/cloud_apps/{id}/': perAccount(60),
  'DELETE /api/user/cloud_apps/{id}/': perAccount(60),
  'POST /api/user/cloud_apps/{id}/members/': perAccount(20),
  'DELETE /api/user/cloud_apps/{id}/members/{member}/': endsAccess,
  'DELETE /api/user/cloud_apps/{id}/membership/': endsAccess,
  'POST /api/user/cloud_app_offers/{id}/accept/': perAccount(60),
  'DELETE /api/user/cloud_app_offers/{id}/': perAccount(60),
  'POST /api/user/cloud_apps/{id}/sessions/': perAccount(60),
  'DELETE /api/user/cloud_app_sessions/{id}/': endsAccess,
  // Each call broadcasts in the network of a device.
  'POST /api/user/cloud_apps/{id}/wake/': perAccount(12),
  // A page that waits for a host asks every two seconds.
  'GET /api/user/cloud_apps/{id}/state/': perAccount(120),

  'POST /api/user/product/orders/': perAccount(30),
  'DELETE /api/user/product/orders/{id}/': perAccount(60),
  // Each call asks the payment provider.
  'POST /api/user/product/orders/{id}/payment/': perAccount(20),
  // A page that waits for a payment polls every two seconds.
  'GET /api/user/product/orders/{id}/': perAccount(120),
  'POST /api/user/product/bulkorders/': perAccount(30),
  'POST /api/user/product-keys-for-user/': perAccount(20),
  // Each call may unseal 100 000 keys.
  'GET /api/user/product-keys-for-place/export/': perAccount(6),
  'POST /api/mark_product_keys_as_status/': perAccount(60),
  'POST /api/marketing/invitation_rewards/': perAccount(30),
  'POST /api/marketing/bind_invitation/': perAccount(10),
  'POST /api/manage/products/': perAccount(60),
  'PATCH /api/manage/products/{id}/': perAccount(60),
  'POST /api/manage/bulk_products/': perAccount(60),
  'PATCH /api/manage/bulk_products/{id}/': perAccount(60),
  'POST /api/manage/places/': perAccount(60),
  'PATCH /api/manage/places/{id}/': perAccount(60),
  'DELETE /api/manage/places/{id}/': perAccount(60),
  'POST /api/manage/product-keys/': perAccount(30),
  'POST /api/manage/orders/{id}/refund/': perAccount(30),
  'GET /api/manage/ledger/check/': perAccount(20),

  'GET /custom/check/': perNetwork(120),
  'GET /custom/enter': perNetwork(120),
  'GET /s/{code}': perNetwork(120),
  // Each attempt costs as much as a login.
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
  'POST /api/manage/devices/{id}/suspended/': perAccount(60),
  'DELETE /api/manage/devices/{id}/suspended/': perAccount(60),
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
  // An unknown token costs one query. Guessing is pointless: a token has 128 random bits.
  'POST /api/invitation/look/': perNetwork(60),
  // Each call with a valid link costs one password hash.
  'POST /api/invitation/join/': perNetwork(20),
  'POST /api/invitation/password/': perNetwork(20),
  'POST /api/invitation/accept/': perAccount(30),
  'POST /api/invitation/forgotten/': perNetwork(20),

  'POST /api/announcement/manage/': perAccount(60),
  'PATCH /api/announcement/manage/{id}/': perAccount(60),
  'DELETE /api/announcement/manage/{id}/': perAccount(60),

  'POST /api/manage/site_entries/': perAccount(60),
  'PATCH /api/manage/site_entries/{id}/': perAccount(60),
  'DELETE /api/manage/site_entries/{id}/': perAccount(60),
  'GET /api/site/players/get_ip_list/': perAccount(60),

  // The limit of a network. The limit of a single browser is in the captcha feature.
  'GET /captcha/': perNetwork(120),
  'POST /captcha/': perNetwork(120),
  'GET /api/verify/captcha/init/': perNetwork(120),
  'POST /captcha/email/': perNetwork(40),
  'POST /captcha/email/answer/': perNetwork(40),

  // The login screen calls this when it opens, and every few minutes while it stays open.
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

/** The limit of a call. Undefined for a call without one, and for a cheap call that only reads. */
export function findCallLimit(key: EndpointKey): CallLimit | undefined {
  const all: Partial<Record<EndpointKey, CallLimit | NoLimit>> = callLimits;
  const rule = all[key];
  return rule !== undefined && 'per' in rule ? rule : undefined;
}

/** Whether the caller of this call must be logged in, as its limit implies. */
export type LoginByLimit<Key extends EndpointKey> = Key extends keyof typeof callLimits
  ? (typeof callLimits)[Key] extends { per: 'account' }
    ? 'required'
    : (typeof callLimits)[Key] extends { per: 'network' }
      ? 'optional'
      : 'required' | 'optional'
  : 'required' | 'optional';
