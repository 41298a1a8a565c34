import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { SolveContext } from '../../captcha/use-captcha.tsx';
import { keyText, ownKeyOf, placeKeyOf, placeOf } from '../testing/key-fixtures.ts';
import { bulkProduct, orderOf, pageOf, paid, planOf, shopAnswers, standard } from '../testing/shop-fixtures.ts';
import { ProductKeysPage } from './product-keys-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

const redeem = 'POST /api/user/product-keys-for-user/';
const list = 'GET /api/user/product-keys-for-place/';
const mark = 'POST /api/mark_product_keys_as_status/';
const need = 'GET /api/verify/captcha/init/';
const text = keyText(1);

function open(
  answers: Parameters<typeof show>[1] = {},
  at = '/productos',
  solve = async () => 'ticket' as string | undefined,
) {
  return show(
    <SolveContext value={solve}>
      <ProductKeysPage />
    </SolveContext>,
    {
      ...shopAnswers(),
      'GET /api/user/routers/': () => pageOf([deviceOf()]),
      'GET /api/user/product-keys-for-user/': () => pageOf([]),
      'GET /api/user/product-key-places/': () => pageOf([placeOf()]),
      'GET /api/user/product/plans/': () => pageOf([planOf()]),
      'GET /api/user/product/products/': () => pageOf([standard]),
      'GET /api/user/product/bulkproducts/': () => pageOf([bulkProduct]),
      [need]: () => ({ required: false, type: null, key: null }),
      [list]: () => pageOf([placeKeyOf(1), placeKeyOf(2), placeKeyOf(3, { text: null, status: 'redeemed' })]),
      ...answers,
    },
    { at },
  );
}

const staff = shopAnswers({ is_staff: true });
const promoter = shopAnswers({ is_promoter: true });
const inputOf = (calls: ReturnType<typeof show>, key: string) => calls.findLast((call) => call.key === key)?.input;

function refusal(code: string, detail: string): ApiError {
  const rest = { fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 403, code, detail, ...rest } as ConstructorParameters<
    typeof ApiError
  >[0]); // a code of the catalogue
}

test('a whole message is pasted: the key in it is redeemed for the chosen device', async () => {
  const done = orderOf({ ...paid, kind: 'key', plan: 40 });
  const calls = open({ [redeem]: () => done, 'GET /api/user/product/orders/{id}/': () => done });
  const field = await screen.findByLabelText<HTMLInputElement>('兑换码');
  fireEvent.change(field, { target: { value: `您好，您的兑换码是 ${text.toLowerCase()}，请在年底前使用` } });
  expect(field.value).toBe(text);
  fireEvent.mouseDown(screen.getByLabelText('用于设备'));
  fireEvent.click(await screen.findByTitle('家里的群晖'));
  fireEvent.click(screen.getByRole('button', { name: '兑换' }));
  await screen.findByText('兑换成功');
  expect(inputOf(calls, redeem)).toEqual({ body: { key: text, router: 7 } });
});

test('a key is for the only device, if that has no plan', async () => {
  open({ 'GET /api/user/routers/': () => pageOf([deviceOf({ state: 'plan_expired' })]) });
  await screen.findByTitle('家里的群晖');
});

test('a typing error is named without a call, because wrong tries are counted', async () => {
  const calls = open();
  const field = await screen.findByLabelText('兑换码');
  fireEvent.click(screen.getByRole('button', { name: '兑换' }));
  await screen.findByText('请输入兑换码');
  fireEvent.change(field, { target: { value: `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}` } });
  fireEvent.click(screen.getByRole('button', { name: '兑换' }));
  await screen.findByText(/^这不是一个完整的兑换码/);
  expect(inputOf(calls, redeem)).toBeUndefined();
});

