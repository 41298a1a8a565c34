import type { EnrolmentKey, ErrorCode } from '@tongtu/contract';
import type { Attempt } from './attempt-recorder.ts';

export type RefusedToken = { code: ErrorCode; token: string; ip: string };

type NoteDeps = {
  note: (attempt: Attempt) => void;
  /** Undefined: it is no enrolment key, or a deleted one. */
  findKey: (token: string) => Promise<{ userId: number; state: EnrolmentKey['state'] } | undefined>;
};

const kindOfKey = { used: 'key_used', expired: 'key_expired', active: 'token_invalid' } as const;

/** Notes why an agent was not enrolled, for the owner of its key; without an owner for its network. */
export async function noteRefusedToken({ note, findKey }: NoteDeps, { code, token, ip }: RefusedToken): Promise<void> {
  if (code !== 'enrolment.token-invalid' && code !== 'enrolment.key-in-use') return;
  const key = await findKey(token);
  const kind = code === 'enrolment.key-in-use' ? 'key_in_use' : kindOfKey[key?.state ?? 'active'];
  note({ kind, ip, ...(key && { userId: key.userId }) });
}
