import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CaptchaButton, type CaptchaButtonVariant } from './captcha-button.tsx';

afterEach(cleanup);

const variants: CaptchaButtonVariant[] = ['default', 'warn', 'error', 'success'];

test.each(variants)('the %s button asks for a click, and none reaches it when it is disabled', (variant) => {
  const onClick = vi.fn<() => void>();
  const { rerender } = render(<CaptchaButton variant={variant} onClick={onClick} />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: '点击按键进行验证' });
  expect(button.dataset['variant']).toBe(variant);
  fireEvent.click(button);
  expect(onClick).toHaveBeenCalledOnce();

  rerender(<CaptchaButton variant={variant} onClick={onClick} isDisabled />);
  fireEvent.click(button);
  expect(button.disabled).toBe(true);
  expect(onClick).toHaveBeenCalledOnce();
});
