import { Select } from 'antd';
import type { Plan } from '@tongtu/contract';
import { useState } from 'react';
import { useDevices } from '../../../api/index.ts';
import { bindText } from '../../../text/shop/plans.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../shop.module.css';
import { useBindPlan } from '../use-orders.ts';

/** Binds a plan to a device, or to another one than before. */
export function BindDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const devices = (useDevices().data ?? []).filter(({ id }) => id !== plan.router);
  const [chosen, setChosen] = useState<number>();
  const device = devices.find(({ id }) => id === chosen);
  const bind = useBindPlan();
  const toast = useToast();
  async function submit() {
    if (!device) return;
    try {
      await bind.mutateAsync({ plan: plan.id, device: device.id });
      toast.success(bindText.done(plan.product.name, device.name));
      onClose();
    } catch {
      // The dialog shows it.
    }
  }
  return (
    <Dialog
      title={bindText.title(plan.product.name)}
      okText={bindText.submit}
      okButtonProps={{ disabled: device === undefined }}
      confirmLoading={bind.isPending}
      hasUnsavedInput={nothingToKeep}
      onOk={() => void submit()}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p className={styles.quiet}>{bindText.hint}</p>
        <Select<number>
          aria-label={bindText.device}
          placeholder={bindText.device}
          notFoundContent={bindText.noDevice}
          {...(chosen === undefined ? {} : { value: chosen })}
          options={devices.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            setChosen(id);
            forgetFailure(bind);
          }}
        />
      </div>
      <Problem error={bind.error} />
    </Dialog>
  );
}
