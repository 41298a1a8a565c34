import { useProfile } from '../../../api/index.ts';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { Secret } from '../../../ui/copy/secret.tsx';
import styles from './add-device.module.css';

/** The account token, for scripts that enrol devices permanently. */
export function AccountTokenNote() {
  const profile = useProfile();
  if (!profile) return null;
  return (
    <div className={styles.token}>
      <span>{addDeviceText.token}</span>
      <Secret secret={profile.token} label={addDeviceText.token} />
      <p className={styles.tokenHint}>{addDeviceText.tokenHint}</p>
    </div>
  );
}
