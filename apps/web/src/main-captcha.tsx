import { createRoot } from 'react-dom/client';
import type { Api } from './api/api-context.ts';
import { createClient } from './api/client/client.ts';
import { createQueryClient } from './api/client/create-query-client.ts';
import { readCsrfToken } from './api/client/read-csrf-token.ts';
import { AppFrame } from './app-frame.tsx';
import { CaptchaDialog } from './features/captcha/captcha-dialog.tsx';
import type { SolveCaptcha } from './features/captcha/create-captcha.ts';
import type { DialogStack } from './ui/dialog/dialog-stack.ts';
import { DialogStackProvider } from './ui/dialog/use-open-dialog.ts';

/**
 * Shows captchas over a page that is not the console. They have a client of their own: the errors of the page's client
 * are instances of a class of another build.
 */
export function solveCaptcha(page: Api, dialogs: DialogStack): SolveCaptcha {
  const { call } = createClient({
    origin: '',
    fetch: window.fetch.bind(window),
    readCsrfToken: () => readCsrfToken(document.cookie, window.location.protocol),
    readShownUserId: () => undefined,
    onSessionLost: () => undefined,
    onSessionChanged: () => window.location.reload(),
  });
  const api = { ...page, call };
  return async (purpose, options) => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = createRoot(host);
    const ticket = await new Promise<string | undefined>((resolve) => {
      root.render(
        <AppFrame api={api} queryClient={createQueryClient()}>
          <DialogStackProvider value={dialogs}>
            <CaptchaDialog purpose={purpose} {...options} onDone={resolve} />
          </DialogStackProvider>
        </AppFrame>,
      );
    });
    root.unmount();
    host.remove();
    return ticket;
  };
}
