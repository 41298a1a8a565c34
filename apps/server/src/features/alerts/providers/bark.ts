import { linesOf } from '../sending/alert-message.ts';
import { jsonRequest, failureOfCode, type Provider } from './provider.ts';

const GROUP = '通途';

/** The app Bark on an iPhone: `https://host/<key>`. A self-hosted server may have a path before the key. */
export const bark: Provider<'bark'> = {
  request({ url: keyUrl }, message) {
    const { origin, pathname } = new URL(keyUrl);
    const { prefix, key } = splitPath(pathname);
    const url = new URL(`${prefix}push`, origin);
    return jsonRequest(url, {
      device_key: key,
      title: message.title,
      body: linesOf(message).slice(0, -1).join('\n'), // the last line is the address, which Bark opens on a tap
      group: GROUP,
      url: message.url,
    });
  },
  failureOf: (response) => failureOfCode(response, { field: 'code', success: 200, failures: { 500: 'server_error' } }),
};

/** Addresses copied from the app may continue after the key: `/<key>/推送内容`. Keys have 22 characters by default. */
function splitPath(pathname: string): { prefix: string; key: string } {
  const parts = pathname.split('/').filter((part) => part !== '');
  const known = parts.findIndex((part) => /^[A-Za-z0-9]{22}$/.test(part));
  const at = known === -1 ? parts.length - 1 : known;
  return { prefix: ['', ...parts.slice(0, Math.max(at, 0)), ''].join('/'), key: parts[at] ?? '' };
}
