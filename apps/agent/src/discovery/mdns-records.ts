import { MAX_SEEN_LIST_LENGTH, type SeenMdns } from '@tongtu/tunnel';
import { decodeSeen, seenText } from './seen-text.ts';

/** One answer that every responder gives: the types of its services (RFC 6763 §9). */
export const SERVICE_TYPES_NAME = '_services._dns-sd._udp.local';
const MAX_RECORDS = 4000;
const MAX_TYPES = 64;
const TYPE = /^_[a-z0-9-]{1,30}\._(?:tcp|udp)\.local$/;

/** A resource record as a DNS decoder returns it: nothing in it can be trusted. */
type MdnsRecord = { name?: unknown; type?: unknown; data?: unknown };

export type MdnsHost = { address: string; name: string | undefined; announced: SeenMdns[] };

type Instance = {
  type: string;
  sender: string;
  port: number | undefined;
  target: string | undefined;
  txt: string[];
};

/** Collects the records of one scan and joins them: types to instances, instances to hosts, hosts to addresses. */
export class MdnsRecords {
  readonly #types = new Set<string>();
  readonly #instances = new Map<string, Instance>();
  readonly #addresses = new Map<string, string>();
  #count = 0;

  /** Returns the types of services that were not known before, to ask for. */
  add(records: readonly MdnsRecord[], sender: string): string[] {
    const newTypes: string[] = [];
    for (const record of records) {
      if (this.#count >= MAX_RECORDS) break;
      this.#count++;
      const type = this.#read(record, sender);
      if (type !== undefined) newTypes.push(type);
    }
    return newTypes;
  }

  /** The hosts with an address that `isOwn` accepts; others could be anywhere. */
  hosts(isOwn: (address: string) => boolean): MdnsHost[] {
    const hosts = new Map<string, MdnsHost>();
    const hostAt = (address: string): MdnsHost => {
      const known = hosts.get(address) ?? { address, name: undefined, announced: [] };
      hosts.set(address, known);
      return known;
    };
    for (const [name, address] of this.#addresses) {
      if (isOwn(address)) hostAt(address).name ??= seenText(withoutLocal(name));
    }
    for (const [name, instance] of this.#instances) {
      const { type, sender, target, port, txt } = instance;
      const announced = target === undefined ? undefined : this.#addresses.get(target.toLowerCase());
      const address = announced !== undefined && isOwn(announced) ? announced : sender;
      if (!isOwn(address)) continue;
      const label = seenText(name.toLowerCase().endsWith(`.${type}`) ? name.slice(0, -type.length - 1) : name) ?? '';
      hostAt(address).announced.push({
        type: withoutLocal(type),
        name: label,
        ...(port !== undefined && { port }),
        ...(txt.length > 0 && { txt }),
      });
    }
    return [...hosts.values()];
  }

  #read({ name, type, data }: MdnsRecord, sender: string): string | undefined {
    if (typeof name !== 'string' || name.length > 255) return undefined;
    switch (type) {
      case 'PTR':
        return typeof data === 'string' && data.length <= 255
          ? this.#readPointer(name.toLowerCase(), data, sender)
          : undefined;
      case 'SRV':
        this.#readService(name, data, sender);
        return undefined;
      case 'TXT':
        this.#readText(name, data, sender);
        return undefined;
      case 'A':
        if (typeof data === 'string') this.#addresses.set(name.toLowerCase(), data);
        return undefined;
      default:
        return undefined;
    }
  }

  #readPointer(name: string, data: string, sender: string): string | undefined {
    if (name === SERVICE_TYPES_NAME) {
      const type = data.toLowerCase();
      if (!TYPE.test(type) || this.#types.has(type) || this.#types.size >= MAX_TYPES) return undefined;
      this.#types.add(type);
      return type;
    }
    this.#instance(data, sender);
    return undefined;
  }

  #readService(name: string, data: unknown, sender: string): void {
    const instance = this.#instance(name, sender);
    if (instance === undefined || typeof data !== 'object' || data === null) return;
    if ('port' in data && typeof data.port === 'number') instance.port = data.port & 0xff_ff;
    if ('target' in data && typeof data.target === 'string') instance.target = data.target;
  }

  #readText(name: string, data: unknown, sender: string): void {
    const instance = this.#instance(name, sender);
    if (instance === undefined) return;
    const texts: unknown[] = Array.isArray(data) ? data : [data];
    instance.txt = texts
      .flatMap((text) => (Buffer.isBuffer(text) ? (seenText(decodeSeen(text)) ?? []) : []))
      .slice(0, MAX_SEEN_LIST_LENGTH);
  }

  /** Undefined for a name that is no instance of a service. */
  #instance(name: string, sender: string): Instance | undefined {
    const known = this.#instances.get(name);
    if (known) return known;
    // The name of an instance is any text, dots included, before the type.
    const type = /_[a-z0-9-]{1,30}\._(?:tcp|udp)\.local$/i.exec(name)?.[0].toLowerCase();
    if (type === undefined || type.length === name.length) return undefined;
    const instance = { type, sender, port: undefined, target: undefined, txt: [] };
    this.#instances.set(name, instance);
    return instance;
  }
}

function withoutLocal(name: string): string {
  return name.replace(/\.local\.?$/i, '');
}
