import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { readStoredMode, storeMode, type ThemeMode } from './stored-theme.ts';
import { useMediaQuery } from '../use-media-query.ts';

type ThemeState = { mode: ThemeMode; setMode: (mode: ThemeMode) => void; isDark: boolean; hasMotion: boolean };

const ThemeContext = createContext<ThemeState | undefined>(undefined);

/** Follows the system's setting until the user chooses. The browser stores the choice. */
export function ThemeModeProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState(readStoredMode);
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const hasMotion = !useMediaQuery('(prefers-reduced-motion: reduce)');
  const isDark = mode === 'auto' ? isSystemDark : mode === 'dark';

  useEffect(() => {
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    document.body.style.backgroundColor = isDark ? '#0d1519' : '#f3f6f8';
  }, [isDark]);

  const state = useMemo<ThemeState>(
    () => ({
      mode,
      isDark,
      hasMotion,
      setMode(next) {
        storeMode(next);
        setMode(next);
      },
    }),
    [mode, isDark, hasMotion],
  );
  return <ThemeContext value={state}>{children}</ThemeContext>;
}

/** Throws outside of ThemeModeProvider. */
export function useThemeMode(): ThemeState {
  const state = use(ThemeContext);
  if (!state) throw new Error('useThemeMode outside of ThemeModeProvider');
  return state;
}
