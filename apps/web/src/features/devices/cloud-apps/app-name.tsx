import type { CloudApp } from '@tongtu/contract';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { Mono } from '../../../ui/mono.tsx';
import { Marked } from '../search/marked.tsx';
import { appAddress } from './app-address.ts';
import { AppIcon } from './app-icon.tsx';
import styles from './cloud-apps.module.css';

/** Icon, name, kind and address of an app. */
export function AppName({ app }: { app: CloudApp }) {
  return (
    <span className={styles.what}>
      <span className={styles.icon}>
        <AppIcon kind={app.kind} />
      </span>
      <span className={styles.words}>
        <bdi className={styles.name} title={app.name}>
          <Marked text={app.name} />
        </bdi>
        <span className={styles.quiet}>
          {appKindWords[app.kind]}{' '}
          <Mono>
            <Marked text={appAddress(app)} />
          </Mono>
        </span>
      </span>
    </span>
  );
}
