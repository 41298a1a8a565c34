import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ApiToken } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pressEnter } from '../../../testing/press-enter.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { apiTokenOf, refusal } from '../testing/account-fixtures.ts';
import { ApiTokensSection } from './api-tokens-section.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/api_tokens/';
const create = 'POST /api/user/api_tokens/';
const remove = 'DELETE /api/user/api_tokens/{id}/';

function open(apiTokens: ApiToken[], answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ConfirmProvider>
      <ApiTokensSection />
    </ConfirmProvider>,
    { [list]: () => [...apiTokens], ...answers },
  );
}

const send = () => fireEvent.click(screen.getByRole('button', { name: '新建' }));

test('a token is created with the chosen scopes and shown once', async () => {
  const apiTokens: ApiToken[] = [];
  const calls = open(apiTokens, {
    [create]: () => {
      apiTokens.push(apiTokenOf());
      return { api_token: apiTokenOf(), token: 'tt_api_secret' };
    },
  });
  await screen.findByText('还没有 API 令牌');
  fireEvent.click(screen.getByRole('button', { name: '新建 API 令牌' }));
  fireEvent.change(await screen.findByLabelText('名称'), { target: { value: ' 备份脚本 ' } });
  screen.getByText(
    '访问权限、访问密码和访问白名单决定谁可以访问，修改它们还需要勾选“管理谁可以访问”；修改访问权限不是“需身份验证”的域名映射也一样，只有备注除外。',
  );
  send();
  await screen.findByText('请至少选择一项权限');
  expect(calls.some(({ key }) => key === create)).toBe(false);

  fireEvent.click(screen.getByLabelText('查看设备和域名映射'));
  pressEnter(screen.getByLabelText('名称'));
  await screen.findByText('tt_api_secret');
  expect(calls.find(({ key }) => key === create)?.input).toEqual({
    body: { name: '备份脚本', scopes: ['devices:read'], valid_days: 90 },
  });
  fireEvent.keyDown(window, { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: '我已保存' }));
  await waitFor(() => expect(screen.queryByText('tt_api_secret')).toBeNull());
  await screen.findByText('备份脚本');
});

test('a refused creation is reported in its form', async () => {
  open([], { [create]: () => Promise.reject(refusal('api-token.limit-reached')) });
  fireEvent.click(screen.getByRole('button', { name: '新建 API 令牌' }));
  fireEvent.change(await screen.findByLabelText('名称'), { target: { value: 'x' } });
  fireEvent.click(screen.getByLabelText('查看验证记录'));
  send();
  await screen.findByText('API 令牌数量已达上限，请先删除不用的');
});

test('an expired token says so, and is deleted after a question', async () => {
  const apiTokens = [apiTokenOf({ expires_at: '2026-01-01T00:00:00.000Z' })];
  const calls = open(apiTokens, {
    [remove]: () => {
      apiTokens.pop();
      return { ok: true };
    },
  });
  await screen.findByText('已过期');
  fireEvent.click(screen.getByRole('button', { name: '删除 API 令牌 备份脚本' }));
  await screen.findByText('使用它的程序会立即无法调用接口。');
  fireEvent.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByText('还没有 API 令牌');
  expect(calls.find(({ key }) => key === remove)?.input).toEqual({ params: { id: 5 } });
  await screen.findByText('API 令牌已删除');
});
