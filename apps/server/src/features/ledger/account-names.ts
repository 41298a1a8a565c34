import type { PaymentProviderId } from '@tongtu/contract';

export const PROVIDER_NAMES: Record<PaymentProviderId, string> = { alipay: '支付宝', wechat: '微信支付' };

/** 2600 → `26.00 元`, in whole numbers. */
export function yuanOf(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)} 元`;
}
