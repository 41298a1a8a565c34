import { Button, Switch, Tag } from 'antd';
import type { AlertChannel, AlertDelivery } from '@tongtu/contract';
import { useState } from 'react';
import { useProfile } from '../../../api/index.ts';
import { alertChannelText, alertsText } from '../../../text/account/alerts.ts';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import alertStyles from './alerts.module.css';
import { ChannelDialog } from './channel-form/channel-dialog.tsx';
import { LastResult } from './last-result.tsx';
import { TestResult } from './test-result.tsx';
import { useRemoveChannel, useTestChannel, useUpdateChannel } from './use-alerts.ts';

type ChannelRowProps = { channel: AlertChannel; channels: readonly AlertChannel[] };

const untried = { isPending: false, data: undefined, error: null };

/** True when a later message had another result than the test. */
function isContradicted(test: AlertDelivery, { last_sent_at: sentAt, last_failure: failure }: AlertChannel): boolean {
  const otherwiseAt = test.state === 'sent' ? (failure?.at ?? null) : sentAt;
  return otherwiseAt !== null && Date.parse(otherwiseAt) > Date.parse(test.created_at);
}

/** An alert channel with its state and actions. */
export function ChannelRow({ channel, channels }: ChannelRowProps) {
  const [isEditing, setIsEditing] = useState(false);
  const test = useTestChannel();
  const isOutdated = test.data !== undefined && isContradicted(test.data, channel);
  const hasFailed = test.data !== undefined && test.data.state !== 'sent' && !isOutdated;

  function edit() {
    // The test's result may not hold for the changed channel.
    test.reset();
    setIsEditing(true);
  }
  return (
    <SettingRow
      title={
        <>
          <bdi>{channel.name}</bdi>
          {!channel.enabled && <StateTag tone="muted">{alertChannelText.off}</StateTag>}
        </>
      }
      text={
        <>
          <About channel={channel} />
          {!hasFailed && <LastResult channel={channel} />}
        </>
      }
      actions={
        <>
          <Button
            loading={test.isPending}
            onClick={() => void test.send(channel.id)}
            aria-label={alertChannelText.sendTestLabel(channel.name)}
          >
            {alertChannelText.sendTest}
          </Button>
          <Button onClick={edit} aria-label={alertChannelText.editLabel(channel.name)}>
            {alertChannelText.edit}
          </Button>
          <Remove channel={channel} />
          <Toggle channel={channel} />
        </>
      }
    >
      <TestResult kind={channel.kind} test={isOutdated ? untried : test} />
      {isEditing && <ChannelDialog channel={channel} channels={channels} onClose={() => setIsEditing(false)} />}
    </SettingRow>
  );
}

function About({ channel: { kind, name, hint, events } }: { channel: AlertChannel }) {
  const word = alertsText.kind[kind];
  const email = useProfile()?.email ?? '';
  const address = kind === 'email' ? email : hint;
  return (
    <>
      <div className={styles.facts}>
        {name !== word && <span>{word}</span>}
        {address !== '' && <Mono>{address}</Mono>}
      </div>
      <div className={alertStyles.events}>
        {events.map((event) => (
          <Tag key={event}>{alertsText.event[event]}</Tag>
        ))}
      </div>
    </>
  );
}

function Toggle({ channel: { id, name, enabled } }: { channel: AlertChannel }) {
  const toastFailure = useFailureToast();
  const update = useUpdateChannel();
  return (
    <Switch
      checked={enabled}
      loading={update.isPending}
      onChange={(wanted) => void update.mutateAsync({ id, patch: { enabled: wanted } }).catch(toastFailure)}
      aria-label={alertChannelText.toggle(name)}
      className={alertStyles.toggle ?? ''}
    />
  );
}

function Remove({ channel: { id, name } }: { channel: AlertChannel }) {
  const remove = useRemoveChannel();
  return (
    <ConfirmedButton
      danger
      question={{
        title: alertChannelText.removeTitle(name),
        text: alertChannelText.removeText,
        confirm: alertChannelText.remove,
      }}
      run={() => remove.mutateAsync(id)}
      isRunning={remove.isPending}
      done={alertChannelText.removed(name)}
      aria-label={alertChannelText.removeLabel(name)}
    />
  );
}
