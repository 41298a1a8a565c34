import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { advanced, orderOf, pageOf, paid, planOf, shopAnswers, standard, trial } from '../testing/shop-fixtures.ts';
import { PlansPage } from './plans-page.tsx';

afterEach(cleanup);

const products = 'GET /api/user/product/products/';
const plans = 'GET /api/user/product/plans/';
const create = 'POST /api/user/product/orders/';
const poll = 'GET /api/user/product/orders/{id}/';

function open(answers: Parameters<typeof show>[1] = {}, at = '/plans') {
  const devices = [deviceOf(), deviceOf({ id: 8, name: '父母家' })];
  return show(
    <PlansPage />,
    {
      ...shopAnswers(),
      'GET /api/user/routers/': () => pageOf(devices),
      [products]: () => pageOf([trial, standard, advanced]),
      [plans]: () => pageOf([planOf()]),
      ...answers,
    },
    { at },
  );
}

function refusal(code: string, detail: string): ApiError {
  const rest = { fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 409, code, detail, ...rest } as ConstructorParameters<
    typeof ApiError
  >[0]); // a code of the catalogue
}

const product = (name: string) => screen.findByRole('listitem', { name });
const bodies = (calls: ReturnType<typeof show>, key: string) =>
  calls.filter((call) => call.key === key).map(({ input }) => (input as { body: unknown }).body); // what the calls of this key have

test('products are compared by price, time, bandwidth, mappings and apps', async () => {
  open();
  const card = within(await product('进阶版'));
  for (const words of ['¥78 / 1 年', '约合每月 ¥6.41', '带宽 8 Mbit/s', '12 条域名映射', '远程应用：SSH 终端'])
    card.getByText(words);
});

