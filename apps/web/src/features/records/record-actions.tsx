import { MoreOutlined, SafetyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device, VerificationRecord } from '@tongtu/contract';
import { MAX_ALLOW_LIST_ENTRIES } from '@tongtu/contract/limits';
import { useState } from 'react';
import { recordsText } from '../../text/records.ts';
import { momentText } from '../../text/moment-text.ts';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useToast } from '../../ui/use-toast.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { useFailureToast } from '../confirm/use-failure-toast.ts';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import { nameOf } from './describe-record.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import type { RecordState } from './record-filters.ts';
import styles from './records.module.css';
import { useAllowAddress, useExtendRecord, useRevokeRecord } from './use-records.ts';

const dayHours = 24;
const weekHours = 7 * dayHours;

type RecordActionsProps = { record: VerificationRecord; device: Device | undefined; state: RecordState };

/** Asks first, because the visitor is disconnected at once. */
function useRevoke(record: VerificationRecord) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const { mutateAsync, isPending } = useRevokeRecord();
  const name = nameOf(record);
  const revoke = () =>
    confirm({
      title: recordsText.revokeTitle(name),
      text: (
        <>
          <p>{recordsText.revokeText}</p>
          <p>{recordsText.revokeMore[record.granted_by]}</p>
        </>
      ),
      confirm: recordsText.revoke,
      onConfirm: () => toastOutcome(mutateAsync(record.id), recordsText.revoked(name)),
    });
  return { revoke, isRevoking: isPending };
}

function useAllow({ ip }: VerificationRecord) {
  const confirm = useConfirm();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { mutateAsync, isPending } = useAllowAddress();

  function toastAllowed(isAllowed: boolean) {
    if (isAllowed) toast.success(recordsText.allowed(ip));
    else toast.warning(recordsText.allowFull(MAX_ALLOW_LIST_ENTRIES));
  }
  function allow({ id, name, allow_list: listed }: Device) {
    if (listed.length >= MAX_ALLOW_LIST_ENTRIES) return toastAllowed(false);
    confirm({
      title: recordsText.allowTitle(ip, name),
      text: recordsText.allowText,
      confirm: recordsText.allow,
      canBeUndone: true,
      onConfirm: () => void mutateAsync({ id, ip }).then(toastAllowed).catch(toastFailure),
    });
  }
  return { allow, isAllowing: isPending };
}

function useExtend({ record }: RecordActionsProps) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const extend = useExtendRecord();
  function extendBy(hours: number) {
    extend
      .mutateAsync({ id: record.id, hours })
      .then(({ expires_at: expiresAt }) => toast.success(recordsText.extended(momentText(expiresAt))))
      .catch(toastFailure);
  }
  return { extendBy, isPending: extend.isPending };
}

export function RecordActions(props: RecordActionsProps) {
  const { record, device, state } = props;
  const [isAsking, setIsAsking] = useState(false);
  const { extendBy, isPending } = useExtend(props);
  const { revoke, isRevoking } = useRevoke(record);
  const { allow, isAllowing } = useAllow(record);
  const name = nameOf(record);
  const isListed = device?.allow_list.includes(record.ip) ?? false;

  const extensions: MenuEntry[] = [
    { key: 'day', label: recordsText.extendDay, onSelect: () => extendBy(dayHours) },
    { key: 'week', label: recordsText.extendWeek, onSelect: () => extendBy(weekHours) },
    { key: 'custom', label: recordsText.extendCustom, onSelect: () => setIsAsking(true) },
  ];
  const more: MenuEntry[] = [
    {
      key: 'allow',
      icon: <SafetyOutlined />,
      label: isListed ? recordsText.alreadyAllowed : recordsText.allow,
      isDisabled: isListed,
      onSelect: () => device && allow(device),
    },
  ];
  return (
    <div className={styles.actions}>
      {state === 'active' && !record.mapping_deleted && (
        <>
          <MenuButton
            size="small"
            entries={extensions}
            loading={isPending}
            aria-label={`${recordsText.extend} ${name}`}
          >
            {recordsText.extend}
          </MenuButton>
          <Button size="small" danger loading={isRevoking} onClick={revoke} aria-label={recordsText.revokeLabel(name)}>
            {recordsText.revoke}
          </Button>
        </>
      )}
      {device && (
        <MenuButton
          type="text"
          size="small"
          entries={more}
          icon={<MoreOutlined />}
          loading={isAllowing}
          aria-label={recordsText.more(name)}
        />
      )}
      {isAsking && <ExtendDialog record={record} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
