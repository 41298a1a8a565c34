import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { useMemo } from 'react';
import type { DataRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { type Api, ApiProvider } from './api/index.ts';
import { CaptchaProvider } from './features/captcha/captcha-provider.tsx';
import { passwordEye } from './ui/field-icons.tsx';
import { ThemeModeProvider, useThemeMode } from './ui/theme-mode.tsx';
import { createTheme } from './ui/theme-tokens.ts';

type AppProps = { api: Api; queryClient: QueryClient; router: DataRouter };

function Themed(props: { router: DataRouter }) {
  const { isDark, hasMotion } = useThemeMode();
  const theme = useMemo(() => createTheme({ isDark, hasMotion }), [isDark, hasMotion]);
  return (
    <ConfigProvider
      locale={zhCN}
      theme={theme}
      button={{ autoInsertSpace: false }}
      inputPassword={{ iconRender: passwordEye }}
    >
      <CaptchaProvider>
        <RouterProvider router={props.router} />
      </CaptchaProvider>
    </ConfigProvider>
  );
}

/** The root view: Simplified Chinese, the theme, and the router. */
export function App({ api, queryClient, router }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>
        <ThemeModeProvider>
          <Themed router={router} />
        </ThemeModeProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}
