import { createContext, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Api, ApiError, ApiProvider, errorCode, failImport, useApi } from '../../api/index.ts';

/** Loaded with the first question. A failed load is retried by the next one. */
type Load = () => Promise<typeof import('./confirm-dialog.tsx')>;
const loadDialog: Load = () => import('./confirm-dialog.tsx');
type Dialog = Awaited<ReturnType<Load>>['ConfirmDialog'];

type Question = { promise: Promise<void>; resolve: () => void; reject: (reason: ApiError) => void };

/** Asks for a proof of identity. Rejects with a cancelled ApiError when the user closes the dialog. */
type AskForProof = () => Promise<void>;

export const ConfirmContext = createContext<AskForProof | undefined>(undefined);

type ConfirmProviderProps = { children: ReactNode; load?: Load };

/**
 * Every call of the children that the server refuses with `session.confirm-required` asks for a proof of identity in a
 * dialog, and is made again. It rejects with the call's error, or with a cancelled ApiError when the user closed the dialog:
 * see `isCancelled`. The form that made the call only waits.
 */
export function ConfirmProvider({ children, load = loadDialog }: ConfirmProviderProps) {
  const open = useRef<Question>(undefined);
  const [shown, setShown] = useState<{ Dialog: Dialog }>();

  const settle = useCallback((how: (question: Question) => void) => {
    if (open.current) how(open.current);
    open.current = undefined;
    setShown(undefined);
  }, []);

  const ask = useCallback<AskForProof>(() => {
    // Calls that fail at the same time share one dialog.
    if (open.current) return open.current.promise;
    const question = Promise.withResolvers<void>();
    open.current = question;
    // Not React.lazy: its failure would replace the whole page, with what the user has typed.
    load()
      .catch(failImport)
      .then(
        ({ ConfirmDialog: Dialog }) => open.current === question && setShown({ Dialog }),
        (error: ApiError) => open.current === question && settle(({ reject }) => reject(error)),
      );
    return question.promise;
  }, [load, settle]);

  const cancel = useCallback(() => settle(({ reject }) => reject(new ApiError({ type: 'cancelled' }))), [settle]);
  useEffect(() => cancel, [cancel]);

  return (
    <ConfirmContext value={ask}>
      <ApiProvider value={useAskingApi(ask)}>
        {children}
        {shown && <shown.Dialog onConfirmed={() => settle(({ resolve }) => resolve())} onCancel={cancel} />}
      </ApiProvider>
    </ConfirmContext>
  );
}

function useAskingApi(ask: AskForProof): Api {
  const api = useApi();
  return useMemo(() => {
    const call = async (...input: Parameters<Api['call']>): Promise<unknown> => {
      try {
        return await api.call(...input);
      } catch (error) {
        if (errorCode(error) !== 'session.confirm-required') throw error;
        await ask();
        return await api.call(...input);
      }
    };
    return { ...api, call: call as Api['call'] }; // it answers what the call answers
  }, [api, ask]);
}
