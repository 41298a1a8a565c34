import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PageSkeleton } from './page-skeleton.tsx';

afterEach(cleanup);

test('a screen that is loading shows 30 animated rows', () => {
  render(<PageSkeleton />);
  const skeleton = screen.getByRole('status', { name: '正在加载' });
  expect(skeleton.querySelectorAll('li')).toHaveLength(30);
  expect(skeleton.querySelector('.ant-skeleton-active')).not.toBeNull();
});
