import { expect, test } from 'vitest';
import { describeDevice } from './describe-device.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = `${webkit} Chrome/140.0.0.0 Safari/537.36`;
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome · Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`, 'Edge · Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} OPR/124.0.0.0`, 'Opera · Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'Chrome · ChromeOS'],
  [`Mozilla/5.0 (Linux; Android 15; SM-S931B) ${webkit} SamsungBrowser/28.0 Chrome/130.0`, '三星浏览器 · Android'],
  [`Mozilla/5.0 (Linux; Android 15) ${webkit} Version/4.0 Chrome/130.0 MicroMessenger/8.0.60`, '微信 · Android'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${apple} Mobile/15E148 Safari/604.1`, 'Safari · iPhone'],
  [`Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${apple} Mobile/15E148 Safari/604.1`, 'Safari · iPad'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox · macOS'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'Windows'],
  ['curl/8.14.1', '未知的浏览器或程序'],
  ['', '未知的浏览器或程序'],
])('%s is %s', (userAgent, described) => {
  expect(describeDevice(userAgent)).toBe(described);
});
