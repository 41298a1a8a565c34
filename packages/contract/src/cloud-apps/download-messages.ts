/**
 * The WebSocket at `/apps/{session}/downloads/watch`. While the browser watches, it gets all downloads once a second, as
 * far as something has changed. Every message of the browser puts the idle end off; what aria2 does by itself does not.
 */
import { z } from 'zod';
import { DownloadId } from './download-calls.ts';
import { WatchFromGateway } from './watch-messages.ts';

export const DownloadsFromBrowser = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stay') }),
  z.object({ type: z.literal('watch'), details: DownloadId.nullable().describe('the download that is shown alone') }),
  /** The page is hidden: nothing is asked for until the next `watch`. */
  z.object({ type: z.literal('rest') }),
]);
export type DownloadsFromBrowser = z.infer<typeof DownloadsFromBrowser>;

export const Download = z.object({
  id: DownloadId,
  status: z.enum(['active', 'waiting', 'paused', 'complete', 'error']),
  name: z.string().describe('empty: not known yet'),
  is_torrent: z.boolean(),
  is_metadata: z.boolean().describe('of a magnet link: what the torrent consists of is still unknown'),
  is_seeding: z.boolean(),
  total_bytes: z.number().describe('0: not known yet'),
  completed_bytes: z.number(),
  uploaded_bytes: z.number(),
  download_speed: z.number().describe('bytes in a second'),
  upload_speed: z.number(),
  connections: z.number(),
  seeders: z.number().nullable().describe('of a torrent'),
  error_code: z.number().nullable().describe('as aria2 numbers its exit statuses'),
  error_message: z.string(),
});
export type Download = z.infer<typeof Download>;

export const DownloadFile = z.object({
  number: z.number().int(),
  path: z.string().describe('below the folder of the download'),
  total_bytes: z.number(),
  completed_bytes: z.number(),
  is_selected: z.boolean(),
});
export type DownloadFile = z.infer<typeof DownloadFile>;

export const DownloadDetails = z.object({
  id: DownloadId,
  folder: z.string(),
  info_hash: z.string().nullable(),
  links: z.array(z.string()),
  files: z.array(DownloadFile).describe('the first `MAX_LISTED_FILES`'),
  file_count: z.number().int(),
  peers: z.array(
    z.object({
      address: z.string(),
      progress: z.number().describe('0 to 1'),
      download_speed: z.number(),
      upload_speed: z.number(),
      is_seeder: z.boolean(),
    }),
  ),
  servers: z.array(z.object({ address: z.string(), download_speed: z.number() })),
  download_limit: z.number(),
  upload_limit: z.number(),
});
export type DownloadDetails = z.infer<typeof DownloadDetails>;

export const DownloadsFromGateway = z.discriminatedUnion('type', [
  ...WatchFromGateway.options,
  z.object({
    type: z.literal('downloads'),
    download_speed: z.number(),
    upload_speed: z.number(),
    /** Active ones, then waiting ones in their order, then stopped ones, the last one first. */
    downloads: z.array(Download),
    /** Of stopped ones, when there are more than are listed. */
    left_out: z.number().int(),
  }),
  z.object({ type: z.literal('details'), details: DownloadDetails }),
  /** The shown download cannot be read: aria2 does not have it any more, or there is too much of it. */
  z.object({ type: z.literal('details_failed'), id: DownloadId, detail: z.string() }),
  /** The target does not answer as it should. The gateway tries again by itself, unless the user has to log in. */
  z.object({ type: z.literal('target_failed'), code: z.string(), detail: z.string() }),
]);
export type DownloadsFromGateway = z.infer<typeof DownloadsFromGateway>;
