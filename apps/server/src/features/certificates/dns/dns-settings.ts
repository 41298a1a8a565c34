/** The DNS provider of the suffix's zone, and its API key. `endpoint` replaces the provider's default URL. */
export type DnsSettings = { endpoint?: string } & (
  | { provider: 'aliyun'; accessKeyId: string; accessKeySecret: string }
  | { provider: 'tencent'; secretId: string; secretKey: string }
  | { provider: 'cloudflare'; apiToken: string }
);
