import { memo } from 'react';
import { launcherText } from '../../../text/launcher.ts';
import { Marked } from '../search/marked.tsx';
import styles from './launcher.module.css';
import { ServiceIcon } from './service-icon.tsx';
import type { Tile } from './tiles.ts';

/** Opens in another tab. One that does not open now stays a link: its page says more, and it may be open again. */
export const LauncherTile = memo(function LauncherTile({ tile }: { tile: Tile }) {
  const { url, name, address, owner, icon, state, reason, isOpen } = tile;
  return (
    <li className={`${styles.tile} ${isOpen ? '' : styles.notOpen}`}>
      <a href={url} target="_blank" rel="noopener noreferrer" className={styles.link} data-tile>
        <span className={styles.icon} aria-hidden>
          <ServiceIcon icon={icon} />
        </span>
        <bdi className={styles.name} title={name}>
          <Marked text={name} />
        </bdi>
        <span className={styles.address} title={address}>
          <Marked text={address} />
        </span>
        {owner !== '' && (
          <span className={styles.address}>
            {launcherText.sharedBy} <bdi>{owner}</bdi>
          </span>
        )}
        <span className={styles.state}>
          <span className={styles.dot} aria-hidden />
          {state}
        </span>
        {reason !== '' && (
          <span className={styles.reason} title={reason}>
            {reason}
          </span>
        )}
      </a>
    </li>
  );
});
