import type { VerificationRecord } from '@tongtu/contract';
import { shownHost } from '../../address/shown-host.ts';
import { visibleName } from '../../text/devices/names.ts';
import { recordsText } from '../../text/records.ts';
import type { StateTone } from '../../ui/state-tag.tsx';
import type { RecordState } from './record-filters.ts';

export const stateTones: Record<RecordState, StateTone> = { active: 'good', expired: 'muted', revoked: 'muted' };

type Lifetime = Pick<VerificationRecord, 'revoked_at' | 'expires_at'>;

export function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: Lifetime, wallClockMs: number): RecordState {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= wallClockMs ? 'expired' : 'active';
}

/** What the visitor opened: a name, with the port if the port is the address. */
export function addressOf({ host, port }: Pick<VerificationRecord, 'host' | 'port'>): string {
  return port === null ? shownHost(host) : `${host}:${port}`;
}

/** The device's name; for a deleted device its last name. */
export function deviceNameOf({
  router_name: name,
  router_deleted: isDeleted,
}: Pick<VerificationRecord, 'router_name' | 'router_deleted'>): string {
  const shown = visibleName(name, '');
  if (!isDeleted) return shown;
  return shown === '' ? recordsText.deletedDevice : recordsText.deleted(shown);
}

/** The visitor's name as the owner knows it, for questions and screen readers. */
export function nameOf({ who, ip }: Pick<VerificationRecord, 'who' | 'ip'>): string {
  return recordsText.visitor(who, ip);
}
