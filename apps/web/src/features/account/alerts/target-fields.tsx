import type { AlertChannel, AlertKind } from '@tongtu/contract';
import { EmailTarget } from './email-target.tsx';
import { SecretField, SendKeyField, UrlField } from './target-field.tsx';

type TargetFieldsProps = {
  kind: AlertKind;
  /** What is changed; absent while it is added. */
  channel: AlertChannel | undefined;
  email: string;
  /** Somebody goes to bind an address first. */
  onLeave: () => void;
};

/** Where the messages of a kind go: its own fields, and where to find what belongs in them. */
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
