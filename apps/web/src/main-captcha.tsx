import { createRoot } from 'react-dom/client';
import type { Api } from './api/api-context.ts';
import { createQueryClient } from './api/create-query-client.ts';
import { AppFrame } from './app-frame.tsx';
import { CaptchaDialog } from './features/captcha/captcha-dialog.tsx';
import type { SolveCaptcha } from './features/captcha/create-captcha.ts';

/** Shows captchas over a page that is not the console. */
export function solveCaptcha(api: Api): SolveCaptcha {
  return async (purpose, options) => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = createRoot(host);
    const ticket = await new Promise<string | undefined>((resolve) => {
      root.render(
        <AppFrame api={api} queryClient={createQueryClient()}>
          <CaptchaDialog purpose={purpose} {...options} onDone={resolve} />
        </AppFrame>,
      );
    });
    root.unmount();
    host.remove();
    return ticket;
  };
}
