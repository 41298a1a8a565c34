import { createContext, use, useCallback, useEffect, useState } from 'react';

const markedMs = 4000;

type SavedMapping = { id: number | undefined; mark: (id: number) => void };

const SavedMappingContext = createContext<SavedMapping>({ id: undefined, mark: () => {} });

/** Lets rows mark the mapping that was just saved. */
export const SavedMappingProvider = SavedMappingContext;

export function useSavedMapping(): SavedMapping {
  return use(SavedMappingContext);
}

/** The state behind `useSavedMapping`. */
export function useMarkSavedMapping(): SavedMapping {
  const [saved, setSaved] = useState<{ id: number }>();
  useEffect(() => {
    if (!saved) return undefined;
    const timer = setTimeout(() => setSaved(undefined), markedMs);
    return () => clearTimeout(timer);
  }, [saved]);
  const mark = useCallback((id: number) => setSaved({ id }), []);
  return { id: saved?.id, mark };
}
