import type { Device, Mapping } from '@tongtu/contract';
import { isOneWebAddress } from '../../address/one-web-address.ts';
import { shownHost, shownUrl } from '../../address/shown-host.ts';
import { paths, statisticsPath, visitsPath, withQuery } from '../../routing/paths.ts';
import { layoutText } from '../../text/layout.ts';
import { paletteText } from '../../text/palette.ts';
import { routeTitles } from '../../text/routes.ts';

export type PaletteEntry = {
  key: string;
  kind: keyof typeof paletteText.kinds;
  label: string;
  note: string;
  /** What the typed words are searched in. */
  searched: string;
  /** A path of the console, or the address that opens in a new tab, or what is shown. */
  target: { path: string } | { url: string } | { show: 'shortcuts' };
};

/** How many entries are listed at once; more would be scrolled past, not read. */
const MAX_SHOWN = 50;

type Place = { hasShop: boolean; isStaff: boolean; hasKeyboard: boolean };

function placeEntries({ hasShop, isStaff }: Place): PaletteEntry[] {
  const places: (readonly [string, string])[] = [
    [paths.devices, routeTitles.devices],
    [withQuery(paths.devices, { view: 'launcher' }), paletteText.actions.launcher],
    [paths.statistics, routeTitles.statistics],
    [paths.records, routeTitles.records],
    ...(hasShop
      ? ([
          [paths.plans, routeTitles.plans],
          [paths.orders, routeTitles.orders],
          [paths.invite, routeTitles.invite],
        ] as const)
      : []),
    [paths.community, routeTitles.community],
    [paths.userInfo, routeTitles.userInfo],
    [paths.announcements, routeTitles.announcements],
    ...(isStaff ? ([[paths.users, layoutText.manage]] as const) : []),
  ];
  return places.map(([path, label]) => ({
    ...{ key: `screen ${path}`, kind: 'screen', label, note: '', searched: label },
    target: { path },
  }));
}

const addDevice: PaletteEntry = {
  key: 'add-device',
  kind: 'action',
  label: paletteText.actions.addDevice,
  note: '',
  searched: paletteText.actions.addDevice,
  target: { path: withQuery(paths.devices, { view: 'manage', add: '1' }) },
};
const shortcuts: PaletteEntry = {
  key: 'shortcuts',
  kind: 'action',
  label: paletteText.actions.shortcuts,
  note: '?',
  searched: paletteText.actions.shortcuts,
  target: { show: 'shortcuts' },
};

function deviceEntry(device: Device): PaletteEntry {
  return {
    key: `device ${device.id}`,
    kind: 'device',
    label: device.name,
    note: device.group,
    searched: [device.name, device.uid, device.group, device.public_ip].join('\n'),
    target: { path: withQuery(paths.devices, { view: 'manage', q: device.uid }) },
  };
}

function mappingEntry(device: Device, mapping: Mapping): PaletteEntry {
  const { id, domain, url, remark, port, target } = mapping;
  const name = port === null ? shownHost(domain) : shownUrl(url);
  return {
    key: `mapping ${id}`,
    kind: 'mapping',
    label: remark === '' ? name : `${remark} · ${name}`,
    note: `${device.name} · ${target}`,
    searched: [remark, name, domain, url, target].join('\n'),
    target: isOneWebAddress(mapping) ? { url } : { path: withQuery(paths.devices, { view: 'manage', q: url }) },
  };
}

/** The screens about a device and its mappings. */
function recordEntries(device: Device): PaletteEntry[] {
  const about = (entry: PaletteEntry, kind: 'statistics' | 'visits', path: string): PaletteEntry => ({
    ...entry,
    ...{ key: `${kind} of ${entry.key}`, kind, target: { path } },
    searched: `${routeTitles[kind]}\n${entry.searched}`,
  });
  return [
    about(deviceEntry(device), 'statistics', statisticsPath({ router: device.id })),
    ...device.mappings.flatMap((mapping) => {
      const entry = mappingEntry(device, mapping);
      const statistics = statisticsPath({ router: device.id, mapping: mapping.id });
      return [about(entry, 'visits', visitsPath(mapping.id)), about(entry, 'statistics', statistics)];
    }),
  ];
}

/** All that the palette can do, in the order in which it is listed. */
export function paletteEntries(devices: readonly Device[], place: Place): PaletteEntry[] {
  const actions = place.hasKeyboard ? [addDevice, shortcuts] : [addDevice];
  return [
    ...[...actions, ...placeEntries(place)],
    ...devices.flatMap((device) => [
      deviceEntry(device),
      ...device.mappings.map((mapping) => mappingEntry(device, mapping)),
    ]),
    ...devices.flatMap(recordEntries),
  ];
}

/** The entries in which every typed word occurs, those whose label is or begins with the text first. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  const whole = words.join(' ');
  const rank = ({ label }: PaletteEntry) => {
    const text = label.toLowerCase();
    if (text === whole) return 0;
    if (text.startsWith(whole)) return 1;
    return text.includes(whole) ? 2 : 3;
  };
  const found = entries.filter(({ searched }) => {
    const text = searched.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (whole === '' ? found : found.toSorted((a, b) => rank(a) - rank(b))).slice(0, MAX_SHOWN);
}
