import { createHmac } from 'node:crypto';
import { oneLine, type AlertMessage } from '../sending/alert-message.ts';
import { jsonRequest, failureOfStatus, type Provider } from './provider.ts';

export const webhook: Provider<'webhook'> = {
  request({ url, secret }, message, wallClockMs) {
    const request = jsonRequest(new URL(url), bodyOf(message, wallClockMs));
    if (!secret) return request;
    const seconds = Math.floor(wallClockMs / 1000);
    const signature = createHmac('sha256', secret).update(`${seconds}.${request.body}`).digest('hex');
    return { ...request, headers: { 'x-tongtu-signature': `t=${seconds},v1=${signature}` } };
  },
  failureOf: ({ status }) => failureOfStatus(status),
};

/** docs/alerts.md documents this body for receivers. */
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
      return { ...common, ...onlyDevice(devices), devices };
    }
    case 'device_online': {
      const devices = details.devices.map(({ id, uid, name, since, back }) => ({
        ...{ id, uid, name },
        offline_since: since,
        online_since: back,
      }));
      return { ...common, ...onlyDevice(devices), devices };
    }
    case 'new_login': {
      const { browser, place, ip, at } = details;
      return { ...common, login: { browser, place, ip, at } };
    }
    case 'passkey_added': {
      const { name, browser, place, ip, at } = details;
      return { ...common, passkey: { name, browser, place, ip, at } };
    }
    case 'access_request': {
      const { account, domain, message, at } = details;
      return { ...common, access_request: { account, domain, message, at } };
    }
    case 'plan_expiring':
    case 'plan_expired': {
      const plans = details.plans.map(({ id, name, device, ends }) => ({ id, name, device, ends_at: ends }));
      return { ...common, plans };
    }
    case 'ledger_unbalanced': {
      const { problems, problemCount, at } = details;
      return { ...common, ledger: { problems, problem_count: problemCount, at } };
    }
    case 'test':
      return common;
  }
}

/** Most messages have one device, and a simple receiver can read it without a loop. */
function onlyDevice<Device>(devices: Device[]): { device?: Device } {
  const [device, ...others] = devices;
  return device === undefined || others.length > 0 ? {} : { device };
}
