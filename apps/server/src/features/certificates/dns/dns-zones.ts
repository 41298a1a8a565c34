export type Zone = { id: string; name: string };
type TxtRecord = { id: string; value: string };

/** The calls of a DNS provider's API that DNS-01 needs. Each throws CertificateError. */
export type DnsZones = {
  listZones: (signal: AbortSignal) => Promise<Zone[]>;
  /** `host` is relative to the zone; empty for the zone itself. */
  listTxt: (zone: Zone, host: string, signal: AbortSignal) => Promise<TxtRecord[]>;
  addTxt: (zone: Zone, record: { host: string; value: string }, signal: AbortSignal) => Promise<void>;
  deleteRecord: (zone: Zone, id: string, signal: AbortSignal) => Promise<void>;
};
