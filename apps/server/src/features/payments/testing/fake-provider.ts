import { must } from '@tongtu/base';
import {
  FakeAccount,
  type FakePayment,
  type FakeRefund,
  type FakeRefundState,
  type FakeTrade,
  type FakeTradeState,
} from './fake-account.ts';
import { usualBehaviour, type FakeBehaviour } from './fake-behaviour.ts';
import type { FakeNotification, FakeReply } from './fake-http.ts';
import { FakeNotifier, type SentNotification } from './fake-notifier.ts';

type FakeProviderDeps = {
  wallClockMs: () => number;
  retryDelaysMs: readonly number[];
  isAccepted: (reply: SentNotification) => boolean;
  payment: (trade: FakeTrade, payment: FakePayment, changes?: Record<string, string>) => FakeNotification;
  refund: (trade: FakeTrade, refund: FakeRefund) => FakeNotification;
};

const GIANT_BYTES = 8 * 1024 * 1024;

/** The controls of one fake provider: what its buyers do, and what goes wrong. */
export class FakeProvider implements Disposable {
  readonly behaviour: FakeBehaviour = usualBehaviour();
  /** WeChat Pay only: which of its keys signs notifications. */
  signsNotificationsWith: 'public-key' | 'certificate' = 'public-key';
  readonly #deps: FakeProviderDeps;
  readonly #account: FakeAccount;
  readonly #notifier: FakeNotifier;

  constructor(deps: FakeProviderDeps) {
    this.#deps = deps;
    this.#account = new FakeAccount(() => this.now());
    this.#notifier = new FakeNotifier(this.behaviour, deps);
  }

  /** The provider's clock. */
  now(): number {
    return this.#deps.wallClockMs() + this.behaviour.clockOffsetMs;
  }

  /** What the merchant replied to each notification. */
  get replies(): readonly SentNotification[] {
    return this.#notifier.sent;
  }

  list(): { trade: FakeTrade; state: FakeTradeState }[] {
    return this.#account.list().map((trade) => ({ trade, state: this.#account.stateOf(trade) }));
  }

  get(number: string): FakeTrade {
    return this.#account.get(number);
  }

  findByToken(token: string): FakeTrade | undefined {
    return this.#account.findByToken(token);
  }

  stateOf(trade: FakeTrade): FakeTradeState {
    return this.#account.stateOf(trade);
  }

  /** The buyer opens the code and goes away again. Alipay knows the trade from now on. */
  scan(number: string): void {
    this.get(number).isScanned = true;
  }

  /**
   * The buyer pays, also a trade that is closed or paid: so a test makes late and double payments. Resolves when the
   * merchant has replied to the notification.
   */
  async pay(
    number: string,
    { amountFen, isSilent = false }: { amountFen?: number; isSilent?: boolean } = {},
  ): Promise<void> {
    const trade = this.get(number);
    const payment = this.#account.pay(trade, amountFen ?? trade.amountFen);
    if (!isSilent) await this.#notifier.notify(() => this.#deps.payment(trade, payment));
  }

  /** The provider closes the trade, as it does at its expiry. */
  close(number: string): void {
    this.get(number).isClosed = true;
  }

  /** Ends a pending refund. Resolves when the merchant has replied to the notification. */
  async settleRefund(number: string, state: Exclude<FakeRefundState, 'pending'>): Promise<void> {
    const found = this.#account.list().flatMap((trade) => trade.refunds.map((refund) => ({ trade, refund })));
    const { trade, refund } = must(
      found.find((one) => one.refund.number === number),
      `a refund with the number ${number}`,
    );
    refund.state = state;
    await this.#notifier.notify(() => this.#deps.refund(trade, refund));
  }

  /** Sends the notification of a trade's last payment again. */
  async resend(number: string): Promise<void> {
    await this.#notifier.notify(() => this.notificationOf(number));
  }

  /** Sends what was held, in this order or the last one first. */
  async releaseNotifications({ order }: { order: 'kept' | 'reversed' } = { order: 'kept' }): Promise<void> {
    await this.#notifier.release({ order });
  }

  /** A genuine notification of a trade's last payment, which a test can change. `changes` are made before signing. */
  notificationOf(number: string, changes?: Record<string, string>): FakeNotification {
    const trade = this.get(number);
    return this.#deps.payment(trade, must(trade.payments.at(-1), 'a payment'), changes);
  }

  /** A genuine notification of a trade's last refund. */
  refundNotificationOf(number: string): FakeNotification {
    const trade = this.get(number);
    return this.#deps.refund(trade, must(trade.refunds.at(-1), 'a refund'));
  }

  /** Applies the fault of `behaviour` to a reply. Undefined: there is no reply. */
  spoil(reply: FakeReply): FakeReply | undefined {
    const headers = { ...reply.headers, date: new Date(this.now()).toUTCString() };
    switch (this.behaviour.fault) {
      case 'silent':
        return undefined;
      case 'giant':
        return { ...reply, headers, body: Buffer.alloc(GIANT_BYTES, ' ') };
      case 'truncated':
        return { ...reply, headers, body: Buffer.from(reply.body).subarray(0, reply.body.length / 2) };
      case 'unavailable':
        return { status: 502, contentType: 'text/html', body: '<html>Bad Gateway</html>', headers };
      case 'none':
      case 'wrong-signature':
        return { ...reply, headers };
    }
  }

  /** What the provider's API works with. */
  deps(): Pick<FakeProvider, 'behaviour'> & {
    account: FakeAccount;
    now: () => number;
    onRefund: (trade: FakeTrade, refund: FakeRefund) => void;
  } {
    return {
      account: this.#account,
      behaviour: this.behaviour,
      now: () => this.now(),
      onRefund: (trade, refund) => void this.#notifier.notify(() => this.#deps.refund(trade, refund)),
    };
  }

  [Symbol.dispose](): void {
    this.#notifier[Symbol.dispose]();
  }
}
