import { createHash } from 'node:crypto';
import { AppError, MAX_PICTURE_BYTES } from '@tongtu/contract';
import type { PictureColumns } from './site-entry-store.ts';

const noPicture: PictureColumns = { picture: null, pictureType: null, pictureSha256: null };

/** The columns of a picture that was sent in base64; undefined leaves them. Throws picture.unsupported. */
export function readPicture(base64: string | null | undefined): PictureColumns | undefined {
  if (base64 === undefined) return undefined;
  if (base64 === null) return noPicture;
  const picture = Buffer.from(base64, 'base64');
  const pictureType = typeOf(picture);
  if (pictureType === undefined || picture.length > MAX_PICTURE_BYTES) throw new AppError('picture.unsupported');
  return { picture, pictureType, pictureSha256: createHash('sha256').update(picture).digest('hex') };
}

/** By its first bytes: the name and type that the sender claims prove nothing. */
function typeOf(picture: Buffer): PictureColumns['pictureType'] | undefined {
  const starts = (text: string, at = 0) => picture.toString('latin1', at, at + text.length) === text;
  if (starts('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (starts('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return undefined;
}
