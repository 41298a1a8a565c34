import { createAlipayProvider } from './alipay/alipay-provider.ts';
import type { Channel } from './exchange.ts';
import type { PaymentConfig } from './payment-config.ts';
import type { PaymentProvider, PaymentProviderId } from './payment-provider.ts';
import { ProviderClock } from './provider-clock.ts';
import { WechatChannel } from './wechat/wechat-channel.ts';
import { createWechatProvider } from './wechat/wechat-provider.ts';

const TIMEOUT_MS = 10_000;

export type PaymentProviderDeps = {
  /** Where a provider sends its notifications: a public URL without a query. */
  notifyUrl: (provider: PaymentProviderId) => string;
  wallClockMs?: () => number;
  monotonicMs?: () => number;
  timeoutMs?: number;
};

/** The providers that the operator has set up. They keep no connection and need not be closed. */
export function createPaymentProviders(
  { alipay, wechat }: PaymentConfig,
  {
    notifyUrl,
    wallClockMs = Date.now,
    monotonicMs = () => performance.now(),
    timeoutMs = TIMEOUT_MS,
  }: PaymentProviderDeps,
): ReadonlyMap<PaymentProviderId, PaymentProvider> {
  const channelOf = (provider: PaymentProviderId): Channel => {
    return { provider, clock: new ProviderClock(wallClockMs), timeoutMs };
  };
  const providers = new Map<PaymentProviderId, PaymentProvider>();
  if (alipay) {
    const deps = { config: alipay, channel: channelOf('alipay'), notifyUrl: notifyUrl('alipay') };
    providers.set('alipay', createAlipayProvider(deps));
  }
  if (wechat) {
    const channel = new WechatChannel(wechat, channelOf('wechat'), monotonicMs);
    providers.set('wechat', createWechatProvider({ channel, notifyUrl: notifyUrl('wechat') }));
  }
  return providers;
}