test('after wrong tries a captcha comes first; who closes it reads why nothing happened', async () => {
  const done = orderOf({ ...paid, kind: 'key', plan: 40 });
  const tickets: (string | undefined)[] = [undefined, 'ticket-1'];
  const calls = open(
    {
      [redeem]: (input) => {
        if (!JSON.stringify(input).includes('ticket-1')) throw refusal('captcha.required', '请先完成验证');
        return done;
      },
      'GET /api/user/product/orders/{id}/': () => done,
    },
    `/productos?key=${text}`,
    async () => tickets.shift(),
  );
  fireEvent.click(await screen.findByRole('button', { name: '兑换' }));
  await screen.findByText('需要先完成验证，才能继续兑换');
  fireEvent.click(screen.getByRole('button', { name: '兑换' }));
  await screen.findByText('兑换成功');
  expect(inputOf(calls, redeem)).toEqual({ body: { key: text, ticket: 'ticket-1' } });
});

test('a refused key says why', async () => {
  open(
    { [redeem]: () => Promise.reject(refusal('product-key.redeemed', '这个兑换码已被使用')) },
    `/productos?key=${text}`,
  );
  expect((await screen.findByLabelText<HTMLInputElement>('兑换码')).value).toBe(text);
  fireEvent.click(screen.getByRole('button', { name: '兑换' }));
  await screen.findByText('这个兑换码已被使用');
});

test('own keys: a reward is redeemed from the list', async () => {
  open({
    'GET /api/user/product-keys-for-user/': () =>
      pageOf([ownKeyOf(4), ownKeyOf(5, { text: null, status: 'redeemed' })]),
  });
  fireEvent.click(await screen.findByRole('button', { name: `兑换尾号 ${keyText(4).slice(-5)} 的兑换码` }));
  expect(screen.getByLabelText<HTMLInputElement>('兑换码').value).toBe(keyText(4));
  expect(screen.getAllByRole('button', { name: /^兑换尾号/ })).toHaveLength(1);
});

test('where the browser reads QR codes, the camera fills the field', async () => {
  const stop = vi.fn<() => void>();
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = async () => [{ rawValue: `https://example.com/#/productos?key=${text}` }];
    },
  );
  const camera = { getUserMedia: async () => ({ getTracks: () => [{ stop }] }) };
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: camera });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockImplementation(() => undefined);
  open();
  fireEvent.click(await screen.findByRole('button', { name: '扫码' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('兑换码').value).toBe(text));
  await waitFor(() => expect(stop).toHaveBeenCalled());
});

test('other browsers say how else a code is scanned; users without a role see nothing else', async () => {
  open({}, '/productos?view=keys');
  await screen.findByText(/^这个浏览器不能扫码/);
  expect(screen.queryByRole('tab')).toBeNull();
});

test('places have their figures; promoters change nothing about them', async () => {
  open({ ...promoter }, '/productos?view=places');
  const place = within(await screen.findByRole('listitem', { name: '淘宝店' }));
  const figures = place.getByLabelText('淘宝店');
  expect(figures.textContent).toBe('共有16已发放5已兑换2已兑换价值¥52');
  expect(place.getByRole('link').getAttribute('href')).toBe('/productos?view=keys&place=3');
  expect(screen.queryByRole('button', { name: '新建渠道' })).toBeNull();
});

test('staff make a place, and delete one without keys', async () => {
  const empty = placeOf({ id: 4, name: '新店', counts: { unused: 0, issued: 0, redeemed: 0, void: 0, expired: 0 } });
  const calls = open(
    {
      ...staff,
      'GET /api/user/product-key-places/': () => pageOf([placeOf(), empty]),
      'GET /api/manage/users/': () => pageOf([{ id: 9, username: 'wang', is_promoter: true }]),
      'POST /api/manage/places/': () => placeOf({ name: '微店' }),
      'DELETE /api/manage/places/{id}/': () => ({ ok: true }),
    },
    '/productos?view=places',
  );
  fireEvent.click(await screen.findByRole('button', { name: '新建渠道' }));
  fireEvent.change(await screen.findByLabelText('名称'), { target: { value: ' 微店 ' } });
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('渠道“微店”已保存');
  expect(inputOf(calls, 'POST /api/manage/places/')).toEqual({ body: { name: '微店', note: '', promoter: null } });
  expect(screen.queryByRole('button', { name: '删除“淘宝店”' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '删除“新店”' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }));
  await screen.findByText('渠道“新店”已删除');
});

