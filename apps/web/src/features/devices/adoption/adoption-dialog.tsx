import { Alert, Select, Skeleton } from 'antd';
import type { AdoptionPreview, Device } from '@tongtu/contract';
import { useId, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { adoptionText, likenessTexts } from '../../../text/devices/adoption.ts';
import { visibleName } from '../../../text/devices/names.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { isCancelled } from '../../confirm/is-cancelled.ts';
import styles from './adoption.module.css';
import { useAdopt, useAdoptionPreview } from './use-adoption.ts';

type AdoptionDialogProps = {
  device: Device;
  /** The device that looks like it, chosen at first. */
  successorId?: number;
  onClose: () => void;
};

/** Moves everything of a lost device to another one. Lists what moves, and what happens to the lost one. */
export function AdoptionDialog({ device, successorId, onClose }: AdoptionDialogProps) {
  const adopt = useAdopt();
  const preview = useAdoptionPreview(device.id, { isWanted: adopt.isIdle || adopt.isError });
  const toast = useToast();
  const [chosen, setChosen] = useState(successorId);
  const candidates = preview.data?.candidates ?? [];
  const likely = candidates.find(({ reasons }) => reasons.length > 0)?.id;
  const router = chosen ?? likely;
  const successor = candidates.find(({ id }) => id === router);

  async function move() {
    if (successor === undefined) return;
    try {
      await adopt.mutateAsync({ lost: device.id, router: successor.id });
      toast.success(adoptionText.done(device.name));
      onClose();
    } catch {
      // The dialog shows it.
    }
  }

  return (
    <Dialog
      title={adoptionText.title(device.name)}
      okText={adoptionText.confirm}
      okButtonProps={{ disabled: successor === undefined }}
      confirmLoading={adopt.isPending}
      onOk={() => void move()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <p className={styles.intro}>{adoptionText.intro}</p>
      {preview.isPending && <Skeleton active paragraph={{ rows: 4 }} />}
      {preview.isError && <LoadFailure title={adoptionText.failed} text={errorText(preview.error)} query={preview} />}
      {preview.data && (
        <>
          <SuccessorChoice candidates={candidates} value={successor?.id} onChange={setChosen} />
          <strong>{adoptionText.moves}</strong>
          <MovedList preview={preview.data} successorPlan={successor?.plan ?? null} />
          <Alert type="warning" showIcon title={adoptionText.afterwards(device.name)} />
        </>
      )}
      {adopt.isError && !isCancelled(adopt.error) && (
        <Alert type="error" showIcon title={errorText(adopt.error)} style={{ marginTop: 12 }} />
      )}
    </Dialog>
  );
}

type Candidate = AdoptionPreview['candidates'][number];
type SuccessorChoiceProps = {
  candidates: readonly Candidate[];
  value: number | undefined;
  onChange: (id: number) => void;
};

function SuccessorChoice({ candidates, value, onChange }: SuccessorChoiceProps) {
  const id = useId();
  if (candidates.length === 0)
    return <Alert type="info" showIcon className={styles.choice ?? ''} title={adoptionText.noCandidates} />;
  const options = candidates.map((candidate) => ({ value: candidate.id, label: describe(candidate) }));
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{adoptionText.candidate}</label>
      <Select
        id={id}
        value={value ?? null}
        options={options}
        placeholder={adoptionText.choose}
        onChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      />
    </div>
  );
}

function describe({ name, online, reasons }: Candidate): string {
  const state = online ? adoptionText.online : adoptionText.offline;
  const facts = [state, ...reasons.map((reason) => likenessTexts[reason])];
  return `${visibleName(name, '—')}（${facts.join('、')}）`;
}

function MovedList({ preview, successorPlan }: { preview: AdoptionPreview; successorPlan: string | null }) {
  const { mappings, cloud_apps: apps, members, share_links: links, allow_list: allowed, plan } = preview;
  const lines = [
    adoptionText.mappings(mappings),
    ...(apps > 0 ? [adoptionText.cloudApps(apps)] : []),
    ...(members > 0 ? [adoptionText.members(members)] : []),
    ...(links > 0 ? [adoptionText.shareLinks(links)] : []),
    ...(allowed > 0 ? [adoptionText.allowList(allowed)] : []),
    adoptionText.settings,
    ...(plan === null ? [] : [adoptionText.plan(plan)]),
  ];
  return (
    <>
      <ul className={styles.moves}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {plan !== null && successorPlan !== null && (
        <p className={styles.intro}>{adoptionText.planReplaced(successorPlan)}</p>
      )}
    </>
  );
}
