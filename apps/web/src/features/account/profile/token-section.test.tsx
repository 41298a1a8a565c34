import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { profileOf, securityOf } from '../testing/account-fixtures.ts';
import { TokenSection } from './token-section.tsx';

afterEach(cleanup);

const end = 'DELETE /api/user/previous_token/';

test('an old token that still works can be ended at once after a question', async () => {
  let until: string | null = '2026-11-23T00:00:00.000Z';
  const security = () => securityOf({ previous_token_until: until });
  const calls = show(
    <ConfirmProvider>
      <TokenSection profile={profileOf()} />
    </ConfirmProvider>,
    {
      'GET /api/user/security/': security,
      [end]: () => {
        until = null;
        return security();
      },
    },
  );
  await screen.findByText(/^更换前的账号令牌在 .+ 之前仍可用来添加设备。$/);
  fireEvent.click(screen.getByRole('button', { name: '立即停用旧的账号令牌' }));
  const question = await screen.findByRole('dialog', { name: '立即停用旧的账号令牌？' });
  expect(calls.some(({ key }) => key === end)).toBe(false);
  fireEvent.click(within(question).getByRole('button', { name: '停用' }));
  await screen.findByText('旧的账号令牌已停用');
  await waitFor(() => expect(screen.queryByText(/更换前的账号令牌/)).toBeNull());
});
