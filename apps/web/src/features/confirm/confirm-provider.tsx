import { createContext, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/index.ts';

/** Loaded with the first question. */
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

type Question = { promise: Promise<void>; resolve: () => void; reject: (reason: ApiError) => void };

/** Asks for a proof of identity. Rejects with a cancelled ApiError when the user closes the dialog. */
type AskForProof = () => Promise<void>;

export const ConfirmContext = createContext<AskForProof | undefined>(undefined);

/** Shows the dialog of `useWithConfirmation`. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const open = useRef<Question>(undefined);
  const [isAsking, setIsAsking] = useState(false);

  const ask = useCallback<AskForProof>(() => {
    // Calls that fail at the same time share one dialog.
    if (open.current) return open.current.promise;
    open.current = Promise.withResolvers<void>();
    setIsAsking(true);
    return open.current.promise;
  }, []);

  const settle = useCallback((how: (question: Question) => void) => {
    if (open.current) how(open.current);
    open.current = undefined;
    setIsAsking(false);
  }, []);

  const cancel = useCallback(() => settle(({ reject }) => reject(new ApiError({ type: 'cancelled' }))), [settle]);
  useEffect(() => cancel, [cancel]);

  return (
    <ConfirmContext value={ask}>
      {children}
      {isAsking && (
        <Suspense fallback={null}>
          <ConfirmDialog onConfirmed={() => settle(({ resolve }) => resolve())} onCancel={cancel} />
        </Suspense>
      )}
    </ConfirmContext>
  );
}
