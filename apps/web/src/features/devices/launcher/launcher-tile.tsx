import { PushpinFilled, PushpinOutlined } from '@ant-design/icons';
import { memo } from 'react';
import { launcherText } from '../../../text/devices/launcher.ts';
import { Marked } from '../search/marked.tsx';
import styles from './launcher.module.css';
import { moveFocus } from './move-focus.ts';
import { ServiceIcon } from './service-icon.tsx';
import type { Tile } from './tiles.ts';

type LauncherTileProps = { tile: Tile; onPin: (tile: Tile) => void };

/** Opens in another tab. It is a link even while the address is closed: the page there explains why. */
export const LauncherTile = memo(function LauncherTile({ tile, onPin }: LauncherTileProps) {
  const { url, name, address, owner, icon, state, reason, isOpen } = tile;
  return (
    <li className={`${styles.tile} ${isOpen ? '' : styles.notOpen}`}>
      <a href={url} target="_blank" rel="noopener noreferrer" className={styles.link} data-tile onKeyDown={moveFocus}>
        <span className={styles.icon} aria-hidden>
          <ServiceIcon icon={icon} />
        </span>
        <bdi className={styles.name}>
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
      {tile.source.type !== 'app' && <PinButton tile={tile} onPin={onPin} />}
    </li>
  );
});

function PinButton({ tile, onPin }: LauncherTileProps) {
  const { address, isPinned } = tile;
  const words = isPinned ? launcherText.unpin(address) : launcherText.pin(address);
  return (
    <button
      type="button"
      className={`${styles.pin} ${isPinned ? styles.pinned : ''}`}
      aria-label={words}
      title={words}
      onClick={() => onPin(tile)}
    >
      {isPinned ? <PushpinFilled /> : <PushpinOutlined />}
    </button>
  );
}
