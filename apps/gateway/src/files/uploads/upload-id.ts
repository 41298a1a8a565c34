import { parseJson } from '@tongtu/base';
import { UploadMetadata } from '@tongtu/contract';
import { z } from 'zod';
import { partPath } from '../part-name.ts';

/** All there is to know of an upload. Its id contains it, so that it can be resumed in another session. */
const UploadFacts = UploadMetadata.extend({ size: z.number().int().nonnegative() });
export type UploadFacts = z.infer<typeof UploadFacts>;

export function uploadId(facts: UploadFacts): string {
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** Undefined for what is no id. */
export function readUploadId(id: string): UploadFacts | undefined {
  return UploadFacts.safeParse(parseJson(Buffer.from(id, 'base64url').toString('utf8'))).data;
}

/** Another local file of the same name has another one, so that two files are never mixed. */
export function partOf({ path, key, size }: UploadFacts): string {
  return partPath(path, `${key} ${size}`);
}
