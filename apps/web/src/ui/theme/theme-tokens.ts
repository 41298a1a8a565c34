import { type GlobalToken, theme, type ThemeConfig } from 'antd';

const fontFamily =
  "'PingFang SC', 'HarmonyOS Sans SC', 'MiSans', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', system-ui, sans-serif";
const fontFamilyCode = "'SF Mono', 'JetBrains Mono', 'Cascadia Code', Consolas, 'Noto Sans Mono CJK SC', monospace";

const shared = {
  fontFamily,
  fontFamilyCode,
  borderRadius: 8,
  borderRadiusLG: 12,
  controlHeight: 36,
} as const;

const motion = { motionDurationFast: '0.08s', motionDurationMid: '0.14s', motionDurationSlow: '0.18s' } as const;
/** For Ant Design's pseudo-elements, which the rule in theme.css leaves out. */
const noMotion = {
  motion: false,
  motionDurationFast: '0s',
  motionDurationMid: '0s',
  motionDurationSlow: '0s',
} as const;

const light = {
  colorPrimary: '#0e7490',
  // Darker, not lighter: the text of a button stays readable on hover.
  colorPrimaryHover: '#0b6179',
  colorInfo: '#0e7490',
  colorLink: '#0e7490',
  colorLinkHover: '#0b6179',
  colorSuccess: '#12845c',
  colorWarning: '#b86e00',
  colorError: '#c93a3a',
  // As above.
  colorErrorHover: '#b23030',
  colorBgLayout: '#f3f6f8',
  colorTextBase: '#15242b',
  colorPrimaryBg: '#e4f2f6',
  colorPrimaryBgHover: '#d3e9ef',
  colorInfoBg: '#e4f2f6',
  colorSuccessBg: '#e3f5ec',
  colorWarningBg: '#fdf3df',
  colorErrorBg: '#fdecec',
  // Text in a state's colour on that state's background.
  colorSuccessText: '#0b6a49',
  colorWarningText: '#8a5200',
  colorErrorText: '#b23030',
  // Hints must be readable too: a contrast of at least 4.5:1 on every background.
  colorTextTertiary: '#5c6b72',
  colorTextDescription: '#5c6b72',
  colorTextPlaceholder: '#66757c',
} as const;

const dark = {
  // The dark algorithm darkens some of these.
  colorPrimary: '#35c4df',
  colorInfo: '#35c4df',
  colorLink: '#4cc3d9',
  colorLinkHover: '#7fd8e8',
  colorSuccess: '#35b585',
  colorWarning: '#dda032',
  colorError: '#ff8f90',
  colorBgBase: '#0d1519',
  colorBgLayout: '#0d1519',
  colorBgContainer: '#162127',
  colorBgElevated: '#1c2930',
  colorTextBase: '#e9f1f4',
  colorBorder: '#36474f',
  colorBorderSecondary: '#25333b',
  colorPrimaryBg: '#12343e',
  colorPrimaryBgHover: '#17414d',
  colorInfoBg: '#12303a',
  colorSuccessBg: '#12332a',
  colorWarningBg: '#33280f',
  colorErrorBg: '#371c1f',
  colorSuccessText: '#5ccfa3',
  colorWarningText: '#e6b65c',
  colorErrorText: '#f59c9d',
  colorTextTertiary: '#9aabb3',
  colorTextDescription: '#9aabb3',
  colorTextPlaceholder: '#8a9ba3',
} as const;

/** The product's theme, as tokens only: dark teal, grey background, short motion. */
export function createTheme(options: { isDark: boolean; hasMotion: boolean }): ThemeConfig {
  return {
    // The build has made the styles (build/component-styles.ts).
    zeroRuntime: true,
    hashed: false,
    algorithm: options.isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    // Room for one line of error below a field, and some space below that.
    components: {
      Form: { itemMarginBottom: 28 },
      // White on the dark theme's teal and red has a contrast below 3.8:1.
      ...(options.isDark && { Button: { primaryColor: '#06181d', dangerColor: '#2a0b0c' } }),
      DatePicker: {
        // For the clock beside a calendar on a phone, see date-field.module.css.
        timeColumnWidth: 52,
        // Days of the adjacent months, which can be picked as well, and the picked day.
        ...(options.isDark
          ? { colorTextDisabled: dark.colorTextTertiary, colorTextLightSolid: '#06181d' }
          : { colorTextDisabled: light.colorTextTertiary }),
      },
    },
    token: { ...shared, ...(options.isDark ? dark : light), ...(options.hasMotion ? motion : noMotion) },
  };
}

/** The values that Ant Design computes from the theme. */
export function designTokens(options: { isDark: boolean }): GlobalToken {
  return theme.getDesignToken(createTheme({ ...options, hasMotion: true }));
}
