/** Who holds the suffix's zone, and what opens it. `endpoint` replaces the provider's own address. */
export type DnsSettings = { endpoint?: string } & (
  | { provider: 'aliyun'; accessKeyId: string; accessKeySecret: string }
  | { provider: 'tencent'; secretId: string; secretKey: string }
  | { provider: 'cloudflare'; apiToken: string }
);
