import { CheckCircleFilled } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { productName } from '../../routing/document-title.ts';
import { loginText } from '../../text/login/login.ts';
import { FullPage } from '../../ui/page/full-page.tsx';
import { Logo } from '../../ui/page/logo.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import styles from './login.module.css';

function Points() {
  return (
    <ul className={styles.points}>
      {loginText.points.map((point) => (
        <li key={point.title}>
          <PlainIcon of={CheckCircleFilled} />
          <span>
            <strong>{point.title}</strong>
            {point.text}
          </span>
        </li>
      ))}
    </ul>
  );
}

type WelcomeFrameProps = { label: string; points?: ReactNode; children: ReactNode };

/** A card beside the product's name. */
export function WelcomeFrame({ label, points, children }: WelcomeFrameProps) {
  return (
    <FullPage>
      <div className={styles.columns}>
        <section className={styles.welcome}>
          <Logo sizePx={56} />
          <h1 className={styles.name}>{productName}</h1>
          <p className={styles.slogan}>{loginText.slogan}</p>
          {points}
        </section>
        <section className={styles.card} aria-label={label}>
          {children}
        </section>
      </div>
    </FullPage>
  );
}

/** The login screen around its card: what the product is. */
export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <WelcomeFrame label={loginText.card} points={<Points />}>
      {children}
    </WelcomeFrame>
  );
}
