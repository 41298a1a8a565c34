import type { KeyObject } from 'node:crypto';

export type AlipayConfig = {
  appId: string;
  /** PID of the merchant, 2088…; notifications for another one are refused. */
  sellerId: string;
  /** Signs our requests. */
  privateKey: KeyObject;
  /** Alipay's key (支付宝公钥), which checks replies and notifications. */
  alipayPublicKey: KeyObject;
  gatewayUrl: string;
};

export type WechatPayConfig = {
  appId: string;
  merchantId: string;
  /** Signs our requests, with the serial number of its certificate (商户 API 证书). */
  privateKey: KeyObject;
  certificateSerial: string;
  /** APIv3 密钥, 32 bytes. It opens notifications and platform certificates. */
  apiV3Key: Buffer;
  /** 微信支付公钥 of newer merchants. Without it replies are checked with platform certificates. */
  publicKey: { id: string; key: KeyObject } | undefined;
  apiUrl: string;
};

/** The payment services that the operator has set up. */
export type PaymentConfig = { alipay: AlipayConfig | undefined; wechat: WechatPayConfig | undefined };
