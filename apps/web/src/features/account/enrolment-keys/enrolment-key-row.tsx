import { Button } from 'antd';
import type { EnrolmentKey } from '@tongtu/contract';
import { enrolmentKeysText } from '../../../text/devices/devices.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { useDeleteEnrolmentKey } from '../../enrolment-keys/use-enrolment-keys.ts';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';

export function EnrolmentKeyRow({ enrolmentKey }: { enrolmentKey: EnrolmentKey }) {
  const { name, hint, state, device_name: deviceName, is_reusable: isReusable } = enrolmentKey;
  return (
    <SettingRow
      title={
        <>
          <bdi>{name}</bdi>
          <Mono>{`${hint}…`}</Mono>
          <StateTag tone={state === 'active' ? 'good' : 'muted'}>{enrolmentKeysText.states[state]}</StateTag>
        </>
      }
      text={
        <div className={styles.facts}>
          {isReusable && <span>{enrolmentKeysText.reusable}</span>}
          {deviceName !== '' && <span>{enrolmentKeysText.namesDevices(deviceName)}</span>}
          {state !== 'used' && <span>{enrolmentKeysText.expires(momentText(enrolmentKey.expires_at))}</span>}
          <Uses enrolmentKey={enrolmentKey} />
        </div>
      }
      actions={state === 'active' ? <Revoke enrolmentKey={enrolmentKey} /> : <Forget enrolmentKey={enrolmentKey} />}
    />
  );
}

function Uses({ enrolmentKey }: { enrolmentKey: EnrolmentKey }) {
  const { last_used_at: at, use_count: count } = enrolmentKey;
  if (at === null) return <span>{enrolmentKeysText.neverUsed}</span>;
  return (
    <>
      <span>{enrolmentKeysText.uses(count)}</span>
      <span>
        <RelativeTime {...timeTexts(at)} />
        {enrolmentKeysText.usedAt}
      </span>
    </>
  );
}

function Revoke({ enrolmentKey: { id, name } }: { enrolmentKey: EnrolmentKey }) {
  const remove = useDeleteEnrolmentKey();
  return (
    <ConfirmedButton
      danger
      question={{
        title: enrolmentKeysText.revokeTitle(name),
        text: enrolmentKeysText.revokeText,
        confirm: enrolmentKeysText.revoke,
      }}
      run={() => remove.mutateAsync(id)}
      isRunning={remove.isPending}
      done={enrolmentKeysText.revoked}
      aria-label={enrolmentKeysText.revokeLabel(name)}
    />
  );
}

/** Takes a key out of the list that enrols nothing any more. */
function Forget({ enrolmentKey: { id, name } }: { enrolmentKey: EnrolmentKey }) {
  const toastOutcome = useMutationToast();
  const remove = useDeleteEnrolmentKey();
  return (
    <Button
      loading={remove.isPending}
      onClick={() => toastOutcome(remove.mutateAsync(id), enrolmentKeysText.forgotten)}
      aria-label={enrolmentKeysText.forgetLabel(name)}
    >
      {enrolmentKeysText.forget}
    </Button>
  );
}
