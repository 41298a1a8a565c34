import {
  createPaymentProviders,
  type NewPayment,
  type PaymentConfig,
  type PaymentProvider,
  type PaymentProviderId,
} from '../index.ts';
import type { FakeProvider } from './fake-provider.ts';
import { type FakePayments, startFakePayments } from './start-fake-payments.ts';
import { type FakeMerchant, startFakeMerchant } from './fake-merchant.ts';

export type OpenPayments = AsyncDisposable & {
  fakes: FakePayments;
  merchant: FakeMerchant;
  provider: (id: PaymentProviderId) => PaymentProvider;
  fake: (id: PaymentProviderId) => FakeProvider;
  /** The providers of another process of the server, or of one with other settings. */
  reopen: (
    changes: (config: FakePayments['config']) => PaymentConfig,
  ) => ReadonlyMap<PaymentProviderId, PaymentProvider>;
};

const HOUR_MS = 3_600_000;

/** Both adapters, connected to the fakes over HTTP, and a server that receives their notifications. */
export async function openPayments(
  options: { wallClockMs?: () => number; monotonicMs?: () => number; timeoutMs?: number } = {},
): Promise<OpenPayments> {
  const { wallClockMs = Date.now } = options;
  const merchant = await startFakeMerchant();
  const fakes = await startFakePayments({ wallClockMs });
  const deps = { ...options, notifyUrl: (id: PaymentProviderId) => `${merchant.url}/${id}` };
  const providers = createPaymentProviders(fakes.config, deps);
  return {
    fakes,
    merchant,
    provider: (id) => {
      const provider = providers.get(id);
      if (!provider) throw new Error(`no provider ${id}`);
      return provider;
    },
    fake: (id) => fakes[id],
    reopen: (changes) => createPaymentProviders(changes(fakes.config), deps),
    async [Symbol.asyncDispose]() {
      await fakes[Symbol.asyncDispose]();
      await merchant[Symbol.asyncDispose]();
    },
  };
}

export function newPayment(number: string, changes: Partial<NewPayment> = {}): NewPayment {
  const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + HOUR_MS);
  return { number, amountFen: 2600, subject: '标准版 1 年', expiresAt, ...changes };
}
