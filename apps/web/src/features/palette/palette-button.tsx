import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { errorText, failImport } from '../../api/index.ts';
import { paletteText } from '../../text/palette.ts';
import { useToast } from '../../ui/use-toast.ts';
import { paletteKeyName } from './shortcut-keys.ts';
import { type Shown, useShortcuts } from './use-shortcuts.ts';

/** Loaded when they are opened. A failed load is retried by the next one. */
const loadParts = {
  palette: async () => ({ Palette: (await import('./palette.tsx')).Palette }),
  shortcuts: async () => ({ ShortcutsDialog: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }),
};
type Parts = { [Name in Shown]: Awaited<ReturnType<(typeof loadParts)[Name]>> };

/** `load` is given in tests. */
type PaletteButtonProps = { load?: { [Name in Shown]: () => Promise<Parts[Name]> } };

/** Opens the command palette, also by its key, and the list of the keys. */
export function PaletteButton({ load = loadParts }: PaletteButtonProps) {
  const toast = useToast();
  const [shown, setShown] = useState<Partial<Parts['palette'] & Parts['shortcuts']>>({});
  const close = () => setShown({});
  /** Not React.lazy: its failure would replace the whole console. */
  async function open(name: Shown) {
    const part = await load[name]()
      .catch(failImport)
      .catch((error: unknown) => toast.error(errorText(error)));
    if (part) setShown(part);
  }
  useShortcuts((name) => void open(name));
  const label = paletteText.openWithKey(paletteKeyName());
  return (
    <>
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => void open('palette')}
      />
      {shown.Palette && <shown.Palette onClose={close} onShortcuts={() => void open('shortcuts')} />}
      {shown.ShortcutsDialog && <shown.ShortcutsDialog onClose={close} />}
    </>
  );
}
