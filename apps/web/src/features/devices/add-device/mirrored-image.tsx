import { Input } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { boxText } from '../../../text/devices/add-device.ts';
import { parseImagePrefix, readImagePrefix, storeImagePrefix } from '../../enrolment-keys/image-prefix.ts';
import styles from './add-device.module.css';

/** Asks for a mirror of Docker Hub, which cannot be reached from everywhere, and gives it to what is copied. */
export function MirroredImage({ children }: { children: (imagePrefix: string) => ReactNode }) {
  const [typed, setTyped] = useState(readImagePrefix);
  const id = useId();
  const prefix = parseImagePrefix(typed);
  const { mirror, mirrorPlaceholder, mirrorHint, mirrorWrong } = boxText.docker;
  const change = (value: string) => {
    setTyped(value);
    const parsed = parseImagePrefix(value);
    if (parsed !== undefined) storeImagePrefix(parsed);
  };
  return (
    <>
      {children(prefix ?? '')}
      <div className={styles.mirror}>
        <label htmlFor={id}>{mirror}</label>
        <Input
          id={id}
          value={typed}
          placeholder={mirrorPlaceholder}
          allowClear
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          {...(prefix === undefined && { status: 'error' as const })}
          onChange={({ target }) => change(target.value)}
        />
        <p id={`${id}-hint`} aria-live="polite" className={prefix === undefined ? styles.wrong : undefined}>
          {prefix === undefined ? mirrorWrong : mirrorHint}
        </p>
      </div>
    </>
  );
}
