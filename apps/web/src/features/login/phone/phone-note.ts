import { dropNote, writeNote, readNote } from '../../../ui/session-note.ts';
import { defaultRegion } from './phone-number.ts';

const phoneKey = 'tongtu.login-phone';
const regionKey = 'tongtu.login-region';

type TypedPhone = { region: string; phone: string };

/** The number of a login in progress, stored so that it survives a reload. */
export function readPhone(regions: readonly string[]): TypedPhone {
  const region = readNote(regionKey);
  return {
    region: regions.includes(region) ? region : (regions[0] ?? defaultRegion),
    phone: readNote(phoneKey),
  };
}

export function writePhone({ region, phone }: TypedPhone): void {
  writeNote(phoneKey, phone);
  writeNote(regionKey, region);
}

/** Called after the login, for the next user of this tab. */
export function forgetPhone(): void {
  dropNote(phoneKey);
  dropNote(regionKey);
}
