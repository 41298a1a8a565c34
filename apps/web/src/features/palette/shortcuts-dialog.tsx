import { Checkbox } from 'antd';
import { Fragment, useState } from 'react';
import { shortcutsText } from '../../text/palette.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import styles from './palette.module.css';
import { hasSingleKeys, paletteKeyName, setSingleKeys } from './shortcut-keys.ts';

type Shortcut = { keys: readonly [string] | readonly [string, string]; word: string; joint?: string };

function shortcuts(): Shortcut[] {
  const { keys, thenPress, click } = shortcutsText;
  return [
    { keys: [paletteKeyName()], word: keys.palette },
    { keys: ['/'], word: keys.search },
    { keys: ['A'], word: keys.add },
    { keys: ['G', 'D'], joint: thenPress, word: keys.devices },
    { keys: ['G', 'L'], joint: thenPress, word: keys.launcher },
    { keys: ['G', 'R'], joint: thenPress, word: keys.records },
    { keys: ['G', 'U'], joint: thenPress, word: keys.user },
    { keys: ['Shift', click], joint: '+', word: keys.range },
    { keys: ['?'], word: keys.help },
  ];
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(hasSingleKeys);
  return (
    <Dialog title={shortcutsText.title} footer={null} onClose={onClose} hasUnsavedInput={nothingToKeep}>
      <dl className={styles.keys}>
        {shortcuts().map(({ keys: [first, second], joint, word }) => (
          <Fragment key={word}>
            <dt>
              <kbd>{first}</kbd>
              {second !== undefined && (
                <>
                  {` ${joint} `}
                  <kbd>{second}</kbd>
                </>
              )}
            </dt>
            <dd>{word}</dd>
          </Fragment>
        ))}
      </dl>
      <Checkbox
        checked={isOn}
        onChange={({ target }) => {
          setSingleKeys(target.checked);
          setIsOn(target.checked);
        }}
      >
        {shortcutsText.singleKeys}
      </Checkbox>
      <p className={styles.hint}>{shortcutsText.singleKeysHint}</p>
    </Dialog>
  );
}
