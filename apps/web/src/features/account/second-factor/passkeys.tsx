import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { Button } from 'antd';
import type { Passkey } from '@tongtu/contract';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { useState } from 'react';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { passkeysText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { InlineEdit } from '../../../ui/fields/inline-edit.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { useRemovePasskey, useRenamePasskey } from './use-second-factor.ts';

type PasskeysProps = { passkeys: Passkey[]; hasTotp: boolean; onCodes: (codes: string[]) => void };

export function Passkeys({ passkeys, hasTotp, onCodes }: PasskeysProps) {
  const [isAdding, setIsAdding] = useState(false);
  const isSupported = browserSupportsWebAuthn();
  return (
    <SettingRow
      title={passkeysText.title}
      text={isSupported ? passkeysText.text : `${passkeysText.text}${passkeysText.unsupported}`}
      actions={
        <Button disabled={!isSupported} onClick={() => setIsAdding(true)} aria-label={passkeysText.addTitle}>
          {passkeysText.add}
        </Button>
      }
    >
      {passkeys.length > 0 && (
        <ul className={styles.list} aria-label={passkeysText.title}>
          {passkeys.map((passkey) => (
            <OnePasskey key={passkey.id} passkey={passkey} isLastFactor={!hasTotp && passkeys.length === 1} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} onCodes={onCodes} />}
    </SettingRow>
  );
}

function OnePasskey({ passkey, isLastFactor }: { passkey: Passkey; isLastFactor: boolean }) {
  const toast = useToast();
  const rename = useRenamePasskey();

  async function save(name: string): Promise<string | undefined> {
    try {
      await rename.mutateAsync({ id: passkey.id, name });
      toast.success(passkeysText.renamed);
      return undefined;
    } catch (error) {
      return fieldErrors(error).name?.[0] ?? errorText(error);
    }
  }
  return (
    <li>
      <div className={styles.rowAbout}>
        <InlineEdit
          value={passkey.name}
          label={`${passkeysText.name} ${passkey.name}`}
          maxLength={MAX_NAME_LENGTH}
          onSave={save}
        />
        <div className={`${styles.rowText} ${styles.facts}`}>
          <span>{passkeysText.addedAt(momentText(passkey.created_at))}</span>
          {passkey.is_discoverable === false && <span>{passkeysText.secondStepOnly}</span>}
          {passkey.needs_password && passkey.is_discoverable !== false && <span>{passkeysText.needsPassword}</span>}
          {passkey.last_used_at === null ? (
            <span>{passkeysText.neverUsed}</span>
          ) : (
            <span>
              <RelativeTime {...timeTexts(passkey.last_used_at)} />
              {passkeysText.usedAt}
            </span>
          )}
        </div>
      </div>
      <Remove passkey={passkey} isLastFactor={isLastFactor} />
    </li>
  );
}

function Remove({ passkey, isLastFactor }: { passkey: Passkey; isLastFactor: boolean }) {
  const remove = useRemovePasskey();
  const outcome = isLastFactor ? passkeysText.removeLastText : passkeysText.removeText;
  return (
    <ConfirmedButton
      size="small"
      danger
      question={{
        title: passkeysText.removeTitle(passkey.name),
        // Several passkeys may have the same name.
        text: `${passkeysText.addedAt(momentText(passkey.created_at))}。${outcome}`,
        confirm: passkeysText.remove,
      }}
      run={() => remove.mutateAsync(passkey.id)}
      isRunning={remove.isPending}
      done={passkeysText.removed}
      aria-label={passkeysText.removeLabel(passkey.name)}
    />
  );
}
