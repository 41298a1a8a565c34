import { CertificateError } from '../certificate-error.ts';
import { createAliyunZones } from './aliyun.ts';
import { createCloudflareZones } from './cloudflare.ts';
import type { DnsSettings } from './dns-settings.ts';
import type { DnsZones, Zone } from './dns-zones.ts';
import { createTencentZones } from './tencent.ts';

/** Sets and removes TXT records in the provider's zones. Throws CertificateError. */
export type DnsProvider = {
  /** Succeeds when the record exists already. */
  present: (name: string, value: string, signal: AbortSignal) => Promise<void>;
  /** Removes this value only. Succeeds when it does not exist. */
  remove: (name: string, value: string, signal: AbortSignal) => Promise<void>;
};

export function createDnsProvider(settings: DnsSettings): DnsProvider {
  const zones = createZones(settings);
  return {
    async present(name, value, signal) {
      const { zone, host } = await findZone(zones, name, signal);
      const records = await zones.listTxt(zone, host, signal);
      if (!records.some((record) => record.value === value)) await zones.addTxt(zone, { host, value }, signal);
    },
    async remove(name, value, signal) {
      const { zone, host } = await findZone(zones, name, signal);
      for (const record of await zones.listTxt(zone, host, signal))
        if (record.value === value) await zones.deleteRecord(zone, record.id, signal);
    },
  };
}

function createZones(settings: DnsSettings): DnsZones {
  switch (settings.provider) {
    case 'aliyun':
      return createAliyunZones(settings);
    case 'tencent':
      return createTencentZones(settings);
    case 'cloudflare':
      return createCloudflareZones(settings);
  }
}

/** Finds the most specific zone of the account that contains the name. */
async function findZone(zones: DnsZones, name: string, signal: AbortSignal): Promise<{ zone: Zone; host: string }> {
  const candidates = (await zones.listZones(signal))
    .filter((zone) => name === zone.name || name.endsWith(`.${zone.name}`))
    .sort((one, other) => other.name.length - one.name.length);
  const zone = candidates[0];
  if (zone === undefined) throw new CertificateError('dns-zone-missing', `no zone for ${name}`);
  return { zone, host: name.slice(0, -zone.name.length - 1) };
}
