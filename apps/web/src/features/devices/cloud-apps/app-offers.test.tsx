import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudAppOffer } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DevicesPage } from '../devices-page.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/cloud_app_offers/';
const accept = 'POST /api/user/cloud_app_offers/{id}/accept/';
const decline = 'DELETE /api/user/cloud_app_offers/{id}/';
const apps = 'GET /api/user/cloud_apps/';

/** The devices of somebody who has none. */
function open(offers: CloudAppOffer[], answers: Parameters<typeof show>[1] = {}) {
  return show(
    <DevicesPage />,
    {
      'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
      'GET /api/user/shared_with_me/': () => [],
      [apps]: () => [],
      [list]: () => [...offers],
      ...answers,
    },
    { at: '/devices' },
  );
}

const offerOf = (): CloudAppOffer => ({
  ...{ id: 3, name: '路由器', kind: 'ssh', owner: 'zhao', created_at: new Date().toISOString() },
});

test('an offer is shown where there is no device, and accepted', async () => {
  const offers = [offerOf()];
  const calls = open(offers, {
    [accept]() {
      offers.pop();
      return { ok: true };
    },
  });
  const row = within(await screen.findByRole('listitem', { name: 'zhao 想与您共享 路由器' }));
  row.getByText('SSH 终端');
  screen.getByText('还没有设备');
  const listed = calls.filter(({ key }) => key === apps).length;
  fireEvent.click(row.getByRole('button', { name: '接受 路由器' }));
  await screen.findByText('已接受“路由器”，可以打开了');
  expect(screen.queryByRole('region', { name: /共享/ })).toBeNull();
  expect(calls.find(({ key }) => key === accept)).toMatchObject({ input: { params: { id: 3 } } });
  expect(calls.filter(({ key }) => key === apps).length).toBeGreaterThan(listed);
});

test('declining asks first, and says that the owner is not notified', async () => {
  const calls = open([offerOf()], { [decline]: () => ({ ok: true }) });
  fireEvent.click(await screen.findByRole('button', { name: '不接受 路由器' }));
  const question = within(await screen.findByRole('dialog'));
  question.getByText(/“zhao”不会收到通知/);
  expect(calls.map(({ key }) => key)).not.toContain(decline);
  fireEvent.click(question.getByRole('button', { name: '不接受' }));
  await waitFor(() => expect(calls.find(({ key }) => key === decline)).toMatchObject({ input: { params: { id: 3 } } }));
});

test('where nothing is offered nothing is said of it', async () => {
  const calls = open([]);
  await screen.findByText('还没有设备');
  expect(calls.map(({ key }) => key)).toContain(list);
  expect(screen.queryByText('等待您接受的共享')).toBeNull();
});
