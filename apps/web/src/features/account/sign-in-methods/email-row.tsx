import { Button } from 'antd';
import type { Profile } from '@tongtu/contract';
import { useState } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { emailText, signInMethodsText } from '../../../text/account/users.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { SettingRow } from '../setting-row.tsx';
import { EmailDialog } from './email-dialog.tsx';

export function EmailRow({ profile: { email } }: { profile: Profile }) {
  const [isOpen, setIsOpen] = useState(false);
  const canSend = useSiteConfig()?.mail_codes ?? true;
  const isBound = email !== '';
  const unboundHint = canSend ? emailText.hint : emailText.unavailable;
  return (
    <SettingRow
      title={
        <>
          {emailText.email}
          {!isBound && <StateTag tone="muted">{signInMethodsText.notBound}</StateTag>}
        </>
      }
      text={isBound ? email : unboundHint}
      actions={
        <Button disabled={!canSend} onClick={() => setIsOpen(true)}>
          {isBound ? emailText.replaceTitle : emailText.bindTitle}
        </Button>
      }
    >
      {isOpen && (
        <EmailDialog
          title={isBound ? emailText.replaceTitle : emailText.bindTitle}
          action={isBound ? emailText.replace : emailText.bind}
          onClose={() => setIsOpen(false)}
        />
      )}
    </SettingRow>
  );
}
