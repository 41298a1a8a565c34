import { Button } from 'antd';
import { backupStepText, domainStepText, firstStepsText } from '../../../text/devices/first-steps.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import styles from './first-steps.module.css';

type CommandProps = { command: string; label: string };

function Command({ command, label }: CommandProps) {
  return (
    <div className={styles.command}>
      <pre>{command}</pre>
      <CopyButton text={command} label={label} />
    </div>
  );
}

/** Explains how to set the installation's domain. The console cannot change the installation's settings. */
export function DomainDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={domainStepText.title}
      onClose={onClose}
      footer={<Button onClick={onClose}>{domainStepText.close}</Button>}
    >
      <ol className={styles.howTo}>
        {domainStepText.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Command command={domainStepText.command} label={domainStepText.title} />
      <p className={styles.after}>{domainStepText.after}</p>
    </Dialog>
  );
}

type BackupDialogProps = { isMarking: boolean; onMark: () => void; onClose: () => void };

export function BackupDialog({ isMarking, onMark, onClose }: BackupDialogProps) {
  return (
    <Dialog
      title={backupStepText.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{backupStepText.close}</Button>
          <Button type="primary" loading={isMarking} onClick={onMark}>
            {firstStepsText.backup.mark}
          </Button>
        </>
      }
    >
      <p className={styles.intro}>{backupStepText.intro}</p>
      <p className={styles.intro}>{backupStepText.how}</p>
      <Command command={backupStepText.command} label={backupStepText.title} />
      <p className={styles.after}>{backupStepText.after}</p>
      <p className={styles.after}>{backupStepText.secret}</p>
      <p className={styles.after}>{backupStepText.note}</p>
    </Dialog>
  );
}
