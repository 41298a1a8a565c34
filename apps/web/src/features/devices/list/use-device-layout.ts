import { useState } from 'react';

export const deviceLayouts = ['cards', 'list'] as const;
export type DeviceLayout = (typeof deviceLayouts)[number];

const storageKey = 'tongtu.devices-layout';
/** From this number of devices on, cards need too much scrolling. */
const listFromCount = 10;

function readStoredLayout(): DeviceLayout | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return deviceLayouts.find((layout) => layout === stored);
  } catch {
    return undefined; // without storage the choice lasts until a reload
  }
}

function storeLayout(layout: DeviceLayout): void {
  try {
    localStorage.setItem(storageKey, layout);
  } catch {
    return; // see readStoredLayout
  }
}

/**
 * Cards, or a list for many devices, until the user chooses. The browser stores the choice. A device that is added
 * meanwhile does not change what is on the screen.
 */
export function useDeviceLayout(deviceCount: number): [DeviceLayout, (layout: DeviceLayout) => void] {
  const [layout, setLayout] = useState(() => readStoredLayout() ?? (deviceCount < listFromCount ? 'cards' : 'list'));
  return [
    layout,
    (next) => {
      storeLayout(next);
      setLayout(next);
    },
  ];
}
