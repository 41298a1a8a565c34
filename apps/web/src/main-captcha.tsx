import './ui/theme/component-styles.css';
import { createRoot } from 'react-dom/client';
import type { Api } from './api/api-context.ts';
import { createQueryClient } from './api/client/create-query-client.ts';
import { AppFrame } from './app-frame.tsx';
import { CaptchaDialog } from './features/captcha/captcha-dialog.tsx';
import { isPageLeft, type SolveCaptcha } from './features/captcha/create-captcha.ts';
import type { DialogStack } from './ui/dialog/dialog-stack.ts';
import { DialogStackProvider } from './ui/dialog/use-open-dialog.ts';

/** Shows captchas over a page that is not the console. */
export function solveCaptcha(api: Api, dialogs: DialogStack): SolveCaptcha {
  return async (purpose, options) => {
    if (isPageLeft(options)) return undefined;
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
