import { randomBytes, randomInt } from 'node:crypto';
import { must } from '@tongtu/base';

export type FakePayment = { transactionId: string; amountFen: number; paidAt: Date };
export type FakeRefundState = 'pending' | 'done' | 'failed';
export type FakeRefund = { number: string; id: string; amountFen: number; createdAt: Date; state: FakeRefundState };

/** A trade as the provider keeps it. A trade is paid once; more payments are what a faulty provider would do. */
export type FakeTrade = {
  readonly number: string;
  /** The secret of the QR code. */
  readonly token: string;
  readonly amountFen: number;
  readonly subject: string;
  readonly notifyUrl: string;
  readonly expiresAt: Date;
  /** Alipay knows a trade only once its code was scanned. */
  isScanned: boolean;
  isClosed: boolean;
  readonly payments: FakePayment[];
  readonly refunds: FakeRefund[];
};

export type FakeTradeState = 'waiting' | 'closed' | 'paid';

const MAX_TRADES = 100_000;

/** The trades of one merchant at a fake provider, in memory. */
export class FakeAccount {
  readonly #trades = new Map<string, FakeTrade>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  list(): FakeTrade[] {
    return [...this.#trades.values()];
  }

  find(number: string): FakeTrade | undefined {
    return this.#trades.get(number);
  }

  get(number: string): FakeTrade {
    return must(this.#trades.get(number), `a payment with the number ${number}`);
  }

  findByToken(token: string): FakeTrade | undefined {
    return this.list().find((trade) => trade.token === token);
  }

  create(trade: Pick<FakeTrade, 'number' | 'amountFen' | 'subject' | 'notifyUrl' | 'expiresAt'>): FakeTrade {
    if (this.#trades.size >= MAX_TRADES) throw new Error('the fake provider is full: start it again');
    const token = randomBytes(16).toString('hex');
    const created = { ...trade, token, isScanned: false, isClosed: false, payments: [], refunds: [] };
    this.#trades.set(trade.number, created);
    return created;
  }

  stateOf(trade: FakeTrade): FakeTradeState {
    if (trade.payments.length > 0) return 'paid';
    return trade.isClosed || this.#now() > trade.expiresAt.getTime() ? 'closed' : 'waiting';
  }

  /** Adds a payment, whatever the state: the callers decide what a buyer may do. */
  pay(trade: FakeTrade, amountFen: number): FakePayment {
    const payment = { transactionId: longNumber(28), amountFen, paidAt: new Date(this.#now()) };
    trade.isScanned = true;
    trade.payments.push(payment);
    return payment;
  }

  addRefund(trade: FakeTrade, refund: Pick<FakeRefund, 'number' | 'amountFen' | 'state'>): FakeRefund {
    const added = { ...refund, id: longNumber(29), createdAt: new Date(this.#now()) };
    trade.refunds.push(added);
    return added;
  }
}

export function refundedFen({ refunds }: FakeTrade): number {
  return refunds.filter(({ state }) => state !== 'failed').reduce((sum, { amountFen }) => sum + amountFen, 0);
}

/** A first digit other than 0, as the providers' numbers have. */
function longNumber(digits: number): string {
  return `4${Array.from({ length: digits - 1 }, () => randomInt(10)).join('')}`;
}
