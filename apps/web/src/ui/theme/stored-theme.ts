export const themeModes = ['auto', 'light', 'dark'] as const;
export type ThemeMode = (typeof themeModes)[number];

const storageKey = 'tongtu.theme';

/** What the user has chosen in this browser. */
export function readStoredMode(): ThemeMode {
  try {
    const stored = localStorage.getItem(storageKey);
    return themeModes.find((mode) => mode === stored) ?? 'auto';
  } catch {
    return 'auto'; // storage may be forbidden; then a reload forgets the choice
  }
}

export function storeMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(storageKey, mode);
  } catch {
    return; // see readStoredMode
  }
}
