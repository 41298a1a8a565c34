import { lazy, Suspense } from 'react';
import type { PasskeyButtonProps } from './passkey-button.tsx';
import styles from '../password-form.module.css';

/** Loaded when the form can already be used. */
const PasskeyButton = lazy(async () => ({ default: (await import('./passkey-button.tsx')).PasskeyButton }));

/** The login by a passkey alone, below the other sign-in methods; nothing where the browser has no passkeys. */
export function PasskeyLogin(props: PasskeyButtonProps) {
  if (typeof window.PublicKeyCredential !== 'function') return null;
  return (
    <div className={styles.passkey}>
      <Suspense fallback={null}>
        <PasskeyButton {...props} />
      </Suspense>
    </div>
  );
}
