import { ScanOutlined } from '@ant-design/icons';
import { Alert, Button, Input, Select } from 'antd';
import type { Order } from '@tongtu/contract';
import { type SubmitEvent, useId, useState } from 'react';
import { errorText, useDevices } from '../../../../api/index.ts';
import { redeemText } from '../../../../text/shop/keys.ts';
import { forgetFailure } from '../../../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { findLikelyDevice } from '../../find-likely-device.ts';
import styles from '../../shop.module.css';
import { findKeys } from '../find-keys.ts';
import keyStyles from '../keys.module.css';
import { useRedeem } from '../use-keys.ts';
import { canScan } from './barcode-detector.ts';
import { ScanDialog } from './scan-dialog.tsx';

/** Stands for no device, which a select cannot have as value. */
const noDevice = 0;
/** A whole message may be pasted. */
const maxTypedLength = 2_000;

type RedeemFormProps = { typed: string; onType: (text: string) => void; onRedeemed: (order: Order) => void };
type Note = { tone: 'error' | 'info'; text: string };

export function RedeemForm({ typed, onType, onRedeemed }: RedeemFormProps) {
  const keyId = useId();
  const deviceId = useId();
  const devices = useDevices();
  const [chosen, setChosen] = useState<number>();
  const device = chosen ?? findLikelyDevice(devices.data) ?? noDevice;
  const [note, setNote] = useState<Note>();
  const [isScanning, setIsScanning] = useState(false);
  const redeem = useRedeem();
  const toast = useToast();
  const submit = useSubmit({
    send: (key: string) => redeem.mutateAsync({ key, router: device === noDevice ? undefined : device }),
    onSuccess: (order) => {
      if (order) onRedeemed(order);
      else setNote({ tone: 'error', text: redeemText.captchaClosed });
    },
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  /** A message that was pasted becomes the key in it. */
  function type(text: string) {
    const found = findKeys(text);
    onType(found[0] ?? text);
    setNote(found.length > 1 ? { tone: 'info', text: redeemText.several(found.length) } : undefined);
    forgetFailure(redeem);
  }
  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const [key] = findKeys(typed);
    // The server counts wrong tries, and a typing error that the check letter shows need not be one.
    if (key === undefined)
      setNote({ tone: 'error', text: typed.trim() === '' ? redeemText.missing : redeemText.wrong });
    else void submit(key);
  }
  return (
    <section className={styles.panel} aria-label={redeemText.title}>
      <p className={styles.quiet}>{redeemText.hint}</p>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <div className={styles.field}>
          <label htmlFor={keyId}>{redeemText.key}</label>
          <div className={keyStyles.keyLine}>
            <Input
              id={keyId}
              value={typed}
              placeholder={redeemText.placeholder}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={maxTypedLength}
              className={keyStyles.keyInput ?? ''}
              {...(note?.tone === 'error' ? { status: 'error', 'aria-invalid': true } : {})}
              onChange={(event) => type(event.target.value)}
            />
            {canScan() && (
              <Button icon={<ScanOutlined aria-hidden />} onClick={() => setIsScanning(true)}>
                {redeemText.scan}
              </Button>
            )}
          </div>
          {note && (
            <p role="alert" className={note.tone === 'error' ? styles.missing : styles.quiet}>
              {note.text}
            </p>
          )}
          {!canScan() && <p className={styles.quiet}>{redeemText.noScan}</p>}
        </div>
        <DeviceField id={deviceId} devices={devices} device={device} onChange={setChosen} />
        {redeem.isError && <Alert type="error" showIcon title={errorText(redeem.error)} />}
        <Button type="primary" htmlType="submit" loading={redeem.isPending} className={keyStyles.submit ?? ''}>
          {redeemText.submit}
        </Button>
      </form>
      {isScanning && (
        <ScanDialog
          onFound={(key) => {
            setIsScanning(false);
            type(key);
          }}
          onClose={() => setIsScanning(false)}
        />
      )}
    </section>
  );
}

type DeviceFieldProps = {
  id: string;
  devices: ReturnType<typeof useDevices>;
  device: number;
  onChange: (device: number) => void;
};

function DeviceField({ id, devices, device, onChange }: DeviceFieldProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{redeemText.device}</label>
      <Select<number>
        id={id}
        value={device}
        loading={devices.isPending}
        className={keyStyles.keyInput ?? ''}
        options={[
          { value: noDevice, label: redeemText.noDevice },
          ...(devices.data ?? []).map((each) => ({ value: each.id, label: each.name })),
        ]}
        onChange={onChange}
      />
      <p className={styles.quiet}>{redeemText.deviceHint}</p>
    </div>
  );
}
