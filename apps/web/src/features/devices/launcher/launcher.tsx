import { HddOutlined } from '@ant-design/icons';
import { Button, type InputRef } from 'antd';
import { type KeyboardEvent, memo, useDeferredValue, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths, withQuery } from '../../../routing/paths.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { launcherText } from '../../../text/devices/launcher.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import deviceStyles from '../devices.module.css';
import { Marked, SearchedPattern } from '../search/marked.tsx';
import { SearchField } from '../search/search-field.tsx';
import { createSearchPattern } from '../search/search-pattern.ts';
import { useSearchText } from '../search/use-search-text.ts';
import styles from './launcher.module.css';
import { LauncherTile } from './launcher-tile.tsx';
import { tileLinks } from './move-focus.ts';
import { type Openable, searchTiles, type Tile, type TileGroup, tileGroups } from './tiles.ts';
import { usePin } from './use-pin.ts';
import { useSlashKey } from './use-slash-key.ts';

const openingRenewedEveryMs = 20_000;
/**
 * How many tiles the first render has. React renders the others afterwards in small steps, so that the page stays
 * responsive.
 */
const groupsDrawnAtOnce = 12;

/** All addresses and apps that the user can open, as a start page. */
export function Launcher({ devices, memberships, apps }: Openable) {
  const text = useSearchText();
  const field = useRef<InputRef>(null);
  useSlashKey(() => field.current?.focus({ cursor: 'all' }));
  const pin = usePin();
  const wallClockMs = useWallClock(openingRenewedEveryMs);
  const pattern = useMemo(() => createSearchPattern(text.search), [text.search]);
  const groups = useMemo(
    () => tileGroups({ devices, memberships, apps }, wallClockMs),
    [devices, memberships, apps, wallClockMs],
  );
  const found = useMemo(() => searchTiles(groups, pattern), [groups, pattern]);
  const shown = useDeferredValue(found, found.slice(0, groupsDrawnAtOnce));

  /** What was typed counts, because the tiles are drawn a moment later. */
  function openFirstFound() {
    const typed = createSearchPattern(text.typed);
    const [tile] = typed ? searchTiles(groups, typed).flatMap(({ tiles }) => tiles) : [];
    if (tile) window.open(tile.url, '_blank', 'noopener,noreferrer');
  }
  function onFieldKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const [first] = tileLinks();
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    }
    if (event.key === 'Enter') openFirstFound();
  }

  if (groups.length === 0) return <NothingToOpen hasDevices={devices.length > 0} />;
  return (
    <SearchedPattern value={pattern}>
      <div role="search" className={styles.searchBar}>
        <SearchField {...text} placeholder={launcherText.searchPlaceholder} field={field} onKeyDown={onFieldKey} />
        <kbd className={styles.key} title={launcherText.searchKey}>
          /
        </kbd>
      </div>
      <div className={styles.groups}>
        {shown.map((group) => (
          <Group key={group.key} group={group} onPin={pin} />
        ))}
      </div>
      {shown.length === 0 && (
        <div className={`${deviceStyles.panel} ${deviceStyles.noMatch}`} aria-live="polite">
          {launcherText.noMatch}
          <Button type="link" onClick={() => text.searchFor('')}>
            {devicesText.clearSearch}
          </Button>
        </div>
      )}
    </SearchedPattern>
  );
}

type GroupProps = { group: TileGroup; onPin: (tile: Tile) => void };

const Group = memo(function Group({ group: { key, title, state, isOnline, tiles }, onPin }: GroupProps) {
  const titleId = `launcher-${key}`;
  return (
    <section className={styles.group} aria-labelledby={titleId}>
      <header className={styles.groupHead}>
        <h2 id={titleId}>
          <bdi>
            <Marked text={title} />
          </bdi>
        </h2>
        {!isOnline && <span>{state}</span>}
      </header>
      <ul className={styles.tiles}>
        {tiles.map((tile) => (
          <LauncherTile key={tile.key} tile={tile} onPin={onPin} />
        ))}
      </ul>
    </section>
  );
});

function NothingToOpen({ hasDevices }: { hasDevices: boolean }) {
  const navigate = useNavigate();
  return (
    <section className={deviceStyles.panel}>
      <EmptyState
        title={launcherText.emptyTitle}
        text={hasDevices ? launcherText.emptyText : launcherText.noDeviceText}
        action={
          <Button
            type="primary"
            icon={<HddOutlined />}
            onClick={() => void navigate(withQuery(paths.devices, { view: 'manage' }))}
          >
            {launcherText.manage}
          </Button>
        }
      />
    </section>
  );
}
