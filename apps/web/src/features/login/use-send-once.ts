import { useRef } from 'react';

/**
 * Sends `who` and continues with the reply. If the continuation fails, the next try resumes there: the code is used up
 * and the session exists.
 */
export function useSendOnce<Output>(continueLogin: (reply: Output) => Promise<void>) {
  const done = useRef<{ who: string; reply: Output }>(undefined);
  return async (who: string, send: () => Promise<Output>) => {
    if (done.current?.who !== who) done.current = { who, reply: await send() };
    await continueLogin(done.current.reply);
  };
}
