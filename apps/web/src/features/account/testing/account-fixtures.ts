import type { AlertChannel, AlertDelivery, ApiToken, LoginSession, Passkey, Profile, Security } from '@tongtu/contract';
import { ApiError } from '../../../api/index.ts';

/** An account with only a password, and the given fields. */
export function securityOf(given: Partial<Security> = {}): Security {
  return {
    has_password: true,
    wechat: null,
    totp: false,
    passkeys: [],
    recovery_codes_left: 0,
    previous_token_until: null,
    deletion_at: null,
    ...given,
  };
}

export function profileOf(given: Partial<Profile> = {}): Profile {
  return {
    id: 1,
    username: 'lilei',
    email: '',
    token: 'tt_0123456789abcdefghij',
    url: '',
    is_staff: false,
    is_promoter: false,
    is_superuser: false,
    is_payed: false,
    accepted_terms_of_service: true,
    accepted_terms_of_payment: false,
    readed_announcement_id: 0,
    phone_number: '',
    phone_verified: false,
    phone_bound_at: null,
    ...given,
  };
}

export function passkeyOf(given: Partial<Passkey> = {}): Passkey {
  return {
    id: 4,
    name: '我的手机',
    created_at: '2026-11-01T00:00:00.000Z',
    last_used_at: null,
    is_discoverable: true,
    needs_password: false,
    ...given,
  };
}

export function sessionOf(id: number, given: Partial<LoginSession> = {}): LoginSession {
  return {
    id,
    device: `浏览器 ${id}`,
    ip: `203.0.113.${id}`,
    place: '',
    created_at: '2026-11-01T00:00:00.000Z',
    last_seen_at: `2026-11-0${id}T00:00:00.000Z`,
    is_current: false,
    ...given,
  };
}

export function apiTokenOf(given: Partial<ApiToken> = {}): ApiToken {
  return {
    id: 5,
    name: '备份脚本',
    hint: 'tt_api_x7Q2',
    scopes: ['devices:read'],
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: null,
    last_used_at: null,
    ...given,
  };
}

/** An unused webhook with the given fields. */
export function channelOf(given: Partial<AlertChannel> = {}): AlertChannel {
  return {
    id: 8,
    kind: 'webhook',
    name: '家里的接收器',
    hint: 'hooks.example.com …k3y9',
    has_secret: true,
    events: ['device_offline', 'device_online', 'new_login'],
    enabled: true,
    last_sent_at: null,
    last_failure: null,
    ...given,
  };
}

export function deliveryOf(id: number, given: Partial<AlertDelivery> = {}): AlertDelivery {
  return {
    id,
    channel: { id: 8, kind: 'webhook', name: '家里的接收器' },
    event: 'device_offline',
    text: `设备 ${id} 已离线：离线时间：2026-11-01 08:00（北京时间），设备一段时间没有回应，可能断电、断网或休眠`,
    created_at: '2026-11-01T00:00:00.000Z',
    state: 'sent',
    failure: null,
    ...given,
  };
}

/** A refusal by its error code, with messages for single fields. */
export function refusal(code: string, fields: Record<string, string[]> = {}): ApiError {
  const failure = { type: 'problem', status: 422, code, detail: '', fields, requestId: '' } as const;
  return new ApiError({ ...failure, retryAfterSeconds: undefined });
}
