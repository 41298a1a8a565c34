import { CloseOutlined, ReloadOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { captchaText } from './captcha-text.ts';
import styles from './captcha.module.css';

type CaptchaFrameProps = {
  title: string;
  /** Beside the title. */
  thumb?: ReactNode;
  image: ReactNode;
  /** The slider, or the button that confirms. */
  control?: ReactNode;
  /** In the row of the icons: the control needs no row of its own. */
  isControlBeside?: boolean;
  isDisabled?: boolean;
  onClose: () => void;
  onRefresh: () => void;
};

/** What the four images share: a title above, the image, and below it the ways to answer, renew and leave. */
export function CaptchaFrame(props: CaptchaFrameProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.header}>
        <span className={styles.title}>{props.title}</span>
        {props.thumb}
      </div>
      {props.image}
      {props.isControlBeside !== true && props.control}
      <div className={styles.footer}>
        <button
          type="button"
          className={styles.icon}
          onClick={props.onClose}
          aria-label={captchaText.close}
          title={captchaText.close}
        >
          <CloseOutlined />
        </button>
        <button
          type="button"
          className={styles.icon}
          onClick={props.onRefresh}
          disabled={props.isDisabled ?? false}
          aria-label={captchaText.refresh}
          title={captchaText.refresh}
        >
          <ReloadOutlined />
        </button>
        {props.isControlBeside === true && props.control}
      </div>
    </div>
  );
}

/** An image that is looked at only: neither dragged away nor selected. */
export function CaptchaImage({ src, className, alt = '' }: { src: string; className?: string; alt?: string }) {
  return <img src={src} alt={alt} draggable={false} className={className} />;
}
