import { useEffect } from 'react';
import { useLoaderData } from 'react-router';
import type { LoginLoaderData } from '../../route-loaders.ts';
import { loginText } from '../../text/login.ts';
import { PlainSpinner } from '../../ui/plain/plain-spinner.tsx';
import { LoginCard } from './login-card.tsx';
import { LoginFrame } from './login-frame.tsx';
import styles from './login.module.css';

export function LoginPage() {
  const { leaveTo } = useLoaderData<LoginLoaderData>();
  useEffect(() => {
    if (leaveTo !== undefined) window.location.replace(leaveTo);
  }, [leaveTo]);

  return (
    <LoginFrame>
      {leaveTo === undefined ? (
        <LoginCard />
      ) : (
        <div className={styles.leaving} aria-live="polite">
          <PlainSpinner />
          {loginText.leaving}
        </div>
      )}
    </LoginFrame>
  );
}
