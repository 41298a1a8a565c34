import { createHash } from 'node:crypto';
import { AppError, MAX_IMAGE_BYTES } from '@tongtu/contract';
import type { ImageColumns } from './site-entry-store.ts';

const noImage: ImageColumns = { image: null, imageType: null, imageSha256: null };

/** The columns of an image that was sent in base64; undefined leaves them. Throws image.unsupported. */
export function readImage(base64: string | null | undefined): ImageColumns | undefined {
  if (base64 === undefined) return undefined;
  if (base64 === null) return noImage;
  const image = Buffer.from(base64, 'base64');
  const imageType = typeOf(image);
  if (imageType === undefined || image.length > MAX_IMAGE_BYTES) throw new AppError('image.unsupported');
  return { image, imageType, imageSha256: createHash('sha256').update(image).digest('hex') };
}

/** By its first bytes: the name and type that the sender claims prove nothing. */
function typeOf(image: Buffer): ImageColumns['imageType'] | undefined {
  const starts = (text: string, at = 0) => image.toString('latin1', at, at + text.length) === text;
  if (starts('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (starts('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return undefined;
}
