// Writes apps/web/src/ui/theme/theme.css from the theme's tokens; `--check` fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { designTokens } from '../apps/web/src/ui/theme/theme-tokens.ts';

const file = path.resolve(import.meta.dirname, '../apps/web/src/ui/theme/theme.css');

/** The tokens that styles outside of Ant Design's elements use. */
const tokens = [
  'colorBgContainer',
  'colorBgLayout',
  'colorBorder',
  'colorBorderSecondary',
  'colorError',
  'colorErrorBg',
  'colorErrorText',
  'colorFill',
  'colorFillQuaternary',
  'colorFillSecondary',
  'colorFillTertiary',
  'colorPrimary',
  'colorPrimaryBg',
  'colorPrimaryBgHover',
  'colorPrimaryHover',
  'colorSuccess',
  'colorSuccessBg',
  'colorSuccessText',
  'colorText',
  'colorTextDisabled',
  'colorTextPlaceholder',
  'colorTextSecondary',
  'colorWarning',
  'colorWarningBg',
  'colorWarningText',
] as const;
/** The bridge behind full pages, and text on the primary colour. */
const ownColors = {
  light: {
    '--scene-sky': '#e3f1f4',
    '--scene-horizon': '#f4f8f9',
    '--scene-far': '#bcd9df',
    '--scene-near': '#a3ccd5',
    '--scene-hill': '#e0eef1',
    '--scene-water': '#cfe5ea',
    '--on-primary': '#fff',
  },
  dark: {
    '--scene-sky': '#0b1d25',
    '--scene-horizon': '#0d1519',
    '--scene-far': '#17343f',
    '--scene-near': '#1d4552',
    '--scene-hill': '#0f2028',
    '--scene-water': '#0f2a34',
    '--on-primary': '#06181d',
  },
};
const fonts = ['fontFamily', 'fontFamilyCode'] as const;

const text = render();
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('apps/web/src/ui/theme/theme.css is stale: run `node tools/write-theme.ts`');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}

function render(): string {
  const light = declarations({ isDark: false }, [...fonts, ...tokens]);
  const dark = declarations({ isDark: true }, tokens);
  return `/* Generated from theme-tokens.ts by tools/write-theme.ts: the theme outside of Ant Design's elements. */
:root {
${light}
}
:root[data-theme='dark'] {
${dark}
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) {
${indented(dark)}
  }
}
@media (prefers-reduced-motion: reduce) {
  /* Without pseudo-elements: a rule for all of them would cost time at each element. */
  * {
    transition-duration: 0s !important;
  }
}
`;
}

function declarations(options: { isDark: boolean }, names: readonly (typeof tokens | typeof fonts)[number][]): string {
  const values = designTokens(options);
  const own = Object.entries(ownColors[options.isDark ? 'dark' : 'light']);
  const ofTheme = names.map((name) => [variableName(name), values[name].replace(/,(?=\d)/g, ', ')]);
  return [...ofTheme, ...own].map(([name, value]) => `  ${name}: ${value};`).join('\n');
}

/** As Ant Design names its variables. */
function variableName(token: string): string {
  return `--ant-${token.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function indented(lines: string): string {
  return lines.replace(/^/gm, '  ');
}
