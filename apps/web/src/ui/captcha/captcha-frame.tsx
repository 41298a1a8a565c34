import { CloseOutlined, ReloadOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { captchaText } from './captcha-text.ts';
import styles from './captcha.module.css';

type CaptchaFrameProps = {
  title: string;
  /** Beside the title. */
  thumb?: ReactNode;
  image: ReactNode;
  /** The slider or the confirm button. */
  control?: ReactNode;
  /** Puts the control into the row of the icons. */
  isControlBeside?: boolean;
  isDisabled?: boolean;
  onClose: () => void;
  onRefresh: () => void;
};

/** The frame of all four widgets: title, image, control, and buttons to refresh and close. */
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

/** An image that can be neither dragged nor selected. */
export function CaptchaImage({ src, className, alt = '' }: { src: string; className?: string; alt?: string }) {
  return <img src={src} alt={alt} draggable={false} className={className} />;
}
