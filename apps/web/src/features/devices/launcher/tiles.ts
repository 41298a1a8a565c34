import type { CloudApp, Device, Mapping, Membership } from '@tongtu/contract';
import { appKinds, type CloudAppKind } from '@tongtu/contract/app-kinds';
import { closedBecause, type ClosedBecause } from '@tongtu/contract/closed-because';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import { deviceStateWord, deviceStateWords } from '../../../text/devices/device-states.ts';
import { launcherText } from '../../../text/devices/launcher.ts';
import { describeOpening, openingTimesOf } from '../../../text/devices/opening-times.ts';
import { sharedWithMeText } from '../../../text/devices/shared-with-me.ts';
import { ownDomainText } from '../../../text/devices/own-domain.ts';
import { isOneWebAddress } from '../../../address/one-web-address.ts';
import { shownHost } from '../../../address/shown-host.ts';
import { openPath } from '../../../routing/paths.ts';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { appsOfDevice, sharedApps } from '../cloud-apps/use-cloud-apps.ts';
import { orderDevices } from '../select-devices.ts';
import { reasonOf } from '../shared-with-me/reason-of.ts';
import type { TileIcon } from './service-icon.tsx';
import { type ServiceKind, serviceKind } from './service-kind.ts';

/** An address or an app that a browser can open. */
export type Tile = {
  key: string;
  /** The object to pin or unpin; apps cannot be pinned. */
  source: { type: 'mapping' | 'membership'; id: number } | { type: 'app' };
  isPinned: boolean;
  url: string;
  name: string;
  /** The host; empty if it is the name already. */
  address: string;
  /** The owner of a shared address; empty for the user's own. */
  owner: string;
  icon: TileIcon;
  state: string;
  /** Why it cannot be opened now; empty if it can, or where its state explains it. */
  reason: string;
  isOpen: boolean;
};

/** What the tiles are made of. */
export type Openable = {
  devices: readonly Device[];
  memberships: readonly Membership[];
  apps: readonly CloudApp[];
};

export type TileGroup = { key: string; title: string; state: string; isOnline: boolean; tiles: readonly Tile[] };

/** An emoji at the beginning of a name, and the rest of the name. */
const emojiFirst =
  /^(\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic})*)\s*(.*)$/su;

function nameAndSign(text: string): { name: string; sign: string | undefined } {
  const [, sign, rest] = emojiFirst.exec(text.trim()) ?? [];
  return { name: rest === undefined || rest === '' ? text.trim() : rest, sign };
}

function iconOf(name: string, words: readonly string[], target: string | undefined): TileIcon {
  const port = target === undefined ? undefined : portOf(target);
  const kind = serviceKind({ words: [name, ...words], port });
  return kind === undefined ? { sign: firstLetter(name).toUpperCase() } : { kind };
}

function firstLetter(name: string): string {
  // Firefox before 125. A grapheme may consist of several code points, of which this is the first.
  if (!('Segmenter' in Intl)) return Array.from(name)[0] ?? '';
  const [first] = new Intl.Segmenter('zh-CN').segment(name);
  return first?.segment ?? '';
}

function portOf(target: string): number | undefined {
  return URL.canParse(target) ? Number(new URL(target).port) || undefined : undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^[^:]+/, shownHost) : url;
}

/** One of the user's own addresses that a browser can open and that is not closed to all; undefined for others. */
function tileOfMapping(device: Device, mapping: Mapping, wallClockMs: number): Tile | undefined {
  if (!isOneWebAddress(mapping) || !mapping.enabled || mapping.policy === 'closed') return undefined;
  const label = shownHost(mapping.custom_domain ?? mapping.prefix ?? mapping.domain);
  const { name, sign } = nameAndSign(mapping.remark === '' ? label : mapping.remark);
  const closed = closedBecause(
    {
      ...{ mappingEnabled: true, deviceEnabled: true, planEndsAtMs: undefined },
      isOverPlanLimit: mapping.over_plan_limit,
      ...{ policy: mapping.policy, times: openingTimesOf(mapping) },
    },
    wallClockMs,
  );
  return {
    key: `mapping-${mapping.id}`,
    source: { type: 'mapping', id: mapping.id },
    isPinned: mapping.pinned,
    url: mapping.url,
    name,
    address: hostOf(mapping.url),
    owner: '',
    icon: sign === undefined ? iconOf(name, [label], mapping.target) : { sign },
    ...stateOf(device, mapping, closed),
  };
}

