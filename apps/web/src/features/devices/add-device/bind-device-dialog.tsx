import { Alert, Spin } from 'antd';
import type { Binding } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { bindDeviceText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import styles from './bind-device-dialog.module.css';
import { useConfirmBinding, useWaitingDevice } from './use-binding.ts';

function WaitingDevice({ device }: { device: Binding }) {
  const facts: { label: string; value: ReactNode }[] = [
    { label: bindDeviceText.name, value: device.name || bindDeviceText.nameless },
    { label: bindDeviceText.platform, value: device.platform },
    {
      label: bindDeviceText.ip,
      value: (
        <>
          <Mono>{device.ip}</Mono> {device.place}
        </>
      ),
    },
    { label: bindDeviceText.fingerprint, value: <Mono>{device.fingerprint}</Mono> },
  ];
  return (
    <>
      <p>{bindDeviceText.intro}</p>
      <dl className={styles.facts}>
        {facts.map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
      <Alert
        type={device.is_same_network ? 'info' : 'warning'}
        showIcon
        title={device.is_same_network ? bindDeviceText.sameNetwork : bindDeviceText.otherNetwork}
        description={bindDeviceText.warning}
      />
    </>
  );
}

/** The user confirms that the device with this link is their own, which adds it. */
export function BindDeviceDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const toast = useToast();
  const waiting = useWaitingDevice(code);
  const confirm = useConfirmBinding();
  const error = confirm.error ?? waiting.error;

  function add() {
    confirm.mutate(code, {
      onSuccess: () => {
        toast.success(bindDeviceText.added);
        onClose();
      },
    });
  }

  return (
    <Dialog
      title={bindDeviceText.title}
      okText={bindDeviceText.confirm}
      cancelText={waiting.data ? bindDeviceText.notMine : sharedText.close}
      okButtonProps={{ disabled: waiting.data === undefined }}
      confirmLoading={confirm.isPending}
      onOk={add}
      onClose={onClose}
    >
      {waiting.isPending && <Spin aria-label={bindDeviceText.loading} />}
      {waiting.data && <WaitingDevice device={waiting.data} />}
      {error && <Alert type="error" showIcon title={errorText(error)} className={styles.problem ?? ''} />}
    </Dialog>
  );
}
