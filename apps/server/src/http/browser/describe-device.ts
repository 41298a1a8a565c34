/** The order matters: the User-Agent of nearly every browser also contains Chrome or Safari. */
const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger\//, '微信'],
  [/\bQQBrowser\//, 'QQ 浏览器'],
  [/\bUCBrowser\//, 'UC 浏览器'],
  [/\bHuaweiBrowser\//, '华为浏览器'],
  [/\bMiuiBrowser\//, '小米浏览器'],
  [/\bSamsungBrowser\//, '三星浏览器'],
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\biPad\b/, 'iPad'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\b(OpenHarmony|HarmonyOS)\b/, '鸿蒙'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Chrome · Windows`, or the part of it that the User-Agent reveals. Users recognize their browsers by it. */
export function describeDevice(userAgent: string): string {
  const known = [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter((name) => name !== undefined);
  return known.length === 0 ? '未知的浏览器或程序' : known.join(' · ');
}

function nameIn(names: typeof browsers, userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
