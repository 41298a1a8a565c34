import { CheckCircleFilled } from '@ant-design/icons';
import { Spin } from 'antd';
import { useEffect } from 'react';
import { useLoaderData } from 'react-router';
import { productName } from '../../document-title.ts';
import type { LoginLoaderData } from '../../route-loaders.ts';
import { loginText } from '../../text/login.ts';
import { sharedText } from '../../text/shared.ts';
import { FullPage } from '../../ui/full-page.tsx';
import { Logo } from '../../ui/logo.tsx';
import { LoginCard } from './login-card.tsx';
import styles from './login.module.css';

function Points() {
  return (
    <ul className={styles.points}>
      {loginText.points.map((point) => (
        <li key={point.title}>
          <CheckCircleFilled aria-hidden />
          <span>
            <strong>{point.title}</strong>
            {point.text}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function LoginPage() {
  const { leaveTo } = useLoaderData<LoginLoaderData>();
  useEffect(() => {
    if (leaveTo !== undefined) window.location.replace(leaveTo);
  }, [leaveTo]);

  return (
    <FullPage>
      <div className={styles.columns}>
        <section className={styles.welcome}>
          <Logo sizePx={56} />
          <h1 className={styles.name}>{productName}</h1>
          <p className={styles.slogan}>{sharedText.slogan}</p>
          <Points />
        </section>
        <section className={styles.card} aria-label={loginText.title}>
          {leaveTo === undefined ? (
            <LoginCard />
          ) : (
            <div className={styles.leaving} aria-live="polite">
              <Spin />
              {loginText.leaving}
            </div>
          )}
        </section>
      </div>
    </FullPage>
  );
}
