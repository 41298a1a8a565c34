import type { AlertChannel, AlertKind } from '@tongtu/contract';
import { EmailTarget } from './email-target.tsx';
import { SecretField, SendKeyField, UrlField } from './target-field.tsx';

type TargetFieldsProps = {
  kind: AlertKind;
  /** The channel to change; undefined while adding one. */
  channel: AlertChannel | undefined;
  email: string;
  /** Called when the user leaves to bind an address first. */
  onLeave: () => void;
};

/** The fields of a kind's target, with hints where to find the values. */
export function TargetFields({ kind, channel, email, onLeave }: TargetFieldsProps) {
  switch (kind) {
    case 'email':
      return <EmailTarget email={email} onLeave={onLeave} />;
    case 'serverchan':
      return <SendKeyField isSet={channel !== undefined} />;
    case 'wecom':
    case 'bark':
      return <UrlField kind={kind} isSet={channel !== undefined} hasSecret={false} />;
    case 'dingtalk':
    case 'feishu':
    case 'webhook':
      return (
        <>
          <UrlField kind={kind} isSet={channel !== undefined} hasSecret />
          <SecretField kind={kind} channel={channel} />
        </>
      );
  }
}
