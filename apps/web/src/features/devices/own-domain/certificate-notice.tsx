import type { Mapping } from '@tongtu/contract';
import { certificateText } from '../../../text/devices/mappings.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import styles from '../mapping-row/mapping-row.module.css';

/** The state of a custom domain's certificate, unless it is ready and its renewal works. */
export function CertificateNotice({ certificate }: Pick<Mapping, 'certificate'>) {
  if (certificate === null) return null;
  const { state, error } = certificate;
  if (state === 'ready' && error === null) return null;
  const words = state === 'ready' ? certificateText.renewalFailed : certificateText[state];
  return (
    <span className={styles.badges}>
      <StateTag tone={state === 'failed' ? 'bad' : 'caution'}>{words}</StateTag>
      {error !== null && <span className={styles.problem}>{error}</span>}
    </span>
  );
}
