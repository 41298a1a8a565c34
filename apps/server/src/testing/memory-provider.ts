import {
  type BillLine,
  type NewPayment,
  type NewRefund,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentProviderId,
  type PaymentQr,
  type ProviderPayment,
  type RefundState,
} from '../features/payments/index.ts';

type Account = {
  amountFen: number;
  isClosed: boolean;
  paid: { transactionId: string; amountFen: number; paidAt: Date }[];
};
type Returned = { paymentNumber: string; amountFen: number; state: RefundState; at: Date };

const QR_MS = 2 * 3_600_000;
const BEIJING_AHEAD_MS = 8 * 3_600_000;

/**
 * A payment service in memory, for tests of what stands between orders and providers. It remembers how much
 * money it has, which shows whether anybody was charged twice.
 */
export class MemoryProvider implements PaymentProvider {
  readonly id: PaymentProviderId;
  readonly payments = new Map<string, Account>();
  readonly refunds = new Map<string, Returned>();
  /** Calls that get no answer, and whether the provider acts nevertheless. */
  outage: 'none' | 'before' | 'after' = 'none';
  /** What becomes of new refunds. */
  refundState: RefundState = 'done';
  calls: string[] = [];
  #transactions = 0;

  constructor(id: PaymentProviderId) {
    this.id = id;
  }

  /** The buyer scans the code and pays. Returns false where the provider refuses that. */
  pay(number: string, amountFen?: number): boolean {
    const account = this.payments.get(number);
    if (!account || account.isClosed || account.paid.length > 0) return false;
    this.payTwice(number, amountFen);
    return true;
  }

  /** Enters a payment that the provider should have refused. */
  payTwice(number: string, amountFen?: number): void {
    const account = this.payments.get(number);
    if (!account) throw new Error(`no payment ${number}`);
    this.#transactions += 1;
    const transactionId = `${this.id}-${this.#transactions}-${number}`;
    account.paid.push({ transactionId, amountFen: amountFen ?? account.amountFen, paidAt: new Date() });
  }

  /** All that was paid and not returned. */
  heldFen(): number {
    const paid = [...this.payments.values()].flatMap((account) => account.paid);
    const returned = [...this.refunds.values()].filter(({ state }) => state === 'done');
    return sum(paid) - sum(returned);
  }

  async create({ number, amountFen }: NewPayment): Promise<PaymentQr> {
    return await this.#act('create', () => {
      const account = this.payments.get(number) ?? { amountFen, isClosed: false, paid: [] };
      if (account.paid.length > 0) throw this.#error('already-paid');
      if (account.isClosed) throw this.#error('closed');
      this.payments.set(number, account);
      return { qrText: `https://qr.example/${this.id}/${number}`, qrExpiresAt: new Date(Date.now() + QR_MS) };
    });
  }

  async find(number: string): Promise<ProviderPayment> {
    return await this.#act('find', () => {
      const account = this.payments.get(number);
      const [first] = account?.paid ?? [];
      if (!account) return { state: 'absent' };
      if (!first) return { state: account.isClosed ? 'closed' : 'waiting' };
      const hasRefund = [...this.refunds.values()].some((refund) => refund.paymentNumber === number);
      return { state: 'paid', ...first, hasRefund };
    });
  }

  async close(number: string): Promise<void> {
    await this.#act('close', () => {
      const account = this.payments.get(number);
      if (account && account.paid.length > 0) throw this.#error('already-paid');
      if (account) account.isClosed = true;
    });
  }

  async refund({ number, paymentNumber, amountFen, totalFen }: NewRefund): Promise<RefundState> {
    return await this.#act('refund', () => {
      const known = this.refunds.get(number);
      if (known) return known.state;
      const [paid] = this.payments.get(paymentNumber)?.paid ?? [];
      const before = [...this.refunds.values()].filter(
        (one) => one.paymentNumber === paymentNumber && one.state !== 'failed',
      );
      if (paid?.amountFen !== totalFen || sum(before) + amountFen > totalFen) throw this.#error('refused');
      this.refunds.set(number, { paymentNumber, amountFen, state: this.refundState, at: new Date() });
      return this.refundState;
    });
  }

  async findRefund({ number }: { number: string }): Promise<RefundState | 'absent'> {
    return await this.#act('findRefund', () => this.refunds.get(number)?.state ?? 'absent');
  }

  /** The body is the notification itself: adapters have their own tests of signatures. */
  readNotification({ rawBody }: { rawBody: Buffer }) {
    const { paymentNumber } = JSON.parse(rawBody.toString()) as { paymentNumber: string };
    const [paid] = this.payments.get(paymentNumber)?.paid ?? [];
    return Promise.resolve(paid ? { type: 'paid' as const, paymentNumber, ...paid } : null);
  }

  notificationReply({ isReceived }: { isReceived: boolean }) {
    return { status: isReceived ? 200 : 500, contentType: 'text/plain', body: isReceived ? 'success' : 'failure' };
  }

  async bill(day: string): Promise<BillLine[]> {
    return await this.#act('bill', () => {
      const isOfDay = (time: Date): boolean =>
        new Date(time.getTime() + BEIJING_AHEAD_MS).toISOString().startsWith(day);
      const payments = [...this.payments].flatMap(([paymentNumber, { paid }]) =>
        paid
          .filter(({ paidAt }) => isOfDay(paidAt))
          .map((one) => ({ type: 'payment' as const, paymentNumber, ...one })),
      );
      const refunds = [...this.refunds]
        .filter(([, { state, at }]) => state === 'done' && isOfDay(at))
        .map(([refundNumber, refund]) => ({ type: 'refund' as const, refundNumber, transactionId: '', ...refund }));
      return [...payments, ...refunds];
    });
  }

  async #act<Result>(call: string, act: () => Result): Promise<Result> {
    this.calls.push(call);
    const { outage } = this;
    if (outage === 'before') throw this.#error('unavailable');
    const result = act();
    if (outage === 'after') throw this.#error('unavailable');
    return await Promise.resolve(result);
  }

  #error(code: 'already-paid' | 'closed' | 'refused' | 'unavailable'): PaymentProviderError {
    return new PaymentProviderError(this.id, code, code);
  }
}

function sum(amounts: readonly { amountFen: number }[]): number {
  return amounts.reduce((total, { amountFen }) => total + amountFen, 0);
}