test('a place gets another note; name and promoter stay as they are by then', async () => {
  const save = 'PATCH /api/manage/places/{id}/';
  const calls = open({ ...staff, [save]: () => placeOf() }, '/productos?view=places');
  fireEvent.click(await screen.findByRole('button', { name: '修改“淘宝店”' }));
  fireEvent.change(await screen.findByLabelText('备注'), { target: { value: '周末代发' } });
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await screen.findByText('渠道“淘宝店”已保存');
  expect(inputOf(calls, save)).toEqual({ params: { id: 3 }, body: { note: '周末代发' } });
});

test('keys are filtered by the address: place, batch, status', async () => {
  const calls = open({ ...promoter }, '/productos?view=keys&place=3&status=issued');
  await screen.findByText(keyText(1));
  expect(inputOf(calls, list)).toMatchObject({ query: { place: '3', status: 'issued', limit: 50, offset: 0 } });
  fireEvent.click(screen.getAllByRole('button', { name: '批次 11' })[0] as HTMLElement);
  await waitFor(() => expect(inputOf(calls, list)).toMatchObject({ query: { batch: '11' } }));
  fireEvent.click(await screen.findByRole('button', { name: '清除条件' }));
  await waitFor(() => expect(inputOf(calls, list)).toMatchObject({ query: { limit: 50, offset: 0 } }));
  expect(screen.queryByRole('button', { name: '生成兑换码' })).toBeNull();
});

test('chosen keys are marked; what was skipped is named with its reason', async () => {
  const reply = { changed: 1, skipped: [{ key: keyText(2), code: 'product-key.redeemed' }] };
  const calls = open({ ...promoter, [mark]: () => reply }, '/productos?view=keys');
  const redeemed = await screen.findByRole<HTMLInputElement>('checkbox', { name: `选择尾号 ${placeKeyOf(3).hint}` });
  expect(redeemed.disabled).toBe(true);
  fireEvent.click(screen.getByRole('checkbox', { name: '选择本页' }));
  fireEvent.click(screen.getByRole('button', { name: '标记所选 2 个' }));
  fireEvent.change(await screen.findByLabelText('备注'), { target: { value: '给老王' } });
  fireEvent.click(screen.getByRole('button', { name: '标记' }));
  await screen.findByText('已标记 1 个');
  screen.getByText('这个兑换码已被使用');
  expect(inputOf(calls, mark)).toEqual({
    body: { keys: [keyText(1), keyText(2)], status: 'issued', reason: '给老王' },
  });
});

test('a pasted list is marked; lines without a key are counted', async () => {
  const calls = open({ ...promoter, [mark]: () => ({ changed: 2, skipped: [] }) }, '/productos?view=keys');
  fireEvent.click(await screen.findByRole('button', { name: '粘贴标记' }));
  const box = await within(screen.getByRole('dialog')).findByLabelText('兑换码');
  fireEvent.change(box, { target: { value: `${keyText(1)}\n张三 ${keyText(2)}\n李四\n${keyText(1)}` } });
  screen.getByText('认出 2 个兑换码');
  screen.getByText('有 1 行没有认出兑换码，不会标记');
  fireEvent.click(screen.getByRole('radio', { name: /^已作废/ }));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '标记' }));
  await screen.findByText('已标记 2 个');
  expect(inputOf(calls, mark)).toEqual({ body: { keys: [keyText(1), keyText(2)], status: 'void', reason: '' } });
});

