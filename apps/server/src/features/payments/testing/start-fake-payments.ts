import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentConfig, PaymentProviderId } from '../index.ts';
import { answerAlipay, paymentForm, refundForm, type FakeAlipay } from './alipay/fake-alipay.ts';
import { readRequest, sendReply, type FakeReply, type FakeRequest } from './fake-http.ts';
import { makeFakeKeys, type FakeKeys } from './fake-keys.ts';
import { renderNotice, renderPayPage, renderTrades } from './fake-page.ts';
import { FakeProvider } from './fake-provider.ts';
import { answerWechat, paymentNotification, refundNotification, type FakeWechatPay } from './wechat/fake-wechat.ts';

export type FakePaymentsOptions = {
  /** 0: any free port. */
  port?: number;
  keys?: FakeKeys;
  /** When a notification that was not accepted is sent again. */
  retryDelaysMs?: readonly number[];
  wallClockMs?: () => number;
  nodeEnv?: string | undefined;
};

export type FakePayments = AsyncDisposable & {
  url: string;
  keys: FakeKeys;
  alipay: FakeProvider;
  wechat: FakeProvider;
  /** The configuration of a server that uses these fakes. */
  config: PaymentConfig & {
    alipay: NonNullable<PaymentConfig['alipay']>;
    wechat: NonNullable<PaymentConfig['wechat']>;
  };
};

let testKeys: Promise<FakeKeys> | undefined;

/**
 * Serves Alipay and WeChat Pay on a loopback port, with real signatures by keys of its own. Anybody can pay there without
 * money, so it refuses to start in production.
 */
export async function startFakePayments(options: FakePaymentsOptions = {}): Promise<FakePayments> {
  const { port = 0, retryDelaysMs = [], wallClockMs = Date.now, nodeEnv } = options;
  if (nodeEnv === 'production') throw new Error('NODE_ENV=production 时不能启动支付的替身');
  const keys = options.keys ?? (await (testKeys ??= makeFakeKeys())); // RSA keys take a while; tests of a process share them
  let url = '';
  const alipay = new FakeProvider({
    wallClockMs,
    retryDelaysMs,
    isAccepted: ({ status, body }) => status === 200 && body === 'success',
    payment: (trade, payment, changes) => paymentForm(alipayDeps, trade, payment, changes),
    refund: (trade, refund) => refundForm(alipayDeps, trade, refund),
  });
  const wechat = new FakeProvider({
    wallClockMs,
    retryDelaysMs,
    isAccepted: ({ status }) => status === 200 || status === 204,
    payment: (trade, payment, changes) => paymentNotification(wechatDeps, trade, payment, changes),
    refund: (trade, refund) => refundNotification(wechatDeps, trade, refund),
  });
  const alipayDeps: FakeAlipay = { ...alipay.deps(), keys: keys.alipay, url: () => url };
  const wechatDeps: FakeWechatPay = {
    ...wechat.deps(),
    keys: keys.wechat,
    url: () => url,
    signsWith: () => wechat.signsNotificationsWith,
  };
  const providers = { alipay, wechat };
  const server = createServer((request, response) => {
    void serve(request, response, url, async (read) => {
      const viaAlipay = answerAlipay(alipayDeps, read);
      if (viaAlipay) return alipay.spoil(viaAlipay);
      const viaWechat = answerWechat(wechatDeps, read);
      return viaWechat ? wechat.spoil(viaWechat) : await answerPage(providers, read);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    url,
    keys,
    ...providers,
    config: configOf(keys, url),
    async [Symbol.asyncDispose]() {
      alipay[Symbol.dispose]();
      wechat[Symbol.dispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  answer: (request: FakeRequest) => Promise<FakeReply | undefined>,
): Promise<void> {
  try {
    const reply = await answer(await readRequest(request, origin));
    if (reply) sendReply(response, reply); // without one, the connection stays open and silent
  } catch (error) {
    sendReply(response, { status: 500, contentType: 'text/plain', body: String(error) });
  }
}

type Providers = Record<PaymentProviderId, FakeProvider>;

async function answerPage(providers: Providers, { method, url, body }: FakeRequest): Promise<FakeReply> {
  const [, id = '', token = ''] = /^\/pay\/(alipay|wechat)\/([0-9a-f]{32})$/.exec(url.pathname) ?? [];
  const page = (text: string, status = 200): FakeReply => ({
    status,
    contentType: 'text/html; charset=utf-8',
    body: text,
  });
  if (url.pathname === '/') {
    const ids = ['alipay', 'wechat'] as const;
    return page(
      renderTrades(ids.flatMap((provider) => providers[provider].list().map((one) => ({ provider, ...one })))),
    );
  }
  const provider = id === 'alipay' || id === 'wechat' ? id : undefined;
  const trade = provider && providers[provider].findByToken(token);
  if (!provider || !trade) return page(renderNotice('没有这笔付款'), 404);
  const account = providers[provider];
  trade.isScanned = true;
  if (method === 'POST' && account.stateOf(trade) === 'waiting') {
    const action = new URLSearchParams(body.toString()).get('action');
    if (action === 'cancel') return page(renderNotice('已取消，没有付款'));
    await actOnPage(account, trade, action);
  }
  return page(renderPayPage(provider, trade, account.stateOf(trade)));
}

async function actOnPage(
  provider: FakeProvider,
  { number, amountFen }: { number: string; amountFen: number },
  action: string | null,
): Promise<void> {
  switch (action) {
    case 'pay':
      return await provider.pay(number);
    case 'pay-less':
      return await provider.pay(number, { amountFen: amountFen - 1 });
    case 'pay-twice':
      await provider.pay(number);
      return await provider.pay(number);
    case 'pay-silently':
      return await provider.pay(number, { isSilent: true });
    default:
      return;
  }
}

function configOf({ alipay, wechat }: FakeKeys, url: string): FakePayments['config'] {
  return {
    alipay: {
      appId: alipay.appId,
      sellerId: alipay.sellerId,
      privateKey: alipay.app.privateKey,
      alipayPublicKey: alipay.provider.publicKey,
      gatewayUrl: `${url}/gateway.do`,
    },
    wechat: {
      appId: wechat.appId,
      merchantId: wechat.merchantId,
      privateKey: wechat.merchant.privateKey,
      certificateSerial: wechat.merchantSerial,
      apiV3Key: Buffer.from(wechat.apiV3Key),
      publicKey: { id: wechat.publicKeyId, key: wechat.provider.publicKey },
      apiUrl: url,
    },
  };
}
