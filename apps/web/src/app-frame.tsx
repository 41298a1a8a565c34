import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { type ReactNode, useMemo } from 'react';
import { type Api, ApiProvider } from './api/index.ts';
import { passwordEye } from './ui/fields/field-icons.tsx';
import { popupContainer } from './ui/popup-container.ts';
import { componentConfig } from './ui/theme/component-config.ts';
import { ThemeModeProvider, useThemeMode } from './ui/theme/theme-mode.tsx';
import { createTheme } from './ui/theme/theme-tokens.ts';

function Themed({ children }: { children: ReactNode }) {
  const { isDark, hasMotion } = useThemeMode();
  const theme = useMemo(() => createTheme({ isDark, hasMotion }), [isDark, hasMotion]);
  return (
    <ConfigProvider
      locale={zhCN}
      theme={theme}
      {...componentConfig}
      wave={{ disabled: !hasMotion }}
      getPopupContainer={popupContainer}
      inputPassword={{ iconRender: passwordEye }}
    >
      {children}
    </ConfigProvider>
  );
}

type AppFrameProps = { api: Api; queryClient: QueryClient; children: ReactNode };

/** What every component of the console needs around it: Simplified Chinese, the theme, and the calls. */
export function AppFrame({ api, queryClient, children }: AppFrameProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>
        <ThemeModeProvider>
          <Themed>{children}</Themed>
        </ThemeModeProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}
