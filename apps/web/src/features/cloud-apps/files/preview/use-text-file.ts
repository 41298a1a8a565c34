import { useMutation, useQuery } from '@tanstack/react-query';
import { errorCode } from '../../../../api/index.ts';
import type { FilesClient } from '../files-client.ts';
import { nameOf, parentPath } from '../folder-path.ts';

/** `version` is the time of the file as it was read; null if the target does not say, and then it cannot be saved. */
export type TextFile = { bytes: Uint8Array; version: string | null };

/** A text file, and saving it unless somebody else has changed it meanwhile. */
export function useTextFile(client: FilesClient, path: string) {
  const query = useQuery({
    queryKey: ['files-text', client.id, path],
    queryFn: async ({ signal }): Promise<TextFile> => {
      // The time first: a change between the two calls is then noticed when saving.
      const version = await versionOf(client, path, signal);
      return { bytes: await client.readContent(path, signal), version };
    },
    // Each opening reads the file as it is then, and what is being edited is not replaced.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const save = useMutation({
    mutationFn: async ({ bytes, keepMine }: { bytes: Uint8Array<ArrayBuffer>; keepMine: boolean }) => {
      const version = keepMine ? await versionOf(client, path) : query.data?.version;
      if (version === null || version === undefined) throw new Error('nothing to save');
      await client.saveContent(path, bytes, version);
    },
  });
  const hasConflict = errorCode(save.error) === 'files.changed';
  return { query, save, hasConflict };
}

async function versionOf(client: FilesClient, path: string, signal?: AbortSignal): Promise<string | null> {
  const { entries } = await client.list(parentPath(path), signal);
  return entries.find(({ name }) => name === nameOf(path))?.modified_at ?? null;
}
