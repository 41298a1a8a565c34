import type { ReactNode, RefObject } from 'react';
import '../theme/theme.css';
import styles from './plain.module.css';

type PlainButtonProps = {
  children: ReactNode;
  type?: 'default' | 'primary' | 'link';
  isLarge?: boolean;
  isBlock?: boolean;
  isLoading?: boolean;
  isDisabled?: boolean;
  /** Sends the form around it. */
  isSubmit?: boolean;
  onClick?: () => void;
  ref?: RefObject<HTMLButtonElement | null>;
};

function classOf({ type = 'default', isLarge, isBlock }: Partial<PlainButtonProps>): string {
  const names = [styles.button, styles[type], isLarge && styles.large, isBlock && styles.block];
  return names.filter((name) => typeof name === 'string').join(' ');
}

/** A button that looks like Ant Design's. */
export function PlainButton(props: PlainButtonProps) {
  const { children, isLoading = false, isDisabled = false, isSubmit = false, onClick, ref } = props;
  return (
    <button
      {...(ref && { ref })}
      type={isSubmit ? 'submit' : 'button'}
      className={classOf(props)}
      disabled={isDisabled}
      aria-busy={isLoading}
      // A busy button keeps the focus, so it is not disabled.
      onClick={isLoading ? undefined : onClick}
    >
      {isLoading && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

type PlainLinkButtonProps = { href: string } & Pick<PlainButtonProps, 'children' | 'type' | 'isBlock' | 'onClick'>;

/** A link that looks like a button. */
export function PlainLinkButton({ href, onClick, ...props }: PlainLinkButtonProps) {
  return (
    <a href={href} className={classOf(props)} onClick={onClick}>
      {props.children}
    </a>
  );
}
