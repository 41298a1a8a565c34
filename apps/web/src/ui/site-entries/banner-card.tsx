import { LinkOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import styles from './site-entries.module.css';
import { webLink } from './web-link.ts';

type BannerCardProps = { title: string; image: string; url: string; action?: ReactNode };

/** One banner. Its height does not depend on whether its image is loaded. */
export function BannerCard({ title, image, url, action }: BannerCardProps) {
  const href = webLink(url);
  const content = (
    <>
      {image !== '' && <img src={image} alt="" className={styles.bannerImage} />}
      <span className={styles.bannerTitle}>
        {title} {href !== undefined && <LinkOutlined aria-hidden />}
      </span>
    </>
  );
  return (
    <div className={styles.banner}>
      {href === undefined ? (
        <div className={styles.bannerContent}>{content}</div>
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer" className={styles.bannerContent}>
          {content}
        </a>
      )}
      {action}
    </div>
  );
}
