import type { KeyboardEvent } from 'react';
import { nextTile } from './next-tile.ts';

/** All tiles of the launcher, in document order. */
export function tileLinks(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('a[data-tile]')];
}

/** Moves the focus to the tile that an arrow key leads to. */
export function moveFocus(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const all = tileLinks();
  const boxes = all.map((link) => link.getBoundingClientRect());
  const index = all.findIndex((link) => link === event.currentTarget);
  const next = nextTile(event.key, boxes, index);
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.focus();
}
