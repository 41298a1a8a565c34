import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { paletteText } from '../../text/palette.ts';
import { paletteKeyName } from './shortcut-keys.ts';
import { type Shown, useShortcuts } from './use-shortcuts.ts';

/** Loaded when they are opened. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }));

/** Opens the command palette, also by its key, and the list of the keys. */
export function PaletteButton() {
  const [shown, setShown] = useState<Shown>();
  useShortcuts(setShown);
  const close = () => setShown(undefined);
  const label = paletteText.openWithKey(paletteKeyName());
  return (
    <>
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setShown('palette')}
      />
      <Suspense fallback={null}>
        {shown === 'palette' && <Palette onClose={close} onShortcuts={() => setShown('shortcuts')} />}
        {shown === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}
