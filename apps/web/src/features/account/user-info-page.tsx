import { useProfile } from '../../api/index.ts';
import { accountDataText, apiTokensText, secondFactorText, sessionsText } from '../../text/account/account.ts';
import { alertsText } from '../../text/account/alerts.ts';
import { enrolmentKeysText } from '../../text/devices/devices.ts';
import { tokenText, usersText, signInMethodsText } from '../../text/account/users.ts';
import { AccountDataSection } from './account-data/account-data-section.tsx';
import { AlertsSection } from './alerts/alerts-section.tsx';
import { ApiTokensSection } from './api-tokens/api-tokens-section.tsx';
import { EnrolmentKeysSection } from './enrolment-keys/enrolment-keys-section.tsx';
import { SecondFactorSection } from './second-factor/second-factor-section.tsx';
import { SessionsSection } from './sessions/sessions-section.tsx';
import { ProfileSection } from './profile/profile-section.tsx';
import { SectionNav } from './section-nav.tsx';
import { TokenSection } from './profile/token-section.tsx';
import styles from './user-info-page.module.css';
import { SignInMethodsSection } from './sign-in-methods/sign-in-methods-section.tsx';

const sections = [
  { name: 'profile', title: usersText.account },
  { name: 'token', title: tokenText.token },
  { name: 'enrolment-keys', title: enrolmentKeysText.title },
  { name: 'sign-in-methods', title: signInMethodsText.title },
  { name: 'second-factor', title: secondFactorText.title },
  { name: 'sessions', title: sessionsText.title },
  { name: 'api-tokens', title: apiTokensText.title },
  { name: 'alerts', title: alertsText.title },
  { name: 'data', title: accountDataText.title },
];

export function UserInfoPage() {
  const profile = useProfile();
  if (!profile) return null;
  return (
    <div className={styles.page}>
      <div className={styles.sections}>
        <h1 className={styles.heading}>{usersText.title}</h1>
        <ProfileSection profile={profile} />
        <TokenSection profile={profile} />
        <EnrolmentKeysSection />
        <SignInMethodsSection profile={profile} />
        <SecondFactorSection />
        <SessionsSection />
        <ApiTokensSection />
        <AlertsSection />
        <AccountDataSection />
      </div>
      <SectionNav sections={sections} />
    </div>
  );
}
