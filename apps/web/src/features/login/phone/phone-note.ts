import { dropNote, keepNote, readNote } from '../../../ui/session-note.ts';
import { defaultRegion } from './phone-number.ts';

const phoneKey = 'tongtu.login-phone';
const regionKey = 'tongtu.login-region';

type TypedPhone = { region: string; phone: string };

/** The number by which somebody is about to log in here: a reload must not make them type it again. */
export function readPhone(regions: readonly string[]): TypedPhone {
  const region = readNote(regionKey);
  return {
    region: regions.includes(region) ? region : (regions[0] ?? defaultRegion),
    phone: readNote(phoneKey),
  };
}

export function keepPhone({ region, phone }: TypedPhone): void {
  keepNote(phoneKey, phone);
  keepNote(regionKey, region);
}

/** For the next person at this tab. */
export function forgetPhone(): void {
  dropNote(phoneKey);
  dropNote(regionKey);
}
