import { Form } from 'antd';
import type { AlertChannel } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { errorText, useProfile } from '../../../../api/index.ts';
import { alertFormText, alertsText } from '../../../../text/account/alerts.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { Problem } from '../../../confirm/problem.tsx';
import styles from '../../account.module.css';
import { type ChannelFields, freshName, toCreate, toPatch } from './channel-fields.ts';
import { channelMessages } from './channel-messages.ts';
import { EventsField } from './events-field.tsx';
import { KindField } from './kind-field.tsx';
import { NameField } from './name-field.tsx';
import { TargetFields } from './target-fields.tsx';
import { useAlertEvents } from './use-alert-events.ts';
import { useAddChannel, useUpdateChannel } from '../use-alerts.ts';
import { useHasMail } from '../use-has-mail.ts';

/** Higher than other dialogs, because it has more fields. */
const dialogStyle = { top: 40 };

type ChannelDialogProps = {
  /** Undefined to add a channel. */
  channel?: AlertChannel;
  /** All channels, for unique names. */
  channels: readonly AlertChannel[];
  onClose: () => void;
  onAdded?: (channel: AlertChannel) => void;
};

function initialFields(
  channel: AlertChannel | undefined,
  added: Pick<ChannelFields, 'kind' | 'events'>,
  taken: readonly string[],
): ChannelFields {
  const target = { url: '', secret: '', sendKey: '' };
  if (channel) return { kind: channel.kind, name: channel.name, events: channel.events, ...target };
  return { ...added, name: freshName(added.kind, taken), ...target };
}

function useSaveChannel({ channel, onClose, onAdded }: ChannelDialogProps, initial: ChannelFields) {
  const toast = useToast();
  const add = useAddChannel();
  const update = useUpdateChannel();
  const { error, isPending, reset } = channel ? update : add;
  const save = useSubmit({
    send: (fields: ChannelFields) =>
      channel
        ? update.mutateAsync({ id: channel.id, patch: toPatch(fields, initial) })
        : add.mutateAsync(toCreate(fields)),
    onSuccess: (saved) => {
      if (channel) toast.success(alertFormText.saved);
      else onAdded?.(saved);
    },
    onFormDone: onClose,
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  return { save, error, isPending, reset };
}

/**
 * Adds or changes an alert channel. The stored target is never shown, because anybody who knows it could send messages
 * there.
 */
export function ChannelDialog(props: ChannelDialogProps) {
  const { channel, channels, onClose } = props;
  const [form] = Form.useForm<ChannelFields>();
  const email = useProfile()?.email ?? '';
  const [taken] = useState(() => channels.map(({ name }) => name));
  const isEmailUsable = useHasMail() && email !== '';
  const events = useAlertEvents();
  const [initial] = useState(() => initialFields(channel, { kind: isEmailUsable ? 'email' : 'wecom', events }, taken));
  const kind = Form.useWatch('kind', { form, preserve: true }) ?? initial.kind;
  const { save, error, isPending, reset } = useSaveChannel(props, initial);
  const messages = channelMessages(error);
  const cannotAdd = kind === 'email' && !isEmailUsable && channel === undefined;

  useEffect(() => {
    form.setFields(channelMessages(error));
  }, [form, error]);

  return (
    <Dialog
      title={channel ? alertFormText.editTitle(alertsText.kind[channel.kind]) : alertsText.addTitle}
      style={dialogStyle}
      okText={channel ? alertFormText.save : alertFormText.add}
      okButtonProps={{ disabled: cannotAdd }}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      isMaskInert
    >
      <Form<ChannelFields>
        form={form}
        name="alert-channel"
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={() => void save(form.getFieldsValue(true))}
        onValuesChange={() => forgetFailure({ isPending, reset })}
        className={styles.form ?? ''}
      >
        {!channel && <KindField form={form} taken={taken} />}
        <TargetFields kind={kind} channel={channel} email={email} onLeave={onClose} />
        <EventsField />
        <NameField />
        <SubmitOnEnter />
      </Form>
      {messages.length === 0 && <Problem error={error} />}
    </Dialog>
  );
}
