import { MoreOutlined, SafetyOutlined } from '@ant-design/icons';
import { App, Button, Dropdown, type MenuProps } from 'antd';
import type { Device, VerificationRecord } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../api/index.ts';
import { recordsText } from '../../text/records.ts';
import { sharedText } from '../../text/shared.ts';
import { momentText } from '../../text/time.ts';
import { useToast } from '../../ui/use-toast.ts';
import { nameOf } from './describe-record.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import type { RecordState } from './record-filters.ts';
import styles from './records.module.css';
import { maxAllowListEntries, useAllowAddress, useExtendRecord, useRevokeRecord } from './use-records.ts';

const dayHours = 24;
const weekHours = 7 * dayHours;

type RecordActionsProps = { record: VerificationRecord; device: Device | undefined; state: RecordState };

/** Asks first: whoever is sent away is cut off at once. */
function useRevoke({ record }: RecordActionsProps) {
  const { modal } = App.useApp();
  const toast = useToast();
  const revoke = useRevokeRecord();
  const name = nameOf(record);
  return () =>
    void modal.confirm({
      title: recordsText.revokeTitle(name),
      content: (
        <>
          <p>{recordsText.revokeText}</p>
          <p>{recordsText.revokeMore[record.granted_by]}</p>
        </>
      ),
      okText: recordsText.revoke,
      okButtonProps: { danger: true },
      cancelText: sharedText.cancel,
      onOk: async () => {
        try {
          await revoke.mutateAsync(record.id);
          toast.success(recordsText.revoked(name));
        } catch (error) {
          toast.error(errorText(error));
        }
      },
    });
}

/** Undefined where there is no device whose list it could stand in. */
function useAllow({ record, device }: RecordActionsProps): (() => void) | undefined {
  const { modal } = App.useApp();
  const toast = useToast();
  const allow = useAllowAddress();
  if (!device) return undefined;

  async function onOk({ id }: Device) {
    try {
      const isAllowed = await allow.mutateAsync({ id, ip: record.ip });
      if (isAllowed) toast.success(recordsText.allowed(record.ip));
      else toast.warning(recordsText.allowFull(maxAllowListEntries));
    } catch (error) {
      toast.error(errorText(error));
    }
  }

  return () => {
    if (device.allow_list.length >= maxAllowListEntries) {
      toast.warning(recordsText.allowFull(maxAllowListEntries));
      return;
    }
    void modal.confirm({
      title: recordsText.allowTitle(record.ip, device.name),
      content: recordsText.allowText,
      okText: recordsText.allow,
      cancelText: sharedText.cancel,
      onOk: () => onOk(device),
    });
  };
}

function useExtend({ record }: RecordActionsProps) {
  const toast = useToast();
  const extend = useExtendRecord();
  function extendBy(hours: number) {
    extend.mutate(
      { id: record.id, hours },
      {
        onSuccess: ({ expires_at: expiresAt }) => toast.success(recordsText.extended(momentText(expiresAt))),
        onError: (error) => toast.error(errorText(error)),
      },
    );
  }
  return { extendBy, isPending: extend.isPending };
}

export function RecordActions(props: RecordActionsProps) {
  const { record, device, state } = props;
  const [isAsking, setIsAsking] = useState(false);
  const { extendBy, isPending } = useExtend(props);
  const revoke = useRevoke(props);
  const allow = useAllow(props);
  const name = nameOf(record);
  const isListed = device?.allow_list.includes(record.ip) ?? false;

  const extensions: MenuProps['items'] = [
    { key: 'day', label: recordsText.extendDay, onClick: () => extendBy(dayHours) },
    { key: 'week', label: recordsText.extendWeek, onClick: () => extendBy(weekHours) },
    { key: 'custom', label: recordsText.extendCustom, onClick: () => setIsAsking(true) },
  ];
  const more: MenuProps['items'] = [
    {
      key: 'allow',
      icon: <SafetyOutlined />,
      label: isListed ? recordsText.alreadyAllowed : recordsText.allow,
      disabled: isListed,
      ...(allow && { onClick: allow }),
    },
  ];
  return (
    <div className={styles.actions}>
      {state === 'active' && (
        <>
          <Dropdown trigger={['click']} menu={{ items: extensions }} placement="bottomRight">
            <Button size="small" loading={isPending} aria-label={`${recordsText.extend} ${name}`}>
              {recordsText.extend}
            </Button>
          </Dropdown>
          <Button size="small" danger onClick={revoke} aria-label={recordsText.revokeLabel(name)}>
            {recordsText.revoke}
          </Button>
        </>
      )}
      {allow && (
        <Dropdown trigger={['click']} menu={{ items: more }} placement="bottomRight">
          <Button type="text" size="small" icon={<MoreOutlined />} aria-label={recordsText.more(name)} />
        </Dropdown>
      )}
      {isAsking && <ExtendDialog record={record} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
