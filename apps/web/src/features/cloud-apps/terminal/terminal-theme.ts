import type { ITheme } from '@xterm/xterm';

const dark: ITheme = {
  background: '#0d1519',
  foreground: '#dbe6ea',
  cursor: '#35c4df',
  cursorAccent: '#0d1519',
  selectionBackground: '#27505c',
  black: '#1c2930',
  red: '#ff8f90',
  green: '#5ccfa3',
  yellow: '#e6b65c',
  blue: '#74b0f4',
  magenta: '#d79bea',
  cyan: '#4cc3d9',
  white: '#dbe6ea',
  brightBlack: '#8a9ba3',
  brightRed: '#ffb3b3',
  brightGreen: '#86e3bf',
  brightYellow: '#f4d08a',
  brightBlue: '#a3ccfa',
  brightMagenta: '#e9c0f5',
  brightCyan: '#86dcea',
  brightWhite: '#ffffff',
};

const light: ITheme = {
  background: '#ffffff',
  foreground: '#15242b',
  cursor: '#0e7490',
  cursorAccent: '#ffffff',
  selectionBackground: '#bfe0ea',
  black: '#15242b',
  red: '#b23030',
  green: '#0b6a49',
  yellow: '#8a5200',
  blue: '#1a56b0',
  magenta: '#8a2f9c',
  cyan: '#0e7490',
  white: '#66757c',
  brightBlack: '#5c6b72',
  brightRed: '#c93a3a',
  brightGreen: '#12845c',
  brightYellow: '#9c6000',
  brightBlue: '#2a6fd6',
  brightMagenta: '#a544b8',
  brightCyan: '#0b6179',
  brightWhite: '#15242b',
};

/** The colours that programs name, on the console's backgrounds. */
export function terminalTheme({ isDark }: { isDark: boolean }): ITheme {
  return isDark ? dark : light;
}

/** How matches of a search are marked. */
export function matchColors({ isDark }: { isDark: boolean }) {
  return isDark
    ? { match: '#4d4118', active: '#8a6a12', border: '#e6b65c' }
    : { match: '#fdf0c4', active: '#f7c948', border: '#8a5200' };
}
