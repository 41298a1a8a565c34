import { z } from 'zod';
import { CertificateError } from '../certificate-error.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { DnsSettings } from './dns-settings.ts';
import type { DnsZones } from './dns-zones.ts';

const ENDPOINT = 'https://api.cloudflare.com';
const BASE_PATH = '/client/v4';
const PAGE_SIZE = 50;
const MAX_PAGES = 50;
const TTL_SECONDS = 120;

const Refusal = z.object({ errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]) });
const Zones = z.object({
  result: z.array(z.object({ id: z.string(), name: z.string() })),
  result_info: z.object({ total_pages: z.number() }).optional(),
});
const Records = z.object({ result: z.array(z.object({ id: z.string(), content: z.string() })) });

type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object };

/** Cloudflare, version 4 of its API. The token needs Zone.Zone:Read and Zone.DNS:Edit. */
export function createCloudflareZones(settings: Extract<DnsSettings, { provider: 'cloudflare' }>): DnsZones {
  const call = async (given: Call, signal: AbortSignal) => await callCloudflare(settings, given, signal);
  return {
    async listZones(signal) {
      const zones: { id: string; name: string }[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const path = `/zones?per_page=${PAGE_SIZE}&page=${page}`;
        const found = readAnswer(Zones, await call({ method: 'GET', path }, signal));
        zones.push(...found.result.map(({ id, name }) => ({ id, name: name.toLowerCase() })));
        if (page >= (found.result_info?.total_pages ?? 1)) break;
      }
      return zones;
    },
    async listTxt(zone, host, signal) {
      const query = new URLSearchParams({ type: 'TXT', name: fullName(host, zone.name), per_page: '100' });
      const path = `/zones/${zone.id}/dns_records?${query.toString()}`;
      const { result } = readAnswer(Records, await call({ method: 'GET', path }, signal));
      return result.map((record) => ({ id: record.id, value: record.content.replace(/^"(.*)"$/, '$1') }));
    },
    async addTxt(zone, { host, value }, signal) {
      // Cloudflare adds missing quotes, but with a warning.
      const body = { type: 'TXT', name: fullName(host, zone.name), content: `"${value}"`, ttl: TTL_SECONDS };
      await call({ method: 'POST', path: `/zones/${zone.id}/dns_records`, body }, signal);
    },
    async deleteRecord(zone, id, signal) {
      await call({ method: 'DELETE', path: `/zones/${zone.id}/dns_records/${id}` }, signal);
    },
  };
}

function fullName(host: string, zone: string): string {
  return host === '' ? zone : `${host}.${zone}`;
}

async function callCloudflare(
  settings: Extract<DnsSettings, { provider: 'cloudflare' }>,
  { method, path, body }: Call,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL(`${BASE_PATH}${path}`, settings.endpoint ?? ENDPOINT);
  const headers = { authorization: `Bearer ${settings.apiToken}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await callJson(url, init, signal);
  if (answer.status < 400) return answer.body;
  const errors = Refusal.safeParse(answer.body).data?.errors ?? [];
  const messages = errors.map(({ code, message }) => `${code} ${message}`).join(', ') || `HTTP ${answer.status}`;
  throw new CertificateError('dns-provider-refused', `cloudflare ${method} ${path.split('?')[0]}: ${messages}`);
}
