import { Button } from 'antd';
import type { Profile } from '@tongtu/contract';
import { useState } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { momentText } from '../../../text/moment-text.ts';
import { phoneText, signInMethodsText } from '../../../text/account/users.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { SettingRow } from '../setting-row.tsx';
import { BindPhoneDialog } from './bind-phone-dialog.tsx';
import { ReplacePhoneDialog } from './replace-phone-dialog.tsx';

type PhoneRowProps = { profile: Profile; hasPassword: boolean };

export function PhoneRow({ profile, hasPassword }: PhoneRowProps) {
  const { phone_number: phone, phone_bound_at: boundAt } = profile;
  // The number when the dialog was opened: the number is bound shortly before the dialog has closed.
  const [open, setOpen] = useState<'bind' | 'replace'>();
  const canSend = useSiteConfig()?.phone_login ?? false;
  const isBound = phone !== '';
  const unboundHint = canSend ? phoneText.hint : phoneText.unavailable;
  const boundText = boundAt === null ? phone : phoneText.bound(phone, momentText(boundAt));
  return (
    <SettingRow
      title={
        <>
          {phoneText.phone}
          {!isBound && <StateTag tone="muted">{signInMethodsText.notBound}</StateTag>}
        </>
      }
      text={isBound ? boundText : unboundHint}
      actions={
        <Button disabled={!canSend} onClick={() => setOpen(isBound ? 'replace' : 'bind')}>
          {isBound ? phoneText.replaceTitle : phoneText.bindTitle}
        </Button>
      }
    >
      {open === 'replace' && <ReplacePhoneDialog hasPassword={hasPassword} onClose={() => setOpen(undefined)} />}
      {open === 'bind' && <BindPhoneDialog onClose={() => setOpen(undefined)} />}
    </SettingRow>
  );
}
