import { lazy, Suspense, useEffect, useState } from 'react';
import type { PasskeyButtonProps } from './passkey-button.tsx';
import styles from './password-form.module.css';

const PasskeyButton = lazy(async () => ({ default: (await import('./passkey-button.tsx')).PasskeyButton }));

/** The login by a passkey alone, below the other sign-in methods; nothing where the browser has no passkeys. */
export function PasskeyLogin(props: PasskeyButtonProps) {
  // Asked for when the form can already be used; its place is kept.
  const [isFormShown, setIsFormShown] = useState(false);
  useEffect(() => setIsFormShown(true), []);
  if (typeof window.PublicKeyCredential !== 'function') return null;
  return (
    <div className={styles.passkey}>
      <Suspense fallback={null}>{isFormShown && <PasskeyButton {...props} />}</Suspense>
    </div>
  );
}
