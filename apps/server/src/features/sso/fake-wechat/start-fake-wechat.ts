import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WechatAppConfig } from '../phone/wechat-app.ts';
import { type FakeApp, answerAccessToken, answerUserInfo } from './fake-answers.ts';
import { FakeCodes } from './fake-codes.ts';
import { renderConsentPage, renderErrorPage } from './fake-page.ts';
import { fakePeople } from './fake-people.ts';

export type FakeWechat = AsyncDisposable & {
  /** The configuration with which the single sign-on host calls the fake in place of WeChat. */
  app: WechatAppConfig;
  codes: FakeCodes;
};

/**
 * Serves WeChat's endpoints on a loopback port, with the answers and errors that WeChat documents. Its users can log in
 * as anybody, so the configuration refuses it in production.
 */
export async function startFakeWechat({
  wallClockMs = Date.now,
}: { wallClockMs?: () => number } = {}): Promise<FakeWechat> {
  const app = { appId: 'wxfake', appSecret: randomBytes(16).toString('hex') };
  const codes = new FakeCodes(wallClockMs);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake-wechat');
    answer(app, codes, url, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const url = `http://127.0.0.1:${port}`;
  return {
    app: { ...app, openUrl: url, apiUrl: url, isFake: true },
    codes,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(app: FakeApp, codes: FakeCodes, url: URL, response: ServerResponse): void {
  const query = url.searchParams;
  switch (url.pathname) {
    case '/connect/oauth2/authorize':
      return sendPage(response, renderAuthorizePage(app, query));
    case '/fake/answer':
      return redirectBack(response, codes, query);
    case '/sns/oauth2/access_token':
      return sendJson(response, answerAccessToken(app, codes, query));
    case '/sns/userinfo':
      return sendJson(response, answerUserInfo(codes, query));
    default:
      response.writeHead(404).end();
  }
}

function renderAuthorizePage(app: FakeApp, query: URLSearchParams): string {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('appid') !== app.appId) return renderErrorPage('错误码 10012：appid 不正确');
  if (!URL.canParse(redirectUri)) return renderErrorPage('错误码 10011：redirect_uri 不正确');
  if (query.get('scope') !== 'snsapi_userinfo') return renderErrorPage('错误码 10005：没有这个 scope 的权限');
  const state = query.get('state') ?? '';
  if (!/^[a-zA-Z0-9]{1,128}$/.test(state)) return renderErrorPage('错误码 10013：state 不正确');
  return renderConsentPage({ redirectUri, state });
}

/** Redirects the phone back with a code, or without one when its owner refused. */
function redirectBack(response: ServerResponse, codes: FakeCodes, query: URLSearchParams): void {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri)) return sendPage(response, renderErrorPage('redirect_uri 不正确'));
  const back = new URL(redirectUri);
  const person = fakePeople[Number(query.get('person'))];
  if (person) back.searchParams.set('code', codes.issueCode(person));
  back.searchParams.set('state', query.get('state') ?? '');
  response.writeHead(302, { location: back.href, 'cache-control': 'no-store' }).end();
}

function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
}

/** WeChat sends JSON as text/plain. */
function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(JSON.stringify(value));
}