function stateOf(
  device: Device,
  mapping: Mapping,
  closed: ClosedBecause | undefined,
): Pick<Tile, 'state' | 'reason' | 'isOpen'> {
  if (device.state !== 'online') {
    const reason = device.state === 'offline' && device.offline_reason ? offlineReasonTexts[device.offline_reason] : '';
    return { state: deviceStateWord(device), reason, isOpen: false };
  }
  if (mapping.dns?.state === 'waiting') return { state: ownDomainText.waiting, reason: '', isOpen: false };
  if (closed === undefined) return { state: deviceStateWords.online, reason: '', isOpen: true };
  return { state: launcherText.notOpen, reason: describeOpening(mapping) ?? '', isOpen: false };
}

function tileOfMembership(membership: Membership): Tile {
  const { id, url, domain, owner, state, pinned } = membership;
  const [label = domain] = shownHost(domain).split('.');
  return {
    key: `membership-${id}`,
    source: { type: 'membership', id },
    isPinned: pinned,
    url,
    name: label,
    address: hostOf(url),
    owner,
    icon: iconOf(label, [domain], undefined),
    state: sharedWithMeText.states[state],
    reason: reasonOf(membership),
    isOpen: state === 'online',
  };
}

const appIcons: Partial<Record<CloudAppKind, ServiceKind>> = { vnc: 'screen', rdp: 'screen', wol: 'screen' };

function tileOfApp(app: CloudApp): Tile {
  const { id, kind, is_own: isOwn, router_online: isOnline } = app;
  const { name, sign } = nameAndSign(app.name);
  const icon = { kind: appIcons[kind] ?? (appKinds[kind].group === 'files' ? 'files' : 'terminal') } as const;
  return {
    key: `app-${id}`,
    source: { type: 'app' },
    isPinned: false,
    url: `#${openPath(app)}`,
    name,
    address: appKindWords[kind],
    owner: isOwn ? '' : app.owner,
    icon: sign === undefined ? icon : { sign },
    state: isOnline ? deviceStateWords.online : deviceStateWords.offline,
    reason: '',
    isOpen: isOnline,
  };
}

/**
 * All addresses and apps to open: first the pinned ones, then those of each device (pinned devices first), then those that
 * others share.
 */
export function tileGroups({ devices, memberships, apps }: Openable, wallClockMs: number): TileGroup[] {
  const enabledApps = apps.filter(({ enabled }) => enabled);
  const byId = new Map(devices.map((device) => [device.id, device]));
  const own = orderDevices(devices, 'name').flatMap((id) => {
    const device = byId.get(id);
    if (device === undefined) return [];
    const ofDevice = appsOfDevice(enabledApps, id).map(tileOfApp);
    const addresses = device.mappings.flatMap((mapping) => tileOfMapping(device, mapping, wallClockMs) ?? []);
    const tiles = [...addresses, ...ofDevice];
    const state = deviceStateWord(device);
    return { key: `device-${id}`, title: device.name, state, isOnline: device.online, tiles };
  });
  const shared = { key: 'shared', title: sharedWithMeText.title, state: '', isOnline: true };
  const sharedTiles = [...memberships.map(tileOfMembership), ...sharedApps(enabledApps).map(tileOfApp)];
  const groups = [...own, { ...shared, tiles: sharedTiles }];
  const pinned = groups.flatMap(({ tiles }) => tiles.filter(({ isPinned }) => isPinned));
  const others = groups.map((group) => ({ ...group, tiles: group.tiles.filter(({ isPinned }) => !isPinned) }));
  const first = { key: 'pinned', title: launcherText.pinned, state: '', isOnline: true, tiles: pinned };
  return [first, ...others].filter(({ tiles }) => tiles.length > 0);
}

/** The tiles whose text or device matches. */
export function searchTiles(groups: readonly TileGroup[], pattern: RegExp | undefined): TileGroup[] {
  if (pattern === undefined) return [...groups];
  const matches = (title: string, { name, address, owner }: Tile) =>
    [title, name, address, owner].some((text) => pattern.test(text));
  return groups
    .map((group) => ({ ...group, tiles: group.tiles.filter((tile) => matches(group.title, tile)) }))
    .filter(({ tiles }) => tiles.length > 0);
}
