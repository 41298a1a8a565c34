/**
 * The calls of the file manager (sftp, webdav, smb), below `/apps/{session}/files/`. The gateway answers them.
 * Errors are problem details (`LoginProblem`), whose code is one of the catalogue, `files.` and a file failure, or one of
 * `target-login.ts`. Uploads use tus 1.0 at `uploads/`, with the metadata of `UploadMetadata`.
 */
import { z } from 'zod';
import { Timestamp } from '../shared.ts';
import { isPossibleName, MAX_FILE_PATH_LENGTH, MAX_PATHS } from './file-names.ts';

/** Absolute, with `/` between the names. It is passed on as it is, so no name may be empty, `.` or `..`. */
export const FilePath = z
  .string()
  .max(MAX_FILE_PATH_LENGTH)
  .refine((path) => path === '/' || (path.startsWith('/') && path.slice(1).split('/').every(isPossibleName)));

/** `paths` in a query: a JSON array, because a path may have any separator in it. */
const PathsInQuery = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.array(FilePath).min(1).max(MAX_PATHS));

const Changeable = FilePath.refine((path) => path !== '/');

const EntryType = z.enum(['file', 'folder', 'link', 'other']);

export const FileEntry = z.object({
  name: z.string(),
  type: EntryType,
  link_target: z.enum(['file', 'folder', 'other']).optional().describe('of a link that leads somewhere'),
  size: z.number().nonnegative().nullable(),
  modified_at: Timestamp.nullable(),
  usable: z.literal(false).optional().describe('its name cannot be part of a path, so nothing can be done with it'),
});
export type FileEntry = z.infer<typeof FileEntry>;

/** `GET list?path=` */
export const FileListQuery = z.strictObject({ path: FilePath });
export const FileList = z.object({
  entries: z.array(FileEntry),
  free_bytes: z.number().nonnegative().nullable().describe('null: the target does not say'),
});
export type FileList = z.infer<typeof FileList>;

/** `POST folder` */
export const FolderCreate = z.strictObject({ path: Changeable });
/** `POST move` and `POST copy`: `to` is the whole path of the result. A copied folder has all of its content. */
export const FileTransfer = z.strictObject({ from: Changeable, to: Changeable, overwrite: z.boolean().default(false) });
export type FileTransfer = z.infer<typeof FileTransfer>;
/** `POST delete`: folders with all of their content; links without what they lead to. */
export const FilesDelete = z.strictObject({ paths: z.array(Changeable).min(1).max(MAX_PATHS) });

/** What a move, copy or delete did. It goes on after what fails. */
export const TreeResult = z.object({
  done: z.number().int().describe('files and folders'),
  failed_count: z.number().int(),
  failed: z
    .array(z.object({ path: z.string(), code: z.string(), detail: z.string() }))
    .describe('the first ones; a folder that still has content is not among them'),
});
export type TreeResult = z.infer<typeof TreeResult>;

/** `GET tree_summary?paths=`: what a delete would take. */
export const PathsQuery = z.strictObject({ paths: PathsInQuery });
export const TreeSummary = z.object({
  files: z.number().int(),
  folders: z.number().int(),
  others: z.number().int().describe('links and special files'),
  bytes: z.number(),
  unreadable: z.number().int().describe('folders whose content cannot be listed'),
  is_complete: z.boolean().describe('false: there are more; the count has stopped'),
});
export type TreeSummary = z.infer<typeof TreeSummary>;

/**
 * `GET content?path=`. `inline=1` for a preview: refused types are downloads all the same. `name` is that of a download,
 * where the page knows better how to show it.
 */
export const ContentQuery = z.strictObject({
  path: FilePath,
  inline: z.literal('1').optional(),
  name: z.string().min(1).max(1_024).optional(),
});

/**
 * `PUT content?path=`: the whole new text. `if_modified` is the `modified_at` of the file when it was opened; without
 * it a file is created, and one that exists is not replaced.
 */
export const ContentPutQuery = z.strictObject({ path: Changeable, if_modified: Timestamp.optional() });
export const ContentPut = z.object({ size: z.number(), modified_at: Timestamp.nullable() });
export type ContentPut = z.infer<typeof ContentPut>;

/** `GET zip?paths=&name=` */
export const ZipQuery = PathsQuery.extend({ name: z.string().min(1).max(255).optional() });

/** The `Upload-Metadata` of an upload. `key` names the local file (of its size and time), so that it can be resumed. */
export const UploadMetadata = z.object({
  path: Changeable,
  key: z.string().min(1).max(100),
  overwrite: z.enum(['0', '1']).default('0'),
});
export type UploadMetadata = z.infer<typeof UploadMetadata>;
