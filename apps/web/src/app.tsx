import type { QueryClient } from '@tanstack/react-query';
import type { DataRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Api } from './api/index.ts';
import { AppFrame } from './app-frame.tsx';
import { CaptchaProvider } from './features/captcha/captcha-provider.tsx';
import { SessionChanged } from './session-changed.tsx';
import type { DialogStack } from './ui/dialog/dialog-stack.ts';
import { DialogStackProvider } from './ui/dialog/use-open-dialog.ts';

type AppProps = {
  api: Api;
  queryClient: QueryClient;
  router: DataRouter;
  dialogs: DialogStack;
  /** True when the session belongs to another user than the one that the console shows. */
  isSessionChanged: boolean;
};

/** The root view: the frame and the router. */
export function App({ api, queryClient, router, dialogs, isSessionChanged }: AppProps) {
  return (
    <AppFrame api={api} queryClient={queryClient}>
      <DialogStackProvider value={dialogs}>
        <CaptchaProvider>
          <RouterProvider router={router} />
          {isSessionChanged && <SessionChanged />}
        </CaptchaProvider>
      </DialogStackProvider>
    </AppFrame>
  );
}
