import type { AlertEvent, AlertKind, AlertTarget } from '@tongtu/contract';
import { changedFields } from '../../../../api/index.ts';
import { alertsText } from '../../../../text/account/alerts.ts';
import type { ChannelChange, NewChannel } from '../use-alerts.ts';

/** The fields of the form. The kind decides which of the last three are shown. */
export type ChannelFields = {
  kind: AlertKind;
  name: string;
  events: AlertEvent[];
  url: string;
  secret: string;
  sendKey: string;
};

export const alertKinds = Object.keys(alertsText.kind) as AlertKind[]; // the table's keys are the kinds

/** The kind's default name, with a number if another channel has that name. */
export function freshName(kind: AlertKind, taken: readonly string[]): string {
  const word = alertsText.kind[kind];
  for (let count = 1; ; count++) {
    const name = count === 1 ? word : `${word} ${count}`;
    if (!taken.includes(name)) return name;
  }
}

/** The target, or undefined when the fields do not change it. */
function targetOf({ kind, url, secret, sendKey }: ChannelFields): AlertTarget | undefined {
  const signed = secret === '' ? {} : { secret };
  switch (kind) {
    case 'email':
      return { kind };
    case 'serverchan':
      return sendKey === '' ? undefined : { kind, send_key: sendKey };
    case 'wecom':
    case 'bark':
      return url === '' ? undefined : { kind, url };
    case 'dingtalk':
    case 'feishu':
    case 'webhook':
      return url === '' ? undefined : { kind, url, ...signed };
  }
}

export function toCreate(fields: ChannelFields): NewChannel {
  const target = targetOf(fields);
  if (target === undefined) throw new Error('the form let an empty target pass');
  return { name: fields.name, events: fields.events, target };
}

/** Only what the user has changed. */
export function toPatch(fields: ChannelFields, initial: ChannelFields): ChannelChange {
  const { name, events } = fields;
  const target = fields.kind === 'email' ? undefined : targetOf(fields);
  return { ...changedFields({ name, events }, initial), ...(target && { target }) };
}
