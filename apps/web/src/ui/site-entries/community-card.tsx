import { QrCanvas } from '../copy/qr-canvas.tsx';
import styles from './site-entries.module.css';
import { webLink } from './web-link.ts';

type CommunityCardProps = { title: string; detail: string; image: string; qrText: string; url: string };

const qrSizePx = 160;

/** A group or link: its image, or else its text as QR code. */
export function CommunityCard({ title, detail, image, qrText, url }: CommunityCardProps) {
  const href = webLink(url);
  return (
    <div className={styles.card}>
      {image !== '' && <img src={image} alt={title} className={styles.cardImage} />}
      {image === '' && qrText !== '' && <QrCanvas text={qrText} width={qrSizePx} level="M" margin={1} label={title} />}
      <strong className={styles.cardTitle}>{title}</strong>
      {detail !== '' && <span className={styles.cardDetail}>{detail}</span>}
      {href !== undefined && (
        <a href={href} target="_blank" rel="noopener noreferrer" className={styles.cardLink}>
          {new URL(href).host}
        </a>
      )}
    </div>
  );
}
