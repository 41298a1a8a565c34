import type { ManagedSiteEntry, SiteEntryCreate } from '@tongtu/contract';
import { readMoment, writeMoment } from '../../../ui/date-field/date-text.ts';

/** The form's fields. Times are text, in local time without seconds, or empty. */
export type SiteEntryFields = {
  title: string;
  detail: string;
  url: string;
  qrText: string;
  position: number;
  display: boolean;
  startsAt: string;
  endsAt: string;
};

/** An image that was chosen, in base64; null: none; undefined: as it is. */
export type ChosenImage = { base64: string; dataUrl: string } | null | undefined;

export function fieldsOf(entry: ManagedSiteEntry | undefined): SiteEntryFields {
  const texts = { title: entry?.title ?? '', detail: entry?.detail ?? '', url: entry?.url ?? '' };
  return {
    ...texts,
    qrText: entry?.qr_text ?? '',
    position: entry?.position ?? 0,
    display: entry?.display ?? true,
    startsAt: writeMoment(entry?.starts_at ?? null),
    endsAt: writeMoment(entry?.ends_at ?? null),
  };
}

type Input = { kind: ManagedSiteEntry['kind']; fields: SiteEntryFields; chosen: ChosenImage };

export function bodyOf({ kind, fields, chosen }: Input): SiteEntryCreate {
  return {
    kind,
    title: fields.title.trim(),
    detail: fields.detail.trim(),
    url: fields.url.trim(),
    qr_text: fields.qrText.trim(),
    position: fields.position,
    display: fields.display,
    starts_at: readMoment(fields.startsAt),
    ends_at: readMoment(fields.endsAt),
    ...(chosen !== undefined && { image_base64: chosen?.base64 ?? null }),
  };
}
