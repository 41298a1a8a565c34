import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError } from '../../../api/index.ts';
import type { FilesClient } from './files-client.ts';
import type { ListedEntry } from './listed-entry.ts';
import { isFolderPath } from './folder-path.ts';

const noEntries: readonly ListedEntry[] = [];
/** Each session has its own login, so nothing of another one is shown. */
const listingKey = (client: FilesClient, path?: string) =>
  path === undefined ? ['files', client.id] : ['files', client.id, path];

/** The content of a folder. `path` is undefined until the login has succeeded. */
export function useListing(client: FilesClient, path: string | undefined) {
  const query = useQuery({
    queryKey: listingKey(client, path ?? ''),
    enabled: path !== undefined,
    // Coming back to a folder shows it at once and looks for changes.
    staleTime: 0,
    refetchOnWindowFocus: false,
    async queryFn({ signal }) {
      if (path === undefined || !isFolderPath(path)) throw notFound();
      return await client.list(path, signal);
    },
  });
  return {
    query,
    entries: query.data?.entries ?? noEntries,
    freeBytes: query.data?.free_bytes ?? null,
  };
}

/** Marks all folders as changed; the shown one is read again. */
export function useRefresh(client: FilesClient): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async () => await queryClient.invalidateQueries({ queryKey: listingKey(client) }),
    [queryClient, client],
  );
}

/** What stands in an address that nobody has made with this page. */
function notFound(): ApiError {
  return new ApiError({
    ...{ type: 'problem', status: 404, code: 'files.not-found', detail: '' },
    ...{ fields: {}, requestId: '', retryAfterSeconds: undefined },
  });
}
