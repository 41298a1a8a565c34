import { errorCode, errorText, fieldErrors } from '../../../../api/index.ts';
import type { ChannelFields } from './channel-fields.ts';

type FieldName = keyof ChannelFields;
export type ChannelMessages = { name: FieldName; errors: string[] };

const fieldOfName: Record<string, FieldName> = {
  name: 'name',
  events: 'events',
  'target.url': 'url',
  'target.secret': 'secret',
  'target.send_key': 'sendKey',
};

/** Maps the server's refusal to messages of fields. Empty when it concerns no field. */
export function channelMessages(error: unknown): ChannelMessages[] {
  if (errorCode(error) === 'alert.address-refused') return [{ name: 'url', errors: [errorText(error)] }];
  return Object.entries(fieldErrors(error)).flatMap(([field, errors]): ChannelMessages[] => {
    const name = fieldOfName[field];
    return name ? [{ name, errors }] : [];
  });
}
