import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { Button, type ButtonProps } from 'antd';
import { type MouseEvent, useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { uiText } from '../ui-text.ts';
import { useToast } from '../use-toast.ts';

const copiedShownMs = 1500;

type CopyButtonProps = {
  text: string;
  /** What the button copies, for screen readers. */
  label: string;
  /** The text beside the icon. */
  children?: string;
  type?: ButtonProps['type'];
  size?: ButtonProps['size'];
};

export function CopyButton({ text, label, children, type = 'text', size = 'small' }: CopyButtonProps) {
  const toast = useToast();
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), copiedShownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(event: MouseEvent<HTMLElement>) {
    const done = await copyText(text, event.currentTarget);
    setIsCopied(done);
    if (done) toast.success(uiText.copied);
    else toast.warning(uiText.copyFailed);
  }

  return (
    <Button
      type={type}
      size={size}
      icon={isCopied ? <CheckOutlined /> : <CopyOutlined />}
      onClick={(event) => void copy(event)}
      aria-label={uiText.copy(label)}
      title={uiText.copy(label)}
    >
      {children}
    </Button>
  );
}
