import { type FakeCodes, type FakeErrcode } from './fake-codes.ts';

// WeChat's documented messages.
const errmsgs: Record<FakeErrcode, string> = {
  [-1]: 'system error',
  40001: 'invalid credential, access_token is invalid or not latest',
  40002: 'invalid grant_type',
  40003: 'invalid openid',
  40013: 'invalid appid',
  40029: 'invalid code',
  40125: 'invalid appsecret',
  40163: 'code been used',
  41008: 'missing code',
  42003: 'oauth_code expired',
};

const TOKEN_SECONDS = 7200;

export type FakeApp = { appId: string; appSecret: string };

function failure(errcode: FakeErrcode): object {
  return { errcode, errmsg: `${errmsgs[errcode]}, rid: 00000000-00000000-00000000` };
}

/** GET /sns/oauth2/access_token */
export function answerAccessToken(app: FakeApp, codes: FakeCodes, query: URLSearchParams): object {
  if (query.get('appid') !== app.appId) return failure(40013);
  if (query.get('secret') !== app.appSecret) return failure(40125);
  if (query.get('grant_type') !== 'authorization_code') return failure(40002);
  const code = query.get('code');
  if (!code) return failure(41008);
  const used = codes.useCode(code);
  if ('errcode' in used) return failure(used.errcode);
  const { person, token } = used;
  return {
    access_token: token,
    expires_in: TOKEN_SECONDS,
    refresh_token: `refresh-${token}`,
    openid: person.openId,
    scope: 'snsapi_userinfo',
    ...(person.unionId !== undefined && { unionid: person.unionId }),
    ...(person.isPreview && { is_snapshotuser: 1 }),
  };
}

/** GET /sns/userinfo */
export function answerUserInfo(codes: FakeCodes, query: URLSearchParams): object {
  const person = codes.findPerson(query.get('access_token') ?? '');
  if (!person) return failure(40001);
  if (query.get('openid') !== person.openId) return failure(40003);
  return {
    openid: person.openId,
    nickname: person.name,
    sex: 0,
    language: '',
    city: '',
    province: '',
    country: '',
    headimgurl: '',
    privilege: [],
    ...(person.unionId !== undefined && { unionid: person.unionId }),
  };
}
