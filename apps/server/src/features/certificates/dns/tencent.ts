import { z } from 'zod';
import { tencentRequest } from '../../clouds/index.ts';
import { CertificateError } from '../certificate-error.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { DnsSettings } from './dns-settings.ts';
import type { DnsZones } from './dns-zones.ts';

const ENDPOINT = 'https://dnspod.tencentcloudapi.com';
const SERVICE = 'dnspod';
const VERSION = '2021-03-23';
const PAGE_SIZE = 1_000;
const MAX_PAGES = 50;
const DEFAULT_LINE = '默认';
// The API reports an empty list as an error.
const NO_RECORDS = 'ResourceNotFound.NoDataOfRecord';

const Envelope = z.object({ Response: z.record(z.string(), z.unknown()) });
const Refusal = z.object({ Error: z.object({ Code: z.string(), Message: z.string().default('') }) });
const Domains = z.object({
  DomainCountInfo: z.object({ AllTotal: z.number() }),
  DomainList: z.array(z.object({ DomainId: z.number(), Name: z.string() })),
});
const Records = z.object({ RecordList: z.array(z.object({ RecordId: z.number(), Value: z.string() })) });

/** Tencent Cloud DNSPod, version 2021-03-23 of its API. The key needs the permission QcloudDNSPodFullAccess. */
export function createTencentZones(settings: Extract<DnsSettings, { provider: 'tencent' }>): DnsZones {
  const call = async (action: string, input: object, signal: AbortSignal) =>
    await callTencent(settings, { action, input }, signal);
  return {
    async listZones(signal) {
      const zones: { id: string; name: string }[] = [];
      for (let page = 0; page < MAX_PAGES; page++) {
        const input = { Offset: page * PAGE_SIZE, Limit: PAGE_SIZE };
        const found = readAnswer(Domains, await call('DescribeDomainList', input, signal));
        zones.push(
          ...found.DomainList.map(({ DomainId, Name }) => ({ id: String(DomainId), name: Name.toLowerCase() })),
        );
        if (found.DomainList.length === 0 || zones.length >= found.DomainCountInfo.AllTotal) break;
      }
      return zones;
    },
    async listTxt(zone, host, signal) {
      const input = { Domain: zone.name, Subdomain: host === '' ? '@' : host, RecordType: 'TXT' };
      const answer = await call('DescribeRecordList', input, signal);
      const refusal = Refusal.safeParse(answer).data;
      if (refusal?.Error.Code === NO_RECORDS) return [];
      const { RecordList } = readAnswer(Records, answer);
      return RecordList.map((record) => ({ id: String(record.RecordId), value: record.Value }));
    },
    async addTxt(zone, { host, value }, signal) {
      const record = { SubDomain: host === '' ? '@' : host, RecordType: 'TXT', RecordLine: DEFAULT_LINE, Value: value };
      await call('CreateRecord', { Domain: zone.name, ...record }, signal);
    },
    async deleteRecord(zone, id, signal) {
      await call('DeleteRecord', { Domain: zone.name, RecordId: Number(id) }, signal);
    },
  };
}

/** Returns the content of `Response`, also when the error is that there are no records. */
async function callTencent(
  settings: Extract<DnsSettings, { provider: 'tencent' }>,
  { action, input }: { action: string; input: object },
  signal: AbortSignal,
): Promise<unknown> {
  const call = { endpoint: settings.endpoint ?? ENDPOINT, service: SERVICE, version: VERSION, action, input };
  const { url, init } = tencentRequest(call, settings);
  const answer = await callJson(url, init, signal);
  const { Response } = readAnswer(Envelope, answer.body);
  const refusal = Refusal.safeParse(Response).data?.Error;
  if (refusal === undefined || refusal.Code === NO_RECORDS) return Response;
  throw new CertificateError('dns-provider-refused', `tencent ${action}: ${refusal.Code} ${refusal.Message}`);
}
