import { linesOf } from '../sending/alert-message.ts';
import { jsonCall, judgeCode, type Provider } from './provider.ts';

const GROUP = '通途';

/** An iPhone with Bark: `https://host/<key>`, behind a path where somebody runs the server there. */
export const bark: Provider<'bark'> = {
  call({ url: keyUrl }, message) {
    const { origin, pathname } = new URL(keyUrl);
    const { prefix, key } = splitPath(pathname);
    const url = new URL(`${prefix}push`, origin);
    return jsonCall(url, {
      device_key: key,
      title: message.title,
      body: linesOf(message).slice(0, -1).join('\n'), // the last line is the address, which opens with a touch
      group: GROUP,
      url: message.url,
    });
  },
  judge: (answer) => judgeCode(answer, { field: 'code', arrived: 200, failures: { 500: 'server_error' } }),
};

/** What people copy from the app may go on after the key: `/<key>/推送内容`. The app's own keys have 22 signs. */
function splitPath(pathname: string): { prefix: string; key: string } {
  const parts = pathname.split('/').filter((part) => part !== '');
  const known = parts.findIndex((part) => /^[A-Za-z0-9]{22}$/.test(part));
  const at = known === -1 ? parts.length - 1 : known;
  return { prefix: ['', ...parts.slice(0, Math.max(at, 0)), ''].join('/'), key: parts[at] ?? '' };
}
