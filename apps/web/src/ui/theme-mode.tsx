import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useMediaQuery } from './use-media-query.ts';

export const themeModes = ['auto', 'light', 'dark'] as const;
export type ThemeMode = (typeof themeModes)[number];

type ThemeState = { mode: ThemeMode; setMode: (mode: ThemeMode) => void; isDark: boolean; hasMotion: boolean };

const storageKey = 'tongtu.theme';
const ThemeContext = createContext<ThemeState | undefined>(undefined);

function readStoredMode(): ThemeMode {
  try {
    const stored = localStorage.getItem(storageKey);
    return themeModes.find((mode) => mode === stored) ?? 'auto';
  } catch {
    return 'auto'; // storage may be forbidden; then a reload forgets the choice
  }
}

function storeMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(storageKey, mode);
  } catch {
    return; // see readStoredMode
  }
}

/** Follows the system's setting until the user chooses. The browser stores the choice. */
export function ThemeModeProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState(readStoredMode);
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const hasMotion = !useMediaQuery('(prefers-reduced-motion: reduce)');
  const isDark = mode === 'auto' ? isSystemDark : mode === 'dark';

  useEffect(() => {
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
