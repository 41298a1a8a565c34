import { lazy, type ReactNode, Suspense } from 'react';
import type { ChooseBoxProps } from './choose-box.tsx';
import styles from './many.module.css';

/** Loaded when the user begins to choose devices. */
const ChooseBox = lazy(async () => ({ default: (await import('./choose-box.tsx')).ChooseBox }));

/** A device of the list, with a checkbox while the user chooses devices. */
export function Choosable({ children, ...box }: ChooseBoxProps & { children: ReactNode }) {
  if (box.choice.ids === undefined) return children;
  return (
    <div className={styles.choosable}>
      <Suspense fallback={<span />}>
        <ChooseBox {...box} />
      </Suspense>
      {children}
    </div>
  );
}
