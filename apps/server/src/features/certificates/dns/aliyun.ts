import { z } from 'zod';
import { aliyunRequest } from '../../clouds/index.ts';
import { CertificateError } from '../certificate-error.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { DnsSettings } from './dns-settings.ts';
import type { DnsZones } from './dns-zones.ts';

const ENDPOINT = 'https://alidns.aliyuncs.com';
const VERSION = '2015-01-09';
const PAGE_SIZE = 100;
const MAX_PAGES = 50;
const TTL_SECONDS = '600'; // the minimum of the free plan

const Refusal = z.object({ Code: z.string(), Message: z.string().default('') });
const Domains = z.object({
  TotalCount: z.number(),
  Domains: z.object({ Domain: z.array(z.object({ DomainName: z.string() })) }),
});
const Records = z.object({
  DomainRecords: z.object({ Record: z.array(z.object({ RecordId: z.string(), Value: z.string() })) }),
});

/** Alibaba Cloud DNS (云解析 DNS), version 2015-01-09 of its API. The key needs the permission AliyunDNSFullAccess. */
export function createAliyunZones(settings: Extract<DnsSettings, { provider: 'aliyun' }>): DnsZones {
  const call = async (action: string, query: Record<string, string>, signal: AbortSignal) =>
    await callAliyun(settings, { action, query }, signal);
  return {
    async listZones(signal) {
      const names: string[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const query = { PageNumber: String(page), PageSize: String(PAGE_SIZE) };
        const { TotalCount, Domains: found } = readAnswer(Domains, await call('DescribeDomains', query, signal));
        names.push(...found.Domain.map((domain) => domain.DomainName.toLowerCase()));
        if (found.Domain.length === 0 || names.length >= TotalCount) break;
      }
      return names.map((name) => ({ id: name, name }));
    },
    async listTxt(zone, host, signal) {
      const query = {
        DomainName: zone.name,
        SubDomain: host === '' ? zone.name : `${host}.${zone.name}`,
        Type: 'TXT',
        PageSize: String(PAGE_SIZE),
      };
      const { DomainRecords } = readAnswer(Records, await call('DescribeSubDomainRecords', query, signal));
      return DomainRecords.Record.map((record) => ({ id: record.RecordId, value: record.Value }));
    },
    async addTxt(zone, { host, value }, signal) {
      const record = { DomainName: zone.name, RR: host === '' ? '@' : host, Type: 'TXT', Value: value };
      await call('AddDomainRecord', { ...record, TTL: TTL_SECONDS }, signal);
    },
    async deleteRecord(_zone, id, signal) {
      await call('DeleteDomainRecord', { RecordId: id }, signal);
    },
  };
}

async function callAliyun(
  settings: Extract<DnsSettings, { provider: 'aliyun' }>,
  { action, query }: { action: string; query: Record<string, string> },
  signal: AbortSignal,
): Promise<unknown> {
  const call = { endpoint: settings.endpoint ?? ENDPOINT, version: VERSION, action, query };
  const { url, init } = aliyunRequest(call, settings);
  const answer = await callJson(url, init, signal);
  if (answer.status < 400) return answer.body;
  const refusal = Refusal.safeParse(answer.body).data ?? { Code: `HTTP ${answer.status}`, Message: '' };
  throw new CertificateError('dns-provider-refused', `aliyun ${action}: ${refusal.Code} ${refusal.Message}`);
}
