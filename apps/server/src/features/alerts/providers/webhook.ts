import { createHmac } from 'node:crypto';
import { oneLine, type AlertMessage } from '../sending/alert-message.ts';
import { jsonCall, judgeStatus, type Provider } from './provider.ts';

export const webhook: Provider<'webhook'> = {
  call({ url, secret }, message, wallClockMs) {
    const call = jsonCall(new URL(url), bodyOf(message, wallClockMs));
    if (!secret) return call;
    const seconds = Math.floor(wallClockMs / 1000);
    const signature = createHmac('sha256', secret).update(`${seconds}.${call.body}`).digest('hex');
    return { ...call, headers: { 'x-tongtu-signature': `t=${seconds},v1=${signature}` } };
  },
  judge: ({ status }) => judgeStatus(status),
};

/** docs/alerts.md describes it for its receivers. */
function bodyOf(message: AlertMessage, wallClockMs: number): object {
  const { details, title, url } = message;
  const common = { event: details.event, title, text: oneLine(message), url, at: new Date(wallClockMs).toISOString() };
  switch (details.event) {
    case 'device_offline': {
      const devices = details.devices.map(({ id, uid, name, since, reason }) => ({
        ...{ id, uid, name },
        offline_since: since,
        offline_reason: reason,
      }));
      return { ...common, ...theOnly(devices), devices };
    }
    case 'device_online': {
      const devices = details.devices.map(({ id, uid, name, since, back }) => ({
        ...{ id, uid, name },
        offline_since: since,
        online_since: back,
      }));
      return { ...common, ...theOnly(devices), devices };
    }
    case 'new_login': {
      const { browser, place, ip, at } = details;
      return { ...common, login: { browser, place, ip, at } };
    }
    case 'test':
      return common;
  }
}

/** Most messages are of one device, and most receivers want to look no further. */
function theOnly<Device>(devices: Device[]): { device?: Device } {
  const [device, ...others] = devices;
  return device === undefined || others.length > 0 ? {} : { device };
}