test('a first purchase accepts the terms of payment, once, then shows the code to pay', async () => {
  const calls = open({
    ...shopAnswers({ accepted_terms_of_payment: false }),
    'PATCH /api/profile/{id}/': () => ({}),
    [create]: () => orderOf(),
    [poll]: () => orderOf(),
  });
  fireEvent.click(await screen.findByRole('button', { name: '购买“标准版”' }));
  const box = await screen.findByRole('checkbox', { name: '我已阅读并同意' });
  fireEvent.click(screen.getByRole('button', { name: '去支付 ¥26' }));
  await screen.findByText('请先阅读并同意支付条款');
  expect(bodies(calls, create)).toEqual([]);
  fireEvent.click(box);
  fireEvent.click(screen.getByRole('button', { name: '去支付 ¥26' }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  const changed = calls.findIndex(({ key }) => key === 'PATCH /api/profile/{id}/');
  expect(calls[changed]?.input).toEqual({ params: { id: 1 }, body: { accepted_terms_of_payment: true } });
  expect(changed).toBeLessThan(calls.findIndex(({ key }) => key === create));
  expect(bodies(calls, create)).toEqual([
    { kind: 'new', product_id: 2, amount_fen: 2600, uuid_from_client: expect.stringMatching(/^[\da-f-]{36}$/) },
  ]);
});

test('the terms of payment can be read', async () => {
  open(shopAnswers({ accepted_terms_of_payment: false }));
  fireEvent.click(await screen.findByRole('button', { name: '购买“标准版”' }));
  fireEvent.click(await screen.findByRole('button', { name: '《支付条款》' }));
  await screen.findByText('支付条款（第 1 版）');
  screen.getByText(/没有自动续费/);
});

test('a submission that is repeated is the same order, and another choice another one', async () => {
  let isUp = false;
  const calls = open({
    [create]: () => {
      if (!isUp) throw new ApiError({ type: 'network' });
      return orderOf();
    },
    [poll]: () => orderOf(),
  });
  fireEvent.click(await screen.findByRole('button', { name: '购买“标准版”' }));
  const pay = await screen.findByRole('button', { name: '去支付 ¥26' });
  fireEvent.click(pay);
  await screen.findByRole('alert');
  fireEvent.click(pay);
  await waitFor(() => expect(bodies(calls, create)).toHaveLength(2));
  isUp = true;
  fireEvent.mouseDown(screen.getByLabelText('用于设备'));
  fireEvent.click(await screen.findByTitle('父母家'));
  await waitFor(() => expect(pay.className).not.toContain('loading'));
  fireEvent.click(pay);
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  const [first, second, third] = bodies(calls, create) as { uuid_from_client: string; router?: number }[]; // of this test
  expect(second).toEqual(first);
  expect(third?.router).toBe(8);
  expect(third?.uuid_from_client).not.toBe(first?.uuid_from_client);
});

test('a price that has changed is refused, shown anew, and can then be paid', async () => {
  let price = 2600;
  const calls = open({
    [products]: () => pageOf([{ ...standard, price_fen: price }]),
    [create]: () => {
      if (price === 3000) return orderOf({ amount_fen: 3000 });
      price = 3000;
      throw refusal('order.price-changed', '价格刚刚有变动，请确认新价格后再下单');
    },
    [poll]: () => orderOf({ amount_fen: 3000 }),
  });
  fireEvent.click(await screen.findByRole('button', { name: '购买“标准版”' }));
  fireEvent.click(await screen.findByRole('button', { name: '去支付 ¥26' }));
  await screen.findByText('价格刚刚有变动，请确认新价格后再下单');
  fireEvent.click(await screen.findByRole('button', { name: '去支付 ¥30' }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  expect(bodies(calls, create)).toMatchObject([{ amount_fen: 2600 }, { amount_fen: 3000 }]);
});

test('two unpaid orders lead to the orders', async () => {
  open({
    [create]: () => {
      throw refusal('order.too-many-open', '您有 2 个未支付的订单，请先支付或取消');
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '购买“标准版”' }));
  fireEvent.click(await screen.findByRole('button', { name: '去支付 ¥26' }));
  const link = await screen.findByRole('link', { name: '查看我的订单' });
  expect(link.getAttribute('href')).toBe('/orders');
});

test('a free product is taken at once, without the terms of payment, for the only device, which has no plan', async () => {
  const taken = orderOf({ ...paid, amount_fen: 0, plan: 40, product: planOf().product });
  const calls = open({
    ...shopAnswers({ accepted_terms_of_payment: false }),
    'GET /api/user/routers/': () => pageOf([deviceOf({ state: 'plan_expired' })]),
    [plans]: () => pageOf([]),
    [create]: () => taken,
    [poll]: () => taken,
  });
  fireEvent.click(await screen.findByRole('button', { name: '免费领取“体验版”' }));
  await screen.findByText('每周可领一次，最多同时用于两台设备');
  screen.getByText('免费，7 天');
  await screen.findByTitle('家里的群晖');
  fireEvent.click(screen.getByRole('button', { name: '领取' }));
  await screen.findByText('领取成功');
  expect(bodies(calls, create)).toMatchObject([{ product_id: 1, amount_fen: 0, router: 7 }]);
});

test('the link of a device chooses it; one with a plan has to be renewed or upgraded', async () => {
  open({}, '/plans?router=7');
  await screen.findByText('正在为“家里的群晖”选择套餐');
  screen.getByText('“家里的群晖”已有“标准版”，可以在上面续费或升级。');
  fireEvent.click(screen.getByRole('button', { name: '购买“进阶版”' }));
  await screen.findByText('这台设备已有套餐，请续费或升级，或选别的设备。');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '去支付 ¥78' }).disabled).toBe(true);
});

test('renewing shows the price and the new end', async () => {
  const calls = open({ [create]: () => orderOf({ kind: 'renew' }), [poll]: () => orderOf({ kind: 'renew' }) });
  fireEvent.click(await screen.findByRole('button', { name: '续费' }));
  await screen.findByText(/续费后 2127-11-01 .* 到期/);
  fireEvent.click(screen.getByRole('button', { name: '去支付 ¥26' }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  expect(bodies(calls, create)).toMatchObject([{ kind: 'renew', product_id: 2, parent: 40, amount_fen: 2600 }]);
});

test('where a plan cannot be renewed, words in place of the button say why', async () => {
  const later = planOf({ renewal: null, renewable_until: null, renewable_from: '2126-12-01T00:00:00.000Z' });
  const unlisted = planOf({
    id: 41,
    product: { ...later.product, name: '旧版' },
    renewal: null,
    renewable_until: null,
  });
  const free = planOf({ id: 42, product: { ...later.product, name: '体验版' }, is_free: true, renewal: null });
  open({ [plans]: () => pageOf([later, unlisted, free]) });
  const own = within(await screen.findByRole('region', { name: '我的套餐' }));
  await own.findByText(/^最多续到两年以后，2126-12-01 .* 起可续费$/);
  own.getByText('套餐已停售，不能续费');
  expect(own.getAllByText(/可续费|不能续费/)).toHaveLength(2);
  expect(own.queryByRole('button', { name: '续费' })).toBeNull();
});

test('upgrading shows the exact price and its rule before paying', async () => {
  const calls = open({ [create]: () => orderOf({ kind: 'upgrade' }), [poll]: () => orderOf({ kind: 'upgrade' }) });
  fireEvent.click(await screen.findByRole('button', { name: '升级' }));
  await screen.findByText(/升级价 = 两个套餐每小时的价格之差 × 剩余小时数/);
  screen.getByRole('radio', { name: '进阶版（¥43.21）' });
  fireEvent.click(screen.getByRole('button', { name: '去支付 ¥43.21' }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  expect(bodies(calls, create)).toMatchObject([{ kind: 'upgrade', product_id: 3, parent: 40, amount_fen: 4321 }]);
});

test('a plan moves to another device, and leaves its own', async () => {
  const change = 'PATCH /api/user/routers/{id}/';
  const calls = open({ [change]: () => deviceOf() });
  fireEvent.click(await screen.findByRole('button', { name: '标准版 的更多操作' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '换一台设备…' }));
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '设备' }));
  expect(screen.queryByTitle('家里的群晖')).toBeNull();
  fireEvent.click(await screen.findByTitle('父母家'));
  fireEvent.click(screen.getByRole('button', { name: '绑定' }));
  await screen.findByText('“标准版”已绑定到“父母家”');
  fireEvent.click(screen.getByRole('button', { name: '标准版 的更多操作' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '解绑设备' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '解绑设备' }));
  await screen.findByText('“标准版”已解绑');
  expect(calls.filter(({ key }) => key === change).map(({ input }) => input)).toEqual([
    { params: { id: 8 }, body: { plan_ids_to_add: [40] } },
    { params: { id: 7 }, body: { plan_ids_to_remove: [40] } },
  ]);
});

test('lists that are empty or cannot be loaded say so', async () => {
  open({
    [products]: () => Promise.reject(new ApiError({ type: 'network' })),
    [plans]: () => pageOf([]),
  });
  await screen.findByText('在售套餐加载失败');
  await screen.findByText(/^还没有套餐/);
});

test('where billing is off there is no such screen', async () => {
  const calls = open(shopAnswers({ billing: 'off' }));
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain('GET /api/site/config/'));
  await waitFor(() => expect(document.querySelector('.ant-skeleton')).toBeNull());
  expect(screen.queryByText('购买套餐')).toBeNull();
  expect(calls.map(({ key }) => key)).not.toContain(products);
});
