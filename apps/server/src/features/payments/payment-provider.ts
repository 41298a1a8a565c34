import type { IncomingHttpHeaders } from 'node:http';

export type PaymentProviderId = 'alipay' | 'wechat';

export type NewPayment = {
  /** 6 to 32 letters, digits, `-` and `_`; unique among all payments of the merchant, for ever. */
  number: string;
  amountFen: number;
  /** What the buyer reads in the wallet. Long texts are shortened. */
  subject: string;
  /** The provider accepts no payment after this time. */
  expiresAt: Date;
};

/** `qrText` is the content of the QR code. It ends before the payment does: `create` again gives the next one. */
export type PaymentQr = { qrText: string; qrExpiresAt: Date };

/**
 * What the provider knows of a payment. Alipay has no trade before the buyer scans the code, so `absent` can still become
 * `paid`. `hasRefund`: the provider reports a refund; Alipay does so only when everything is refunded.
 */
export type ProviderPayment =
  | { state: 'absent' | 'waiting' | 'closed' }
  | { state: 'paid'; transactionId: string; amountFen: number; paidAt: Date; hasRefund: boolean };

export type NewRefund = {
  /** As the number of a payment. A number that was used returns the state of that refund. */
  number: string;
  paymentNumber: string;
  amountFen: number;
  /** The amount of the payment. */
  totalFen: number;
  reason: string;
};

/** `failed`: no money has moved, and this number cannot be used again. */
export type RefundState = 'pending' | 'done' | 'failed';

export type PaymentNotification =
  | { type: 'paid'; paymentNumber: string; transactionId: string; amountFen: number; paidAt: Date }
  | { type: 'refund'; paymentNumber: string; refundNumber: string; state: RefundState };

export type NotificationRequest = { headers: IncomingHttpHeaders; /** The bytes as they came. */ rawBody: Buffer };

/** How a notification is answered. */
export type NotificationReply = { status: number; contentType: string; body: string };

/** One movement of money. Amounts are positive in both kinds. */
export type BillLine =
  | { type: 'payment'; paymentNumber: string; transactionId: string; amountFen: number }
  | { type: 'refund'; paymentNumber: string; refundNumber: string; transactionId: string; amountFen: number };

/**
 * A payment service. All calls but `readNotification` throw PaymentProviderError and nothing else. Amounts are reported
 * as the provider gave them: the caller compares them with what was ordered.
 */
export type PaymentProvider = {
  readonly id: PaymentProviderId;
  /** Makes the payment. The same payment again is the same one at the provider, with a fresh QR code. */
  create(payment: NewPayment): Promise<PaymentQr>;
  find(paymentNumber: string): Promise<ProviderPayment>;
  /**
   * Ends a payment that nobody has paid; a closed or absent one counts as closed. Throws `already-paid`. An Alipay code
   * that nobody has scanned can still be paid until it expires: such a payment is late, and is refunded like any other.
   */
  close(paymentNumber: string): Promise<void>;
  /** Throws `insufficient-balance`, or `refused` when the payment cannot be refunded (any more). */
  refund(refund: NewRefund): Promise<RefundState>;
  findRefund(refund: { number: string; paymentNumber: string }): Promise<RefundState | 'absent'>;
  /**
   * Checks a notification's signature, merchant, app and time. Null: it is genuine, but reports nothing that counts here.
   * The same one can come any number of times. Throws NotificationRefused, or PaymentProviderError when the key to
   * check it cannot be fetched at the moment; both are answered with `notificationReply({ isReceived: false })`.
   */
  readNotification(request: NotificationRequest): Promise<PaymentNotification | null>;
  /** What the provider wants to read: that it need not send the notification again, or that it should. */
  notificationReply(outcome: { isReceived: boolean }): NotificationReply;
  /**
   * All payments and refunds of a day in Beijing (`2026-11-24`); none when there is no bill. Bills are ready from 10:00 of
   * the next day; Alipay does not distinguish a bill that is not ready from a day without payments, so ask later than that.
   */
  bill(day: string): Promise<BillLine[]>;
};
