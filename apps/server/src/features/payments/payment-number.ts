const NUMBER = /^[\w-]{6,32}$/;

/** Numbers are ours, so a wrong one is a bug. WeChat Pay allows 6 to 32 characters, Alipay more. */
export function assertPaymentNumber(number: string): void {
  if (!NUMBER.test(number)) throw new Error(`not a payment or refund number: ${JSON.stringify(number)}`);
}
