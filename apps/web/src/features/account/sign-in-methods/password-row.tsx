import type { Profile } from '@tongtu/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { passwordText, signInMethodsText } from '../../../text/account/users.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { SettingRow } from '../setting-row.tsx';
import { PasswordDialog } from './password-dialog.tsx';

type PasswordRowProps = { profile: Profile; hasPassword: boolean };

export function PasswordRow({ profile, hasPassword }: PasswordRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <SettingRow
      title={
        <>
          {passwordText.password}
          <StateTag tone={hasPassword ? 'good' : 'muted'}>
            {hasPassword ? signInMethodsText.set : signInMethodsText.notSet}
          </StateTag>
        </>
      }
      text={hasPassword ? passwordText.hint : passwordText.noneHint}
      actions={
        <Button onClick={() => setIsOpen(true)}>{hasPassword ? passwordText.title : passwordText.firstTitle}</Button>
      }
    >
      {isOpen && <PasswordDialog profile={profile} hasPassword={hasPassword} onClose={() => setIsOpen(false)} />}
    </SettingRow>
  );
}
