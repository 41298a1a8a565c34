import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { useMemo } from 'react';
import type { DataRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { type Api, ApiProvider } from './api/index.ts';
import { CaptchaProvider } from './features/captcha/captcha-provider.tsx';
import { SessionChanged } from './session-changed.tsx';
import { passwordEye } from './ui/field-icons.tsx';
import { popupContainer } from './ui/popup-container.ts';
import { ThemeModeProvider, useThemeMode } from './ui/theme-mode.tsx';
import { createTheme } from './ui/theme-tokens.ts';
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

function Themed(props: Pick<AppProps, 'router' | 'isSessionChanged'>) {
  const { isDark, hasMotion } = useThemeMode();
  const theme = useMemo(() => createTheme({ isDark, hasMotion }), [isDark, hasMotion]);
  return (
    <ConfigProvider
      locale={zhCN}
      theme={theme}
      button={{ autoInsertSpace: false }}
      getPopupContainer={popupContainer}
      inputPassword={{ iconRender: passwordEye }}
    >
      <CaptchaProvider>
        <RouterProvider router={props.router} />
        {props.isSessionChanged && <SessionChanged />}
      </CaptchaProvider>
    </ConfigProvider>
  );
}

/** The root view: Simplified Chinese, the theme, and the router. */
export function App({ api, queryClient, dialogs, ...shown }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>
        <ThemeModeProvider>
          <DialogStackProvider value={dialogs}>
            <Themed {...shown} />
          </DialogStackProvider>
        </ThemeModeProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}
