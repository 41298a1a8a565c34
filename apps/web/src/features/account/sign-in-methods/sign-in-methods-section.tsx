import type { Profile } from '@tongtu/contract';
import { signInMethodsText } from '../../../text/account/users.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import { useSecurity } from '../use-security.ts';
import { EmailRow } from './email-row.tsx';
import { PasswordRow } from './password-row.tsx';
import { PhoneRow } from './phone-row.tsx';
import { WechatRow } from './wechat-row.tsx';

export function SignInMethodsSection({ profile }: { profile: Profile }) {
  const security = useSecurity();
  return (
    <SectionCard name="sign-in-methods" title={signInMethodsText.title} intro={signInMethodsText.intro}>
      <Loaded query={security}>
        {({ has_password: hasPassword, wechat }) => (
          <>
            <PasswordRow profile={profile} hasPassword={hasPassword} />
            <PhoneRow profile={profile} hasPassword={hasPassword} />
            <EmailRow profile={profile} />
            <WechatRow wechat={wechat} />
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}
