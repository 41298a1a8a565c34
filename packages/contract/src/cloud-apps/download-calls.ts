/**
 * The calls of the downloads (aria2), below `/apps/{session}/downloads/`. The gateway answers them, and no other method
 * or option of aria2 can be reached through it. Errors are a `LoginProblem`, whose code may also be `downloads.` and a
 * download failure. What is shown comes over the WebSocket of `download-messages.ts`.
 */
import { z } from 'zod';
import {
  isDownloadLink,
  isInnerFolder,
  MAX_LINK_LENGTH,
  MAX_LINKS,
  MAX_LISTED_FILES,
  MAX_SPEED_LIMIT,
} from './download-links.ts';

/** How aria2 names a download. */
export const DownloadId = z.string().regex(/^[0-9a-f]{16}$/);

const SpeedLimit = z.number().int().min(0).max(MAX_SPEED_LIMIT).describe('bytes in a second; 0: none');
const Folder = z.string().refine(isInnerFolder).describe('below the folder of aria2; empty: that folder itself');

/** `POST links` */
export const LinksAdd = z.strictObject({
  links: z.array(z.string().max(MAX_LINK_LENGTH).refine(isDownloadLink)).min(1).max(MAX_LINKS),
  folder: Folder.default(''),
  download_limit: SpeedLimit.default(0),
});
export type LinksAdd = z.input<typeof LinksAdd>;

/** `POST torrent`, with the file as the body. */
export const TorrentAddQuery = z.strictObject({
  folder: Folder.default(''),
  download_limit: z
    .string()
    .regex(/^\d{1,13}$/)
    .transform(Number)
    .pipe(SpeedLimit)
    .default(0),
});

/** What a call over several did. It goes on after what fails. */
export const DownloadsResult = z.object({
  done: z.number().int(),
  failed: z.array(z.object({ item: z.string().describe('a link or an id'), detail: z.string() })),
});
export type DownloadsResult = z.infer<typeof DownloadsResult>;

/** `POST change`. `remove`: of a download that has not stopped; its file stays. `forget`: of one that has. */
export const DownloadsChange = z.strictObject({
  action: z.enum(['pause', 'resume', 'remove', 'forget', 'retry']),
  id: DownloadId,
});
export type DownloadsChange = z.infer<typeof DownloadsChange>;

/** `POST change_all`. `forget`: all that have stopped. */
export const DownloadsChangeAll = z.strictObject({ action: z.enum(['pause', 'resume', 'forget']) });
export type DownloadsChangeAll = z.infer<typeof DownloadsChangeAll>;

/** `GET limits` and `POST limits`: of all downloads together. */
export const DownloadLimits = z.strictObject({ download_limit: SpeedLimit, upload_limit: SpeedLimit });
export type DownloadLimits = z.infer<typeof DownloadLimits>;

/** `POST settings`: of one download. */
export const DownloadSettings = z.strictObject({
  id: DownloadId,
  download_limit: SpeedLimit.optional(),
  upload_limit: SpeedLimit.optional(),
  files: z
    .array(z.number().int().min(1).max(MAX_LISTED_FILES))
    .min(1)
    .max(MAX_LISTED_FILES)
    .optional()
    .describe('the numbers of the files of a torrent that are downloaded'),
});
export type DownloadSettings = z.infer<typeof DownloadSettings>;
