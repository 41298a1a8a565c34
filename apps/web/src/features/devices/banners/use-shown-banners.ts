import type { Banner } from '@tongtu/contract';
import { useState } from 'react';
import { useBanners } from './use-banners.ts';

const storageKey = 'tongtu.dismissed-banners';
const maxStored = 100;

/** A banner that was changed is shown again. */
function nameOf({ id, revision }: Banner): string {
  return `${id}.${revision}`;
}

function readDismissed(): string[] {
  try {
    return (localStorage.getItem(storageKey) ?? '').split(',').filter((name) => name !== '');
  } catch {
    return []; // storage may be forbidden; then a reload forgets the choice
  }
}

/** The banners without those that were dismissed in this browser. */
export function useShownBanners(): { banners: readonly Banner[]; dismiss: (banner: Banner) => void } {
  const { data = [] } = useBanners();
  const [dismissed, setDismissed] = useState(readDismissed);
  function dismiss(banner: Banner) {
    const names = [...readDismissed(), nameOf(banner)].slice(-maxStored);
    setDismissed(names);
    try {
      localStorage.setItem(storageKey, names.join(','));
    } catch {
      return; // see readDismissed
    }
  }
  return { banners: data.filter((banner) => !dismissed.includes(nameOf(banner))), dismiss };
}