test('the file has the keys of the filters, and the byte order mark that spreadsheets need', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob); // of this page
    return 'blob:x';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(); // it would leave the page
  const key = 'GET /api/user/product-keys-for-place/export/';
  const calls = open({ ...promoter, [key]: () => 'a,b\r\n' }, '/productos?view=keys&place=3');
  fireEvent.click(await screen.findByRole('button', { name: '导出 CSV' }));
  await screen.findByText('已导出');
  expect(inputOf(calls, key)).toMatchObject({ query: { place: '3' } });
  expect([...new Uint8Array(await (saved[0] as Blob).arrayBuffer()).slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 97]);
});

test('the QR code of a key opens the screen that redeems it', async () => {
  open({ ...promoter }, '/productos?view=keys');
  fireEvent.click(await screen.findByRole('button', { name: `尾号 ${placeKeyOf(1).hint} 的二维码` }));
  await screen.findByRole('img', { name: '兑换码的二维码' });
});

test('staff make a batch, which is shown once to copy; one whose answer was lost is sent again as the same', async () => {
  const make = 'POST /api/manage/product-keys/';
  const answers = [
    () => Promise.reject(new ApiError({ type: 'network' })),
    () => ({ batch: 12, keys: [keyText(8), keyText(9)] }),
  ];
  const calls = open({ ...staff, [make]: () => answers.shift()?.() }, '/productos?view=keys&place=3');
  fireEvent.click(await screen.findByRole('button', { name: '生成兑换码' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: '生成' }));
  await dialog.findByText('请选择套餐');
  fireEvent.mouseDown(dialog.getByLabelText('套餐'));
  fireEvent.click(await screen.findByTitle('标准版 1 年'));
  fireEvent.change(dialog.getByLabelText('数量'), { target: { value: '2' } });
  fireEvent.click(dialog.getByRole('button', { name: '生成' }));
  await dialog.findByRole('alert');
  fireEvent.click(dialog.getByRole('button', { name: '生成' }));
  await screen.findByText('已生成 2 个兑换码');
  screen.getByText(keyText(9));
  const [first, second] = calls.filter(({ key }) => key === make).map(({ input }) => input);
  const body = { product_id: 2, count: 2, place: 3, uuid_from_client: expect.any(String) };
  expect(first).toEqual({ body });
  expect(second).toEqual(first);
});

test('a bulk order: the price follows the quantity, and is the one that is ordered', async () => {
  const buy = 'POST /api/user/product/bulkorders/';
  const made = orderOf({ kind: 'bulk', quantity: 100, amount_fen: 208_000 });
  const calls = open(
    { ...promoter, [buy]: () => made, 'GET /api/user/product/orders/{id}/': () => made },
    '/productos?view=bulk',
  );
  await screen.findByRole('button', { name: '去支付 ¥234' });
  screen.getByText('10 个起 九折');
  const quantity = screen.getByLabelText('数量');
  fireEvent.change(quantity, { target: { value: '5' } });
  await screen.findByText('至少 10 个');
  screen.getByRole('button', { name: '去支付' });
  fireEvent.change(quantity, { target: { value: '100' } });
  fireEvent.click(await screen.findByRole('button', { name: '去支付 ¥2,080' }));
  await screen.findByRole('img', { name: '支付宝付款的二维码' });
  expect(inputOf(calls, buy)).toMatchObject({
    body: { bulk_product_id: 5, quantity: 100, place: 3, amount_fen: 208_000 },
  });
});

test('lists that cannot be loaded can be asked for again', async () => {
  const fail = () => Promise.reject(new ApiError({ type: 'network' }));
  open({ ...promoter, [list]: fail }, '/productos?view=keys');
  await screen.findByText('兑换码加载失败');
  cleanup();
  open({ ...promoter, 'GET /api/user/product/bulkproducts/': () => pageOf([]) }, '/productos?view=bulk');
  await screen.findByText('目前没有可以批量购买的套餐。');
});
